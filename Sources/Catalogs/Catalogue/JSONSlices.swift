/// Reads JSON text (RFC 8259): finds where values lie, so that each record can be kept as the exact bytes that came and
/// be decoded by itself, and checks text against the whole grammar.
///
/// Finding looks at the structure only, so that an invalid or too deeply nested record of a list does not cost the
/// others. Nesting, values and combining marks of a record are limited before any recursive decoder sees it. Limits on
/// members and elements bound the memory that any text takes.
package struct JSONSlices {
    enum Mode {
        /// Any text: brackets are counted, strings are skipped.
        case structure
        /// The same within the limits of a record.
        case record
        /// The whole grammar, as strict as any reader of the published files. Decoders look only at the values that
        /// they are asked for, but the others are published and compared as well.
        case grammar
    }

    let bytes: [UInt8]
    let mode: Mode
    var position: Int
    /// The depth of checked text.
    var depth = 0
    private var valuesLeft = Self.maximumValues
    /// The key path that `offset` looks for, and the longest part of it that was found.
    var wanted: String?
    var found = (offset: 0, length: 0)

    /// The deepest nesting of a record and of checked text.
    package static let maximumDepth = 64
    /// The most members of an object. Each takes memory and is compared with every name that is asked for.
    package static let maximumMembers = 100_000
    /// The most elements of an array whose places are found, 16 bytes each.
    package static let maximumElements = 1_000_000
    /// The most values in a record, nested ones included. The decoder takes about 40 bytes for each. The largest record
    /// known, of PokeAPI, has 17,397.
    package static let maximumValues = 250_000
    /// The most bytes of a record: pages are made of several at a time.
    package static let maximumRecordSize = 4 << 20
    /// The most combining marks in a row. Swift sorts such a row when it compares texts, in a time that grows with its
    /// square; Unicode calls 30 enough for any text (https://unicode.org/reports/tr15/#Stream_Safe_Text_Format).
    package static let maximumMarks = 200

    /// - Parameter start: where to read; a byte order mark at the beginning is skipped (RFC 8259, section 8.1).
    init(_ bytes: [UInt8], _ mode: Mode, at start: Int = 0) {
        self.bytes = bytes
        self.mode = mode
        position = max(start, bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0)
    }
}

extension JSONSlices {
    /// The places of an array's elements.
    /// - Parameter place: where the array lies; nil where it is the whole body.
    package static func elements(of body: [UInt8], at place: Range<Int>? = nil, limit: Int = maximumElements)
        throws(ContentFault) -> [Range<Int>]
    {
        var slices = JSONSlices(body, .structure, at: place?.lowerBound ?? 0)
        var elements: [Range<Int>] = []
        try slices.forEachItem(ofObject: false, limit: limit) { slices, _ throws(ContentFault) in
            elements.append(try slices.skipValue())
        }
        if place == nil { try slices.end() }
        return elements
    }

    /// The places of an object's members by name, where the body is the object. Of repeated names the first counts, as
    /// in JSONDecoder.
    package static func members(of body: [UInt8]) throws(ContentFault) -> [String: Range<Int>] {
        var slices = JSONSlices(body, .structure)
        var members: [String: Range<Int>] = [:]
        try slices.forEachItem(ofObject: true, limit: maximumMembers) { slices, name throws(ContentFault) in
            let value = try slices.skipValue()
            // No longer name is asked for, and comparing long runs of combining marks takes a time that grows with the
            // square.
            guard name.count <= 200 else { return }
            let name = String(decoding: body[name], as: UTF8.self)
            if members[name] == nil { members[name] = value }
        }
        try slices.end()
        return members
    }

    /// The places of the names, without their quotes, and values of the record or the object within one that lies at a
    /// place in the body, in order.
    /// - Throws: also where it is larger, or holds more values or marks, than is taken of a record.
    package static func places(in body: [UInt8], at place: Range<Int>) throws(ContentFault) -> [(
        name: Range<Int>, value: Range<Int>
    )] {
        guard place.count <= maximumRecordSize else {
            throw ContentFault("", "has \(place.count) bytes, more than the \(maximumRecordSize) that are taken")
        }
        var slices = JSONSlices(body, .record, at: place.lowerBound)
        var places: [(name: Range<Int>, value: Range<Int>)] = []
        places.reserveCapacity(16)
        try slices.forEachItem(ofObject: true, limit: maximumMembers) { slices, name throws(ContentFault) in
            do throws(ContentFault) {
                places.append((name: name, value: try slices.skipValue()))
            } catch {
                throw error.inside(String(decoding: body[name].prefix(100), as: UTF8.self).onOneLine)
            }
        }
        return places
    }
}

