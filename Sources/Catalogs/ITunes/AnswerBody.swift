import Catalogue
import HTMLCheck

/// The JSON object of an answer: behind line feeds, and within a call where it is a script (JSONP). Source:
/// docs/apis.md, 2.
struct AnswerBody {
    /// The object's bytes.
    let bytes: [UInt8]
    /// Where it begins in the answer.
    let start: Int
    private let results: Range<Int>

    /// Finds the object, and whether it is an answer.
    /// - Throws: what it is instead: the service's own word of a mistake, or that results are missing or not as many as
    ///   it says.
    init(_ body: [UInt8]) throws(ContentFault) {
        let place = Self.object(in: body)
        bytes = Array(body[place])
        start = place.lowerBound
        let members = try JSONSlices.members(of: bytes)
        if let error = members["errorMessage"] {
            throw ContentFault("errorMessage", "says \(JSONRecord.said(bytes[error])) where results belong")
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

    /// Where the object lies in the answer.
    var place: Range<Int> { start..<start + bytes.count }

    /// Where the results lie in the object.
    func rows() throws(ContentFault) -> [Range<Int>] {
        try ContentFault.inside("results") { () throws(ContentFault) in
            try JSONSlices.elements(of: bytes, at: results)
        }
    }

    /// From the first brace to the last; of a call `name(…);` what is between its brackets. Anything else is left
    /// whole, for the reader of JSON to say what is wrong with it.
    private static func object(in body: [UInt8]) -> Range<Int> {
        let blank: Set<UInt8> = [32, 9, 10, 13]
        guard let first = body.firstIndex(where: { !blank.contains($0) }),
            let last = body.lastIndex(where: { !blank.contains($0) })
        else {
            return body.indices
        }
        // Some servers put an empty comment before the call.
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

/// A result as an answer has it, its members looked at one by one: what is missing is nothing, what is not as it should
/// be is named.
struct Row {
    private let fields: JSONFields
    /// What is wrong with members that are left out.
    private(set) var faults: [ContentFault] = []

    init(_ bytes: some Sequence<UInt8>) throws(ContentFault) {
        fields = try JSONFields(Array(bytes))
    }
}

extension Row {
    /// Whether it is a collection, of whatever type.
    var isCollection: Bool { fields.textIfAny("wrapperType") == "collection" }

    /// What it says that it is. Source: docs/apis.md, 4.
    var kind: String {
        fields.textIfAny("kind") ?? fields.textIfAny("collectionType") ?? fields.textIfAny("wrapperType") ?? ""
    }

    /// Whether it is something of a store that does not say what it is.
    var isUnsaid: Bool {
        (fields.textIfAny("kind") ?? "").isBlank && (fields.has("trackId") || fields.has("trackName"))
    }

    /// What has to be there.
    /// - Throws: what is wrong with it, or that it is missing.
    mutating func required<Result>(_ name: StaticString, _ read: (inout Row, StaticString) -> Result?)
        throws(ContentFault) -> Result
    {
        guard let result = read(&self, name) else { throw faults.last ?? ContentFault("\(name)", "is missing") }
        return result
    }

    /// A text; nil where there is none to see.
    mutating func text(_ name: StaticString) -> String? {
        let text = optional(name) { (fields) throws(ContentFault) in try fields.text(name) }
        return text.flatMap { $0.isBlank ? nil : $0 }
    }

    mutating func integer(_ name: StaticString) -> Int64? {
        optional(name) { (fields) throws(ContentFault) in try fields.integer(name) }
    }

    /// A whole number of 1 or more that scripts hold exactly.
    mutating func id(_ name: StaticString) -> Int64? {
        integer(name, in: 1...(1 << 53) - 1)
    }

    mutating func integer(_ name: StaticString, in bounds: ClosedRange<Int64>) -> Int64? {
        guard let number = integer(name) else { return nil }
        guard bounds.contains(number) else {
            faults.append(ContentFault("\(name)", "is \(number), not \(bounds.lowerBound) to \(bounds.upperBound)"))
            return nil
        }
        return number
    }

    mutating func number(_ name: StaticString) -> Double? {
        optional(name) { (fields) throws(ContentFault) in try fields.number(name) }
    }

    mutating func texts(_ name: StaticString) -> [String] {
        optional(name) { (fields) throws(ContentFault) in try fields.texts(name) } ?? []
    }

    /// An address on the web that a page can lead to.
    mutating func link(_ name: StaticString) -> String? {
        guard let link = text(name) else { return nil }
        guard link.utf8.count <= 2_048, WebAddress.isValid(link) else {
            faults.append(ContentFault("\(name)", "is \(link.quoted), which is no address on the web"))
            return nil
        }
        return link
    }

    /// The day of a moment in UTC, as 2010-03-05. Source: docs/apis.md, 5.6.
    mutating func day(_ name: StaticString) -> Day? {
        guard let text = text(name) else { return nil }
        guard let day = Day(text) else {
            faults.append(ContentFault("\(name)", "is \(text.quoted), not a moment as 2010-03-05T08:00:00Z"))
            return nil
        }
        return day
    }

    mutating func note(_ fault: ContentFault) { faults.append(fault) }

    private mutating func optional<Value>(
        _ name: StaticString, _ read: (JSONFields) throws(ContentFault) -> Value
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
    /// The day of a moment as "2010-03-05T08:00:00Z"; nil for another text, and for years before 1000: the service says
    /// 0001 where it does not know (docs/apis.md, 5.6).
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
