import Archive
import Catalogue

/// The changes of one record, grouped by member for its page. `History` has the same changes grouped by revision.
struct RecordTimeline {
    /// A state and the revision in which it began; nil if it began with the first revision.
    struct Step<State> {
        let state: State
        let since: Revision?
    }

    struct Member<State> {
        let name: String
        var steps: [Step<State>]
    }

    /// When the record existed and when it did not; empty if it always existed.
    private(set) var presence: [Step<Bool>] = []
    /// Members whose complete value changed, in the order of their first change. Each has at least two values; nil is a
    /// missing member. If the old value of a change is not the last known value, because the record did not
    /// exist meanwhile, the member gets a new entry.
    private(set) var values: [Member<JSON?>] = []
    /// Arrays whose elements changed, in the order of their first change. Each step has a revision.
    private(set) var lists: [Member<FieldChange.ListChange>] = []

    init(_ events: [History.Event]) {
        // The indexes of members in `values` and `lists`. A search would be slow, because a record can have very many
        // members.
        var valueRows: [[UInt8]: Int] = [:]
        var listRows: [[UInt8]: Int] = [:]
        for event in events {
            switch event.change {
            case .added: presence.append(Step(state: true, since: event.revision))
            case .removed:
                if presence.isEmpty { presence.append(Step(state: true, since: nil)) }
                presence.append(Step(state: false, since: event.revision))
            case .changed(let fields):
                for field in fields {
                    let name = Array(field.name.utf8)
                    if let change = field.list {
                        let row = listRows[name] ?? lists.count
                        listRows[name] = row
                        if row == lists.count { lists.append(Member(name: field.name, steps: [])) }
                        lists[row].steps.append(Step(state: change, since: event.revision))
                        continue
                    }
                    var row = valueRows[name] ?? values.count
                    if row == values.count || values[row].steps.last?.state != field.old {
                        row = values.count
                        values.append(Member(name: field.name, steps: [Step(state: field.old, since: nil)]))
                    }
                    valueRows[name] = row
                    values[row].steps.append(Step(state: field.new, since: event.revision))
                }
            }
        }
    }
}
