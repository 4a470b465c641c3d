import Archive
import Catalogue
import Pages
import Platform

/// An Atom feed of changes for each language (RFC 4287). It has an entry for each revision with changes, newest first.
///
/// The identifiers of feeds and entries do not depend on the address of the site, so they remain the same if the site
/// moves.
struct Feeds: PageSet, FramedPages {
    /// The maximum number of entries of a feed. Feed readers keep older entries.
    private static let entryLimit = 30
    /// The maximum number of records of each type of change in an entry. The revision's page has all records.
    private static let nameLimit = 20

    let frame: PageFrame
    private let changes: ChangePresenter
    private let entries: [RevisionSummary]

    init(_ frame: PageFrame, _ changes: ChangePresenter) {
        self.frame = frame
        self.changes = changes
        entries = Array(changes.revisions.reversed().filter { !$0.pages.isEmpty }.prefix(Self.entryLimit))
    }

    var batchCount: Int { editions.count }

    func filePaths(inBatch batch: Int) -> [SitePath] { [path(editions[batch])] }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let edition = editions[batch]
        return PageBatch(files: [SiteFile(path: path(edition), bytes: Array(feed(edition).utf8))])
    }

    private func path(_ edition: Edition) -> SitePath { edition.path(SitePath(fixed: "feed.xml")) }
}

extension Feeds {
    private func feed(_ edition: Edition) -> String {
        let texts = edition.texts
        let site = texts[frame.outline.title]
        let newest = entries.first?.revision ?? changes.history.revisions.first
        let parts = [
            element("id", identifier("feed", edition)),
            element("title", texts.filled(ChangeTexts.feedTitle, ["site": site])),
            element("updated", newest?.moment ?? "1970-01-01T00:00:00Z"), "<author><name>Amber</name></author>",
            element("generator", frame.context.generator),
            link("self", "application/atom+xml", SitePath(fixed: "feed.xml"), edition),
            link("alternate", "text/html", ChangePages.path(0), edition),
        ]
        let entries = entries.map { entry($0, edition) }
        return XMLText.declaration
            + "<feed xmlns=\"http://www.w3.org/2005/Atom\" xml:lang=\"\(XMLText.escaped(texts.language))\">\n"
            + (parts + entries).map { $0 + "\n" }.joined() + "</feed>\n"
    }

    private func entry(_ revisionSummary: RevisionSummary, _ edition: Edition) -> String {
        let revision = revisionSummary.revision
        let texts = edition.texts
        let summary = changes.summary(revisionSummary, texts)
        let path = HistoryPresenter.path(of: revision)
        let lines = lines(revisionSummary, edition).map { "<li>\($0)</li>" }.joined(separator: "\n")
        var rest = ""
        if revisionSummary.pages.count > 1 || lines.isEmpty {
            let all = texts.plural(ChangeTexts.all, revisionSummary.pages.reduce(0) { $0 + $1.count })
            rest = "<p>\(link(to: path, all, edition))</p>\n"
        }
        return """
            <entry>
            \(element("id", identifier("\(revision.digest.hex) \(revision.finished)", edition)))
            \(element("title", "\(revision.day): \(summary.joined(separator: "; "))"))
            \(element("updated", revision.moment))
            \(link("alternate", "text/html", path, edition))
            <content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml">
            <ul>
            \(lines)
            </ul>
            \(rest)</div></content>
            </entry>
            """
    }

