public import Archive
public import Mustache

/// Turns what happened into values for templates, with the names and links that a catalogue gives.
public struct HistoryTeller: Sendable {
    /// What happened.
    public let history: History
    /// What the catalogue says of records.
    public let telling: any RecordTelling
    /// What records that are gone were called.
    private let goneNames: [RecordKey: String]

    /// More names than these fold up.
    private static let mostInLine = 12
    /// A record's own page names so many at most at a time; the page of that revision has the others.
    private static let mostNames = 500
    /// A record's own page has so many members, and of each so many of its last steps; the pages of changes have all.
    private static let mostLines = 100

    /// A teller of a history.
    public init(_ history: History, _ telling: any RecordTelling) {
        self.history = history
        self.telling = telling
        goneNames = Dictionary(
            history.changes.flatMap { $0.removed.map { ($0.key, $0.title) } }, uniquingKeysWith: { _, last in last })
    }
}

extension HistoryTeller {
    private static let since = TextNeed("historySince")
    private static let until = TextNeed("historyUntil")
    private static let again = TextNeed("historyAgain")
    private static let added = TextNeed("historyAdded")
    private static let removed = TextNeed("historyRemoved")
    private static let noValue = TextNeed("noValue")
    private static let more = TextNeed(plural: "andMore")

    /// The texts that it asks for.
    public static let texts = [since, until, again, added, removed, noValue, more]

    /// The page of all that a revision changed, in each edition; further pages count from 1.
    public static func path(of revision: Revision, page: Int = 0) -> SitePath {
        page == 0
            ? SitePath("revision/", revision.number, ".html")
            : SitePath(joined: "revision/\(revision.number)/\(page + 1).html")
    }
}

extension HistoryTeller {
    /// The value for `HistoryShapes.history`: what happened to a record; null where there is nothing to tell.
    public func history(of key: RecordKey, _ texts: Texts) -> Value {
        let events = history.events(of: key)
        guard !events.isEmpty else { return .null }
        let story = RecordStory(events)
        let members = telling.members(of: key.kind)
        let values = ordered(story.values, by: \.member, members).compactMap { value($0, of: key, members, texts) }
        let lists = ordered(story.lists, by: \.member, members).compactMap { list($0, of: key, members, texts) }
        guard !story.presence.isEmpty || !values.isEmpty || !lists.isEmpty else { return .null }
        let lines = [
            story.presence.count, values.count, lists.count, story.values.map(\.steps.count).max() ?? 0,
            story.lists.map(\.steps.count).max() ?? 0,
        ]
        return HistoryShapes.history.value([
            "hasPresence": .flag(!story.presence.isEmpty),
            "presence": .list(presence(story.presence, texts).suffix(Self.mostLines)),
            "values": .list(Array(values.prefix(Self.mostLines))), "lists": .list(Array(lists.prefix(Self.mostLines))),
            "isCut": .flag(lines.contains { $0 > Self.mostLines }),
        ])
    }

    private func presence(_ steps: [RecordStory.Step<Bool>], _ texts: Texts) -> [Value] {
        steps.enumerated().compactMap { place, step in
            step.since.map { revision in
                let word = step.state ? (place == 0 ? Self.since : Self.again) : Self.until
                return HistoryShapes.presence.value(["word": .text(texts[word]), "moment": moment(revision)])
            }
        }
    }

    private func value(_ values: RecordStory.Values, of key: RecordKey, _ members: [ToldMember], _ texts: Texts)
        -> Value?
    {
        guard let label = label(of: values.member, members, texts) else { return nil }
        // What reads the same and leads to the same page is one value to people.
        var steps: [(shown: ShownValue, since: Revision?)] = []
        for step in values.steps {
            let shown = shown(step.state, of: values.member, in: key, texts)
            if steps.last?.shown != shown { steps.append((shown, step.since)) }
        }
        guard steps.count > 1 else { return nil }
        steps = steps.suffix(Self.mostLines)
        let made = steps.indices.map { place in
            let shown = steps[place].shown
            let until = place + 1 < steps.count ? steps[place + 1].since.map(moment) : nil
            return HistoryShapes.step.value([
                "text": .text(shown.text), "path": shown.path.map { .text($0.text) } ?? .null,
                "asServed": .flag(shown.isServed),
                "first": .flag(place == 0), "until": until ?? .null,
            ])
        }
        return HistoryShapes.values.value(["label": .text(label), "steps": .list(made)])
    }

