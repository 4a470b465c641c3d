public import Archive
public import Mustache

/// Makes pages of a catalogue: what is the same in each of them, and what every record's page tells.
public protocol PageMaking: Sendable {
    /// What all pages have in common.
    var frame: PageFrame { get }
    /// What happened to records; nil where that is of no concern.
    var teller: HistoryTeller? { get }
    /// Where records came from.
    var provenance: Provenance { get }
}

extension PageMaking {
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

/// What batches of pages are made from. A record counts with all its bytes, so that no member can be forgotten.
extension PageMaking {
    /// What is behind every page: the frame, and how many pages a list has.
    public func hasher(_ paging: Paging) -> InputsHasher {
        var hasher = InputsHasher()
        hasher.add(frame.inputs)
        hasher.add(paging.count)
        return hasher
    }

    /// Records that have pages of their own: where they came from, and what happened to them.
    public func add(
        recordsOf kind: String, at rows: Range<Int>, from reader: RevisionReader, to hasher: inout InputsHasher
    ) throws {
        hasher.add(rows.lowerBound)
        for origin in try reader.origins(of: kind, at: rows) {
            hasher.add(origin.key.id)
            hasher.add(origin.sha256)
            switch origin.way {
            case .answer(let path, let received):
                hasher.add(path)
                hasher.add(received)
            case .imported(let date): hasher.add(date)
            }
            for edition in editions { hasher.add(history(origin.key, edition.texts)) }
        }
    }
}
