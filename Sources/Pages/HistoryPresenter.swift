package import Archive
package import Catalogue
package import Mustache

/// Converts the history of records into values for templates, with the catalogue's names and links.
package struct HistoryPresenter: Sendable {
    package let history: History
    package let presenter: any RecordPresenter
    private let removedNames: [RecordKey: String]
    /// The numbers of revisions of each day, and of each minute.
    private let revisionCounts: [Substring: Int]

    /// The maximum number of names in a line. Longer lists are collapsed.
    private static let maxInLine = 12
    /// The maximum number of names in one list on a record's page. The page of the revision has all names.
    private static let maxNames = 500
    /// The maximum number of members on a record's page, and of their changes. The pages of changes have all.
    private static let maxLines = 100

    private static let since = TextDeclaration("historySince")
    private static let until = TextDeclaration("historyUntil")
    private static let again = TextDeclaration("historyAgain")
    package static let added = TextDeclaration("historyAdded")
    package static let removed = TextDeclaration("historyRemoved")

    static let texts = [since, until, again, added, removed]

    package init(_ history: History, _ presenter: any RecordPresenter) {
        self.history = history
        self.presenter = presenter
        removedNames = Dictionary(history.changes.flatMap { $0.removed.map { ($0.key, $0.title) } }) { $1 }
        revisionCounts = Dictionary(
            history.revisions.map(\.moment).flatMap { [($0.prefix(10), 1), ($0.prefix(16), 1)] }, uniquingKeysWith: +)
    }
}

extension HistoryPresenter {
    /// The history of a record, in the shape `HistoryShapes.history`; null if the record never changed.
    package func history(of key: RecordKey, _ texts: Texts) -> Value {
        let events = history.events(of: key)
        guard !events.isEmpty else { return .null }
        let timeline = RecordTimeline(events)
        let members = presenter.members(of: key.kind)
        let values = ordered(timeline.values, by: \.name, members).compactMap { value($0, of: key, members, texts) }
        let lists = ordered(timeline.lists, by: \.name, members).compactMap { list($0, of: key, members, texts) }
        guard !timeline.presence.isEmpty || !values.isEmpty || !lists.isEmpty else { return .null }
        let lines =
            [timeline.presence.count, values.count, lists.count] + timeline.values.map(\.steps.count)
            + timeline.lists.map(\.steps.count)
        return HistoryShapes.history([
            "hasPresence": !timeline.presence.isEmpty,
            "presence": presence(timeline.presence, texts).suffix(Self.maxLines),
            "values": Array(values.prefix(Self.maxLines)), "lists": Array(lists.prefix(Self.maxLines)),
            "isCut": lines.contains { $0 > Self.maxLines },
        ])
    }

    private func presence(_ steps: [RecordTimeline.Step<Bool>], _ texts: Texts) -> [Value] {
        steps.enumerated().compactMap { index, step in
            step.since.map { revision in
                let word = step.state ? (index == 0 ? Self.since : Self.again) : Self.until
                return HistoryShapes.presence(["word": texts[word], "moment": moment(revision, texts)])
            }
        }
    }

    private func value(
        _ member: RecordTimeline.Member<JSON?>, of key: RecordKey, _ members: [FieldLabel], _ texts: Texts
    ) -> Value? {
        guard let label = label(of: member.name, members, texts) else { return nil }
        // Values with equal text and link look the same on the page, so they count as one value.
        var steps: [(shown: ShownValue, since: Revision?)] = []
        for (step, shown) in zip(member.steps, shown(member.steps.map(\.state), of: member.name, in: key, texts)) {
            if steps.last?.shown != shown { steps.append((shown, step.since)) }
        }
        guard steps.count > 1 else { return nil }
        steps = steps.suffix(Self.maxLines)
        let stepValues = steps.enumerated().map { index, step in
            let until = index + 1 < steps.count ? steps[index + 1].since.map { moment($0, texts) } : nil
            return HistoryShapes.step([
                "text": step.shown.text, "path": step.shown.path, "asServed": step.shown.isServed,
                "first": index == 0, "until": until,
            ])
        }
        return HistoryShapes.values(["label": label, "steps": stepValues])
    }

