import Archive
import Catalogue
import Mustache
import Pages

/// Presents the changes of revisions as values for templates and as lines for the feed.
struct ChangePresenter: Sendable {
    let historyPresenter: HistoryPresenter
    /// The summaries of all revisions except the first, ordered by date.
    let revisions: [RevisionSummary]
    /// The number of records of each kind in the first revision.
    let baseline: [String: Int]

    /// The limits of the entries that a page shows for a revision.
    struct Limits: Sendable {
        /// The maximum number of new, removed or changed records of a kind.
        let entries: Int
        /// The maximum number of changed members of a record.
        let fields: Int
        /// The maximum number of names that were added to a list, and of names that were removed from it.
        let names: Int

        static let overview = Limits(entries: 24, fields: 12, names: 6)
        static let none = Limits(entries: .max, fields: .max, names: .max)
    }

    var presenter: any RecordPresenter { historyPresenter.presenter }
    var history: History { historyPresenter.history }

    init(_ history: History, _ presenter: any RecordPresenter, _ reader: RevisionReader) throws {
        historyPresenter = HistoryPresenter(history, presenter)
        let kinds = presenter.kinds.map(\.name)
        revisions = try history.changes.map { changes in
            let paths = Set(changes.pictures.map(\.path))
            var owners: [String: RecordKey] = [:]
            if !paths.isEmpty {
                owners = try RevisionReader(changes.from, in: reader.folder).owners(ofPictures: paths)
                owners.merge(try RevisionReader(changes.to, in: reader.folder).owners(ofPictures: paths)) { _, now in
                    now
                }
            }
            return RevisionSummary(changes, changes.pictures.map { ($0, owners[$0.path]) }, kinds: kinds)
        }
        baseline = try history.revisions.first.map { try RevisionReader($0, in: reader.folder).recordCounts() } ?? [:]
    }
}

extension ChangePresenter {
    /// The counts as text, such as "394 characters, 67 locations". Kinds are in the catalogue's order. Kinds without
    /// records are left out.
    func countText(_ texts: Texts, _ count: (String) -> Int) -> String {
        // Kinds with the same text are counted together.
        var sums: [(need: TextDeclaration, count: Int)] = []
        for kind in presenter.kinds where count(kind.name) > 0 {
            if let known = sums.firstIndex(where: { $0.need == kind.count }) {
                sums[known].count += count(kind.name)
            } else {
                sums.append((kind.count, count(kind.name)))
            }
        }
        return sums.map { texts.plural($0.need, $0.count) }.joined(separator: ", ")
    }

    /// A label such as "New: 24 characters", or for pictures "3 pictures changed".
    private func label(
        _ type: ChangeItem.ChangeType, _ counted: String, _ revisionSummary: RevisionSummary, _ texts: Texts
    )
        -> String
    {
        switch type {
        case .added: texts.filled(ChangeTexts.new, ["what": counted])
        case .removed: texts.filled(ChangeTexts.gone, ["what": counted])
        case .changed: texts.filled(ChangeTexts.changed, ["what": counted])
        case .picture: texts.plural(ChangeTexts.pictures, revisionSummary.pictures.count)
        }
    }

    /// The changes of a revision: one label for each type of change.
    func summary(_ revisionSummary: RevisionSummary, _ texts: Texts) -> [String] {
        ChangeItem.ChangeType.allCases.compactMap { type in
            let counted = type == .picture ? "" : countText(texts) { revisionSummary.count(type, of: $0) }
            let isEmpty = type == .picture ? revisionSummary.pictures.isEmpty : counted.isEmpty
            return isEmpty ? nil : label(type, counted, revisionSummary, texts)
        }
    }

