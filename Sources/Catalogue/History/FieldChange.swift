/// A member of a record, or a value in a member, that differs between two revisions.
package struct FieldChange: Sendable, Equatable {
    /// The name of the member; for a value in a member its path, such as "origin.name".
    package let name: String
    package private(set) var old: JSON?
    package private(set) var new: JSON?
    /// The added and removed elements, each as often as it occurs; nil if the member is not an array in both revisions.
    package private(set) var list: ListChange?

    /// The difference between two arrays. Both properties are empty if only the order differs.
    package struct ListChange: Sendable, Equatable {
        package let added: [JSON]
        package let removed: [JSON]
        package var isReordering: Bool { added.isEmpty && removed.isEmpty }
    }

    package init(_ name: String, old: JSON?, new: JSON?) {
        self.name = name
        self.old = old
        self.new = new
        if case .list(let old)? = old, case .list(let new)? = new {
            list = ListChange(added: Self.surplus(of: new, over: old), removed: Self.surplus(of: old, over: new))
        }
    }

    /// The change without the old and new value if it is a change of a list. Pages do not show these values.
    var withoutListValues: FieldChange {
        var change = self
        if list != nil { (change.old, change.new) = (nil, nil) }
        return change
    }

    var weight: Int {
        let elements = list.map { $0.added + $0.removed } ?? [old, new].compactMap(\.self)
        return elements.reduce(200 + name.utf8.count) { $0 + $1.weight }
    }

    private static func surplus(of elements: [JSON], over others: [JSON]) -> [JSON] {
        var counts = Dictionary(others.map { ($0, 1) }, uniquingKeysWith: +)
        return elements.filter { element in
            guard let count = counts[element], count > 0 else { return true }
            counts[element] = count - 1
            return false
        }
    }

    /// The members whose values differ, sorted by name. White space and the order in the records are ignored.
    package static func between(_ old: [UInt8], _ new: [UInt8]) throws -> [FieldChange] {
        let (before, after) = (try members(of: old), try members(of: new))
        let read = { (value: ArraySlice<UInt8>) in JSON(archived: Array(value), at: 0..<value.count) }
        return between(
            before.filter { $0.value != after[$0.key] }.mapValues(read),
            after.filter { $0.value != before[$0.key] }.mapValues(read))
    }

    /// The changes of an object's members, in the order of their names; nil if the values are not objects.
    package var memberChanges: [FieldChange]? {
        guard let old = old?.byName, let new = new?.byName else { return nil }
        return Self.between(old, new)
    }

    private static func between(_ old: [[UInt8]: JSON], _ new: [[UInt8]: JSON]) -> [FieldChange] {
        Set(old.keys).union(new.keys).sorted { $0.lexicographicallyPrecedes($1) }.filter { old[$0] != new[$0] }.map {
            FieldChange(String(decoding: $0, as: UTF8.self), old: old[$0], new: new[$0])
        }
    }

    /// The bytes of the values of a record's members, by the bytes of the decoded names.
    private static func members(of record: [UInt8]) throws -> [[UInt8]: ArraySlice<UInt8>] {
        let members = try JSONSlices.memberRanges(in: record, at: record.indices)
        return Dictionary(
            members.map { (Array(JSONText.name(record, at: $0.name).utf8), record[$0.value]) },
            uniquingKeysWith: { first, _ in first })
    }
}
