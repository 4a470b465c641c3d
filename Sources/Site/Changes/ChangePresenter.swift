import Archive
import Catalogue
import Mustache
import Pages
import Platform

/// Presents the changes of revisions as values for templates and as lines for the feed.
struct ChangePresenter: Sendable {
    let frame: PageFrame
    let historyPresenter: HistoryPresenter
    /// The summaries of all revisions except the first, ordered by date.
    let revisions: [RevisionSummary]
    /// The number of records of each kind in the first revision.
    let baseline: [String: Int]

    /// The limits of the entries that a page shows for a revision: new, removed or changed records of a kind, changed
    /// members of a record, and names that were added to a list or removed from it.
    private typealias Limits = (entries: Int, fields: Int, names: Int)

    var presenter: any RecordPresenter { historyPresenter.presenter }
    var history: History { historyPresenter.history }

    init(
        _ frame: PageFrame, _ presenter: any RecordPresenter, _ reader: RevisionReader, _ catalogue: any Catalogue
    ) throws {
        self.frame = frame
        let history = frame.context.history
        historyPresenter = HistoryPresenter(history, presenter)
        let kinds = presenter.kinds.map(\.name)
        let owners = try history.changes.map { changes in
            let paths = Set(changes.pictures.map(\.path))
            var owners = changes.owners
            for revision in paths.isEmpty ? [] : [changes.from, changes.to] {
                owners.merge(try RevisionReader(revision, in: reader.folder).owners(ofPictures: paths)) { $1 }
            }
            return owners
        }
        let unknown = zip(history.changes, owners).flatMap { changes, owners in
            changes.pictures.map(\.path).filter { owners[$0] == nil }
        }
        let others = try Self.owners(ofFiles: Set(unknown), reader, catalogue)
        revisions = zip(history.changes, owners).map { changes, owners in
            RevisionSummary(changes, changes.pictures.map { ($0, owners[$0.path] ?? others[$0.path]) }, kinds: kinds)
        }
        baseline = try history.revisions.first.map { try RevisionReader($0, in: reader.folder).recordCounts() } ?? [:]
    }

    /// The first record of a revision with each of these files, by the file's path.
    private static func owners(ofFiles paths: Set<String>, _ reader: RevisionReader, _ catalogue: any Catalogue) throws
        -> [String: RecordKey]
    {
        var owners: [String: RecordKey] = [:]
        let base = reader.revision.source.api
        for (kind, count) in try reader.recordCounts().sorted(by: { $0.key < $1.key }) where !paths.isEmpty {
            try reader.forEachRecord(of: kind, count: count) { record in
                // `try?`, because an earlier record can lack what the declaration requires now.
                let facts = try? catalogue.archivedFacts(of: record.bytes, record.key, base: base)
                return (record.key, (facts?.files ?? []).map(\.path).filter(paths.contains))
            } take: { key, files in
                for file in files where owners[file] == nil { owners[file] = key }
            }
        }
        return owners
    }
}

extension ChangePresenter {
    /// The counts as text, such as "394 characters, 67 locations", in the catalogue's order and without zeros.
    func countText(_ texts: Texts, _ count: (String) -> Int) -> String {
        // Kinds with the same text are counted together.
        let counts = presenter.kinds.map { (text: $0.count, count: count($0.name)) }.filter { $0.count > 0 }
        return counts.map(\.text).unique().map { text in
            texts.plural(text, counts.reduce(0) { $0 + ($1.text == text ? $1.count : 0) })
        }.joined(separator: ", ")
    }

    /// The number of changed pictures, or of changed files if not all are pictures; empty if there are none.
    func fileCount(of summary: RevisionSummary, _ texts: Texts) -> String {
        let arePictures = summary.pictures.allSatisfy(\.difference.isPicture)
        return texts.pluralIfAny(arePictures ? ChangeTexts.pictures : ChangeTexts.files, summary.pictures.count)
    }

