import CSystem
import Glibc

/// An open folder. It is closed in `deinit`.
///
/// Functions with an `OpenFolder` parameter access only paths below it. Each folder of a path is opened below the one
/// before it, and symbolic links are refused. If the last name of a path is a link, it is not followed either.
public final class OpenFolder: Sendable {
    package let descriptor: Int32
    /// The path with which the folder was opened, for messages.
    package let path: String
    /// Recently used folders below this one, by the bytes of their paths, because two names can be equal as texts. They
    /// are kept open, because the next file is usually in the same folder.
    private let recent = Locked<[[UInt8]: OpenFolder]>([:])
    /// The maximum number of them; 0 if few files may be open. The pictures of an archive are in 16 folders.
    private static let maximumRecent = Descriptors.limit < 256 ? 0 : 32
    private static let maximumPathLength = 4_096

    /// The working folder. Paths below it are all paths of the system: they may be absolute, and may contain links.
    package static let working = OpenFolder(descriptor: AT_FDCWD, path: "")

    private init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { closePreservingError(descriptor) }

    var isWorking: Bool { descriptor == AT_FDCWD }

    func displayPath(of path: String) -> String { isWorking ? path : "\(self.path)/\(path)" }
}

/// Closes a descriptor, but keeps the error of an earlier call.
func closePreservingError(_ descriptor: Int32) {
    let code = errno
    close(descriptor)
    errno = code
}

// MARK: Opening

extension OpenFolder {
    /// Opens a folder below this one.
    /// - Parameter followsLink: whether the folder itself may be a link; only for paths below `working`.
    package func folder(_ path: String, followsLink: Bool = false) throws -> OpenFolder {
        // As for the system, a slash is a byte: a character can be a slash with a combining mark.
        let parts = path.utf8.split(separator: "/", omittingEmptySubsequences: false)
        let names = isWorking ? [path] : parts.map { String(Substring($0)) }
        var folder = self
        for name in names {
            guard isWorking || !["", ".", ".."].contains(name) && !name.utf8.contains(0) else {
                throw SystemError("open the folder", displayPath(of: path), code: SystemError.outsideFolder)
            }
            let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW)
            let opened = csystem_openat(folder.descriptor, name, flags, 0)
            guard opened >= 0 else { throw failure("open the folder", path) }
            folder = OpenFolder(descriptor: opened, path: displayPath(of: path))
        }
        return folder
    }

    /// Runs a system call with the parent folder of a path and the name in it. `errno` is preserved.
    func withParentFolder<Value>(
        _ path: UnsafePointer<CChar>, _ call: (Int32, UnsafePointer<CChar>) throws -> Value
    ) throws -> Value {
        guard !isWorking else { return try call(descriptor, path) }
        let slash = strrchr(path, Int32(UInt8(ascii: "/"))).map { UnsafePointer($0) }
        let name = slash.map { $0 + 1 } ?? path
        guard name[0] != 0, strcmp(name, ".") != 0, strcmp(name, "..") != 0 else {
            throw SystemError("use", displayPath(of: String(cString: path)), code: SystemError.outsideFolder)
        }
        guard let slash else { return try call(descriptor, name) }
        let parent = UnsafeRawBufferPointer(start: path, count: slash - path)
        let folder = try parentFolder(String(decoding: parent, as: UTF8.self))
        return try withExtendedLifetime(folder) { try call(folder.descriptor, name) }
    }

    /// Opens a folder below this one. Recently used folders are kept open.
    private func parentFolder(_ path: String) throws -> OpenFolder {
        let bytes = Array(path.utf8)
        if let known = recent.withLock({ $0[bytes] }) { return known }
        let opened: OpenFolder
        do {
            opened = try folder(path)
        } catch let error as SystemError where [EMFILE, ENFILE].contains(error.code) {
            recent.withLock { $0.removeAll() }
            opened = try folder(path)
        }
        guard Self.maximumRecent > 0 else { return opened }
        recent.withLock { recent in
            if recent.count >= Self.maximumRecent { recent.removeAll(keepingCapacity: true) }
            recent[bytes] = opened
        }
        return opened
    }

    /// Runs a system call with the parent folder of a path and the name in it. The call must return 0 on success.
    func call(_ action: String, _ path: UnsafePointer<CChar>, _ body: (Int32, UnsafePointer<CChar>) -> Int32) throws {
        guard try withParentFolder(path, body) == 0 else { throw failure(action, String(cString: path)) }
    }

    /// Runs a system call with the parent folders of two paths and the names in them.
    func callWithBoth(
        _ path: UnsafePointer<CChar>, _ other: UnsafePointer<CChar>, in folder: OpenFolder,
        _ body: (Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>) -> Int32
    ) throws -> Int32 {
        try withParentFolder(path) { parent, name in
            try folder.withParentFolder(other) { body(parent, name, $0, $1) }
        }
    }

    /// The error of the last call. If a link is the reason, the error has the path of the link.
    func failure(_ action: String, _ path: String, code: Int32 = errno) -> SystemError {
        guard code == ELOOP || code == ENOTDIR else { return SystemError(action, displayPath(of: path), code: code) }
        let folders = isWorking ? [] : path.utf8.indices.filter { path.utf8[$0] == "/" }
        for end in folders + [path.endIndex] {
            var status = stat()
            let prefix = String(path[..<end])
            // This check only finds the name of the link. The link's target is not used.
            if fstatat(descriptor, prefix, &status, AT_SYMLINK_NOFOLLOW) == 0, FileStatus(status).isLink {
                return SystemError(action, displayPath(of: prefix), code: ELOOP)
            }
        }
        return SystemError(action, displayPath(of: path), code: code)
    }
}

