import Archive

/// A member of a record that differs between two states.
public struct FieldChange: Sendable, Equatable {
    package let name: String
    package let old: JSONValue?
    package let new: JSONValue?
    /// What came and went, where the member is an array in both states; nil for other values. Equal elements count one
    /// by one.
    package let list: ListChange?

    /// How an array differs from another.
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
    /// The change as pages show it, without the two values where it is that of a list.
    var shown: FieldChange { list == nil ? self : FieldChange(name, nil, nil, list) }

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
    package static func between(_ old: [UInt8], _ new: [UInt8]) throws(ContentFault) -> [FieldChange] {
        let before = try JSONValue.members(old, at: old.indices)
        let after = try JSONValue.members(new, at: new.indices)
        var changes: [FieldChange] = []
        for name in Set(before.keys).union(after.keys).sorted() {
            let (was, isNow) = (before[name], after[name])
            // Most members are spelled as they were.
            if let was, let isNow, old[was] == new[isNow] { continue }
            let values = (was.map { JSONValue(old, at: $0) }, isNow.map { JSONValue(new, at: $0) })
            if values.0 != values.1 { changes.append(FieldChange(name.text, old: values.0, new: values.1)) }
        }
        return changes
    }
}

/// What happened to one record, by member instead of by date: what pages tell.
struct RecordStory {
    /// A state that began with a revision; nil for what was there from the beginning.
    struct Step<State> {
        let state: State
        let since: Revision?
    }

    struct Member<State> {
        let name: String
        var steps: [Step<State>]
    }

    /// When it was there and when not; empty for one that was there all the time.
    private(set) var presence: [Step<Bool>] = []
    /// Members that changed as a whole, in the order in which they first did, each with at least two values; nil where
    /// the member was missing. One whose record was gone meanwhile begins again.
    private(set) var values: [Member<JSONValue?>] = []
    /// Members that changed in their elements, in the order in which they first did. Each step has a revision.
    private(set) var lists: [Member<FieldChange.ListChange>] = []

    init(_ events: [History.Event]) {
        // The rows of members: a record can have very many.
        var valueRows: [String: Int] = [:]
        var listRows: [String: Int] = [:]
        for event in events {
            switch event.what {
            case .came: presence.append(Step(state: true, since: event.revision))
            case .went:
                if presence.isEmpty { presence.append(Step(state: true, since: nil)) }
                presence.append(Step(state: false, since: event.revision))
            case .changed(let fields):
                for field in fields {
                    if let change = field.list {
                        let row = listRows[field.name] ?? lists.count
                        listRows[field.name] = row
                        if row == lists.count { lists.append(Member(name: field.name, steps: [])) }
                        lists[row].steps.append(Step(state: change, since: event.revision))
                        continue
                    }
                    var row = valueRows[field.name] ?? values.count
                    if row == values.count || values[row].steps.last?.state != field.old {
                        row = values.count
                        values.append(Member(name: field.name, steps: [Step(state: field.old, since: nil)]))
                    }
                    valueRows[field.name] = row
                    values[row].steps.append(Step(state: field.new, since: event.revision))
                }
            }
        }
    }
}