    /// A label such as "New: 24 characters", or for pictures "3 pictures changed".
    private func label(_ type: ChangeItem.ChangeType, _ counted: String, _ texts: Texts) -> String {
        switch type {
        case .added: texts.filled(ChangeTexts.new, ["what": counted])
        case .removed: texts.filled(ChangeTexts.gone, ["what": counted])
        case .changed: texts.filled(ChangeTexts.changed, ["what": counted])
        case .picture: counted
        }
    }

    /// The changes of a revision: one label for each type of change.
    func labels(of summary: RevisionSummary, _ texts: Texts) -> [String] {
        ChangeItem.ChangeType.allCases.compactMap { type in
            let counted =
                type == .picture ? fileCount(of: summary, texts) : countText(texts) { summary.count(type, of: $0) }
            return counted.isEmpty ? nil : label(type, counted, texts)
        }
    }

    /// Values for `ChangeShapes.group`. Items with the same type of change and the same kind form a group.
    /// - Parameters:
    ///   - items: the items, sorted by type of change and kind.
    ///   - isOverview: whether the groups are the shortened overview in the list of revisions.
    func groups(_ items: [ChangeItem], of summary: RevisionSummary, isOverview: Bool, _ texts: Texts) -> [Value] {
        let limits: Limits = isOverview ? (24, 12, 6) : (.max, .max, .max)
        var groups: [Value] = []
        var rest = items[...]
        while let first = rest.first {
            let group = rest.prefix { $0.type == first.type && $0.kind == first.kind }
            rest = rest.dropFirst(group.count)
            let count = summary.count(first.type, of: first.kind)
            let kind = presenter.kinds.first { $0.name == first.kind }
            let records = kind.map { texts.plural($0.count, count) } ?? "\(first.kind): \(count)"
            let counted = first.type == .picture ? fileCount(of: summary, texts) : records
            groups.append(
                ChangeShapes.group([
                    "label": label(first.type, counted, texts), "inner": isOverview,
                    "plain": first.type == .added || first.type == .removed,
                    "entries": group.prefix(limits.entries).map { entry($0, summary, limits, texts) },
                    "more": texts.pluralIfAny(PageFrame.more, group.count - limits.entries),
                    "allPath": HistoryPresenter.path(of: summary.revision),
                ]))
        }
        return groups
    }

    private func entry(_ item: ChangeItem, _ summary: RevisionSummary, _ limits: Limits, _ texts: Texts) -> Value {
        switch item.type {
        case .added, .removed:
            let record = (item.type == .added ? summary.changes.added : summary.changes.removed)[item.index]
            return entry(record.key, record.title, [])
        case .changed:
            let record = summary.changes.changed[item.index]
            let members = presenter.members(of: record.key.kind)
            let ordered = historyPresenter.ordered(item.parts, by: { record.fields[$0.field].name }, members)
            let shown = ordered.prefix(limits.fields)
            return entry(
                record.key, record.title,
                shown.map { field($0, record, summary.revision, limits.names, members, texts) },
                more: texts.pluralIfAny(PageFrame.more, ordered.count - shown.count + record.moreFields))
        case .picture:
            let (difference, owner) = summary.pictures[item.index]
            let change =
                difference.old == nil
                ? HistoryPresenter.added : difference.new == nil ? HistoryPresenter.removed : ChangeTexts.replaced
            let field = ChangeShapes.field([
                "label": texts[difference.isPicture ? ChangeTexts.picture : ChangeTexts.file], "old": Value.null,
                "new": ShownValue(texts[change], isServed: false), "parts": [Value](), "reordered": false,
                "altered": false,
            ])
            return entry(owner, difference.path.showable.shortened, [field])
        }
    }

    private func entry(_ key: RecordKey?, _ title: String, _ fields: [Value], more: String = "") -> Value {
        let page = key.flatMap(presenter.page)
        return ChangeShapes.entry([
            "name": fields.isEmpty ? title : page?.name ?? title, "path": page?.path,
            "picture": page?.picture.map(PageParts.picture), "hasFields": !fields.isEmpty, "fields": fields,
            "moreFields": more,
        ])
    }

