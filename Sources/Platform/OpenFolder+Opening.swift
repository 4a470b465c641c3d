import CSystem
import Glibc

extension OpenFolder {
    /// Runs a system call with the parent folder of a path and the name in it. `errno` is preserved.
    func withParentFolder(
        _ path: UnsafePointer<CChar>, _ call: (Int32, UnsafePointer<CChar>) throws(SystemError) -> Int32
    ) throws(SystemError) -> Int32 {
        guard let slash = strrchr(path, Int32(UInt8(ascii: "/"))) else {
            try requireName(path)
            return try call(descriptor, path)
        }
        let name = UnsafePointer(slash) + 1
        try requireName(name)
        let parentPath = UnsafeRawBufferPointer(start: path, count: name - 1 - path)
        let folder = try parentFolder(String(decoding: parentPath, as: UTF8.self))
        let result = try call(folder.descriptor, name)
        let code = errno
        withExtendedLifetime(folder) {}
        errno = code
        return result
    }

    /// Refuses an empty name, "." and "..".
    private func requireName(_ name: UnsafePointer<CChar>) throws(SystemError) {
        let dot = CChar(bitPattern: UInt8(ascii: "."))
        let isName = name[0] != 0 && !(name[0] == dot && (name[1] == 0 || name[1] == dot && name[2] == 0))
        guard isName else {
            throw SystemError("use", "\(path)/\(String(cString: name))", code: SystemError.outsideFolder)
        }
    }

    /// Opens a folder below this one. Recently used folders are kept open.
    private func parentFolder(_ path: String) throws(SystemError) -> OpenFolder {
        if let known = recent.withLock({ $0[path] }) { return known }
        let opened: OpenFolder
        do throws(SystemError) {
            opened = try folder(path)
        } catch {
            guard error.code == EMFILE || error.code == ENFILE else { throw error }
            recent.withLock { $0.removeAll() }
            opened = try folder(path)
        }
        guard Self.maximumRecent > 0 else { return opened }
        recent.withLock { recent in
            if recent.count >= Self.maximumRecent { recent.removeAll(keepingCapacity: true) }
            recent[path] = opened
        }
        return opened
    }

    /// Opens a path below the folder with `openat2`, or step by step if the kernel or a container does not allow that.
    /// - Returns: the descriptor, or -1 with the reason in `errno`.
    func openBeneath(_ path: String, _ flags: Int32) -> Int32 {
        let opened = csystem_open_beneath(descriptor, path, flags, 0)
        guard opened < 0, errno == ENOSYS || errno == EPERM else { return opened }
        return openStepwise(path, flags)
    }

    /// Like `openBeneath`, but without `openat2`.
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

    /// Opens a file below the folder. Symbolic links are followed if their targets are below the folder.
    func openFollowing(_ path: String, _ flags: Int32) throws(SystemError) -> Int32 {
        var opened = csystem_open_beneath(descriptor, path, flags, 1)
        if opened < 0, errno == ENOSYS || errno == EPERM { opened = openResolved(path, flags) }
        guard opened < 0 else { return opened }
        if errno == EXDEV {
            throw SystemError("follow the link", "\(self.path)/\(path)", code: SystemError.outsideFolder)
        }
        throw SystemError("read", "\(self.path)/\(path)")
    }

    /// Like `openFollowing`, but without `openat2`: resolves the path, and checks that the result is below the folder.
    func openResolved(_ path: String, _ flags: Int32) -> Int32 {
        guard let root = Folder.realPath("/proc/self/fd/\(descriptor)"),
            let resolved = Folder.realPath("\(root)/\(path)")
        else { return -1 }
        guard resolved.hasPrefix(root == "/" ? root : root + "/") else {
            errno = EXDEV
            return -1
        }
        return openStepwise(String(resolved.dropFirst(root == "/" ? 1 : root.count + 1)), flags)
    }

    /// The error of the last call. If the path contains a link, the error names the path of the link.
    func failure(_ action: String, _ path: String, code: Int32 = errno) -> SystemError {
        guard code == ELOOP || code == ENOTDIR else {
            return SystemError(action, "\(self.path)/\(path)", code: code == EXDEV ? SystemError.outsideFolder : code)
        }
        for end in path.indices.filter({ path[$0] == "/" }) + [path.endIndex] {
            var status = stat()
            let prefix = String(path[..<end])
            // This check only finds the name of the link. The link's target is not used.
            guard fstatat(descriptor, prefix, &status, AT_SYMLINK_NOFOLLOW) == 0, status.st_mode & S_IFMT == S_IFLNK
            else { continue }
            return SystemError(action, "\(self.path)/\(prefix)", code: ELOOP)
        }
        return SystemError(action, "\(self.path)/\(path)", code: code)
    }
}

/// Paths below an open folder. For nil, paths are relative to the working folder, and may contain links.
extension OpenFolder? {
    /// Runs a system call with the parent folder of a path and the name in it. `errno` is preserved.
    func withParentFolder(
        _ path: String, _ call: (Int32, UnsafePointer<CChar>) throws(SystemError) -> Int32
    ) throws(SystemError) -> Int32 {
        try path.withCString { path -> Result<Int32, SystemError> in
            do throws(SystemError) {
                if let folder = self { return .success(try folder.withParentFolder(path, call)) }
                return .success(try call(AT_FDCWD, path))
            } catch {
                return .failure(error)
            }
        }.get()
    }

    /// Runs a system call with the parent folder of a path and the name in it. The call must return 0 on success.
    func call(
        _ action: String, _ path: String, _ body: (Int32, UnsafePointer<CChar>) -> Int32
    ) throws(SystemError) {
        guard try withParentFolder(path, body) == 0 else { throw failure(action, path) }
    }

    /// Opens a file. Below a folder, it must not be a symbolic link.
    func open(_ action: String, _ path: String, _ flags: Int32, mode: UInt32 = 0) throws(SystemError) -> Int32 {
        let flags = flags | O_CLOEXEC | (self.map { _ in O_NOFOLLOW | O_NONBLOCK } ?? 0)
        let opened = try withParentFolder(path) { csystem_openat($0, $1, flags, mode) }
        guard opened >= 0 else { throw failure(action, path) }
        return opened
    }

    /// The error of the last call.
    func failure(_ action: String, _ path: String) -> SystemError {
        self?.failure(action, path) ?? SystemError(action, path)
    }

    /// The path for messages.
    func displayPath(of path: String) -> String { self.map { "\($0.path)/\(path)" } ?? path }
}
