import Catalogue
import HTMLCheck

/// The JSON object of an answer. It can be after line feeds or inside a call (JSONP). Source: docs/apis.md, 2.
struct AnswerBody {
    let bytes: [UInt8]
    /// The offset of the object in the answer.
    let start: Int
    private let results: Range<Int>

    /// Finds the object, and checks that it is an answer.
    /// - Throws: `ContentFault` for an error message of the service, and for missing results or a wrong count.
    init(_ body: [UInt8]) throws(ContentFault) {
        let place = Self.object(in: body)
        bytes = Array(body[place])
        start = place.lowerBound
        let members = try JSONSlices.members(of: bytes)
        if let error = members["errorMessage"] {
            throw ContentFault("errorMessage", "says \(JSONDecoding.quotedError(bytes[error])) where results belong")
        }
        guard let results = members["results"] else { throw ContentFault("results", "is missing") }
        self.results = results
        let count = try JSONFields(bytes).integer("resultCount")
        let found = try rows().count
        guard count == found else {
            throw ContentFault("resultCount", "is \(count), though there are \(found) results")
        }
    }

    init(record bytes: [UInt8]) throws(ContentFault) {
        self.bytes = bytes
        start = 0
        guard let results = try JSONSlices.members(of: bytes)["results"] else {
            throw ContentFault("results", "is missing")
        }
        self.results = results
    }

    /// The range of the object in the answer.
    var place: Range<Int> { start..<start + bytes.count }

    /// The ranges of the results in the object.
    func rows() throws(ContentFault) -> [Range<Int>] {
        try ContentFault.inside("results") { () throws(ContentFault) in
            try JSONSlices.elements(of: bytes, at: results)
        }
    }

    /// The range of the object, without white space. In a call `name(…);` it is the range between the parentheses.
    private static func object(in body: [UInt8]) -> Range<Int> {
        let blank: Set<UInt8> = [32, 9, 10, 13]
        guard let first = body.firstIndex(where: { !blank.contains($0) }),
            let last = body.lastIndex(where: { !blank.contains($0) })
        else {
            return body.indices
        }
        // An empty comment can precede the call.
        let whole = (body[first...last].starts(with: "/**/".utf8) ? first + 4 : first)..<last + 1
        guard let first = whole.first, isNameStart(body[first]),
            let open = body[whole].firstIndex(of: "("),
            let close = body[whole].lastIndex(of: ")"), open < close,
            body[first..<open].allSatisfy({ isNameStart($0) || $0 == "." || (48...57).contains($0) })
        else { return whole }
        let inner = open + 1..<close
        guard let start = body[inner].firstIndex(where: { !blank.contains($0) }),
            let end = body[inner].lastIndex(where: { !blank.contains($0) })
        else { return inner }
        return start..<end + 1
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte) || byte == "_" || byte == "$"
    }
}

/// Reads the members of a result. A missing member is nil. An invalid member is nil and adds a fault.
struct SearchResult {
    private let fields: JSONFields
    /// The faults of members that are ignored.
    private(set) var faults: [ContentFault] = []

    init(_ bytes: some Sequence<UInt8>) throws(ContentFault) {
        fields = try JSONFields(Array(bytes))
    }
}

extension SearchResult {
    var isCollection: Bool { fields.optionalText("wrapperType") == "collection" }

    /// The type of the result. Source: docs/apis.md, 4.
    var kind: String {
        fields.optionalText("kind") ?? fields.optionalText("collectionType") ?? fields.optionalText("wrapperType") ?? ""
    }

    /// Whether the type of an item is missing.
    var isUnsaid: Bool {
        (fields.optionalText("kind") ?? "").isBlank && (fields.has("trackId") || fields.has("trackName"))
    }

    /// Reads a member that must exist.
    /// - Throws: the fault of the member.
    mutating func required<Result>(_ name: String, _ read: (inout SearchResult, String) -> Result?)
        throws(ContentFault) -> Result
    {
        guard let result = read(&self, name) else { throw faults.last ?? ContentFault("\(name)", "is missing") }
        return result
    }

    /// A text; nil if it is missing or blank.
    mutating func text(_ name: String) -> String? {
        let text = optional(name) { (fields) throws(ContentFault) in try fields.text(name) }
        return text.flatMap { $0.isBlank ? nil : $0 }
    }

    mutating func integer(_ name: String) -> Int64? {
        optional(name) { (fields) throws(ContentFault) in try fields.integer(name) }
    }

    /// A positive integer that scripts can represent exactly.
    mutating func id(_ name: String) -> Int64? {
        integer(name, in: 1...(1 << 53) - 1)
    }

    mutating func integer(_ name: String, in bounds: ClosedRange<Int64>) -> Int64? {
        guard let number = integer(name) else { return nil }
        guard bounds.contains(number) else {
            faults.append(ContentFault("\(name)", "is \(number), not \(bounds.lowerBound) to \(bounds.upperBound)"))
            return nil
        }
        return number
    }

    mutating func number(_ name: String) -> Double? {
        optional(name) { (fields) throws(ContentFault) in try fields.number(name) }
    }

    mutating func texts(_ name: String) -> [String] {
        optional(name) { (fields) throws(ContentFault) in try fields.texts(name) } ?? []
    }

    /// An http or https address.
    mutating func link(_ name: String) -> String? {
        guard let link = text(name) else { return nil }
        guard link.utf8.count <= 2_048, WebAddress.isValid(link) else {
            faults.append(ContentFault("\(name)", "is \(link.quoted), which is no address on the web"))
            return nil
        }
        return link
    }

    /// The UTC date of a time, such as 2010-03-05. Source: docs/apis.md, 5.6.
    mutating func day(_ name: String) -> Day? {
        guard let text = text(name) else { return nil }
        guard let day = Day(text) else {
            faults.append(ContentFault("\(name)", "is \(text.quoted), not a moment as 2010-03-05T08:00:00Z"))
            return nil
        }
        return day
    }

    mutating func note(_ fault: ContentFault) { faults.append(fault) }

    private mutating func optional<Value>(
        _ name: String, _ read: (JSONFields) throws(ContentFault) -> Value
    ) -> Value? {
        guard fields.has(name) else { return nil }
        do throws(ContentFault) {
            return try read(fields)
        } catch {
            faults.append(error)
            return nil
        }
    }
}

extension Day {
    /// The date of a time such as "2010-03-05T08:00:00Z"; nil for another text, and for years before 1000. The service
    /// writes 0001 for an unknown year (docs/apis.md, 5.6).
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.count == 20, bytes[4] == "-", bytes[7] == "-",
            bytes[10] == "T",
            bytes[19] == "Z", let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.allSatisfy { (48...57).contains($0) } ? digits.reduce(0) { $0 * 10 + Int($1) - 48 } : nil
    }
}