extension JSONSlices {
    /// Steps through the array or object here.
    /// - Parameters:
    ///   - limit: the most items that are taken.
    ///   - item: steps over an item's value. A member's name comes without its quotes; elements have an empty one.
    mutating func forEachItem(
        ofObject isObject: Bool, limit: Int,
        _ item: (_ slices: inout JSONSlices, _ name: Range<Int>) throws(ContentFault) -> Void
    ) throws(ContentFault) {
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
            guard count <= limit else { throw ContentFault("", "has more than the \(limit) \(items) that are taken") }
            _ = try next()
            let name = isObject ? try name() : position..<position
            try item(&self, name)
            let separator = try next()
            guard separator == end || separator == "," else {
                throw fault("has no comma between \(items)")
            }
            position += 1
            if separator == end { return }
        }
    }

    private mutating func name() throws(ContentFault) -> Range<Int> {
        guard try current() == "\"" else { throw fault("has a member without a name") }
        let start = position
        try skipString()
        let name = start + 1..<position - 1
        guard try next() == ":" else { throw fault("has a member without a colon") }
        position += 1
        return name
    }

    /// Steps over one value: brackets are counted, strings skipped, anything else taken up to the next delimiter.
    private mutating func skipValue() throws(ContentFault) -> Range<Int> {
        let first = try next()
        let start = position
        try countValue()
        if first == "\"" {
            try skipString()
            return start..<position
        }
        var depth = 1
        while true {
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

    /// Counts a comma or an opening bracket: each value within others follows one.
    private mutating func countValue() throws(ContentFault) {
        guard mode == .record else { return }
        valuesLeft -= 1
        guard valuesLeft >= 0 else {
            throw ContentFault("", "holds more than the \(Self.maximumValues) values that are taken")
        }
    }

    private func scalar(from start: Int) throws(ContentFault) -> Range<Int> {
        guard position > start else { throw fault("has no value where one belongs") }
        return start..<position
    }

    mutating func skipString() throws(ContentFault) {
        let start = position
        position += 1
        if mode == .grammar {
            try checkString()
            return try checkMarks(start..<position)
        }
        while try current() != "\"" { position += bytes[position] == "\\" ? 2 : 1 }
        position += 1
        if mode == .record { try checkMarks(start..<position) }
    }

    func checkMarks(_ place: Range<Int>) throws(ContentFault) {
        // A mark has two bytes at least. Invalid text is never compared; its reader reports it.
        guard place.count > 2 * Self.maximumMarks, let text = JSONText.ifAny(bytes, at: place), text.hasTooManyMarks
        else { return }
        throw ContentFault(
            "",
            "has a text with more than the \(Self.maximumMarks) combining marks in a row that are taken "
                + "(at byte \(position))")
    }
}

extension String {
    /// Whether it has more combining marks in a row than are taken of any text from outside.
    package var hasTooManyMarks: Bool {
        var marks = 0
        for scalar in unicodeScalars {
            marks = scalar.value >= 0x300 && scalar.properties.canonicalCombiningClass != .notReordered ? marks + 1 : 0
            if marks > JSONSlices.maximumMarks { return true }
        }
        return false
    }
}

extension JSONSlices {
    static func isSpace(_ byte: UInt8) -> Bool { byte == 32 || byte == 9 || byte == 10 || byte == 13 }

    private mutating func skipSpace() { while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 } }

    /// The next byte that is not white space.
    mutating func next() throws(ContentFault) -> UInt8 {
        skipSpace()
        return try current()
    }

    func current() throws(ContentFault) -> UInt8 {
        guard position < bytes.count else {
            guard mode != .grammar else { throw fault("") }
            throw ContentFault("", bytes.isEmpty ? "is empty" : "ends in the middle, after \(bytes.count) bytes")
        }
        return bytes[position]
    }

    mutating func end() throws(ContentFault) {
        skipSpace()
        guard position == bytes.count else { throw fault("goes on behind its end") }
    }

    var tooDeep: ContentFault {
        ContentFault("", "is nested deeper than \(Self.maximumDepth) levels (at byte \(position))")
    }

    func fault(_ reason: String) -> ContentFault {
        ContentFault("", "\(mode == .grammar ? "is not valid JSON" : reason) (at byte \(position))")
    }
}
