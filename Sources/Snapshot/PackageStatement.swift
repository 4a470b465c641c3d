import Archive
import Catalogue
import Platform

/// The signed text of a package. It identifies the revision in the package and has a digest of each part.
///
/// Two statements with the same values have the same bytes. docs/format.md describes the format.
struct PackageStatement: Sendable, Equatable {
    enum Key: String, CaseIterable {
        case package, api, catalogue, origin, revision, date
        case rootHash = "root-hash"
        case revisionDigest = "revision-digest"
        case revisionSeal = "revision-seal"
        case tar = "tar-sha256"
        case tarSize = "tar-bytes"
        case wacz = "wacz-sha256"
        case waczSize = "wacz-bytes"
        case tagManifest = "tagmanifest-sha256"
        case software
    }

    /// The first line: the name of the format and its version.
    static let title = "amber package statement 1"
    /// The value for the digest and size of a WACZ if the package has none.
    static let none = "none"

    private let values: [Key: String]

    /// - Throws: `SnapshotError.unwritable` if a value is not valid in the format.
    init(_ values: [Key: String]) throws {
        for key in Key.allCases {
            guard let value = values[key], Self.isValid(value, for: key) else {
                throw SnapshotError.unwritable(
                    "the statement cannot contain the \(key.rawValue) \"\(values[key] ?? "")\"; use one line of text")
            }
        }
        self.values = values
    }

    /// Reads a statement.
    /// - Parameter name: the file's name for messages.
    init(_ bytes: [UInt8], _ name: String) throws {
        let lines = bytes.split(separator: "\n", omittingEmptySubsequences: false)
        try SnapshotError.require(
            lines[0].elementsEqual(Self.title.utf8), "\(name) does not begin with \"\(Self.title)\"")
        var values: [Key: String] = [:]
        for (number, key) in zip(1..., Key.allCases) {
            let label = "\(key.rawValue): "
            guard number < lines.count, lines[number].starts(with: label.utf8) else {
                throw SnapshotError.damaged("\(name), line \(number + 1), does not begin with \"\(label)\"")
            }
            let value = String(decoding: lines[number].dropFirst(label.utf8.count), as: UTF8.self)
            try SnapshotError.require(
                Self.isValid(value, for: key), "\(name), line \(number + 1), is not a valid \(key.rawValue)")
            values[key] = value
        }
        self.values = values
        // This comparison fails if there is another line, if the last line feed is missing, or if bytes are not UTF-8.
        try SnapshotError.require(
            self.bytes == bytes, "\(name) does not have exactly the \(Key.allCases.count + 1) lines of a statement")
    }

    subscript(key: Key) -> String { values[key] ?? "" }

    var bytes: [UInt8] {
        Array((Self.title + "\n" + Key.allCases.map { "\($0.rawValue): \(self[$0])\n" }.joined()).utf8)
    }

    private static func isValid(_ value: String, for key: Key) -> Bool {
        switch key {
        case .wacz where value == none, .waczSize where value == none: true
        case .rootHash, .revisionDigest, .revisionSeal, .tar, .wacz, .tagManifest: SHA256(hex: value) != nil
        case .revision, .tarSize, .waczSize: Int64(value).map { "\($0)" } == value
        case .package, .api, .catalogue, .origin, .date, .software:
            !value.isEmpty
                && value.unicodeScalars.allSatisfy {
                    ![.control, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
                }
        }
    }

    /// The values of a statement that are computed from a revision and its archive.
    /// - Throws: `ArchiveError` if the computed seal differs from the stored one.
    static func facts(of reader: RevisionReader, rootHash: String) throws -> [Key: String] {
        let revision = reader.revision
        let seal = try reader.computedSeal()
        try ArchiveError.require(
            seal == revision.seal, "revision \(revision.number) does not have the seal that it was closed with")
        return [
            .api: revision.source.api, .catalogue: revision.source.catalogue, .origin: revision.source.origin.rawValue,
            .revision: "\(revision.number)", .date: revision.moment, .rootHash: rootHash,
            .revisionDigest: revision.digest.hex, .revisionSeal: seal.hex,
        ]
    }
}
