package import Archive
package import Catalogue
import Platform

/// A digest of all data of a revision. It can also be computed with `sha256sum` and `sort`; `docs/format.md` contains
/// the commands.
///
/// It is the SHA-256 of lines of `sha256sum`, sorted by their bytes. The lines are for all answers in the API mirror,
/// or for the files of an imported state.
public struct RootHash: Sendable, Equatable {
    package let sha256: SHA256

    package var hex: String { sha256.hex }

    package init(of reader: RevisionReader, _ catalogue: any Catalogue) throws {
        try self.init(of: try APIMirror(of: reader, catalogue), reader, catalogue)
    }

    package init(of mirror: APIMirror, _ reader: RevisionReader, _ catalogue: any Catalogue) throws {
        let catalogue = try catalogue.catalogue(of: reader)
        if reader.revision.imported != nil { try ImportedRecords.check(reader, catalogue) }
        // A list may repeat a number, but records that were requested by number cannot repeat it. The root hash covers
        // only the first record with a number.
        let listed = Set(catalogue.lists.map(\.kind))
        if let records = mirror.records.first(where: { !$0.repeated.isEmpty && !listed.contains($0.kind) }) {
            throw ArchiveError.damaged("revision \(reader.revision.number) has a \(records.kind) twice")
        }
        var hasher = SHA256Hasher()
        try RootHashLines(mirror, reader).forEach { hasher.update($0) }
        sha256 = hasher.finish()
    }

    package init(ofFilesIn site: String) throws {
        var digests: [UInt64: SHA256] = [:]
        var lines: [String] = []
        for file in try Folder.files(below: "\(site)/api") where file.contains("/") {
            let path = "\(site)/api/\(file)"
            // Only regular files are read, like with `find -type f`. Reading a pipe would block.
            guard let status = FileStatus(path), status.isRegular else { continue }
            let sha256 = try digests[status.inode] ?? SHA256(ofFile: path)
            digests[status.inode] = sha256
            lines.append("\(sha256.hex)  api/\(file)\n")
        }
        lines.sort { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        var hasher = SHA256Hasher()
        for line in lines { hasher.update(line) }
        sha256 = hasher.finish()
    }
}

/// The lines from which a root hash is computed, sorted by their bytes. Only a limited number of lines is in memory. If
/// there are more, the digests are read several times, and each pass sorts a part of all possible digests.
struct RootHashLines {
    private let mirror: APIMirror
    private let reader: RevisionReader
    private let limit: Int

    /// - Parameter limit: the maximum number of lines in memory, with 40 bytes each.
    init(_ mirror: APIMirror, _ reader: RevisionReader, limit: Int = 1 << 19) {
        self.mirror = mirror
        self.reader = reader
        self.limit = limit
    }

    /// A digest, and the list and position of its path.
    private struct Line {
        let digest: SHA256
        let list: Int32
        let position: Int32
    }

    // The indices of the lists that contain paths. From `records` on, each kind of records has its own list.
    private static let files: Int32 = 0
    private static let pages: Int32 = 1
    private static let pictures: Int32 = 2
    private static let records: Int32 = 3

    func forEach(_ body: (String) -> Void) throws {
        // An imported state has no answers. A malicious archive could contain some, but the mirror ignores them.
        var files: [String] = []
        if reader.revision.imported != nil { try reader.forEachFile { name, _ in files.append(name) } }
        func path(_ line: Line) -> String {
            let position = Int(line.position)
            switch line.list {
            case Self.files: return files[position]
            case Self.pages: return mirror.pages[position].path.text
            case Self.pictures: return mirror.pictures[position].text
            default:
                let records = mirror.records[Int(line.list - Self.records)]
                return MirrorPath.record(RecordKey(records.kind, records.numbers[position])).text
            }
        }
        let count =
            files.count + mirror.pages.count + mirror.pictures.count
            + mirror.records.reduce(0) { $0 + $1.numbers.count }
        let parts = max(1, (count + limit - 1) / limit)
        for part in 0..<parts {
            var lines: [Line] = []
            // Digests are distributed evenly, so each part is only slightly larger than the average.
            lines.reserveCapacity(parts == 1 ? count : count / parts + limit / 64)
            try collect { digest, list, position in
                guard digest.part(of: parts) == part else { return }
                lines.append(Line(digest: digest, list: list, position: Int32(position)))
            }
            lines.sort { left, right in
                left.digest == right.digest
                    ? path(left).utf8.lexicographicallyPrecedes(path(right).utf8) : left.digest < right.digest
            }
            for line in lines { body("\(line.digest.hex)  \(path(line))\n") }
        }
    }

    private func collect(_ add: (_ digest: SHA256, _ list: Int32, _ position: Int) -> Void) throws {
        var position = 0
        guard reader.revision.imported == nil else {
            return try reader.forEachFile { _, sha256 in
                add(sha256, Self.files, position)
                position += 1
            }
        }
        for (position, page) in mirror.pages.enumerated() { add(page.sha256, Self.pages, position) }
        try APIMirror.forEachPicture(reader) { _, asset in
            add(asset.sha256, Self.pictures, position)
            position += 1
        }
        for (kind, records) in mirror.records.enumerated() {
            var position = 0
            try reader.forEachMember(of: records.kind) { _, sha256 in
                if !records.repeated.contains(position) { add(sha256, Self.records + Int32(kind), position) }
                position += 1
            }
        }
    }
}
