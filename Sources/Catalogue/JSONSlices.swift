import Platform

/// Finds the byte ranges of values in JSON text (RFC 8259), and checks text against the complete grammar. With the
/// ranges, each record can be stored as its exact bytes and decoded separately.
///
/// The search for ranges checks only the structure, so that one invalid record does not affect the others in a list.
/// Nesting, values, members, elements and combining marks are limited before a recursive decoder reads a record.
package struct JSONSlices {
    enum Mode {
        /// Counts brackets and skips strings.
        case structure
        /// Like `structure`, within the limits of a record.
        case record
        /// Checks the complete grammar, because values that no decoder reads are published and compared too.
        case grammar
    }

    let bytes: [UInt8]
    let mode: Mode
    var position: Int
    /// The current nesting in `grammar` mode.
    var depth = 0
    /// The maximum number of members of an object in `grammar` mode.
    var memberLimit = Self.maximumMembers
    private var valuesLeft = Self.maximumValues
    /// The key path that `offset` searches for. `match` is the longest part of it that exists so far.
    var wanted: [UInt8] = []
    var match = (offset: 0, length: 0)

    /// The maximum nesting of a record and of checked text.
    package static let maximumDepth = 64
    /// The maximum number of members of an object. Each member takes memory, and each look-up compares names.
    package static let maximumMembers = 100_000
    /// The maximum number of elements of an array. Each element takes 16 bytes of memory.
    package static let maximumElements = 1_000_000
    /// The maximum number of values in a record, including nested values. The decoder needs about 40 bytes for each.
    /// The largest known record, of PokeAPI, has 17,397 values.
    package static let maximumValues = 250_000
    /// The maximum size of a record in bytes. Several records are in memory at a time.
    package static let maximumRecordSize = 4 << 20

    /// A member of an object: the range of its name without the quotes, and the range of its value.
    package typealias Member = (name: Range<Int>, value: Range<Int>)

    /// - Parameter range: where to read; nil for the complete body.
    init(_ bytes: [UInt8], _ mode: Mode, at range: Range<Int>? = nil) {
        self.bytes = bytes
        self.mode = mode
        position = max(range?.lowerBound ?? 0, Self.start(of: bytes))
    }

    /// The first byte after a byte order mark (RFC 8259, section 8.1).
    package static func start(of bytes: [UInt8]) -> Int { bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0 }

    /// The value of a body, without the white space around it.
    package static func whole(_ body: [UInt8]) -> Range<Int> {
        body[start(of: body)...].trimmed(while: \.isSpace).indices
    }
}

extension JSONSlices {
    /// The byte ranges of an array's elements.
    /// - Parameter range: the range of the array; nil if it is the complete body.
    package static func elements(of body: [UInt8], at range: Range<Int>? = nil, limit: Int = maximumElements) throws
        -> [Range<Int>]
    {
        var slices = JSONSlices(body, .structure, at: range)
        var elements: [Range<Int>] = []
        try slices.forEachItem(ofObject: false, limit: limit) { slices, _ in
            elements.append(try slices.skipValue())
            return true
        }
        if range == nil { try slices.end() }
        return elements
    }

    /// The byte ranges of the elements of an array, or of the values of an object, in order.
    package static func values(of body: [UInt8], at range: Range<Int>? = nil) throws -> [Range<Int>] {
        var slices = JSONSlices(body, .structure, at: range)
        guard try slices.next() == "{" else { return try elements(of: body, at: range) }
        return try slices.members(upTo: range).map(\.value)
    }

    /// The byte ranges of an object's values, by name. If a name is repeated, the first member is used, as in
    /// JSONDecoder. Names of more than 200 bytes are left out.
    /// - Parameter range: the range of the object; nil if it is the complete body.
    package static func members(of body: [UInt8], at range: Range<Int>? = nil) throws -> [String: Range<Int>] {
        var slices = JSONSlices(body, .structure, at: range)
        // Comparing names with many combining marks takes time that grows with the square of the length.
        let members = try slices.members(upTo: range).filter { $0.name.count <= 200 }
        return Dictionary(members.map { (String(decoding: body[$0.name], as: UTF8.self), $0.value) }) { first, _ in
            first
        }
    }

    /// The members of an object, in order.
    /// - Parameter range: the range of a record, or of an object in a record.
    /// - Throws: also if the object exceeds a limit for records.
    package static func memberRanges(in body: [UInt8], at range: Range<Int>) throws -> [Member] {
        guard range.count <= maximumRecordSize else {
            throw ContentFault("", "is longer than the \(maximumRecordSize) bytes allowed")
        }
        var slices = JSONSlices(body, .record, at: range)
        return try slices.members(upTo: range)
    }

    /// The value of the first member of an object with an accepted name; nil if there is none. The rest is not read.
    /// - Parameter range: the range of an object in a record.
    static func firstValue(in body: [UInt8], at range: Range<Int>, _ accepts: (_ name: Range<Int>) -> Bool) throws
        -> Range<Int>?
    {
        var slices = JSONSlices(body, .structure, at: range)
        var found: Range<Int>?
        try slices.forEachItem(ofObject: true, limit: maximumMembers) { slices, name in
            let value = try slices.skipValue()
            if accepts(name) { found = value }
            return found == nil
        }
        return found
    }

