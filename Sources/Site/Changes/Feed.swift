import Archive
import Catalogue
import Pages
import Platform

/// An Atom feed in one language (RFC 4287): of records, or of changes. That of changes has an entry for each revision
/// with changes. The newest entries are first.
///
/// The identifiers of feeds and entries do not depend on the address of the site, so they survive a move.
struct Feed {
    /// The maximum number of records of each type of change in an entry. The revision's page has all records.
    private static let nameLimit = 20
    private static let path = SitePath(fixed: "feed.xml")

    let changes: ChangePresenter
    let edition: Edition

    /// - Parameter feeds: feeds of records, and nil for that of changes.
    static func files(_ feeds: [RecordFeed?], _ changes: ChangePresenter) -> FileSet {
        let all = changes.frame.editions.flatMap { edition in feeds.map { (edition, $0) } }
        return FileSet(all.map { $0.path($1?.path ?? path) }) { index, reader in
            let (edition, feed) = all[index]
            let own = Feed(changes: changes, edition: edition)
            let text = try feed.map { own.text(of: $0, try $0.entries(reader, edition)) } ?? own.text
            return Array(text.utf8)
        }
    }
}

extension Feed {
    private var texts: Texts { edition.texts }

    private var text: String {
        // Feed readers keep older entries.
        let summaries = changes.revisions.reversed().filter { !$0.pages.isEmpty }.prefix(30)
        let newest = summaries.first?.revision ?? changes.history.revisions.first
        return text(
            Self.path, "feed", texts.filled(ChangeTexts.feedTitle, ["site": texts[changes.frame.title]]),
            newest?.moment, ChangePresenter.path(0), summaries.map(entry))
    }

    private func text(of feed: RecordFeed, _ entries: [FeedEntry]) -> String {
        text(
            feed.path, "feed \(feed.path)", "\(texts[changes.frame.title]): \(texts[feed.title])",
            entries.map(\.updated).max(), feed.page, entries)
    }

    private func text(
        _ path: SitePath, _ id: String, _ title: String, _ updated: String?, _ page: SitePath, _ entries: [FeedEntry]
    ) -> String {
        let parts = [
            element("id", identifier(id)), element("title", title),
            element("updated", updated ?? "1970-01-01T00:00:00Z"), "<author><name>Amber</name></author>",
            element("generator", changes.frame.context.generator), link("self", "application/atom+xml", path),
            link("alternate", "text/html", page),
        ]
        return XMLText.declaration
            + "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"\(XMLText.escaped(texts.language))\">\n"
            + (parts + entries.map(markup)).map { $0 + "\n" }.joined() + "</feed>\n"
    }

    private func entry(_ summary: RevisionSummary) -> FeedEntry {
        let revision = summary.revision
        let path = HistoryPresenter.path(of: revision)
        let lines = lines(summary).map { "<li>\($0)</li>" }.joined(separator: "\n")
        let all = texts.plural(ChangeTexts.all, summary.pages.reduce(0) { $0 + $1.count })
        let rest = summary.pages.count > 1 || lines.isEmpty ? "<p>\(link(to: path, all))</p>\n" : ""
        let title = "\(revision.day): \(changes.labels(of: summary, texts).joined(separator: "; "))"
        let id = "\(revision.digest.hex) \(revision.finished)"
        return (id, title, revision.moment, path, "<ul>\n\(lines)\n</ul>\n\(rest)")
    }

    private func markup(_ entry: FeedEntry) -> String {
        """
        <entry>
        \(element("id", identifier(entry.id)))
        \(element("title", entry.title))
        \(element("updated", entry.updated))
        \(link("alternate", "text/html", entry.page))
        <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">
        \(entry.markup)</div></content>
        </entry>
        """
    }

