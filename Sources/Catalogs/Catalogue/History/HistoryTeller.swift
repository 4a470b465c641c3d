package import Archive
package import Mustache

/// Turns what happened into values for templates, with the names and links that a catalogue gives.
public struct HistoryTeller: Sendable {
    package let history: History
    package let telling: any RecordTelling
    private let goneNames: [RecordKey: String]

    /// More names than these fold up.
    private static let mostInLine = 12
    /// The most records that a record's own page names at a time; the page of that revision has the others.
    private static let mostNames = 500
    /// The most members on a record's own page, and the most of each member's last steps; the pages of changes have all.
    private static let mostLines = 100

    private static let since = TextNeed("historySince")
    private static let until = TextNeed("historyUntil")
    private static let again = TextNeed("historyAgain")
    private static let added = TextNeed("historyAdded")
    private static let removed = TextNeed("historyRemoved")
    private static let noValue = TextNeed("noValue")
    private static let more = TextNeed(plural: "andMore")

    static let texts = [since, until, again, added, removed, noValue, more]

    package init(_ history: History, _ telling: any RecordTelling) {
        self.history = history
        self.telling = telling
        goneNames = Dictionary(
            history.changes.flatMap { $0.removed.map { ($0.key, $0.title) } }, uniquingKeysWith: { _, last in last })
    }
}

extension HistoryTeller {
    /// The value for `HistoryShapes.history`: what happened to a record; null where there is nothing to tell.
    package func history(of key: RecordKey, _ texts: Texts) -> Value {
        let events = history.events(of: key)
        guard !events.isEmpty else { return .null }
        let story = RecordStory(events)
        let members = telling.members(of: key.kind)
        let values = ordered(story.values, by: \.name, members).compactMap { value($0, of: key, members, texts) }
        let lists = ordered(story.lists, by: \.name, members).compactMap { list($0, of: key, members, texts) }
        guard !story.presence.isEmpty || !values.isEmpty || !lists.isEmpty else { return .null }
        let lines =
            [story.presence.count, values.count, lists.count] + story.values.map(\.steps.count)
            + story.lists.map(\.steps.count)
        return HistoryShapes.history([
            "hasPresence": !story.presence.isEmpty,
            "presence": presence(story.presence, texts).suffix(Self.mostLines),
            "values": Array(values.prefix(Self.mostLines)), "lists": Array(lists.prefix(Self.mostLines)),
            "isCut": lines.contains { $0 > Self.mostLines },
        ])
    }

    private func presence(_ steps: [RecordStory.Step<Bool>], _ texts: Texts) -> [Value] {
        steps.enumerated().compactMap { place, step in
            step.since.map { revision in
                let word = step.state ? (place == 0 ? Self.since : Self.again) : Self.until
                return HistoryShapes.presence(["word": texts[word], "moment": moment(revision)])
            }
        }
    }

    private func value(
        _ member: RecordStory.Member<JSONValue?>, of key: RecordKey, _ members: [ToldMember], _ texts: Texts
    ) -> Value? {
        guard let label = label(of: member.name, members, texts) else { return nil }
        // What reads the same and leads to the same page is one value to people.
        var steps: [(shown: ShownValue, since: Revision?)] = []
        for step in member.steps {
            let shown = shown(step.state, of: member.name, in: key, texts)
            if steps.last?.shown != shown { steps.append((shown, step.since)) }
        }
        guard steps.count > 1 else { return nil }
        steps = steps.suffix(Self.mostLines)
        let made = steps.enumerated().map { place, step in
            let until = place + 1 < steps.count ? steps[place + 1].since.map(moment) : nil
            return Value.object(
                HistoryShapes.step.object(
                    Self.values(step.shown), ["first": place == 0, "until": until]))
        }
        return HistoryShapes.values(["label": label, "steps": made])
    }

    private func list(
        _ member: RecordStory.Member<FieldChange.ListChange>, of key: RecordKey, _ members: [ToldMember],
        _ texts: Texts
    ) -> Value? {
        guard let label = label(of: member.name, members, texts) else { return nil }
        let steps = member.steps.suffix(Self.mostLines).compactMap { step in
            step.since.map { revision in
                let parts = parts(
                    added: step.state.added[...], removed: step.state.removed[...], most: Self.mostNames,
                    of: member.name, in: key.kind, at: revision, texts)
                return HistoryShapes.listStep([
                    "moment": moment(revision), "parts": parts, "reordered": step.state.isReordering,
                ])
            }
        }
        return HistoryShapes.lists(["label": label, "steps": steps])
    }
}

extension HistoryTeller {
    /// The page of all that a revision changed, in each edition; further pages count from 1.
    package static func path(of revision: Revision, page: Int = 0) -> SitePath {
        SitePath("revision/", revision.number, page: page)
    }

    package func moment(_ revision: Revision) -> Value {
        HistoryShapes.moment(["datetime": revision.moment, "day": revision.day, "path": Self.path(of: revision)])
    }

    /// What a member is called; one that the catalogue does not know, by its own name; nil for one that is no news.
    package func label(of member: String, _ members: [ToldMember], _ texts: Texts) -> String? {
        guard let known = members.first(where: { $0.name == member }) else { return member.showable.shortened }
        return known.label.map { texts[$0] }
    }

    /// In the order of the members, those that the catalogue does not know last.
    package func ordered<Told>(_ told: [Told], by name: (Told) -> String, _ members: [ToldMember]) -> [Told] {
        let places = Dictionary(members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        return told.enumerated().sorted { one, other in
            let places = (places[name(one.element)] ?? .max, places[name(other.element)] ?? .max)
            return places.0 != places.1 ? places.0 < places.1 : one.offset < other.offset
        }.map(\.element)
    }

    /// A member's value; where there is none, words that say so.
    package func shown(_ value: JSONValue?, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue {
        value.flatMap { telling.shown($0, of: member, in: key, texts) }
            ?? ShownValue(texts[Self.noValue], isServed: false)
    }

    package func value(_ shown: ShownValue) -> Value { HistoryShapes.value(Self.values(shown)) }

    private static func values(_ shown: ShownValue) -> KeyValuePairs<String, any TemplateValue> {
        ["text": shown.text, "path": shown.path, "asServed": shown.isServed]
    }

    /// Values for `HistoryShapes.names`: what came and what went, each only where there is something.
    /// - Parameter most: how many of each are named.
    package func parts(
        added: ArraySlice<JSONValue>, removed: ArraySlice<JSONValue>, most: Int, of member: String, in kind: String,
        at revision: Revision, _ texts: Texts
    ) -> [Value] {
        [(Self.added, added), (Self.removed, removed)].filter { !$0.1.isEmpty }.map { label, elements in
            let shown = elements.prefix(most).map { value(name(of: $0, member, in: kind)) }
            return HistoryShapes.names([
                "label": texts[label], "count": texts.grouped(elements.count), "many": shown.count > Self.mostInLine,
                "names": Array(shown),
                "more": elements.count > most ? texts.plural(Self.more, elements.count - most) : "",
                "path": Self.path(of: revision),
            ])
        }
    }

    /// What an element of a list is called: as its page, as it was called when it was still there, by its number, or as
    /// it is.
    package func name(of element: JSONValue, _ member: String, in kind: String) -> ShownValue {
        guard let key = telling.key(element, of: member, in: kind) else {
            return ShownValue(element.shown, isServed: true)
        }
        if let page = telling.page(of: key) { return ShownValue(page.name, path: page.path, isServed: true) }
        return ShownValue(goneNames[key] ?? "\(key)", isServed: true)
    }
}
