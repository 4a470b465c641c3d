public import Archive
public import Catalogue
import Platform

/// One digest for all that a revision holds, that `sha256sum` and `sort` compute too; `docs/format.md` has the
/// commands.
///
/// It is the SHA-256 of lines of `sha256sum`, sorted by their bytes: of all files of the twin that are answers; of an
/// imported state, of the files that it came in.
public struct RootHash: Sendable, Equatable {
    /// The digest.
    public let sha256: SHA256

    /// The root hash of a revision.
    public init(of reader: RevisionReader, _ catalogue: any Catalogue) throws {
        try self.init(of: try Twin(of: reader, catalogue), reader)
    }

    /// The root hash of a revision whose twin is known.
    public init(of twin: Twin, _ reader: RevisionReader) throws {
        let lines = RootHashLines(twin, reader)
        var hasher = SHA256Hasher()
        try lines.forEach { hasher.update($0) }
        sha256 = hasher.finish()
    }

    /// As 64 hexadecimal digits.
    public var hex: String { sha256.hex }
}

extension RootHash {
    /// The root hash of a site that stands: of the files in the folders of its `api/`.
    public init(ofFilesIn site: String) throws {
        var digests: [UInt64: SHA256] = [:]
        var lines: [String] = []
        for file in try Folder.files(below: "\(site)/api") where file.contains("/") {
            let path = "\(site)/api/\(file)"
            let status = FileStatus(path)
            // As `find -type f` has it: a pipe would be waited for without end.
            guard status?.isRegular == true else { continue }
            let inode = status?.inode
            let sha256: SHA256
            if let known = inode.flatMap({ digests[$0] }) { sha256 = known } else { sha256 = try SHA256(ofFile: path) }
            if let inode { digests[inode] = sha256 }
            lines.append("\(sha256.hex)  api/\(file)\n")
        }
        lines.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var hasher = SHA256Hasher()
        for line in lines { hasher.update(line) }
        sha256 = hasher.finish()
    }
}
