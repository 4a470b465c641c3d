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
