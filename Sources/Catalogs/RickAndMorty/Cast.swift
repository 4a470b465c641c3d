import Archive
import Catalogue

/// Characters that a record lists, each once, in its order.
struct Cast: Sendable {
    /// Rows of the table of characters.
    let rows: ArraySlice<Int32>
    /// How many more it lists that the capture could not bring.
    let missing: Int

    /// A page shows so many; a longer cast goes on on pages of its own.
    static let perPage = 500

    /// The cast's pages.
    var paging: Paging { Paging(count: rows.count, perPage: Self.perPage) }

    init(_ links: [String], _ reader: LinkReader, _ characters: CharacterTable) {
        var seen: Set<Int32> = []
        var rows: [Int32] = []
        var missing = 0
        rows.reserveCapacity(links.count)
        for link in links {
            if let row = reader.key(link, kind: "character").flatMap({ characters.row(of: $0.id) }) {
                if seen.insert(Int32(row)).inserted { rows.append(Int32(row)) }
            } else {
                missing += 1
            }
        }
        self.init(rows: rows[...], missing: missing)
    }

    init(rows: ArraySlice<Int32>, missing: Int) {
        self.rows = rows
        self.missing = missing
    }

    /// The rows on a page; pages count from 0.
    func rows(on page: Int) -> ArraySlice<Int32> {
        rows.dropFirst(paging.positions(of: page).lowerBound).prefix(Self.perPage)
    }
}
