import CSystem
import Glibc

/// How many files, sockets included, this process may have open at once (getrlimit(2), RLIMIT_NOFILE).
public enum Descriptors {
    /// The number in force.
    public static var limit: Int { Int(clamping: bounds.rlim_cur) }

    /// Raises the number to the most that the system allows this process.
    /// - Returns: the number in force from now on.
    @discardableResult
    public static func raiseLimit() -> Int {
        var wanted = bounds
        wanted.rlim_cur = wanted.rlim_max
        // Where it is refused, the old one holds.
        _ = setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &wanted)
        return limit
    }

    /// Whether so many more can be opened just now.
    public static func areLeft(_ count: Int) -> Bool {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<count {
            let descriptor = csystem_openat(AT_FDCWD, "/dev/null", O_RDONLY | O_CLOEXEC, 0)
            guard descriptor >= 0 else { return errno != EMFILE && errno != ENFILE }
            opened.append(descriptor)
        }
        return true
    }

    private static var bounds: rlimit {
        var bounds = rlimit()
        // It cannot fail with a resource that exists and a place to write to.
        _ = getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &bounds)
        return bounds
    }
}
