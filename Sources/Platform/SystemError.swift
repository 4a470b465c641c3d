public import Glibc

/// A call to the operating system that failed: what was tried, on what, and the system's reason.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was tried, as a verb: "write", "exchange".
    public let action: String
    /// The file or folder concerned.
    public let path: String
    /// The error number, errno(3).
    public let code: Int32

    /// A failure with its error number; by default the one the last call left.
    public init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// One sentence for a person: what failed, why, and what helps where that is known.
    public var description: String { "cannot \(action) \(path): \(String(cString: strerror(code)))\(remedy.map { "; \($0)" } ?? "")" }

    private var remedy: String? {
        switch code {
        case ENOSPC, EDQUOT: "make room there and run again"
        case EACCES, EPERM: "give the user who runs amber the right to it, or choose another place"
        case EROFS: "make it writable, or choose another place"
        case EXDEV: "both have to be on one file system"
        case EMFILE, ENFILE: "allow more open files (ulimit -n) and run again"
        default: nil
        }
    }
}
