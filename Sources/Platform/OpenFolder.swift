import CSystem
import Glibc

/// A folder held open; closes itself.
///
/// Calls that take one find a path below it and nowhere else: the kernel refuses a path that leaves the folder, and any
/// symbolic link on the way (openat2(2)). The last name of a path is used as it is: a link there is never followed
/// either.
public final class OpenFolder: Sendable {
    /// The file descriptor.
    public let descriptor: Int32
    /// Where it was opened.
    public let path: String
    /// Folders below it that were used last: most files lie where the one before does.
    private let recent = Guarded<[String: OpenFolder]>([:])
    /// Each is an open file of this process; where it may have few, none is kept open. An archive has its pictures in
    /// 16 folders.
    private static let mostRecent = Descriptors.limit < 256 ? 0 : 32
    private static let longestPath = 4_096

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }
}

extension OpenFolder {
    /// Opens a folder below this one.
    public func folder(_ path: String) throws(SystemError) -> OpenFolder {
        let opened = openBeneath(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw failure("open the folder", path) }
        return OpenFolder(descriptor: opened, path: "\(self.path)/\(path)")
    }

    /// Makes a folder below this one; one that is there already is as good.
    public func make(_ path: String) throws(SystemError) {
        let made = try located(path) { mkdirat($0, $1, 0o755) }
        if made == 0 { return }
        // What is there already has to be a folder.
        if errno == EEXIST { _ = try folder(path) } else { throw failure("make the folder", path) }
    }

    /// Makes a folder below this one, and those above it that are missing.
    public func makeAll(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try make(path)
        } catch {
            guard error.code == ENOENT, let slash = path.lastIndex(of: "/") else { throw error }
            try makeAll(String(path[..<slash]))
            try make(path)
        }
    }

    /// The names in the folder, sorted by their bytes.
    public func names() throws(SystemError) -> [String] {
        try entries().map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Hands over the path of every file below the folder, relative to it, in no order, a folder's names at a time. A
    /// link is a file.
    public func forEachFile(_ body: (String) throws(SystemError) -> Void) throws(SystemError) {
        try forEachFile(as: "", body)
    }

    /// The paths of all files below the folder, relative to it, sorted by their bytes.
    public func files() throws(SystemError) -> [String] {
        var files: [String] = []
        try forEachFile { (file) throws(SystemError) in files.append(file) }
        return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    private func forEachFile(as prefix: String, _ body: (String) throws(SystemError) -> Void) throws(SystemError) {
        for (name, isFolder) in try entries() {
            if isFolder {
                // As long as no path can be, and so no deeper than that.
                guard prefix.utf8.count < Self.longestPath else { throw SystemError("list", path, code: ENAMETOOLONG) }
                try folder(name).forEachFile(as: "\(prefix)\(name)/", body)
            } else {
                try body(prefix + name)
            }
        }
    }

    /// The paths of all folders below the folder, relative to it, each before those in it. A folder that is removed
    /// or replaced by a file or a link meanwhile is left out.
    public func folders() throws(SystemError) -> [String] {
        var folders: [String] = []
        try addFolders(to: &folders, as: "")
        return folders
    }

    private func addFolders(to folders: inout [String], as prefix: String) throws(SystemError) {
        guard prefix.utf8.count < Self.longestPath else { throw SystemError("list", path, code: ENAMETOOLONG) }
        for (name, isFolder) in try entries() where isFolder {
            let below: OpenFolder
            do throws(SystemError) {
                below = try folder(name)
            } catch {
                if [ENOENT, ENOTDIR, ELOOP].contains(error.code) { continue }
                throw error
            }
            folders.append(prefix + name)
            try below.addFolders(to: &folders, as: "\(prefix)\(name)/")
        }
    }

    /// Removes a file, or a folder and all in it, below this one; that nothing is there is no error.
    public func remove(_ path: String) throws(SystemError) { try remove(path, depth: 0) }

    /// Deeper folders are left: each level takes an open file.
    private static let deepest = 500

    private func remove(_ path: String, depth: Int) throws(SystemError) {
        guard depth < Self.deepest else { throw failure("remove", path, code: ENAMETOOLONG) }
        do throws(SystemError) {
            if try located(path, { unlinkat($0, $1, 0) }) == 0 || errno == ENOENT { return }
        } catch {
            // The folder that it would be in is not there either.
            if error.code == ENOENT, !path.hasPrefix("/") { return } else { throw error }
        }
        // Of a folder, Linux says EISDIR, POSIX EPERM (unlink(2)).
        guard errno == EISDIR || errno == EPERM, FileStatus(path, in: self)?.isFolder == true else {
            throw failure("remove", path)
        }
        let inside = try folder(path)
        for name in try inside.entries().map(\.name) { try inside.remove(name, depth: depth + 1) }
        guard try located(path, { unlinkat($0, $1, AT_REMOVEDIR) }) == 0 || errno == ENOENT else {
            throw failure("remove", path)
        }
    }

    /// The names in the folder as the system gives them, each with whether it is a folder itself, links not followed.
    func entries() throws(SystemError) -> [(name: String, isFolder: Bool)] {
        // A descriptor of its own: reading moves its position, and closing the stream closes it.
        let own = csystem_openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard own >= 0, let stream = fdopendir(own) else { throw SystemError("list", path) }
        defer { closedir(stream) }
        var entries: [(name: String, isFolder: Bool)] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != "." && name != ".." else { continue }
            let type = Int(entry.pointee.d_type)
            // Some file systems do not tell the type beside the name.
            let isFolder = type == DT_UNKNOWN ? FileStatus(name, in: self)?.isFolder ?? false : type == DT_DIR
            entries.append((name, isFolder))
        }
        return entries
    }
}

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
        let folder = try above(
            String(decoding: UnsafeRawBufferPointer(start: path, count: name - 1 - path), as: UTF8.self))
        let result = try call(folder.descriptor, name)
        let code = errno
        withExtendedLifetime(folder) {}
        errno = code
        return result
    }

    private func located(_ path: String, _ call: (Int32, UnsafePointer<CChar>) -> Int32) throws(SystemError) -> Int32 {
        try Optional(self).locate(path, call)
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
    private func openBeneath(_ path: String, _ flags: Int32) -> Int32 {
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
