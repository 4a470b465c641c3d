import CSystem
import Glibc

/// A folder held open; closes itself.
///
/// Calls that take one find a path below it and nowhere else: the kernel refuses a path that leaves the folder, and any
/// symbolic link on the way (openat2(2)). The last name of a path is used as it is: a link there is never followed
/// either.
public final class OpenFolder: Sendable {
    package let descriptor: Int32
    /// The path that it was opened with.
    package let path: String
    /// Folders below it that were used last: most files lie where the one before does.
    let recent = Guarded<[String: OpenFolder]>([:])
    /// Each is an open file of this process; where it may have few, none is kept open. An archive has its pictures in
    /// 16 folders.
    static let mostRecent = Descriptors.limit < 256 ? 0 : 32
    private static let longestPath = 4_096

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

    /// Makes a folder below this one; one that is there already is as good.
    package func make(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try Optional(self).call("make the folder", path) { mkdirat($0, $1, 0o755) }
        } catch {
            // What is there already has to be a folder.
            guard error.code == EEXIST else { throw error }
            _ = try folder(path)
        }
    }

    /// Makes a folder below this one, and those above it that are missing.
    package func makeAll(_ path: String) throws(SystemError) {
        do throws(SystemError) {
            try make(path)
        } catch {
            guard error.code == ENOENT, let slash = path.lastIndex(of: "/") else { throw error }
            try makeAll(String(path[..<slash]))
            try make(path)
        }
    }

    /// Sorted by their bytes.
    package func names() throws(SystemError) -> [String] {
        try entries().map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Hands over the path of every file below the folder, relative to it, in no order, a folder's names at a time. A
    /// link is a file.
    package func forEachFile(_ body: (String) throws(SystemError) -> Void) throws(SystemError) {
        try walk("", passingOver: []) { (path, isFolder) throws(SystemError) in
            if !isFolder { try body(path) }
        }
    }

    /// The paths of all files below the folder, relative to it, sorted by their bytes.
    package func files() throws(SystemError) -> [String] {
        var files: [String] = []
        try forEachFile { files.append($0) }
        return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The paths of all folders below the folder, relative to it, each before those in it. A folder that is removed
    /// or replaced by a file or a link meanwhile is left out.
    package func folders() throws(SystemError) -> [String] {
        var folders: [String] = []
        try walk("", passingOver: [ENOENT, ENOTDIR, ELOOP]) { path, isFolder in
            if isFolder { folders.append(path) }
        }
        return folders
    }

    /// Hands over every path below the folder, a folder's before those in it.
    /// - Parameter codes: the errors of folders that are left out.
    private func walk(
        _ prefix: String, passingOver codes: [Int32], _ body: (String, Bool) throws(SystemError) -> Void
    ) throws(SystemError) {
        // As long as no path can be, and so no deeper than that.
        guard prefix.utf8.count < Self.longestPath else { throw SystemError("list", path, code: ENAMETOOLONG) }
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
            try below.walk("\(prefix)\(name)/", passingOver: codes, body)
        }
    }

    /// Removes a file, or a folder and all in it, below this one; that nothing is there is no error.
    package func remove(_ path: String) throws(SystemError) { try remove(path, depth: 0) }

    /// Deeper folders are left: each level takes an open file.
    private static let deepest = 500

    private func remove(_ path: String, depth: Int) throws(SystemError) {
        guard depth < Self.deepest else { throw failure("remove", path, code: ENAMETOOLONG) }
        do throws(SystemError) {
            if try Optional(self).locate(path, { unlinkat($0, $1, 0) }) == 0 || errno == ENOENT { return }
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
        try Optional(self).call("remove", path) { unlinkat($0, $1, AT_REMOVEDIR) == 0 || errno == ENOENT ? 0 : -1 }
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
