import CSystem
import Glibc

/// An open folder. It is closed in `deinit`.
///
/// Functions with an `OpenFolder` parameter access only paths below it. The kernel refuses a path that leaves the
/// folder, and symbolic links in the path (openat2(2)). If the last name of a path is a link, it is not followed
/// either.
public final class OpenFolder: Sendable {
    package let descriptor: Int32
    /// The path with which the folder was opened, for messages.
    package let path: String
    /// Recently used folders below this one. They are kept open, because the next file is usually in the same folder.
    let recent = Locked<[String: OpenFolder]>([:])
    /// The maximum number of recently used folders that are kept open; 0 if the process may have few open files. The
    /// pictures of an archive are in 16 folders.
    static let maximumRecent = Descriptors.limit < 256 ? 0 : 32
    private static let maximumPathLength = 4_096

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }
}

extension OpenFolder {
    package func folder(_ path: String) throws(SystemError) -> OpenFolder {
        let opened = openBeneath(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard opened >= 0 else { throw failure("open the folder", path) }
        return OpenFolder(descriptor: opened, path: "\(self.path)/\(path)")
    }

    /// Creates a folder below this one. An existing folder is not an error.
    package func make(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try Optional(self).call("make the folder", path) { mkdirat($0, $1, 0o755) }
        } catch {
            // The existing path must be a folder.
            guard error.code == EEXIST else { throw error }
            _ = try folder(path)
        }
    }

    /// Creates a folder below this one, and its missing parents.
    package func makeAll(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try make(path)
        } catch {
            guard error.code == ENOENT, let slash = path.lastIndex(of: "/") else { throw error }
            try makeAll(String(path[..<slash]))
            try make(path)
        }
    }

    /// The names in the folder, sorted by their bytes.
    package func names() throws(SystemError) -> [String] {
        try entries().map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Calls the closure with the path of each file below the folder, relative to it. The order is undefined. A link
    /// counts as a file.
    package func forEachFile(_ body: (String) throws(SystemError) -> Void) throws(SystemError) {
        try walk("", skippingErrors: []) { (path, isFolder) throws(SystemError) in
            if !isFolder { try body(path) }
        }
    }

    /// The paths of all files below the folder, relative to it, sorted by their bytes.
    package func files() throws(SystemError) -> [String] {
        var files: [String] = []
        try forEachFile { files.append($0) }
        return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The paths of all folders below the folder, relative to it, parents first. Skips a folder that is removed, or
    /// replaced by a file or link, during the call.
    package func folders() throws(SystemError) -> [String] {
        var folders: [String] = []
        try walk("", skippingErrors: [ENOENT, ENOTDIR, ELOOP]) { path, isFolder in
            if isFolder { folders.append(path) }
        }
        return folders
    }

    /// Calls the closure with each path below the folder, parents first.
    /// - Parameter codes: a folder that cannot be opened because of one of these errors is skipped.
    private func walk(
        _ prefix: String, skippingErrors codes: [Int32], _ body: (String, Bool) throws(SystemError) -> Void
    ) throws(SystemError) {
        // The limit for the length of a path also limits the depth.
        guard prefix.utf8.count < Self.maximumPathLength else { throw SystemError("list", path, code: ENAMETOOLONG) }
        for (name, isFolder) in try entries() {
            guard isFolder else {
                try body(prefix + name, false)
                continue
            }
            let below: OpenFolder
            do throws(SystemError) {
                below = try folder(name)
            } catch {
                if codes.contains(error.code) { continue }
                throw error
            }
            try body(prefix + name, true)
            try below.walk("\(prefix)\(name)/", skippingErrors: codes, body)
        }
    }

    /// Removes a file, or a folder with its content, below this one. A missing file is not an error.
    package func remove(_ path: String) throws(SystemError) { try remove(path, depth: 0) }

    /// The maximum depth for removal, because each level needs an open file. Deeper folders are an error.
    private static let maximumDepth = 500

    private func remove(_ path: String, depth: Int) throws(SystemError) {
        guard depth < Self.maximumDepth else { throw failure("remove", path, code: ENAMETOOLONG) }
        do throws(SystemError) {
            if try Optional(self).withParentFolder(path, { unlinkat($0, $1, 0) }) == 0 || errno == ENOENT { return }
        } catch {
            // The parent folder is missing too.
            if error.code == ENOENT, !path.hasPrefix("/") { return } else { throw error }
        }
        // For a folder, the error is EISDIR on Linux, and EPERM in POSIX (unlink(2)).
        guard errno == EISDIR || errno == EPERM, FileStatus(path, in: self)?.isFolder == true else {
            throw failure("remove", path)
        }
        let inside = try folder(path)
        for name in try inside.entries().map(\.name) { try inside.remove(name, depth: depth + 1) }
        try Optional(self).call("remove", path) { unlinkat($0, $1, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : -1 }
    }

    /// The names in the folder, unsorted, and whether each is a folder. A link does not count as a folder.
    func entries() throws(SystemError) -> [(name: String, isFolder: Bool)] {
        // Reading needs a separate descriptor, because it moves the position, and because closedir(3) closes it.
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
            // Some file systems do not report the type here.
            let isFolder = type == DT_UNKNOWN ? FileStatus(name, in: self)?.isFolder ?? false : type == DT_DIR
            entries.append((name, isFolder))
        }
        return entries
    }
}
