import Archive
import Catalogue

/// Where an item is read from for its own page.
enum ItemSource {
    /// Its record, by its position among those of its kind.
    case record(Int)
    /// A result of a search's answer: the lookup did not bring the item.
    case result(Int, of: RecordKey)
}

/// Reads whole items. Items that stand one after another in a search's answer share it.
struct ItemReader {
    private let world: World
    private let reader: RevisionReader
    private var answer: (key: RecordKey, body: AnswerBody, rows: [Range<Int>])?

    init(_ world: World, _ reader: RevisionReader) {
        self.world = world
        self.reader = reader
    }

    mutating func item(_ place: World.Place) throws -> Item {
        let (kind, position) = world.source(of: place)
        switch place.source {
        case .record:
            guard let record = try reader.records(of: kind, at: position..<position + 1).first, record.key == place.key
            else { break }
            return try Item(record.bytes, place.kind.medium)
        case .result(let index, let key):
            if answer?.key != key, let record = try reader.records(of: kind, at: position..<position + 1).first {
                let body = try AnswerBody(record: record.bytes)
                answer = (record.key, body, try body.rows())
            }
            guard let answer, answer.key == key, answer.rows.indices.contains(index) else { break }
            return try Item(answer.body.bytes[answer.rows[index]], place.kind.medium)
        }
        throw ArchiveError.damaged("\(place.key) is not where it was a moment ago")
    }
}

extension World {
    /// The record that an item's page is made from: its own, or the search's answer.
    func source(of place: Place) -> (kind: String, position: Int) {
        switch place.source {
        case .record(let position): (place.key.kind, position)
        case .result(_, let search): (search.kind, position(ofSearch: search))
        }
    }

    /// A search's position among those of its medium and store.
    func position(ofSearch key: RecordKey) -> Int {
        searches.lazy.filter { $0.key.kind == key.kind }.map(\.key).enumerated().first { $0.element == key }?.offset
            ?? 0
    }
}
