/// Finds where values lie in JSON text, so that each record can be kept as the exact bytes that came and be decoded by
/// itself.
///
/// It looks at the structure only; whether a value is valid is for the decoder to say. An object whose values nest
/// deeper than 64 levels is refused here, before any recursive decoder sees it; records of a list are stepped over
/// however deep they are, so that one that is too deep does not cost the others. Limits on members, elements and values
/// bound the memory that any text takes here and in the decoder.
public struct JSONSlices: Sendable {
    private let bytes: [UInt8]
    private var position = 0
    /// The deepest nesting that is stepped over.
    private var limit = Int.max
    /// How many more values, members and elements included, are stepped over.
    private var valuesLeft = Int.max

    /// The deepest nesting of an object that is read.
    public static let maximumDepth = 64
    /// The most members of an object that is read; each costs some memory and is gone through for every name that is
    /// asked for.
    public static let maximumMembers = 100_000
    /// The most elements of an array whose places are found, 16 bytes each.
    public static let maximumElements = 1_000_000
    /// The most values in a record, nested ones included. The decoder takes about 40 bytes for each. The largest record
    /// known, of PokeAPI, has 17,397.
    public static let maximumValues = 250_000
    /// The most bytes of a record: pages are made of several at a time.
    public static let maximumRecordSize = 4 << 20
    /// The most combining marks in a row. Swift sorts such a row when it compares texts, in a time that grows with its
    /// square; Unicode calls 30 enough for any text (https://unicode.org/reports/tr15/#Stream_Safe_Text_Format).
    public static let maximumMarks = 200

    private init(_ bytes: [UInt8]) {
        self.bytes = bytes
        // A byte order mark may be passed over (RFC 8259, section 8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }
}

extension JSONSlices {
    /// The places of an array's elements, where the body is the array.
    public static func elements(of body: [UInt8], limit: Int = maximumElements) throws(ContentFault) -> [Range<Int>] {
        var slices = JSONSlices(body)
        let elements = try slices.array(limit: limit)
        try slices.end()
        return elements
    }

    /// The places of an object's members by name, where the body is the object. Of repeated names the first counts, as
    /// in JSONDecoder.
    public static func members(of body: [UInt8]) throws(ContentFault) -> [String: Range<Int>] {
        var slices = JSONSlices(body)
        let members = try slices.object()
        try slices.end()
        return members
    }

    /// The places of the names, without their quotes, and values of the object that lies at a place in the body, in
    /// order.
    /// - Throws: also where the object is larger, or holds more values or marks, than is taken of a record.
    static func places(in body: [UInt8], at place: Range<Int>) throws(ContentFault) -> [(
        name: Range<Int>, value: Range<Int>
    )] {
        var slices = JSONSlices(body)
        slices.position = max(slices.position, place.lowerBound)
        guard place.count <= Self.maximumRecordSize else {
            throw ContentFault("", "has \(place.count) bytes, more than the \(Self.maximumRecordSize) that are taken")
        }
        slices.limit = Self.maximumDepth
        slices.valuesLeft = Self.maximumValues
        var places: [(name: Range<Int>, value: Range<Int>)] = []
        places.reserveCapacity(16)
        try slices.forEachMember { name, value in places.append((name: name, value: value)) }
        return places
    }

    /// The places of the elements of the array that lies at a place in the body.
    public static func elements(of body: [UInt8], at place: Range<Int>) throws(ContentFault) -> [Range<Int>] {
        var slices = JSONSlices(body)
        slices.position = max(slices.position, place.lowerBound)
        return try slices.array()
    }
}

extension JSONSlices {
    private mutating func array(limit: Int = maximumElements) throws(ContentFault) -> [Range<Int>] {
        guard try next() == UInt8(ascii: "[") else { throw fault("is not an array") }
        position += 1
        var elements: [Range<Int>] = []
        guard try next() != UInt8(ascii: "]") else {
            position += 1
            return []
        }
        while true {
            guard elements.count < limit else { throw fault("has more than the \(limit) elements that are taken") }
            elements.append(try value(depth: 2))
            let separator = try next()
            position += 1
            if separator == UInt8(ascii: "]") { return elements }
            guard separator == UInt8(ascii: ",") else { throw fault("has no comma between elements") }
        }
    }

    private mutating func object() throws(ContentFault) -> [String: Range<Int>] {
        let bytes = bytes
        var members: [String: Range<Int>] = [:]
        try forEachMember { name, value in
            // Nothing asks for longer names, and to compare long runs of combining marks takes a time that grows with
            // the square.
            guard name.count <= Self.longestName else { return }
            let name = String(decoding: bytes[name], as: UTF8.self)
            if members[name] == nil { members[name] = value }
        }
        return members
    }

