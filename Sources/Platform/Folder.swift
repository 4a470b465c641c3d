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
    public static func names(in path: String) throws(SystemError) -> [String] { try listed(path)?.names() ?? [] }

    /// The paths of all files below a folder, relative to it, sorted by their bytes.
    public static func files(below path: String) throws(SystemError) -> [String] {
        try listed(path)?.files() ?? []
    }

    /// The paths of a folder and all folders below it, links not followed; none where there is no folder.
    public static func folders(from path: String) throws(SystemError) -> [String] {
        guard let folder = try listed(path) else { return [] }
        return [path] + (try folder.folders().map { "\(path)/\($0)" })
    }

    private static func listed(_ path: String) throws(SystemError) -> OpenFolder? {
        let descriptor = csystem_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
        guard descriptor < 0 else { return OpenFolder(descriptor: descriptor, path: path) }
        if errno == ENOENT { return nil }
        throw SystemError("list", path)
    }

    /// Removes a folder and all in it; that nothing is there is no error. A link is removed itself.
    public static func remove(_ path: String) throws(SystemError) {
        guard let status = FileStatus(path) else { return }
        guard status.isFolder else { return try File.remove(path) }
        let descriptor = csystem_openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0)
        guard descriptor >= 0 else { throw SystemError("remove", path) }
        let folder = OpenFolder(descriptor: descriptor, path: path)
        for name in try folder.names() { try folder.remove(name) }
        guard rmdir(path) == 0 else { throw SystemError("remove", path) }
    }

    /// Opens a folder for the calls that take one.
    /// - Parameter followsLink: whether the folder itself may be a link; those above it may.
    public static func open(_ path: String, followsLink: Bool = true) throws(SystemError) -> OpenFolder {
        let descriptor = csystem_openat(
            AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | (followsLink ? 0 : O_NOFOLLOW), 0)
        guard descriptor >= 0 else {
            let failure = SystemError("open the folder", path)
            // A link is no folder either (ENOTDIR).
            throw !followsLink && FileStatus(path)?.isLink == true
                ? SystemError("open the folder", path, code: ELOOP) : failure
        }
        return OpenFolder(descriptor: descriptor, path: path)
    }

    /// Exchanges two folders in one step: who looks at either sees the one or the other, never half (renameat2(2)).
    public static func exchange(_ first: String, _ second: String, in folder: OpenFolder? = nil) throws(SystemError) {
        let exchanged = try folder.locate(first) { (place, first) throws(SystemError) in
            try folder.locate(second) { csystem_exchange(place, first, $0, $1) }
        }
        guard exchanged == 0 else { throw SystemError("exchange \(folder.shown(first)) with", folder.shown(second)) }
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
