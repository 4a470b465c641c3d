import CSystem
import Glibc

extension File {
    /// Gives a file a second name, where the file system has such a thing and the file may have one more.
    /// - Returns: whether it did; where not, the file has to be copied.
    public static func link(_ path: String, to new: String) throws(SystemError) -> Bool {
        if Glibc.link(path, new) == 0 { return true }
        // Another file system, 65,000 names on ext4, somebody else's file, no links at all (link(2)).
        guard [EXDEV, EMLINK, EPERM, ENOTSUP].contains(errno) else { throw SystemError("link \(path) to", new) }
        return false
    }

    /// Whether a file got a second name.
    public enum Linking {
        /// It has the name now.
        case linked
        /// It had the name before.
        case kept
        /// It cannot have it, and has to be copied.
        case refused
    }

    /// Gives a file below a folder another name below another folder, in the place of whatever is there; a link is not
    /// followed.
    ///
    /// It does not look first whether something is there: looking up a missing name takes a lock that all writers in
    /// the folder wait for.
    public static func link(
        _ path: UnsafePointer<CChar>, of folder: OpenFolder, to new: UnsafePointer<CChar>, in other: OpenFolder
    ) throws(SystemError) -> Linking {
        for _ in 0..<2 {
            let linked = try folder.locate(path) { (place, path) throws(SystemError) in
                try other.locate(new) { linkat(place, path, $0, $1, 0) }
            }
            if linked == 0 { return .linked }
            if [EXDEV, EMLINK, EPERM, ENOTSUP].contains(errno) { return .refused }
            guard errno == EEXIST else { break }
            if let file = FileStatus(path, in: folder), FileStatus(new, in: other)?.isSameFile(as: file) == true {
                return .kept
            }
            guard try other.locate(new, { unlinkat($0, $1, 0) }) == 0 || errno == ENOENT else { break }
        }
        throw SystemError("link \(folder.path)/\(String(cString: path)) to", "\(other.path)/\(String(cString: new))")
    }

    /// Writes a new file with the bytes of another, a piece at a time.
    public static func copy(_ path: String, to new: String) throws(SystemError) {
        var reader = try FileReader(path)
        var writer = try FileWriter(new)
        while true {
            let piece = try reader.read(1 << 20)
            guard !piece.isEmpty else { break }
            try writer.append(piece)
        }
        try writer.finish()
    }
}
