package import Archive
package import Catalogue
import Platform

/// A digest of all data of a revision. docs/format.md has the commands of `sha256sum` and `sort` that compute it too.
///
/// It is the SHA-256 of lines of `sha256sum` in byte order: of all answers in the API mirror, or all imported files.
package struct RootHash: Sendable, Equatable {
    package let sha256: SHA256

    package var hex: String { sha256.hex }

    package init(of reader: RevisionReader, _ catalogue: any Catalogue) throws {
        try self.init(of: APIMirror(of: reader, catalogue), reader)
    }

    package init(of mirror: APIMirror, _ reader: RevisionReader) throws {
        if reader.revision.imported != nil { try ImportedRecords.check(reader, mirror.catalogue) }
        // A list may repeat a number. The root hash covers only the first record with it.
        let listed = Set(mirror.catalogue.listedKinds)
        if let records = mirror.records.first(where: { !$0.repeatedPositions.isEmpty && !listed.contains($0.kind) }) {
            throw ArchiveError.damaged("revision \(reader.revision.number) has a \(records.kind) twice")
        }
        /// A digest, and the list and position of its path, in 40 bytes.
        typealias Line = (digest: SHA256, list: Int32, position: Int32)
        var lines: [Line] = []
        func add(_ digest: SHA256, _ list: Int32, _ position: Int) { lines.append((digest, list, Int32(position))) }
        var paths: [(_ position: Int) -> String]
        if reader.revision.imported != nil {
            // An imported state has no answers. A malicious archive could contain some, but the mirror ignores them.
            let files = try reader.files()
            for (position, file) in files.enumerated() { add(file.sha256, 0, position) }
            paths = [{ files[$0].name }]
        } else {
            paths = [{ mirror.pages[$0].path.text }, { mirror.pictures[$0] }]
            for (position, page) in mirror.pages.enumerated() { add(page.sha256, 0, position) }
            var picture = 0
            try APIMirror.forEachPicture(reader) { _, asset in
                add(asset.sha256, 1, picture)
                picture += 1
            }
            for list in mirror.records {
                var position = 0
                try reader.forEachMember(of: list.kind) { _, sha256 in
                    if !list.repeatedPositions.contains(position) { add(sha256, Int32(paths.count), position) }
                    position += 1
                }
                paths.append { MirrorPath.record(RecordKey(list.kind, list.numbers[$0])).text }
            }
        }
        func path(_ line: Line) -> String { paths[Int(line.list)](Int(line.position)) }
        lines.sort { left, right in
            left.digest == right.digest
                ? path(left).utf8.lexicographicallyPrecedes(path(right).utf8) : left.digest < right.digest
        }
        var hasher = DigestHasher()
        for line in lines { hasher.update("\(line.digest.hex)  \(path(line))\n") }
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
        var hasher = DigestHasher()
        for line in lines { hasher.update(line) }
        sha256 = hasher.finish()
    }
}