// MARK: Creating, listing and removing

extension OpenFolder {
    /// Creates a folder below this one. An existing folder is not an error.
    package func make(_ path: String) throws {
        do {
            try call("make the folder", path) { mkdirat($0, $1, 0o755) }
        } catch let error as SystemError where error.code == EEXIST {
            // The existing path must be a folder. Below `working`, it may be a link to one, even an unreadable one.
            guard !isWorking || FileStatus("\(path)/.")?.isFolder != true else { return }
            _ = try folder(path, followsLink: isWorking)
        }
    }

    /// Creates a folder below this one, and its missing parents.
    package func makeAll(_ path: String) throws {
        do {
            try make(path)
        } catch let error as SystemError where error.code == ENOENT {
            guard let slash = path.lastIndex(of: "/"), slash != path.startIndex else { throw error }
            try makeAll(String(path[..<slash]))
            try make(path)
        }
    }

    /// The names in the folder, sorted by their bytes.
    package func names() throws -> [String] {
        try entries().map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Calls the closure with the relative path of each file below the folder, in any order. A link counts as a file.
    package func forEachFile(_ body: (String) throws -> Void) throws {
        try walk("", skippingErrors: []) { path, isFolder in
            if !isFolder { try body(path) }
        }
    }

    /// The paths of all files below the folder, relative to it, sorted by their bytes.
    package func files() throws -> [String] {
        var files: [String] = []
        try forEachFile { files.append($0) }
        return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The relative paths of all folders below the folder, parents first, without those that are removed meanwhile.
    package func folders() throws -> [String] {
        var folders: [String] = []
        try walk("", skippingErrors: [ENOENT, ENOTDIR, ELOOP]) { path, isFolder in
            if isFolder { folders.append(path) }
        }
        return folders
    }

    /// Calls the closure with each path below the folder, parents first.
    /// - Parameter codes: a folder that cannot be opened because of one of these errors is skipped.
    private func walk(_ prefix: String, skippingErrors codes: [Int32], _ body: (String, Bool) throws -> Void) throws {
        // The limit for the length of a path also limits the depth.
        guard prefix.utf8.count < Self.maximumPathLength else { throw SystemError("list", path, code: ENAMETOOLONG) }
        for entry in try entries() {
            var below: OpenFolder?
            do {
                if entry.isFolder { below = try listedFolder(entry.bytes) }
            } catch let error as SystemError where codes.contains(error.code) {
                continue
            }
            try body(prefix + entry.name, entry.isFolder)
            try below?.walk("\(prefix)\(entry.name)/", skippingErrors: codes, body)
        }
    }

    /// Removes all files below the folder for which the closure does not return true, and all empty folders.
    package func removeFiles(unless isKept: (String) -> Bool) throws { _ = try removeFiles(below: "", unless: isKept) }

    /// - Returns: whether the folder is empty now.
    private func removeFiles(below prefix: String, unless isKept: (String) -> Bool) throws -> Bool {
        guard prefix.utf8.count < Self.maximumPathLength else { throw SystemError("list", path, code: ENAMETOOLONG) }
        var isEmpty = true
        for entry in try entries() {
            let path = prefix + entry.name
            let isRemoved =
                entry.isFolder
                ? try listedFolder(entry.bytes).removeFiles(below: "\(path)/", unless: isKept) : !isKept(path)
            if isRemoved { try remove(entry.bytes) } else { isEmpty = false }
        }
        return isEmpty
    }

    /// The maximum depth for removal, because each level needs an open file. Deeper folders are an error.
    private static let maximumDepth = 500

    /// Removes a file, or a folder with its content, below this one, if it exists. The target of a link stays.
    package func remove(_ path: UnsafePointer<CChar>, depth: Int = 0) throws {
        let shown = String(cString: path)
        guard depth < Self.maximumDepth else { throw failure("remove", shown, code: ENAMETOOLONG) }
        // There is no result if the parent folder is missing too.
        guard let result = try ifExists({ try withParentFolder(path) { unlinkat($0, $1, 0) } }) else { return }
        if result == 0 || errno == ENOENT { return }
        // The error for a folder on Linux (unlink(2)).
        guard errno == EISDIR else { throw failure("remove", shown) }
        let inside = try listedFolder(path)
        for entry in try inside.entries() { try inside.remove(entry.bytes, depth: depth + 1) }
        try call("remove", path) { unlinkat($0, $1, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : -1 }
    }

    /// Opens a folder below this one by the bytes of its path, like `folder`.
    private func listedFolder(_ path: UnsafePointer<CChar>) throws -> OpenFolder {
        let flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW
        let opened = try withParentFolder(path) { csystem_openat($0, $1, flags, 0) }
        let shown = String(cString: path)
        guard opened >= 0 else { throw failure("open the folder", shown) }
        return OpenFolder(descriptor: opened, path: displayPath(of: shown))
    }

    /// A file or folder in a folder. A link does not count as a folder.
    private struct Entry {
        /// The name for messages and comparisons. Bytes that are not UTF-8 are replaced.
        let name: String
        /// The bytes of the name for system calls, with a zero byte at the end.
        let bytes: [CChar]
        let isFolder: Bool
    }

    /// The files and folders in the folder, unsorted.
    private func entries() throws -> [Entry] {
        // Reading needs a separate descriptor, because it moves the position, and because closedir(3) closes it.
        let own = csystem_openat(descriptor, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard own >= 0, let stream = fdopendir(own) else { throw SystemError("list", path) }
        defer { closedir(stream) }
        var entries: [Entry] = []
        while let entry = readdir(stream) {
            let (name, bytes) = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) {
                    (String(cString: $0), [CChar](UnsafeBufferPointer(start: $0, count: strlen($0) + 1)))
                }
            }
            guard name != "." && name != ".." else { continue }
            let type = Int(entry.pointee.d_type)
            // Some file systems do not report the type here.
            let isFolder = type == DT_UNKNOWN ? isFolder(bytes) : type == DT_DIR
            entries.append(Entry(name: name, bytes: bytes, isFolder: isFolder))
        }
        return entries
    }

    private func isFolder(_ name: [CChar]) -> Bool {
        var status = stat()
        return fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0 && FileStatus(status).isFolder
    }
}