    private static let longestName = 200

    private mutating func forEachMember(
        _ take: (_ name: Range<Int>, _ value: Range<Int>) -> Void
    ) throws(ContentFault) {
        guard try next() == UInt8(ascii: "{") else { throw fault("is not an object") }
        position += 1
        guard try next() != UInt8(ascii: "}") else {
            position += 1
            return
        }
        var count = 0
        while true {
            count += 1
            guard count <= Self.maximumMembers else {
                throw ContentFault("", "has more than the \(Self.maximumMembers) members that are taken")
            }
            guard try next() == UInt8(ascii: "\"") else { throw fault("has a member without a name") }
            let start = position
            try skipString()
            let name = start + 1..<position - 1
            guard try next() == UInt8(ascii: ":") else { throw fault("has a member without a colon") }
            position += 1
            let value: Range<Int>
            do throws(ContentFault) {
                value = try self.value(depth: 2)
            } catch {
                guard limit < .max else { throw error }
                throw error.inside(String(decoding: bytes[name].prefix(100), as: UTF8.self).onOneLine)
            }
            take(name, value)
            let separator = try next()
            position += 1
            if separator == UInt8(ascii: "}") { return }
            guard separator == UInt8(ascii: ",") else { throw fault("has no comma between members") }
        }
    }

    /// Steps over one value: brackets are counted, strings jumped, anything else taken up to the next delimiter.
    private mutating func value(depth: Int) throws(ContentFault) -> Range<Int> {
        let first = try next()
        let start = position
        try countValue()
        if first == UInt8(ascii: "\"") {
            try skipString()
            return start..<position
        }
        var depth = depth - 1
        let outside = depth
        repeat {
            switch try current() {
            case UInt8(ascii: "\""):
                try skipString()
                continue
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                depth += 1
                guard depth <= limit else { throw fault("is nested deeper than \(limit) levels") }
                try countValue()
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                guard depth > outside else { return try scalar(from: start) }
                depth -= 1
            case UInt8(ascii: ","), UInt8(ascii: " "), 9, 10, 13:
                if depth == outside { return try scalar(from: start) }
                if bytes[position] == UInt8(ascii: ",") { try countValue() }
            default: break
            }
            position += 1
            if depth == outside, bytes[position - 1] == UInt8(ascii: "}") || bytes[position - 1] == UInt8(ascii: "]") {
                break
            }
        } while true
        return start..<position
    }

    /// Counts a comma or an opening bracket: each value within others follows one.
    private mutating func countValue() throws(ContentFault) {
        valuesLeft -= 1
        guard valuesLeft >= 0 else {
            throw ContentFault("", "holds more than the \(Self.maximumValues) values that are taken")
        }
    }

    private func scalar(from start: Int) throws(ContentFault) -> Range<Int> {
        guard position > start else { throw fault("has no value where one belongs") }
        return start..<position
    }

    private mutating func skipString() throws(ContentFault) {
        let start = position
        position += 1
        while try current() != UInt8(ascii: "\"") { position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1 }
        position += 1
        // A mark has two bytes at least.
        if limit < .max, position - start > 2 * Self.maximumMarks { try checkMarks(start..<position) }
    }

    private func checkMarks(_ place: Range<Int>) throws(ContentFault) {
        let text: String
        do throws(ContentFault) {
            if let plain = JSONRecord.plain(bytes, at: place) {
                text = plain
            } else {
                text = try JSONRecord.decode(String.self, from: bytes[place])
            }
        } catch {
            // What cannot be decoded is compared with nothing; who reads it says what is wrong with it.
            return
        }
        var marks = 0
        for scalar in text.unicodeScalars {
            marks = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered ? marks + 1 : 0
            guard marks <= Self.maximumMarks else {
                throw fault(
                    "has a text with more than the \(Self.maximumMarks) combining marks in a row that are taken")
            }
        }
    }

    /// The next byte that is no white space.
    private mutating func next() throws(ContentFault) -> UInt8 {
        while true {
            let byte = try current()
            guard byte == 32 || byte == 9 || byte == 10 || byte == 13 else { return byte }
            position += 1
        }
    }

    private func current() throws(ContentFault) -> UInt8 {
        guard position < bytes.count else {
            throw ContentFault("", bytes.isEmpty ? "is empty" : "ends in the middle, after \(bytes.count) bytes")
        }
        return bytes[position]
    }

    private mutating func end() throws(ContentFault) {
        while position < bytes.count {
            let byte = bytes[position]
            guard byte == 32 || byte == 9 || byte == 10 || byte == 13 else { throw fault("goes on behind its end") }
            position += 1
        }
    }

    private func fault(_ reason: String) -> ContentFault { ContentFault("", "\(reason) (at byte \(position))") }
}
