import Archive

/// A member of a record whose value differs between two revisions.
public struct FieldChange: Sendable, Equatable {
    package let name: String
    package let old: JSONValue?
    package let new: JSONValue?
    /// The added and removed elements if the member is an array in both revisions; otherwise nil. Repeated elements are
    /// counted separately.
    package let list: ListChange?

    /// The difference between two arrays. Both properties are empty if only the order differs.
    public struct ListChange: Sendable, Equatable {
        package let added: [JSONValue]
        package let removed: [JSONValue]
        package var isReordering: Bool { added.isEmpty && removed.isEmpty }
    }

    package init(_ name: String, old: JSONValue?, new: JSONValue?) {
        var list: ListChange?
        if case .list(let old)? = old, case .list(let new)? = new {
            list = ListChange(added: Self.surplus(of: new, over: old), removed: Self.surplus(of: old, over: new))
        }
        self.init(name, old, new, list)
    }

    private init(_ name: String, _ old: JSONValue?, _ new: JSONValue?, _ list: ListChange?) {
        self.name = name
        self.old = old
        self.new = new
        self.list = list
    }
}

extension FieldChange {
    /// The change without the old and new value if it is a change of a list. Pages do not show these values.
    var withoutListValues: FieldChange { list == nil ? self : FieldChange(name, nil, nil, list) }

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

    /// The members whose values differ in the JSON of two records, in the order of their names. White space and the
    /// order of members are ignored.
    package static func between(_ old: [UInt8], _ new: [UInt8]) throws(ContentFault) -> [FieldChange] {
        let before = try JSONValue.members(old, at: old.indices)
        let after = try JSONValue.members(new, at: new.indices)
        var changes: [FieldChange] = []
        for name in Set(before.keys).union(after.keys).sorted() {
            let (oldRange, newRange) = (before[name], after[name])
            // Most members have the same bytes, so they need no decoding.
            if let oldRange, let newRange, old[oldRange] == new[newRange] { continue }
            let values = (oldRange.map { JSONValue(old, at: $0) }, newRange.map { JSONValue(new, at: $0) })
            if values.0 != values.1 { changes.append(FieldChange(name.text, old: values.0, new: values.1)) }
        }
        return changes
    }
}