    private func field(
        _ part: ChangeItem.Part, _ record: RevisionChanges.ChangedRecord, _ revision: Revision, _ names: Int,
        _ members: [FieldLabel], _ texts: Texts
    ) -> Value {
        let change = record.fields[part.field]
        let parts = change.list.map { list in
            historyPresenter.parts(
                added: list.added[part.added], removed: list.removed[part.removed], limit: names, of: change.name,
                in: record.key, at: revision, texts)
        }
        let shown = historyPresenter.shown([change.old, change.new], of: change.name, in: record.key, texts)
        let isShown = parts == nil && shown[0] != shown[1]
        return ChangeShapes.field([
            // If the record's page does not show the member, there is no label for it. Its name is used instead.
            "label": historyPresenter.label(of: change.name, members, texts) ?? presenter.words(change.name),
            "old": isShown ? shown[0] : nil, "new": isShown ? shown[1] : nil, "parts": parts ?? [],
            "reordered": change.list?.isReordering ?? false, "altered": parts == nil && !isShown,
        ])
    }
}

extension ChangePresenter {
    /// The list of revisions, the newest first.
    var list: ListPages {
        let paging = Paging(count: history.revisions.count, perPage: 10)
        let counted = ChangeTexts.stateCount
        return frame.list("changes", ChangeShapes.changes, paging, counted: counted, path: Self.path) { page, texts in
            let shown = paging.positions(of: page).map { revision(history.revisions.count - 1 - $0, texts) }
            return (
                texts[ChangeTexts.title], texts[ChangeTexts.description],
                ["revisions": shown, "only": history.revisions.count == 1]
            )
        }
    }

    /// - Parameter page: the index of the page; the first is 0.
    static func path(_ page: Int) -> SitePath {
        page == 0 ? SitePath(fixed: "changes.html") : SitePath(joined: "changes/\(page + 1).html")
    }

    private func revision(_ index: Int, _ texts: Texts) -> Value {
        let revision = history.revisions[index]
        let summary = index > 0 ? revisions[index - 1] : nil
        let items = summary?.pages.flatMap { $0 } ?? []
        let note =
            summary?.changes.otherDifferences.map { texts[ChangeTexts.other($0)] }.joined(separator: " ")
            ?? texts.filled(ChangeTexts.baseline, ["what": countText(texts) { baseline[$0] ?? 0 }])
        return ChangeShapes.revision([
            "id": "revision-\(revision.number)", "number": Int(revision.number),
            "moment": historyPresenter.moment(revision, texts),
            "hasPage": !items.isEmpty, "imported": revision.imported != nil,
            "summary": summary.map { labels(of: $0, texts).joined(separator: " · ") } ?? "", "note": note,
            "groups": summary.map { groups(items, of: $0, isOverview: true, texts) } ?? [],
            "all": texts.pluralIfAny(ChangeTexts.all, items.count),
        ])
    }

    /// The pages with all changes of one revision. Only a later revision of the same day changes these pages.
    func pages(of summary: RevisionSummary) -> ListPages {
        let revision = summary.revision
        let path: @Sendable (Int) -> SitePath = { HistoryPresenter.path(of: revision, page: $0) }
        // Each page is one unit of the paging, because items have different sizes.
        let paging = Paging(count: summary.pages.count, perPage: 1)
        return ListPages(summary.pages.count, in: frame.editions, path: path) { page, edition in
            let texts = edition.texts
            let labels = labels(of: summary, texts)
            let title = texts.filled(ChangeTexts.titleOf, ["day": historyPresenter.day(of: revision, texts)])
            return frame.page(
                "revision", ChangeShapes.revisionPage, path(page), number: page, title: title,
                description: labels.joined(separator: "; "), section: "changes", type: "CollectionPage",
                jsonLD: [("datePublished", .text(revision.moment))], in: edition,
                [
                    "number": Int(revision.number), "moment": historyPresenter.moment(revision, texts),
                    "imported": revision.imported != nil, "summary": labels.joined(separator: " · "),
                    "paging": paging.value(page, texts, path: path),
                    "groups": groups(summary.pages[page], of: summary, isOverview: false, texts),
                ])
        }
    }
}
