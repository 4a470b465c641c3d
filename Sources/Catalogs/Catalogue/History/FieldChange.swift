/// A member of a record that differs between two states.
public struct FieldChange: Sendable, Equatable {
    /// The member's name.
    public let name: String
    /// What it was; nil where there was none.
    public let old: JSONValue?
    /// What it is; nil where it is gone.
    public let new: JSONValue?
    /// What came and went, where the member is an array in both states; nil for other values. Equal elements count one
    /// by one.
    public let list: ListChange?

    /// A member with its two values.
    public init(_ name: String, old: JSONValue?, new: JSONValue?) {
        self.name = name
        self.old = old
        self.new = new
        list =
            if case .list(let old)? = old, case .list(let new)? = new {
                ListChange(added: Self.surplus(of: new, over: old), removed: Self.surplus(of: old, over: new))
            } else {
                nil
            }
    }

    private init(_ name: String, _ list: ListChange) {
        self.name = name
        self.list = list
        old = nil
        new = nil
    }
}

extension FieldChange {
    /// How an array differs from another.
    public struct ListChange: Sendable, Equatable {
        /// What came, in the order of the later one.
        public let added: [JSONValue]
        /// What went, in the order of the earlier one.
        public let removed: [JSONValue]
        /// Whether only the order differs.
        public var isReordering: Bool { added.isEmpty && removed.isEmpty }
    }

    /// The change as pages show it, without the two values where it is that of a list.
    var shown: FieldChange { list.map { FieldChange(name, $0) } ?? self }

    /// About how many bytes it takes in memory.
    var weight: Int {
        let elements = list.map { $0.added + $0.removed } ?? [old, new].compactMap(\.self)
        return elements.reduce(200) { $0 + $1.weight }
    }

    private static func surplus(of elements: [JSONValue], over others: [JSONValue]) -> [JSONValue] {
        var counts: [JSONValue: Int] = [:]
        for other in others { counts[other, default: 0] += 1 }
        return elements.filter { element in
            guard let count = counts[element], count > 0 else { return true }
            counts[element] = count - 1
            return false
        }
    }

    /// The members of two records' JSON that differ in their values, by name; white space and the order of members do
    /// not count.
    public static func between(_ old: [UInt8], _ new: [UInt8]) throws(ContentFault) -> [FieldChange] {
        let old = compact(old)
        let new = compact(new)
        guard old != new else { return [] }
        let before = try members(old)
        let after = try members(new)
        var changes: [FieldChange] = []
        for name in Set(before.keys).union(after.keys).sorted() {
            let places = (before[name], after[name])
            // Most members are spelled as they were.
            if let was = places.0, let isNow = places.1, old[was] == new[isNow] { continue }
            var values: (JSONValue?, JSONValue?)
            values.0 = if let place = places.0 { JSONValue(old, at: place) } else { nil }
            values.1 = if let place = places.1 { JSONValue(new, at: place) } else { nil }
            if values.0 != values.1 { changes.append(FieldChange(name.text, old: values.0, new: values.1)) }
        }
        return changes
    }

    private static func members(_ bytes: [UInt8]) throws(ContentFault) -> [MemberName: Range<Int>] {
        var members: [MemberName: Range<Int>] = [:]
        for place in try JSONSlices.places(in: bytes, at: bytes.indices) {
            let name = JSONValue.name(bytes, at: place.name)
            if members[name] == nil { members[name] = place.value }
        }
        return members
    }

    /// The JSON without the white space between its tokens.
    private static func compact(_ bytes: [UInt8]) -> [UInt8] {
        var compact: [UInt8] = []
        compact.reserveCapacity(bytes.count)
        var isInText = false
        var isEscaped = false
        for byte in bytes {
            if isInText {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInText = false
                }
            } else if byte == 32 || byte == 9 || byte == 10 || byte == 13 {
                continue
            } else if byte == UInt8(ascii: "\"") {
                isInText = true
            }
            compact.append(byte)
        }
        return compact
    }
}
