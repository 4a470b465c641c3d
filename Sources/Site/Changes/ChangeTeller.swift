import Archive
import Catalogue
import Mustache

/// Makes values for templates, and lines for the feed, of what revisions changed.
struct ChangeTeller: Sendable {
    let teller: HistoryTeller
    /// Every revision but the first, in the order of dates.
    let revisions: [ToldRevision]
    /// What the first revision had, by kind.
    let baseline: [String: Int]

    /// How much a page shows of a revision.
    struct Limits: Sendable {
        /// Records of a kind that came, went or changed.
        let entries: Int
        /// Members of a record.
        let fields: Int
        /// Names of what came into a list, and of what went out of it.
        let names: Int

        static let overview = Limits(entries: 24, fields: 12, names: 6)
        static let none = Limits(entries: .max, fields: .max, names: .max)
    }

    var telling: any RecordTelling { teller.telling }
    var history: History { teller.history }

    init(_ history: History, _ telling: any RecordTelling, _ reader: RevisionReader) throws {
        teller = HistoryTeller(history, telling)
        let kinds = telling.kinds.map(\.name)
        revisions = try history.changes.map { changes in
            let paths = Set(changes.pictures.map(\.path))
            var owners: [String: RecordKey] = [:]
            if !paths.isEmpty {
                owners = try RevisionReader(changes.from, in: reader.folder).owners(ofPictures: paths)
                owners.merge(try RevisionReader(changes.to, in: reader.folder).owners(ofPictures: paths)) { _, now in
                    now
                }
            }
            return ToldRevision(changes, changes.pictures.map { ($0, owners[$0.path]) }, kinds: kinds)
        }
        baseline = try history.revisions.first.map { try RevisionReader($0, in: reader.folder).recordCounts() } ?? [:]
    }
}

extension ChangeTeller {
    /// "394 characters, 67 locations": by kind, in the catalogue's order; kinds without any are left out.
    func counted(_ texts: Texts, _ count: (String) -> Int) -> String {
        // Kinds that are called the same are counted together.
        var sums: [(need: TextNeed, count: Int)] = []
        for kind in telling.kinds where count(kind.name) > 0 {
            if let known = sums.firstIndex(where: { $0.need == kind.count }) {
                sums[known].count += count(kind.name)
            } else {
                sums.append((kind.count, count(kind.name)))
            }
        }
        return sums.map { texts.plural($0.need, $0.count) }.joined(separator: ", ")
    }

    /// "New: 24 characters"; of pictures "3 pictures changed".
    private func label(_ what: ChangeItem.What, _ counted: String, _ told: ToldRevision, _ texts: Texts) -> String {
        switch what {
        case .added: texts.filled(ChangeTexts.new, ["what": counted])
        case .removed: texts.filled(ChangeTexts.gone, ["what": counted])
        case .changed: texts.filled(ChangeTexts.changed, ["what": counted])
        case .picture: texts.plural(ChangeTexts.pictures, told.pictures.count)
        }
    }

    /// What happened in a revision, a sentence for each sort.
    func summary(_ told: ToldRevision, _ texts: Texts) -> [String] {
        ChangeItem.What.allCases.compactMap { what in
            let counted = what == .picture ? "" : counted(texts) { told.count(what, of: $0) }
            let isEmpty = what == .picture ? told.pictures.isEmpty : counted.isEmpty
            return isEmpty ? nil : label(what, counted, told, texts)
        }
    }

    /// Values for `ChangeShapes.group`: these items, which are in order, by what happened and kind.
    /// - Parameter isOverview: whether they are shown within a revision's section, and not all of them.
    func groups(_ items: [ChangeItem], of told: ToldRevision, isOverview: Bool, _ texts: Texts) -> [Value] {
        let limits = isOverview ? Limits.overview : .none
        var groups: [Value] = []
        var start = 0
        while start < items.count {
            let (what, kind) = (items[start].what, items[start].kind)
            let end = items[start...].firstIndex { $0.what != what || $0.kind != kind } ?? items.count
            let shown = items[start..<end].prefix(limits.entries)
            let count = told.count(what, of: kind)
            let counted =
                telling.kinds.first { $0.name == kind }.map { texts.plural($0.count, count) } ?? "\(kind): \(count)"
            groups.append(
                ChangeShapes.group.value([
                    "label": .text(label(what, counted, told, texts)), "inner": .flag(isOverview),
                    "plain": .flag(what == .added || what == .removed),
                    "entries": .list(shown.map { entry($0, told, limits, texts) }),
                    "more": .text(
                        end - start > shown.count ? texts.plural(ChangeTexts.more, end - start - shown.count) : ""),
                    "allPath": .text(HistoryTeller.path(of: told.revision).text),
                ]))
            start = end
        }
        return groups
    }