    private func list(
        _ member: RecordTimeline.Member<FieldChange.ListChange>, of key: RecordKey, _ members: [FieldLabel],
        _ texts: Texts
    ) -> Value? {
        guard let label = label(of: member.name, members, texts) else { return nil }
        let steps = member.steps.suffix(Self.maxLines).compactMap { step in
            step.since.map { revision in
                let parts = parts(
                    added: step.state.added[...], removed: step.state.removed[...], limit: Self.maxNames,
                    of: member.name, in: key, at: revision, texts)
                return HistoryShapes.listStep([
                    "moment": moment(revision, texts), "parts": parts, "reordered": step.state.isReordering,
                ])
            }
        }
        return HistoryShapes.lists(["label": label, "steps": steps])
    }
}

extension HistoryPresenter {
    /// The page with all changes of a revision. Pages count from 0.
    package static func path(of revision: Revision, page: Int = 0) -> SitePath {
        SitePath(joined: "revision/\(revision.number)\(page == 0 ? "" : "/\(page + 1)").html")
    }

    package func moment(_ revision: Revision, _ texts: Texts) -> Value {
        HistoryShapes.moment([
            "datetime": revision.moment, "day": day(of: revision, texts), "path": Self.path(of: revision),
        ])
    }

    /// The day of a revision; with the time if there are others of the same day.
    package func day(of revision: Revision, _ texts: Texts) -> String {
        let (moment, day) = (revision.moment, texts.date(revision.day))
        guard revisionCounts[moment.prefix(10), default: 1] > 1 else { return day }
        let isOnlyOfMinute = revisionCounts[moment.prefix(16), default: 1] == 1
        return "\(day), \(moment.dropFirst(11).prefix(isOnlyOfMinute ? 5 : 8)) UTC"
    }

    /// The label of a value: its name in words if the catalogue does not know it; nil if its changes are not shown.
    package func label(of member: String, _ members: [FieldLabel], _ texts: Texts) -> String? {
        guard let known = members.first(where: { $0.name == member }) else {
            return presenter.words(member).showable.shortened
        }
        return known.label.map { texts[$0] }
    }

    /// Sorts by the order of `members`. Members that the catalogue does not know come last, in their own order.
    package func ordered<Item>(_ items: [Item], by name: (Item) -> String, _ members: [FieldLabel]) -> [Item] {
        let order = Dictionary(members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        return items.sorted { order[name($0)] ?? .max < order[name($1)] ?? .max }
    }

    /// A member's values in the order of time. Long texts are shown from shortly before their first difference.
    package func shown(_ values: [JSON?], of member: String, in key: RecordKey, _ texts: Texts) -> [ShownValue] {
        let shown = values.map { value in
            value.flatMap { presenter.shown($0, of: member, in: key, texts) }
                ?? ShownValue(texts[PageFrame.noValue], isServed: false)
        }
        return shown.enumerated().map { index, value in
            let other = shown[index > 0 ? index - 1 : min(1, shown.count - 1)].text
            return ShownValue(value.text.shortened(besides: other), path: value.path, isServed: value.isServed)
        }
    }

    /// The added and the removed elements of a list, in the shape `HistoryShapes.names`. An empty part is left out.
    /// - Parameter limit: the maximum number of names in each part.
    package func parts(
        added: ArraySlice<JSON>, removed: ArraySlice<JSON>, limit: Int, of member: String, in key: RecordKey,
        at revision: Revision, _ texts: Texts
    ) -> [Value] {
        [(Self.added, added), (Self.removed, removed)].filter { !$0.1.isEmpty }.map { label, elements in
            let shown = elements.prefix(limit).map { name(of: $0, member, in: key, texts).templateValue }
            return HistoryShapes.names([
                "label": texts[label], "count": texts.grouped(elements.count), "many": shown.count > Self.maxInLine,
                "names": shown, "more": texts.pluralIfAny(PageFrame.more, elements.count - limit),
                "path": Self.path(of: revision),
            ])
        }
    }

    /// The name of an element of a list: the name of its page; for a removed record, its last name; otherwise its kind
    /// and number. An element that is not a reference is shown as a value.
    private func name(of element: JSON, _ member: String, in record: RecordKey, _ texts: Texts) -> ShownValue {
        guard let key = presenter.key(element, of: member, in: record.kind) else {
            return shown([element], of: member, in: record, texts)[0]
        }
        if let page = presenter.page(of: key) { return ShownValue(page.name, path: page.path, isServed: true) }
        return ShownValue(removedNames[key] ?? "\(key)", isServed: true)
    }
}

extension ShownValue: TemplateValue {
    package var templateValue: Value { HistoryShapes.value(["text": text, "path": path, "asServed": isServed]) }
}

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
