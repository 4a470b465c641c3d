import CSystem
import Glibc

/// Folders: made, listed, removed, locked, exchanged.
public enum Folder {
    /// Makes a folder and those above it that are missing.
    public static func make(_ path: String) throws(SystemError) {
        if mkdir(path, 0o755) == 0 { return }
        if errno == EEXIST { return try requireFolder(path) }
        guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash != path.startIndex else {
            throw SystemError("make the folder", path)
        }
        try make(String(path[..<slash]))
        if mkdir(path, 0o755) == 0 { return }
        guard errno == EEXIST else { throw SystemError("make the folder", path) }
        try requireFolder(path)
    }

    /// What is there already may be a folder or a link to one, but no file.
    private static func requireFolder(_ path: String) throws(SystemError) {
        var status = stat()
        guard stat(path, &status) == 0 else { throw SystemError("make the folder", path) }
        guard status.st_mode & S_IFMT == S_IFDIR else { throw SystemError("make the folder", path, code: ENOTDIR) }
    }

    /// The names in a folder, sorted by their bytes; empty where there is no folder.
    public static func names(in path: String) throws(SystemError) -> [String] {
        try entries(in: path).map(\.name).sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// The names in a folder as the system gives them, each with whether it is a folder itself, links not followed.
    private static func entries(in path: String) throws(SystemError) -> [(name: String, isFolder: Bool)] {
        guard let stream = opendir(path) else {
            if errno == ENOENT { return [] }
            throw SystemError("list", path)
        }
        defer { closedir(stream) }
        var entries: [(name: String, isFolder: Bool)] = []
        while let entry = readdir(stream) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name != "." && name != ".." else { continue }
            let type = Int(entry.pointee.d_type)
            // Some file systems do not tell the type beside the name.
            let isFolder = type == DT_UNKNOWN ? FileStatus("\(path)/\(name)")?.isFolder ?? false : type == DT_DIR
            entries.append((name, isFolder))
        }
        return entries
    }

    /// The paths of all files below a folder, relative to it, sorted by their bytes.
    public static func files(below path: String) throws(SystemError) -> [String] {
        var files: [String] = []
        try forEachFile(below: path) { (file) throws(SystemError) in files.append(file) }
        return files.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
    }

    /// Hands over the path of every file below a folder, relative to it, in no order, a folder's names at a time.
    public static func forEachFile(below path: String, _ body: (String) throws(SystemError) -> Void) throws(SystemError) {
        try forEachFile(below: path, as: "", body)
    }

    private static func forEachFile(
        below path: String, as prefix: String, _ body: (String) throws(SystemError) -> Void
    ) throws(SystemError) {
        for (name, isFolder) in try entries(in: path) {
            if isFolder {
                try forEachFile(below: "\(path)/\(name)", as: "\(prefix)\(name)/", body)
            } else {
                try body(prefix + name)
            }
        }
    }

    /// The paths of a folder and all folders below it, links not followed; none where there is no folder.
    public static func folders(from path: String) throws(SystemError) -> [String] {
        guard FileStatus(path) != nil else { return [] }
        var folders = [path]
        for (name, isFolder) in try entries(in: path) where isFolder { folders += try Self.folders(from: "\(path)/\(name)") }
        return folders
    }

    /// Removes a folder and all in it; that nothing is there is no error.
    public static func remove(_ path: String) throws(SystemError) {
        guard let status = FileStatus(path) else { return }
        guard status.isFolder else { return try File.remove(path) }
        for name in try names(in: path) { try remove("\(path)/\(name)") }
        guard rmdir(path) == 0 else { throw SystemError("remove", path) }
    }

    /// Opens a folder for the calls that take one.
    public static func open(_ path: String) throws(SystemError) -> OpenFolder {
        let descriptor = csystem_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw SystemError("open the folder", path) }
        return OpenFolder(descriptor: descriptor, path: path)
    }

    /// Exchanges two folders in one step: who looks at either sees the one or the other, never half (renameat2(2)).
    public static func exchange(_ first: String, _ second: String) throws(SystemError) {
        guard csystem_exchange(first, second) == 0 else { throw SystemError("exchange \(first) with", second) }
    }

    /// Whether files can be made in a folder: its file system and its rights allow it (access(2)).
    public static func isWritable(_ path: String) -> Bool { access(path, W_OK) == 0 }

    /// Where the system wants files that nobody keeps.
    public static var temporary: String { getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp" }

    /// Makes a new folder with an unpredictable name that only this user may enter (mkdtemp(3)). The caller removes it.
    /// - Returns: its path.
    public static func makeTemporary(prefix: String, in parent: String = temporary) throws(SystemError) -> String {
        var path = Array("\(parent)/\(prefix)XXXXXX".utf8CString)
        guard mkdtemp(&path) != nil else { throw SystemError("make a temporary folder in", parent) }
        return String(decoding: path.dropLast().lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// The path made absolute and free of links; nil where nothing is there.
    public static func realPath(_ path: String) -> String? {
        guard let resolved = realpath(path, nil) else { return nil }
        defer { free(resolved) }
        return String(cString: resolved)
    }
}

/// A folder held open; closes itself.
public final class OpenFolder: Sendable {
    /// The file descriptor.
    public let descriptor: Int32
    /// Where it was opened.
    public let path: String

    init(descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }
}
