import CSystem
import Glibc

extension OpenFolder {
    /// Calls the system with the folder that a path lies in and the name there, and leaves `errno` as the call did.
    func locate(
        _ path: UnsafePointer<CChar>, _ call: (Int32, UnsafePointer<CChar>) throws(SystemError) -> Int32
    ) throws(SystemError) -> Int32 {
        guard let slash = strrchr(path, Int32(UInt8(ascii: "/"))) else {
            try requireName(path)
            return try call(descriptor, path)
        }
        let name = UnsafePointer(slash) + 1
        try requireName(name)
        let place = UnsafeRawBufferPointer(start: path, count: name - 1 - path)
        let folder = try above(String(decoding: place, as: UTF8.self))
        let result = try call(folder.descriptor, name)
        let code = errno
        withExtendedLifetime(folder) {}
        errno = code
        return result
    }

    /// A path ends in the name of something in a folder.
    private func requireName(_ name: UnsafePointer<CChar>) throws(SystemError) {
        let dot = CChar(bitPattern: UInt8(ascii: "."))
        let isName = name[0] != 0 && !(name[0] == dot && (name[1] == 0 || name[1] == dot && name[2] == 0))
        guard isName else { throw SystemError("use", "\(path)/\(String(cString: name))", code: SystemError.leadsOut) }
    }

    /// The folder below this one that files lie in, opened once for those that follow one another.
    private func above(_ path: String) throws(SystemError) -> OpenFolder {
        if let known = recent.withLock({ $0[path] }) { return known }
        let opened: OpenFolder
        do throws(SystemError) {
            opened = try folder(path)
        } catch {
            guard error.code == EMFILE || error.code == ENFILE else { throw error }
            recent.withLock { $0.removeAll() }
            opened = try folder(path)
        }
        guard Self.mostRecent > 0 else { return opened }
        recent.withLock { recent in
            if recent.count >= Self.mostRecent { recent.removeAll(keepingCapacity: true) }
            recent[path] = opened
        }
        return opened
    }

    /// Opens what a path names below the folder, by `openat2`, or step by step where the kernel or a container does not
    /// have it.
    /// - Returns: the descriptor, or -1 with the reason in `errno`.
    func openBeneath(_ path: String, _ flags: Int32) -> Int32 {
        let opened = csystem_open_beneath(descriptor, path, flags, 0)
        guard opened < 0, errno == ENOSYS || errno == EPERM else { return opened }
        return openStepwise(path, flags)
    }

    /// As `openBeneath`, without `openat2`.
    func openStepwise(_ path: String, _ flags: Int32) -> Int32 {
        let names = path.split(separator: "/", omittingEmptySubsequences: false)
        var folder = descriptor
        for (index, name) in names.enumerated() {
            guard !name.isEmpty, name != "." || names.count == 1, name != "..", !name.utf8.contains(0) else {
                if folder != descriptor { close(folder) }
                errno = EXDEV
                return -1
            }
            let isLast = index == names.count - 1
            let opened = csystem_openat(
                folder, String(name), (isLast ? flags : O_PATH | O_DIRECTORY | O_CLOEXEC) | O_NOFOLLOW, 0)
            let code = errno
            if folder != descriptor { close(folder) }
            errno = code
            guard opened >= 0 else { return -1 }
            folder = opened
        }
        return folder
    }

    /// Opens a file below the folder that is followed if it is a link, as long as it leads to a place below the folder.
    func openFollowing(_ path: String, _ flags: Int32) throws(SystemError) -> Int32 {
        var opened = csystem_open_beneath(descriptor, path, flags, 1)
        if opened < 0, errno == ENOSYS || errno == EPERM { opened = openResolved(path, flags) }
        guard opened < 0 else { return opened }
        if errno == EXDEV { throw SystemError("follow the link", "\(self.path)/\(path)", code: SystemError.leadsOut) }
        throw SystemError("read", "\(self.path)/\(path)")
    }

    /// As `openFollowing`, without `openat2`: where the path leads is compared with where the folder is.
    func openResolved(_ path: String, _ flags: Int32) -> Int32 {
        guard let root = Folder.realPath("/proc/self/fd/\(descriptor)"), let place = Folder.realPath("\(root)/\(path)")
        else { return -1 }
        guard place.hasPrefix(root == "/" ? root : root + "/") else {
            errno = EXDEV
            return -1
        }
        return openStepwise(String(place.dropFirst(root == "/" ? 1 : root.count + 1)), flags)
    }

    /// Why the last call failed: of a link on the way, its own path is named.
    func failure(_ action: String, _ path: String, code: Int32 = errno) -> SystemError {
        guard code == ELOOP || code == ENOTDIR else {
            return SystemError(action, "\(self.path)/\(path)", code: code == EXDEV ? SystemError.leadsOut : code)
        }
        for end in path.indices.filter({ path[$0] == "/" }) + [path.endIndex] {
            var status = stat()
            let place = String(path[..<end])
            // Only to name it: what it leads to is not used.
            guard fstatat(descriptor, place, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK
            else { continue }
            return SystemError(action, "\(self.path)/\(place)", code: ELOOP)
        }
        return SystemError(action, "\(self.path)/\(path)", code: code)
    }
}

/// A path below an open folder, or, where there is none, one of the working folder's, which may be reached through
/// links.
extension OpenFolder? {
    /// Calls the system with the folder that a path lies in and the name there, and leaves `errno` as the call did.
    func locate(
        _ path: String, _ call: (Int32, UnsafePointer<CChar>) throws(SystemError) -> Int32
    ) throws(SystemError) -> Int32 {
        try path.withCString { path -> Result<Int32, SystemError> in
            do throws(SystemError) {
                if let folder = self { return .success(try folder.locate(path, call)) }
                return .success(try call(AT_FDCWD, path))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Calls the system in the same way; the call returns 0 unless it fails.
    func call(
        _ action: String, _ path: String, _ body: (Int32, UnsafePointer<CChar>) -> Int32
    ) throws(SystemError) {
        guard try locate(path, body) == 0 else { throw failure(action, path) }
    }

    /// Opens a file; below a folder, one that is no link.
    func open(_ action: String, _ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
        let flags = flags | O_CLOEXEC | (self.map { _ in O_NOFOLLOW | O_NONBLOCK } ?? 0)
        let opened = try locate(path) { csystem_openat($0, $1, flags, mode) }
        guard opened >= 0 else { throw failure(action, path) }
        return opened
    }

    /// Why the last call failed.
    func failure(_ action: String, _ path: String) -> SystemError {
        self?.failure(action, path) ?? SystemError(action, path)
    }

    /// How messages name a path.
    func shown(_ path: String) -> String { self.map { "\($0.path)/\(path)" } ?? path }
}
