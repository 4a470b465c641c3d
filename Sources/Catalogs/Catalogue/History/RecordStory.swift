public import Archive

/// What happened to one record, by member instead of by date: what pages tell.
public struct RecordStory: Sendable, Equatable {
    /// A state that began with a revision.
    public struct Step<State: Sendable & Equatable>: Sendable, Equatable {
        /// What came about.
        public let state: State
        /// The revision that shows it first; nil for what was there from the beginning.
        public let since: Revision?
    }

    /// A member's values one after the other.
    public struct Values: Sendable, Equatable {
        /// The member.
        public let member: String
        /// At least two; nil where the member was missing.
        public fileprivate(set) var steps: [Step<JSONValue?>]
    }

    /// How a member that is an array changed, time by time.
    public struct Lists: Sendable, Equatable {
        /// The member.
        public let member: String
        /// At least one; each has a revision.
        public fileprivate(set) var steps: [Step<FieldChange.ListChange>]
    }

    /// When it was there and when not; empty for one that was there all the time.
    public private(set) var presence: [Step<Bool>] = []
    /// Members that changed as a whole, in the order in which they first did. One whose record was gone meanwhile
    /// begins anew.
    public private(set) var values: [Values] = []
    /// Members that changed in their elements, in the order in which they first did.
    public private(set) var lists: [Lists] = []

    /// Whether there is nothing to tell.
    public var isEmpty: Bool { presence.isEmpty && values.isEmpty && lists.isEmpty }

    /// The story of events in the order of their dates.
    public init(_ events: [History.Event]) {
        var places = Places()
        for event in events {
            switch event.what {
            case .came: presence.append(Step(state: true, since: event.revision))
            case .went:
                if presence.isEmpty { presence.append(Step(state: true, since: nil)) }
                presence.append(Step(state: false, since: event.revision))
            case .changed(let fields):
                for field in fields { take(field, event.revision, &places) }
            }
        }
    }

    /// Where members stand, so that a record of very many is told in bearable time.
    private struct Places {
        var values: [String: Int] = [:]
        var lists: [String: Int] = [:]
    }

    private mutating func take(_ field: FieldChange, _ revision: Revision, _ places: inout Places) {
        if let list = field.list {
            let step = Step(state: list, since: revision)
            if let place = places.lists[field.name] {
                lists[place].steps.append(step)
            } else {
                places.lists[field.name] = lists.count
                lists.append(Lists(member: field.name, steps: [step]))
            }
            return
        }
        let step = Step(state: field.new, since: revision)
        if let place = places.values[field.name], values[place].steps.last?.state == field.old {
            values[place].steps.append(step)
        } else {
            places.values[field.name] = values.count
            values.append(Values(member: field.name, steps: [Step(state: field.old, since: nil), step]))
        }
    }
}
