public import Archive
import Platform

/// Holds a bag against itself: every file against both manifests, these against the tag manifests, and nothing but what BagWriter
/// writes. The payload is read once.
public enum BagReader {
    /// A bag that holds.
    public struct Found: Sendable, Equatable {
        /// How much is in it.
        public let payload: BagWriter.Report
        /// The digest of its last list, and so of all of it.
        public let sha256: SHA256
    }

    /// Checks a bag in a folder.
    /// - Throws: `.damaged`, naming the first difference.
    public static func check(folder: String) throws(SnapshotError) -> Found {
        let found: [String]
        do { found = try Folder.files(below: folder) } catch { throw .file(error) }
        var files: [BagFile] = []
        var tags: [String: [UInt8]] = [:]
        for path in found {
            if path.utf8.starts(with: "data/".utf8) {
                files.append(BagFile(String(path.dropFirst(5)), .file("\(folder)/\(path)")))
            } else {
                do { tags[path] = try File.read("\(folder)/\(path)") } catch { throw .file(error) }
            }
        }
        let payload = try BagPayload(files)
        var nowhere = try BagSink(folder: nil, tar: nil, name: "bag", modified: 0, payload: payload)
        let digests = try payload.add(to: &nowhere)
        return try check(Array(zip(payload.files.map(\.file.path), digests)), tags, in: folder)
    }

    /// Checks a bag in a tar that has one folder, which is the bag.
    /// - Throws: `.damaged`, naming the first difference.
    public static func check(tar: String) throws(SnapshotError) -> Found {
        var reader = try TarReader(tar)
        var name: Substring?
        var payload: [String: FileDigests] = [:]
        var tags: [String: [UInt8]] = [:]
        while let entry = try reader.next() {
            let parts = entry.path.split(separator: "/", maxSplits: 1)
            guard parts.count == 2, name == nil || name == parts[0] else { throw .damaged("\(tar) has more than one folder") }
            name = parts[0]
            let path = String(parts[1])
            guard path.utf8.starts(with: "data/".utf8) else {
                var bytes: [UInt8] = []
                try reader.content { bytes += $0 }
                tags[path] = bytes
                continue
            }
            if case .link(let target) = entry.kind {
                payload[path] = payload[String(target.dropFirst(parts[0].count + 1))]
            } else {
                var hasher = FileHasher()
                try reader.content { hasher.update($0) }
                payload[path] = hasher.finish()
            }
        }
        // Sorted: the order that the manifests have.
        let files = payload.map { (String($0.dropFirst(5)), $1) }.sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        return try check(files, tags, in: tar)
    }

    private static func check(
        _ payload: [(path: String, digests: FileDigests)], _ tags: [String: [UInt8]], in place: String
    ) throws(SnapshotError) -> Found {
        let report = BagWriter.Report(files: payload.count, bytes: payload.reduce(0) { $0 + $1.digests.size })
        guard tags["bagit.txt"] == BagManifest.declaration else { throw .damaged("\(place)/bagit.txt is not that of a bag") }
        for algorithm in BagManifest.Algorithm.allCases {
            let manifest = BagManifest.bytes(payload.map { ("data/" + $0.path, $0.digests) }, algorithm)
            try compare(tags["manifest-\(algorithm).txt"], manifest, "\(place)/manifest-\(algorithm).txt")
        }
        let listed = tags.filter { !$0.key.hasPrefix("tagmanifest-") }.map { ($0.key, FileDigests(of: $0.value)) }
            .sorted { $0.0.utf8.lexicographicallyPrecedes($1.0.utf8) }
        for algorithm in BagManifest.Algorithm.allCases {
            try compare(
                tags["tagmanifest-\(algorithm).txt"], BagManifest.bytes(listed, algorithm), "\(place)/tagmanifest-\(algorithm).txt")
        }
        guard listed.count == 4, tags.count == 6 else { throw .damaged("\(place) holds more than a bag's own files") }
        let oxum = Array("Payload-Oxum: \(report.bytes).\(report.files)\n".utf8)
        guard tags["bag-info.txt"]?.suffix(oxum.count).elementsEqual(oxum) == true else {
            throw .damaged("\(place)/bag-info.txt tells another number of files or bytes than \(report.bytes).\(report.files)")
        }
        return Found(payload: report, sha256: SHA256(of: tags["tagmanifest-sha256.txt"] ?? []))
    }

    /// Compares line by line, so that the message names the file.
    private static func compare(_ told: [UInt8]?, _ found: [UInt8], _ name: String) throws(SnapshotError) {
        guard let told else { throw .damaged("\(name) is missing") }
        guard told != found else { return }
        let lines = (
            told.split(separator: 10, omittingEmptySubsequences: false), found.split(separator: 10, omittingEmptySubsequences: false)
        )
        let (expected, actual) = zip(lines.0, lines.1).first { $0 != $1 } ?? (lines.0.last ?? [], lines.1.last ?? [])
        throw .damaged(
            "\(name) has the line \"\(String(decoding: expected, as: UTF8.self))\" where its files make it "
                + "\"\(String(decoding: actual, as: UTF8.self))\"")
    }
}