    /// The changed records as markup: a line for new records, one for removed records, and one for each changed one.
    private func lines(_ summary: RevisionSummary) -> [String] {
        func names(_ items: [RevisionChanges.TitledRecord], _ label: TextDeclaration) -> [String] {
            guard !items.isEmpty else { return [] }
            let shown =
                items.prefix(Self.nameLimit).map { linked($0.key, $0.title) } + more(items.count - Self.nameLimit)
            // The label must be escaped. The text that is inserted into it is already markup.
            let line = XMLText.escaped(texts.filled(label, ["what": "{}"]))
            return [line.replacing("{}", with: shown.joined(separator: ", "))]
        }
        let changed = summary.changes.changed
        let files = changes.fileCount(of: summary, texts)
        return names(summary.changes.added, ChangeTexts.new) + names(summary.changes.removed, ChangeTexts.gone)
            + changed.prefix(2 * Self.nameLimit).map(line) + more(changed.count - 2 * Self.nameLimit)
            + (files.isEmpty ? [] : [XMLText.escaped(files)])
    }

    private func more(_ count: Int) -> [String] {
        count > 0 ? [XMLText.escaped(texts.plural(PageFrame.more, count))] : []
    }

    private func line(_ record: RevisionChanges.ChangedRecord) -> String {
        let members = changes.presenter.members(of: record.key.kind)
        let fields = changes.historyPresenter.ordered(record.fields, by: \.name, members).prefix(Self.nameLimit)
        var facts = fields.map { fact($0, record.key, members) }
        let more = record.fields.count - facts.count + record.moreFields
        if more > 0 { facts.append(texts.plural(PageFrame.more, more)) }
        return "\(linked(record.key, record.title)): \(XMLText.escaped(facts.joined(separator: "; ")))"
    }

    /// A changed member as text: "Status: Alive → Dead", "Episodes: added 3, removed 1", "Residents: order changed".
    private func fact(_ field: FieldChange, _ key: RecordKey, _ members: [FieldLabel]) -> String {
        let present = changes.historyPresenter
        let label =
            present.label(of: field.name, members, texts) ?? present.presenter.words(field.name).showable.shortened
        if let list = field.list {
            guard !list.isReordering else { return "\(label): \(texts[ChangeTexts.orderChanged])" }
            let counts = [(HistoryPresenter.added, list.added.count), (HistoryPresenter.removed, list.removed.count)]
            return "\(label): "
                + counts.filter { $1 > 0 }.map { "\(texts[$0]) \(texts.grouped($1))" }.joined(separator: ", ")
        }
        let shown = present.shown([field.old, field.new], of: field.name, in: key, texts)
        return shown[0] == shown[1]
            ? "\(label): \(texts[ChangeTexts.detailsChanged])" : "\(label): \(shown[0].text) → \(shown[1].text)"
    }

    private func linked(_ key: RecordKey, _ title: String) -> String {
        changes.presenter.page(of: key).map { link(to: $0.path, title) } ?? XMLText.escaped(title)
    }

    private func link(to path: SitePath, _ text: String) -> String {
        "<a href=\"\(XMLText.escaped(address(path)))\">\(XMLText.escaped(text))</a>"
    }

    private func element(_ name: String, _ text: String) -> String { "<\(name)>\(XMLText.escaped(text))</\(name)>" }

    private func link(_ relation: String, _ type: String, _ path: SitePath) -> String {
        "<link rel=\"\(relation)\" type=\"\(type)\" href=\"\(XMLText.escaped(address(path)))\" />"
    }

    /// A page's address: absolute if the site's address is known, otherwise relative to the folder of the feed.
    private func address(_ path: SitePath) -> String {
        changes.frame.context.address(of: edition.path(path)) ?? path.text
    }

    /// A UUID from a digest of the source, the language and the name.
    private func identifier(_ name: String) -> String {
        let source = changes.history.revisions.last?.source
        let parts = [source?.catalogue, source?.api, source?.origin.rawValue, texts.language, name].map { $0 ?? "" }
        return "urn:uuid:\(SHA256(of: parts.map { "\($0)\n" }.joined().utf8).bytes.uuid)"
    }
}