    /// Values for `ChangeShapes.group`. Items with the same type of change and the same kind form a group.
    /// - Parameters:
    ///   - items: the items, sorted by type of change and kind.
    ///   - isOverview: whether the groups are the shortened overview in the list of revisions.
    func groups(_ items: [ChangeItem], of revisionSummary: RevisionSummary, isOverview: Bool, _ texts: Texts) -> [Value]
    {
        let limits = isOverview ? Limits.overview : .none
        var groups: [Value] = []
        var start = 0
        while start < items.count {
            let (type, kind) = (items[start].type, items[start].kind)
            let end = items[start...].firstIndex { $0.type != type || $0.kind != kind } ?? items.count
            let shown = items[start..<end].prefix(limits.entries)
            let count = revisionSummary.count(type, of: kind)
            let counted =
                presenter.kinds.first { $0.name == kind }.map { texts.plural($0.count, count) } ?? "\(kind): \(count)"
            groups.append(
                ChangeShapes.group.value([
                    "label": .text(label(type, counted, revisionSummary, texts)), "inner": .flag(isOverview),
                    "plain": .flag(type == .added || type == .removed),
                    "entries": .list(shown.map { entry($0, revisionSummary, limits, texts) }),
                    "more": .text(
                        end - start > shown.count ? texts.plural(ChangeTexts.more, end - start - shown.count) : ""),
                    "allPath": .text(HistoryPresenter.path(of: revisionSummary.revision).text),
                ]))
            start = end
        }
        return groups
    }

    private func entry(_ item: ChangeItem, _ revisionSummary: RevisionSummary, _ limits: Limits, _ texts: Texts)
        -> Value
    {
        switch item.type {
        case .added:
            return entry(
                revisionSummary.changes.added[item.index].key, revisionSummary.changes.added[item.index].title, [])
        case .removed:
            return entry(
                revisionSummary.changes.removed[item.index].key, revisionSummary.changes.removed[item.index].title, [])
        case .changed:
            let record = revisionSummary.changes.changed[item.index]
            let members = presenter.members(of: record.key.kind)
            let ordered = historyPresenter.ordered(item.parts, by: { record.fields[$0.field].name }, members)
            let shown = ordered.prefix(limits.fields)
            let more = ordered.count - shown.count + record.moreFields
            return entry(
                record.key, record.title,
                shown.map { field($0, record, revisionSummary.revision, limits.names, members, texts) },
                more: more > 0 ? texts.plural(ChangeTexts.more, more) : "")
        case .picture:
            let (difference, owner) = revisionSummary.pictures[item.index]
            let digests = [difference.old, difference.new].map { sha256 in
                sha256.map { ShownValue($0.prefixInHex(bytes: 8), isServed: true) }
                    ?? ShownValue(texts[ChangeTexts.noValue], isServed: false)
            }
            let field = field(texts[ChangeTexts.picture], from: digests[0], to: digests[1])
            return entry(owner, difference.path.showable.shortened, [field])
        }
    }

    private func entry(_ key: RecordKey?, _ title: String, _ fields: [Value], more: String = "") -> Value {
        let page = key.flatMap(presenter.page)
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
        _ part: ChangeItem.Part, _ record: RevisionChanges.ChangedRecord, _ revision: Revision, _ names: Int,
        _ members: [FieldLabel],
        _ texts: Texts
    ) -> Value {
        let change = record.fields[part.field]
        // If the record's page does not show the member, there is no label for it. Its name is used instead.
        let label = historyPresenter.label(of: change.name, members, texts) ?? change.name
        guard let list = change.list else {
            let old = historyPresenter.shown(change.old, of: change.name, in: record.key, texts)
            let new = historyPresenter.shown(change.new, of: change.name, in: record.key, texts)
            return old == new ? field(label, isAltered: true) : field(label, from: old, to: new)
        }
        let parts = historyPresenter.parts(
            added: list.added[part.added], removed: list.removed[part.removed], limit: names, of: change.name,
            in: record.key.kind, at: revision, texts)
        return field(label, parts: parts, isReordered: list.isReordering)
    }

    /// A value for `ChangeShapes.field`.
    private func field(
        _ label: String, from old: ShownValue? = nil, to new: ShownValue? = nil, parts: [Value] = [],
        isReordered: Bool = false, isAltered: Bool = false
    ) -> Value {
        ChangeShapes.field.value([
            "label": .text(label), "old": old.map(historyPresenter.value) ?? .null,
            "new": new.map(historyPresenter.value) ?? .null,
            "parts": .list(parts), "reordered": .flag(isReordered), "altered": .flag(isAltered),
        ])
    }
}
