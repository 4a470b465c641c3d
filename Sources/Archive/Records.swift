/// Identifies a record by its kind, in the API's words ("character"), and its id in that kind.
///
/// An id is text for the API. A canonical whole number from 1 to 2^53 - 1 is its own `id`. Any other text, such as a
/// slug or a UUID, has a negative `id` that is computed from its digest.
package struct RecordKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    package let kind: String
    package let id: Int64
    /// The id as the API has it; nil for a number, and for a key that was read without the record.
    package let text: String?

    package init(_ kind: String, _ id: Int64) {
        self.kind = kind
        self.id = id
        text = nil
    }

    /// - Parameter text: the id as the API has it.
    package init(_ kind: String, text: String) {
        self.kind = kind
        if let number = Int64(text), number > 0, Self.validIDs.contains(number), "\(number)" == text {
            id = number
            self.text = nil
        } else {
            id = -1 - Int64(SHA256(of: text.utf8).words.0 >> 12)
            self.text = text
        }
    }

    package static func == (left: RecordKey, right: RecordKey) -> Bool {
        left.id == right.id && left.kind == right.kind
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(kind)
        hasher.combine(id)
    }

    package static func < (left: RecordKey, right: RecordKey) -> Bool { (left.kind, left.id) < (right.kind, right.id) }

    /// Example: "character 42".
    package var description: String { "\(kind) \(text ?? fileName)" }

    /// The id in names of files: digits, or "x" and the digits of a digest.
    package var fileName: String { id > 0 ? "\(id)" : "x" + String(-id, radix: 16) }

    /// JavaScript represents integers up to 2^53 - 1 exactly (ECMA-262, Number.MAX_SAFE_INTEGER).
    static let validIDs: ClosedRange<Int64> = -(1 << 52)...(1 << 53) - 1
}

/// A record in a revision: its exact bytes, their digest, and its first picture, which is nil if it is missing.
package typealias StoredRecord = (key: RecordKey, bytes: [UInt8], sha256: SHA256, picture: Asset?)

/// A record and its byte range in an answer's body.
package struct RecordSlice: Sendable {
    package let key: RecordKey
    let range: Range<Int>
    package let sha256: SHA256
    let picture: String?

    /// - Parameter picture: the path of the record's first picture.
    package init(key: RecordKey, range: Range<Int>, in body: [UInt8], picture: String? = nil) {
        self.key = key
        self.range = range
        self.picture = picture
        sha256 = SHA256(of: body[range])
    }
}

/// The first records of a kind, and the paths of answers, that a capture takes from an earlier revision of the source.
package typealias TakenRecords = (revision: Int64, kind: String, count: Int, answers: [String])

/// A file of an imported state, with its records in the order of the file.
package typealias ImportedFile = (name: String, bytes: [UInt8], records: [RecordSlice])

/// A record that differs between two revisions; `old` or `new` is nil if only the other revision has the record.
package typealias RecordDifference = (key: RecordKey, old: [UInt8]?, new: [UInt8]?)

/// A picture or another file that differs between two captures; `old` or `new` is nil if only the other capture has it.
/// The path is relative if the request's URL begins with the API's base URL.
package typealias PictureDifference = (path: String, old: SHA256?, new: SHA256?, isPicture: Bool)

/// The first answer or imported state that contains a record's bytes, as proof of their origin. The path is that of the
/// answer, relative to the API's base; nil for an imported state. The date is when the answer was received, or that of
/// the imported state, in milliseconds since 1970.
package typealias RecordOrigin = (key: RecordKey, sha256: SHA256, path: String?, date: Int64)