    private func list(_ lists: RecordStory.Lists, of key: RecordKey, _ members: [ToldMember], _ texts: Texts) -> Value?
    {
        guard let label = label(of: lists.member, members, texts) else { return nil }
        let steps = lists.steps.suffix(Self.mostLines).compactMap { step in
            step.since.map { revision in
                HistoryShapes.listStep.value([
                    "moment": moment(revision),
                    "parts": .list(
                        parts(
                            added: step.state.added[...], removed: step.state.removed[...], most: Self.mostNames,
                            of: lists.member,
                            in: key.kind, at: revision, texts)),
                    "reordered": .flag(step.state.isReordering),
                ])
            }
        }
        return HistoryShapes.lists.value(["label": .text(label), "steps": .list(steps)])
    }
}

extension HistoryTeller {
    /// The value for `HistoryShapes.moment`.
    public func moment(_ revision: Revision) -> Value {
        HistoryShapes.moment.value([
            "datetime": .text(revision.moment), "day": .text(revision.day), "path": .text(Self.path(of: revision).text),
        ])
    }

    /// What a member is called; one that the catalogue does not know, by its own name; nil for one that is no news.
    public func label(of member: String, _ members: [ToldMember], _ texts: Texts) -> String? {
        guard let known = members.first(where: { $0.name == member }) else { return member.showable.shortened }
        return known.label.map { texts[$0] }
    }

    /// In the order of the members, those that the catalogue does not know last.
    public func ordered<Told>(_ told: [Told], by name: (Told) -> String, _ members: [ToldMember]) -> [Told] {
        let places = Dictionary(members.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        return told.enumerated().sorted { one, other in
            let places = (places[name(one.element)] ?? .max, places[name(other.element)] ?? .max)
            return places.0 != places.1 ? places.0 < places.1 : one.offset < other.offset
        }.map(\.element)
    }

    /// A member's value; where there is none, words that say so.
    public func shown(_ value: JSONValue?, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue {
        value.flatMap { telling.shown($0, of: member, in: key, texts) }
            ?? ShownValue(texts[Self.noValue], isServed: false)
    }

    /// The value for `HistoryShapes.value`.
    public func value(_ shown: ShownValue) -> Value {
        HistoryShapes.value.value([
            "text": .text(shown.text), "path": shown.path.map { .text($0.text) } ?? .null,
            "asServed": .flag(shown.isServed),
        ])
    }

    /// Values for `HistoryShapes.names`: what came and what went, each only where there is something.
    /// - Parameter most: how many of each are named.
    public func parts(
        added: ArraySlice<JSONValue>, removed: ArraySlice<JSONValue>, most: Int, of member: String, in kind: String,
        at revision: Revision,
        _ texts: Texts
    ) -> [Value] {
        [(Self.added, added), (Self.removed, removed)].filter { !$0.1.isEmpty }.map { label, elements in
            let shown = elements.prefix(most).map { value(name(of: $0, member, in: kind)) }
            return HistoryShapes.names.value([
                "label": .text(texts[label]), "count": .text(texts.grouped(elements.count)),
                "many": .flag(shown.count > Self.mostInLine),
                "names": .list(Array(shown)),
                "more": .text(elements.count > most ? texts.plural(Self.more, elements.count - most) : ""),
                "path": .text(Self.path(of: revision).text),
            ])
        }
    }

    /// What an element of a list is called: as its page, as it was called when it was still there, by its number, or as
    /// it is.
    public func name(of element: JSONValue, _ member: String, in kind: String) -> ShownValue {
        guard let key = telling.key(element, of: member, in: kind) else {
            return ShownValue(element.shown, isServed: true)
        }
        if let page = telling.page(of: key) { return ShownValue(page.name, path: page.path, isServed: true) }
        return ShownValue(goneNames[key] ?? "\(key)", isServed: true)
    }
}

extension JSONValue {
    /// A value as it stands in a sentence: a text as it is, anything else as JSON; of bearable length.
    public var shown: String {
        switch self {
        case .text(let text): text.showable.shortened
        default: description.showable.shortened
        }
    }
}
