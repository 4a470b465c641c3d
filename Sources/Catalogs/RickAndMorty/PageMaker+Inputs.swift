import Archive
import Catalogue

/// What batches of pages are made from. A record counts with all its bytes, so that no member can be forgotten.
extension PageMaker {
    /// What is behind every page: the frame, and how many pages a list has.
    func hasher(_ paging: Paging) -> InputsHasher {
        var hasher = InputsHasher()
        hasher.add(frame.inputs)
        hasher.add(paging.count)
        return hasher
    }

    /// Characters, as cards and links show them.
    func add(_ rows: some Sequence<Int32>, to hasher: inout InputsHasher) {
        for row in rows { hasher.add(world.characters.marks[Int(row)]) }
    }

    /// Records that have pages of their own: where they came from, and what happened to them.
    func add(recordsOf kind: String, at rows: Range<Int>, from reader: RevisionReader, to hasher: inout InputsHasher) throws {
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
