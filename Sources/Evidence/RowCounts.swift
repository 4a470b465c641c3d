import Archive
import Catalogue

/// The rows of lists whose records were requested one by one, of lists that share a kind, and of lists of children.
///
/// Each page is read once for all kinds. Rows are not kept: each record needs one byte, for whether it has a row.
struct RowCounts {
    /// The number of records with a row, and of rows and lists that are missing. `claimed` does not include rows whose
    /// record is in an earlier list, or whose record is of another kind. It is nil if a list claims nothing.
    typealias Counts = (found: Int, missing: Int, claimed: Int?)

    private let mirror: APIMirror
    private let lists: [ListEndpoint]
    /// By kind, for each record whether it has a row. Only these kinds have such lists.
    private var found: [String: [Bool]] = [:]
    /// The number of rows without a record, by kind.
    private var lost: [String: Int] = [:]
    /// A list that shares its kind claims its counts in each of its pages. By list and parent.
    private var walks: [Int: [Int64: (claim: Int?, rows: Int)]] = [:]

    /// - Parameter indexes: those of all kinds.
    init(of mirror: APIMirror, _ indexes: [NumberIndex], _ reader: RevisionReader) throws {
        self.mirror = mirror
        lists = mirror.catalogue.lists
        guard reader.revision.imported == nil else { return }
        let indexes = Dictionary(indexes.map { ($0.kind, $0) }) { first, _ in first }
        for kind in lists.filter(Self.hasRows).flatMap(\.kinds) {
            found[kind] = [Bool](repeating: false, count: indexes[kind]?.numbers.count ?? 0)
        }
        let kinds = lists.map { Set($0.kinds).intersection(found.keys) }
        for page in mirror.pages where !kinds[page.list].isEmpty {
            let (content, keys) = try page.read(from: reader, mirror.catalogue)
            let parent = page.parent?.id ?? 0
            walks[page.list, default: [:]][parent, default: (content.claim?.count, 0)].rows += keys.count
            for key in keys {
                // A row that cannot be read counts as one of the first kind.
                let kind = key?.kind ?? page.kind
                guard kinds[page.list].contains(kind) else { continue }
                if let key, let position = indexes[kind]?.position(of: key.id) {
                    found[kind]?[position] = true
                } else {
                    lost[kind, default: 0] += 1
                }
            }
        }
    }

    private static func hasRows(_ list: ListEndpoint) -> Bool { list.hasDetail || list.name != list.kind }

    /// Nil for a kind that is only in other lists.
    func counts(of kind: String) -> Counts? {
        guard let found = found[kind]?.count(where: { $0 }) else { return nil }
        let lost = lost[kind] ?? 0
        let own = lists.indices.filter { lists[$0].kinds.contains(kind) }
        var missing = lost + (mirror.pages.isEmpty ? 0 : mirror.missingLists[kind] ?? 0)
        // The claim of a kind's only list is in the archive.
        guard own.first(where: { Self.hasRows(lists[$0]) }).map({ lists[$0].name }) != kind else {
            return (found, missing, nil)
        }
        // The records of all rows, and those that a list claims beyond its rows.
        let ownWalks = own.flatMap { walks[$0, default: [:]].values }
        var claimed = ownWalks.isEmpty ? nil : found + lost
        for walk in ownWalks {
            missing += walk.claim.map { abs($0 - walk.rows) } ?? 0
            claimed = claimed.flatMap { sum in walk.claim.map { sum + $0 - walk.rows } }
        }
        return (found, missing, claimed)
    }
}