    /// The name of a member for a message.
    static func shownName(_ bytes: [UInt8], at name: Range<Int>) -> String {
        String(decoding: bytes[name].prefix(100), as: UTF8.self).singleLine
    }

    /// - Parameter range: nil if the object is the complete body.
    private mutating func members(upTo range: Range<Int>?) throws -> [Member] {
        let (bytes, isRecord) = (bytes, mode == .record)
        var members: [Member] = []
        try forEachItem(ofObject: true, limit: Self.maximumMembers) { slices, name in
            do {
                members.append((name, try slices.skipValue()))
                return true
            } catch let fault as ContentFault where isRecord {
                throw fault.inside(Self.shownName(bytes, at: name))
            }
        }
        if range == nil { try end() }
        return members
    }

    /// Reads the array or object at the current position.
    /// - Parameters:
    ///   - limit: the maximum number of items.
    ///   - item: reads the value of an item, and returns whether to read the next one. `name` is a member's name
    ///     without its quotes; it is empty for an element.
    mutating func forEachItem(
        ofObject isObject: Bool, limit: Int, _ item: (_ slices: inout JSONSlices, _ name: Range<Int>) throws -> Bool
    ) throws {
        guard try next() == (isObject ? "{" : "[") else {
            throw fault(isObject ? "is not an object" : "is not an array")
        }
        position += 1
        let end: UInt8 = isObject ? "}" : "]"
        guard try next() != end else {
            position += 1
            return
        }
        let items = isObject ? "members" : "elements"
        var count = 0
        while true {
            count += 1
            guard count <= limit else { throw ContentFault("", "has more than the \(limit) \(items) allowed") }
            _ = try next()
            let name = isObject ? try name() : position..<position
            guard try item(&self, name) else { return }
            let separator = try next()
            guard separator == end || separator == "," else { throw fault("has no comma between \(items)") }
            position += 1
            if separator == end { return }
        }
    }

    private mutating func name() throws -> Range<Int> {
        guard try current() == "\"" else { throw fault("has a member without a name") }
        let start = position
        try skipString()
        let name = start + 1..<position - 1
        guard try next() == ":" else { throw fault("has a member without a colon") }
        position += 1
        return name
    }

    /// Skips one value. It counts brackets and skips strings; any other value ends at the next delimiter.
    private mutating func skipValue() throws -> Range<Int> {
        let first = try next()
        let start = position
        try countValue()
        if first == "\"" {
            try skipString()
            return start..<position
        }
        var depth = 1
        while true {
            position = bytes.withUnsafeBufferPointer { bytes in
                var end = position
                while end < bytes.count, !Self.isDelimiter(bytes[end]) { end += 1 }
                return end
            }
            let byte = try current()
            switch byte {
            case "\"":
                try skipString()
                continue
            case "{", "[":
                depth += 1
                guard mode == .structure || depth <= Self.maximumDepth else { throw tooDeep }
                try countValue()
            case "}", "]":
                if depth == 1 { return try scalar(from: start) }
                depth -= 1
                position += 1
                if depth == 1 { return start..<position }
                continue
            case ",", " ", 9, 10, 13:
                if depth == 1 { return try scalar(from: start) }
                if byte == "," { try countValue() }
            default: break
            }
            position += 1
        }
    }

    /// Whether a byte is white space, a quote, a comma or a bracket.
    private static func isDelimiter(_ byte: UInt8) -> Bool {
        // A bit for each delimiter below 64. A square bracket differs from a curly one in one bit.
        byte < 64 ? (0x1005_0000_2600 as UInt64) >> byte & 1 == 1 : byte | 0x20 == "{" || byte | 0x20 == "}"
    }

    /// Counts a value. It is called at each comma and opening bracket, because each nested value follows one of these.
    private mutating func countValue() throws {
        guard mode == .record else { return }
        valuesLeft -= 1
        guard valuesLeft >= 0 else { throw ContentFault("", "has more than the \(Self.maximumValues) values allowed") }
    }

    private func scalar(from start: Int) throws -> Range<Int> {
        guard position > start else { throw fault("has no value where one is expected") }
        return start..<position
    }

    mutating func skipString() throws {
        let start = position
        position += 1
        if mode == .grammar {
            try checkString()
            return try checkMarks(start..<position)
        }
        position = endOfString()
        _ = try current()
        position += 1
        if mode == .record { try checkMarks(start..<position) }
    }

    private mutating func skipSpace() { while position < bytes.count, bytes[position].isSpace { position += 1 } }

    /// The next byte that is not white space.
    mutating func next() throws -> UInt8 {
        skipSpace()
        return try current()
    }

    @inline(__always)
    func current() throws -> UInt8 {
        guard position < bytes.count else {
            guard mode != .grammar else { throw fault("") }
            throw ContentFault("", bytes.isEmpty ? "is empty" : "ends in the middle, after \(bytes.count) bytes")
        }
        return bytes[position]
    }

    mutating func end() throws {
        skipSpace()
        guard position == bytes.count else { throw fault("continues after its end") }
    }

    var tooDeep: ContentFault {
        ContentFault("", "is nested deeper than \(Self.maximumDepth) levels (at byte \(position))")
    }

    func fault(_ reason: String) -> ContentFault {
        ContentFault("", "\(mode == .grammar ? "is not valid JSON" : reason) (at byte \(position))")
    }
}