    private func entry(_ item: ChangeItem, _ told: ToldRevision, _ limits: Limits, _ texts: Texts) -> Value {
        switch item.what {
        case .added: return entry(told.changes.added[item.place].key, told.changes.added[item.place].title, [])
        case .removed: return entry(told.changes.removed[item.place].key, told.changes.removed[item.place].title, [])
        case .changed:
            let record = told.changes.changed[item.place]
            let members = telling.members(of: record.key.kind)
            let ordered = teller.ordered(item.parts, by: { record.fields[$0.field].name }, members)
            let shown = ordered.prefix(limits.fields)
            let more = ordered.count - shown.count + record.moreFields
            return entry(
                record.key, record.title,
                shown.map { field($0, record, told.revision, limits.names, members, texts) },
                more: more > 0 ? texts.plural(ChangeTexts.more, more) : "")
        case .picture:
            let (difference, owner) = told.pictures[item.place]
            let digests = [difference.old, difference.new].map { sha256 in
                sha256.map { ShownValue($0.prefixInHex(bytes: 8), isServed: true) }
                    ?? ShownValue(texts[ChangeTexts.noValue], isServed: false)
            }
            let field = field(texts[ChangeTexts.picture], from: digests[0], to: digests[1])
            return entry(owner, difference.path.showable.shortened, [field])
        }
    }

    private func entry(_ key: RecordKey?, _ title: String, _ fields: [Value], more: String = "") -> Value {
        let page = key.flatMap(telling.page)
        let picture = page?.picture.map { picture in
            ChangeShapes.picture.value([
                "path": .text(picture.path.text), "width": .integer(picture.width), "height": .integer(picture.height),
            ])
        }
        return ChangeShapes.entry.value([
            "name": .text(fields.isEmpty || page == nil ? title : page?.name ?? title),
            "path": page.map { .text($0.path.text) } ?? .null,
            "picture": picture ?? .null, "hasFields": .flag(!fields.isEmpty), "fields": .list(fields),
            "moreFields": .text(more),
        ])
    }

    private func field(
        _ part: ChangeItem.Part, _ record: RevisionChanges.Changed, _ revision: Revision, _ names: Int,
        _ members: [ToldMember],
        _ texts: Texts
    ) -> Value {
        let change = record.fields[part.field]
        // What is no news on the record's own page is still a change, and called by its own name.
        let label = teller.label(of: change.name, members, texts) ?? change.name
        guard let list = change.list else {
            let old = teller.shown(change.old, of: change.name, in: record.key, texts)
            let new = teller.shown(change.new, of: change.name, in: record.key, texts)
            return old == new ? field(label, isAltered: true) : field(label, from: old, to: new)
        }
        let parts = teller.parts(
            added: list.added[part.added], removed: list.removed[part.removed], most: names, of: change.name,
            in: record.key.kind, at: revision, texts)
        return field(label, parts: parts, isReordered: list.isReordering)
    }

    /// A value for `ChangeShapes.field`.
    private func field(
        _ label: String, from old: ShownValue? = nil, to new: ShownValue? = nil, parts: [Value] = [],
        isReordered: Bool = false, isAltered: Bool = false
    ) -> Value {
        ChangeShapes.field.value([
            "label": .text(label), "old": old.map(teller.value) ?? .null, "new": new.map(teller.value) ?? .null,
            "parts": .list(parts), "reordered": .flag(isReordered), "altered": .flag(isAltered),
        ])
    }
}
