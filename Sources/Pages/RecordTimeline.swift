import Archive
import Catalogue

/// The changes of one record, grouped by member for its page. `History` has the same changes grouped by revision.
struct RecordTimeline {
    /// A state and the revision in which it began; nil if it began with the first revision.
    typealias Step<State> = (state: State, since: Revision?)
    typealias Member<State> = (name: String, steps: [Step<State>])

    /// When the record existed and when it did not; empty if it always existed.
    private(set) var presence: [Step<Bool>] = []
    /// Members whose complete value changed, in the order of their first change. Each has at least two values; nil is a
    /// missing member. If the old value of a change is not the last known value, because the record did not
    /// exist meanwhile, the member gets a new entry.
    private(set) var values: [Member<JSON?>] = []
    /// Arrays whose elements changed, in the order of their first change. Each step has a revision.
    private(set) var lists: [Member<FieldChange.ListChange>] = []

    init(_ events: [History.Event]) {
        // The indexes of members in `values` and `lists`, because a record can have very many members.
        var valueRows: [[UInt8]: Int] = [:]
        var listRows: [[UInt8]: Int] = [:]
        for event in events {
            switch event.change {
            case .added: presence.append((true, event.revision))
            case .removed:
                if presence.isEmpty { presence.append((true, nil)) }
                presence.append((false, event.revision))
            case .changed(let fields):
                for field in fields {
                    let name = Array(field.name.utf8)
                    if let change = field.list {
                        let row = listRows[name] ?? lists.count
                        listRows[name] = row
                        if row == lists.count { lists.append((field.name, [])) }
                        lists[row].steps.append((change, event.revision))
                        continue
                    }
                    var row = valueRows[name] ?? values.count
                    if row == values.count || values[row].steps.last?.state != field.old {
                        row = values.count
                        values.append((field.name, [(field.old, nil)]))
                    }
                    valueRows[name] = row
                    values[row].steps.append((field.new, event.revision))
                }
            }
        }
    }
}
