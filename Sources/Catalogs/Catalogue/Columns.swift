/// Texts one behind the other: a million names without a million strings.
public struct TextColumn: Sendable {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []

    /// Makes room for so many texts.
    package mutating func reserve(_ count: Int) { ends.reserveCapacity(count) }

    /// No texts.
    package init() {}

    /// Adds a text.
    package mutating func append(_ text: String) {
        bytes += text.utf8
        ends.append(bytes.count)
    }

    /// The text of a row.
    package subscript(row: Int) -> String {
        let start = row == 0 ? 0 : ends[row - 1]
        return String(decoding: bytes[start..<ends[row]], as: UTF8.self)
    }

    /// Gives back the room that is left.
    package mutating func finish() { bytes = Array(bytes[...]) }
}

/// Values that many rows share, each kept once.
public struct ValueColumn: Sendable {
    /// The distinct values, in the order in which they first came.
    package private(set) var values: [String] = []
    /// How many rows have each value.
    package private(set) var counts: [Int] = []
    /// For each row the place of its value.
    package private(set) var codes = CodeColumn()
    private var places: [String: UInt32] = [:]

    /// Makes room for so many rows.
    package mutating func reserve(_ count: Int) { codes.reserve(count) }

    /// No rows.
    package init() {}

    /// Adds a row with its value.
    package mutating func append(_ value: String) {
        let place: UInt32
        if let known = places[value] {
            place = known
        } else {
            place = UInt32(values.count)
            places[value] = place
            values.append(value)
            counts.append(0)
        }
        codes.append(place)
        counts[Int(place)] += 1
    }

    /// The value of a row.
    package subscript(row: Int) -> String { values[Int(codes[row])] }

    /// The values by how many rows have them, most first; values of equal counts by their bytes.
    package var byCount: [Int] {
        values.indices.sorted {
            counts[$0] != counts[$1]
                ? counts[$0] > counts[$1] : values[$0].utf8.lexicographicallyPrecedes(values[$1].utf8)
        }
    }
}

/// Small numbers in two bytes each, or in four as soon as one asks for them.
public struct CodeColumn: Sendable {
    private var short: [UInt16] = []
    private var long: [UInt32] = []
    private var isShort = true

    /// How many there are.
    package var count: Int { isShort ? short.count : long.count }

    /// Makes room for so many.
    package mutating func reserve(_ count: Int) { short.reserveCapacity(count) }

    /// No numbers.
    package init() {}

    /// Adds a number.
    package mutating func append(_ code: UInt32) {
        if isShort, code > UInt32(UInt16.max) {
            long = short.map { UInt32($0) }
            short = []
            isShort = false
        }
        if isShort { short.append(UInt16(code)) } else { long.append(code) }
    }

    /// The number of a row.
    package subscript(row: Int) -> UInt32 { isShort ? UInt32(short[row]) : long[row] }
}
