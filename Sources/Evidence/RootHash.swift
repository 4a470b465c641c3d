public import Archive
public import Catalogue
import Platform

/// One digest for all that a revision holds, that `sha256sum` and `sort` compute too; `docs/format.md` has the commands.
///
/// It is the SHA-256 of lines of `sha256sum`, sorted by their bytes: of all files of the twin that are answers; of an imported
/// state, of the files that it came in.
public struct RootHash: Sendable, Equatable {
    /// The digest.
    public let sha256: SHA256

    /// The root hash of a revision.
    public init(of reader: RevisionReader, _ catalogue: any Catalogue) throws {
        try self.init(of: try Twin(of: reader, catalogue), reader)
    }

    /// The root hash of a revision whose twin is known.
    public init(of twin: Twin, _ reader: RevisionReader) throws {
        var lines: [Line] = []
        var names: [String] = []
        func add(_ name: String, _ sha256: SHA256) {
            lines.append(Line(sha256, .named(names.count)))
            names.append(name)
        }
        if reader.revision.imported != nil { try reader.forEachFile(add) }
        for page in twin.pages { add(page.path.text, page.sha256) }
        for picture in twin.pictures { add(picture.path.text, picture.asset.sha256) }
        for (kind, records) in twin.records.enumerated() {
            var position = 0
            try reader.forEachMember(of: records.kind) { number, sha256 in
                if !records.repeated.contains(position) { lines.append(Line(sha256, .record(kind: kind, number))) }
                position += 1
            }
        }
        func path(_ place: Line.Place) -> String {
            switch place {
            case .named(let index): names[index]
            case .record(let kind, let number): TwinPath.record(RecordKey(twin.records[kind].kind, number)).text
            }
        }
        lines.sort { left, right in
            left.digest == right.digest
                ? path(left.place).utf8.lexicographicallyPrecedes(path(right.place).utf8) : left.digest < right.digest
        }
        var hasher = SHA256Hasher()
        for line in lines { hasher.update("\(line.digest.hex)  \(path(line.place))\n") }
        sha256 = hasher.finish()
    }

    /// As 64 hexadecimal digits.
    public var hex: String { sha256.hex }
}

/// A line to be: a digest, and what says the path, small enough to keep a million of them.
private struct Line {
    enum Place {
        case named(Int)
        case record(kind: Int, Int64)
    }

    let digest: SHA256
    let place: Place

    init(_ sha256: SHA256, _ place: Place) {
        digest = sha256
        self.place = place
    }
}

extension RootHash {
    /// The root hash of a site that stands: of the files in the folders of its `api/`.
    public init(ofFilesIn site: String) throws {
        var digests: [UInt64: SHA256] = [:]
        var lines: [String] = []
        for file in try Folder.files(below: "\(site)/api") where file.contains("/") {
            let path = "\(site)/api/\(file)"
            let status = FileStatus(path)
            // As `find -type f` has it.
            if status?.isLink == true { continue }
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
