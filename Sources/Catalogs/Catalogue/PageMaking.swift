public import Archive
public import Mustache

/// Makes pages in the frame that all pages of a site have.
public protocol FramedPages: Sendable {
    /// What all pages have in common.
    var frame: PageFrame { get }
}

extension FramedPages {
    /// The site's languages.
    public var editions: [Edition] { frame.context.editions }

    /// A page in an edition.
    public func page(
        _ template: String, _ shape: Shape, _ head: PageHead, in edition: Edition, _ own: KeyValuePairs<String, Value>,
        _ more: KeyValuePairs<String, Value> = [:]
    ) -> Page {
        Page(
            path: edition.path(head.path), template: template,
            model: shape.object(frame.values(head, in: edition), own, more),
            edition: edition.index)
    }

    /// A title with the number of a page behind the first.
    public func title(_ title: String, page: Int, _ texts: Texts) -> String {
        page == 0 ? title : texts.filled(PageFrame.numberedTitle, ["title": title, "number": texts.grouped(page + 1)])
    }
}

/// Makes pages of a catalogue: what every record's page tells.
public protocol PageMaking: FramedPages {
    /// What happened to records; nil where that is of no concern.
    var teller: HistoryTeller? { get }
    /// Where records came from.
    var provenance: Provenance { get }
}

extension PageMaking {
    /// What happened to a record; null where there is nothing to tell.
    public func history(_ key: RecordKey, _ texts: Texts) -> Value { teller?.history(of: key, texts) ?? .null }

    /// Where a record came from.
    public func provenance(_ origin: RecordOrigin, _ texts: Texts) -> Value { provenance.value(origin, texts) }

    /// How many gaps the capture has, in words; empty for none.
    public func gaps(_ texts: Texts) -> String {
        let count = frame.context.gaps.count
        return count == 0 ? "" : texts.plural(PageFrame.incomplete, count)
    }
}
