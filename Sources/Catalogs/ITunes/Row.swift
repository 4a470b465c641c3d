import Catalogue
import HTMLCheck

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

    /// A text; nil where there is none to see.
    mutating func text(_ name: StaticString) -> String? {
        let text = optional(name) { (fields) throws(ContentFault) in try fields.text(name) }
        return text.flatMap { $0.isBlank ? nil : $0 }
    }

    /// A whole number.
    mutating func integer(_ name: StaticString) -> Int64? {
        optional(name) { (fields) throws(ContentFault) in try fields.integer(name) }
    }

    /// A whole number of 1 or more that scripts hold exactly.
    mutating func id(_ name: StaticString) -> Int64? {
        integer(name, in: 1...(1 << 53) - 1)
    }

    /// A whole number within bounds.
    mutating func integer(_ name: StaticString, in bounds: ClosedRange<Int64>) -> Int64? {
        guard let number = integer(name) else { return nil }
        guard bounds.contains(number) else {
            faults.append(ContentFault("\(name)", "is \(number), not \(bounds.lowerBound) to \(bounds.upperBound)"))
            return nil
        }
        return number
    }

    /// A number, whole or not.
    mutating func number(_ name: StaticString) -> Double? {
        optional(name) { (fields) throws(ContentFault) in try fields.number(name) }
    }

    /// Texts in their order.
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

    /// Names something else that is wrong.
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
        guard bytes.count == 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T"),
            bytes[19] == UInt8(ascii: "Z"), let year = Self.number(bytes[0..<4]), let month = Self.number(bytes[5..<7]),
            let day = Self.number(bytes[8..<10])
        else { return nil }
        self.init(year: year, month: month, day: day)
    }

    private static func number(_ digits: ArraySlice<UInt8>) -> Int? {
        digits.allSatisfy { (48...57).contains($0) } ? digits.reduce(0) { $0 * 10 + Int($1) - 48 } : nil
    }
}
