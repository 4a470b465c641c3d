import SQLite

/// Which record: its kind (the API's word: "character") and its number in that kind.
public struct RecordKey: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The API's word for the kind.
    public let kind: String
    /// The record's number, 1 or more.
    public let id: Int64

    /// A key of two parts.
    public init(_ kind: String, _ id: Int64) {
        self.kind = kind
        self.id = id
    }

    /// Orders by kind and number.
    public static func < (left: RecordKey, right: RecordKey) -> Bool {
        (left.kind, left.id) < (right.kind, right.id)
    }

    /// As people write it: "character 42".
    public var description: String { "\(kind) \(id)" }

    /// Scripts on pages hold numbers up to 2^53 - 1 exactly (ECMA-262, Number.MAX_SAFE_INTEGER), so no record has a
    /// larger one.
    static let numbers: ClosedRange<Int64> = 1...(1 << 53) - 1
}

/// What rows of an archive tell, which may be somebody else's: names become parts of paths and addresses, and numbers
/// are counted with.
extension Row {
    /// A kind's name: a lower-case letter, then up to 63 of these, digits and hyphens.
    func kind(_ column: Int) throws(ArchiveError) -> String {
        let kind = text(column)
        func isLetter(_ byte: UInt8) -> Bool { (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) }
        let isSound = kind.utf8.allSatisfy { byte in
            isLetter(byte) || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
        }
        guard isSound, kind.utf8.count <= 64, kind.utf8.first.map(isLetter) == true else {
            throw .damaged(
                "it has records of the kind \"\(kind)\", which is no word of lower-case letters, digits and hyphens")
        }
        return kind
    }

    /// A record's number.
    func number(_ column: Int, of kind: String) throws(ArchiveError) -> Int64 {
        let number = integer(column)
        guard RecordKey.numbers.contains(number) else { throw .damaged("a \(kind) record has the number \(number)") }
        return number
    }

    /// What was asked for.
    func path(_ column: Int) throws(ArchiveError) -> String {
        let path = text(column)
        guard path.isPlain else { throw .damaged("the path of an answer has control characters") }
        return path
    }

    /// A count or a size, which an attacker may claim to be anything.
    func count(_ column: Int, _ what: @autoclosure () -> String, upTo most: Int = 1 << 53) throws(ArchiveError) -> Int {
        let count = int(column)
        guard (0...most).contains(count) else { throw .damaged("\(what()) is \(count)") }
        return count
    }

    /// A moment, in milliseconds since 1970: of the years 1 to 9999.
    func date(_ column: Int, _ what: @autoclosure () -> String) throws(ArchiveError) -> Int64 {
        let date = integer(column)
        guard (-62_135_596_800_000...253_402_300_799_999).contains(date) else {
            throw .damaged("\(what()) has the date \(date)")
        }
        return date
    }
}

extension String {
    /// Whether it has no control characters: it can stand in a line or a header.
    var isPlain: Bool { utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F } }
}