    /// The changed records as markup: a line for new records, a line for removed records, and a line for each changed
    /// record.
    private func lines(_ revisionSummary: RevisionSummary, _ edition: Edition) -> [String] {
        let texts = edition.texts
        func names(_ items: [RevisionChanges.TitledRecord], _ label: TextDeclaration) -> [String] {
            guard !items.isEmpty else { return [] }
            var shown = items.prefix(Self.nameLimit).map { linked($0.key, $0.title, edition) }.joined(separator: ", ")
            if items.count > Self.nameLimit {
                shown += ", \(XMLText.escaped(texts.plural(ChangeTexts.more, items.count - Self.nameLimit)))"
            }
            // The label must be escaped. The text that is inserted into it is already markup.
            return [XMLText.escaped(texts.filled(label, ["what": "{}"])).replacing("{}", with: shown)]
        }
        let changed = revisionSummary.changes.changed.prefix(2 * Self.nameLimit).map { record -> String in
            let members = changes.presenter.members(of: record.key.kind)
            var facts = changes.historyPresenter.ordered(record.fields, by: \.name, members).prefix(Self.nameLimit).map
            { field in
                fact(field, record.key, members, texts)
            }
            let more = record.fields.count - facts.count + record.moreFields
            if more > 0 { facts.append(texts.plural(ChangeTexts.more, more)) }
            return "\(linked(record.key, record.title, edition)): \(XMLText.escaped(facts.joined(separator: "; ")))"
        }
        let others = revisionSummary.changes.changed.count - changed.count
        return names(revisionSummary.changes.added, ChangeTexts.new)
            + names(revisionSummary.changes.removed, ChangeTexts.gone) + changed
            + (others > 0 ? [XMLText.escaped(texts.plural(ChangeTexts.more, others))] : [])
            + (revisionSummary.pictures.isEmpty
                ? [] : [XMLText.escaped(texts.plural(ChangeTexts.pictures, revisionSummary.pictures.count))])
    }

    /// A changed member as text, such as "Status: Alive → Dead", "Episodes: added 3, removed 1" or "Residents: order
    /// changed".
    private func fact(_ field: FieldChange, _ key: RecordKey, _ members: [FieldLabel], _ texts: Texts) -> String {
        let label = changes.historyPresenter.label(of: field.name, members, texts) ?? field.name.showable.shortened
        if let list = field.list {
            guard !list.isReordering else { return "\(label): \(texts[ChangeTexts.orderChanged])" }
            let counts = [(ChangeTexts.added, list.added.count), (ChangeTexts.removed, list.removed.count)].filter {
                $0.1 > 0
            }
            return "\(label): " + counts.map { "\(texts[$0.0]) \(texts.grouped($0.1))" }.joined(separator: ", ")
        }
        let old = changes.historyPresenter.shown(field.old, of: field.name, in: key, texts)
        let new = changes.historyPresenter.shown(field.new, of: field.name, in: key, texts)
        return old == new ? "\(label): \(texts[ChangeTexts.detailsChanged])" : "\(label): \(old.text) → \(new.text)"
    }

    private func linked(_ key: RecordKey, _ title: String, _ edition: Edition) -> String {
        guard let page = changes.presenter.page(of: key) else { return XMLText.escaped(title) }
        return link(to: page.path, title, edition)
    }

    private func link(to path: SitePath, _ text: String, _ edition: Edition) -> String {
        "<a href=\"\(XMLText.escaped(address(path, edition)))\">\(XMLText.escaped(text))</a>"
    }
}

extension Feeds {
    private func element(_ name: String, _ text: String) -> String { "<\(name)>\(XMLText.escaped(text))</\(name)>" }

    private func link(_ relation: String, _ type: String, _ path: SitePath, _ edition: Edition) -> String {
        "<link rel=\"\(relation)\" type=\"\(type)\" href=\"\(XMLText.escaped(address(path, edition)))\" />"
    }

    /// A page's address: absolute if the site's address is known, otherwise relative to the language's root, which is
    /// also the folder of the feed.
    private func address(_ path: SitePath, _ edition: Edition) -> String {
        frame.context.address(of: edition.path(path)) ?? path.text
    }

    /// A UUID from a digest of the source, the language and the name.
    private func identifier(_ name: String, _ edition: Edition) -> String {
        let source = changes.history.revisions.last?.source
        let parts = [source?.catalogue, source?.api, source?.origin.rawValue, edition.texts.language, name].map {
            $0 ?? ""
        }
        return "urn:uuid:\(SHA256(of: parts.map { "\($0)\n" }.joined().utf8).bytes.uuid)"
    }
}
