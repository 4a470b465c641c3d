import Archive
import Catalogue
import FoundationEssentials

@testable import RickAndMorty

private let catalogue = RickAndMorty(bases: ["http://127.0.0.1:8090/api"])

private func facts(_ record: ArraySlice<UInt8>, _ kind: String) -> RecordFacts? {
    // A fault is also a correct result.
    try? catalogue.facts(of: record, kind: kind, base: "http://mirror.example/api")
}

extension FuzzTarget {
    /// A record from an answer or a list page. It is read at the capture, and again when pages are rendered.
    static let record = FuzzTarget(name: "record") { bytes in
        for kind in ["character", "location", "episode"] { check(bytes[...], kind) }
        // The byte ranges are checked without a decoder.
        guard let members = try? JSONSlices.members(of: bytes) else { return }
        for range in members.values {
            require(!range.isEmpty && range.upperBound <= bytes.count, "a value is within the bytes")
        }
    }

    /// A list page, or an answer of one or several records.
    static let page = FuzzTarget(name: "page") { bytes in
        // Most inputs are refused, which is correct. The assertions are for the others.
        let read = try? catalogue.listPage(bytes)
        if let read {
            require(read.count >= 0 && read.pages >= 0, "counts are not negative")
            requireOrder(read.records, in: bytes)
            // The decoder may refuse this input. Both are compared only if it does not.
            if let decoded = try? JSONDecoder().decode(Page.self, from: Data(bytes)) {
                require(
                    decoded.info.count == read.count && decoded.info.pages == read.pages,
                    "a decoder reads the same claims")
                require(decoded.results.count == read.records.count, "a decoder finds as many records")
            }
        }
        let one = RecordKey("episode", 1)
        for keys in [[one], [one, RecordKey("episode", 2)]] {
            // Most inputs are refused.
            guard let ranges = try? catalogue.records(in: bytes, requested: keys) else { continue }
            requireOrder(ranges, in: bytes)
            for range in ranges { check(bytes[range], "episode") }
        }
        for range in read?.records ?? [] { check(bytes[range], "location") }
    }

    private static func requireOrder(_ ranges: [Range<Int>], in bytes: [UInt8]) {
        var end = 0
        for range in ranges {
            require(
                range.lowerBound >= end && !range.isEmpty && range.upperBound <= bytes.count,
                "slices are within the bytes, in order: \(ranges)"
            )
            end = range.upperBound
        }
    }

    private static func check(_ record: ArraySlice<UInt8>, _ kind: String) {
        guard let found = facts(record, kind) else { return }
        require(found.id > 0 && found.id < 1 << 53, "scripts can represent the number: \(found.id)")
        for reference in found.card + found.references {
            require(reference.key.id > 0, "a link names a record: \(reference)")
        }
        for path in found.pictures {
            require(
                path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a picture's path is plain: \(path.debugDescription)")
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            require(
                !segments.contains { ["", ".", ".."].contains($0) },
                "a picture's path has no empty or dot segment: \(path)")
        }
        let again = facts(record, kind)
        require(
            again?.id == found.id && again?.card == found.card && again?.refused == found.refused,
            "the same bytes are the same record")
        do {
            try compareArchived(Array(record), kind)
        } catch {
            require(false, "a captured record can be shown: \(kind): \(error)")
        }
    }

    /// Compares the decoder of the capture with the reader of archived records. Both must return the same values.
    private static func compareArchived(_ record: [UInt8], _ kind: String) throws(ContentFault) {
        switch kind {
        case "character":
            let (one, other) = (try Character(decoding: record), try Character(archived: record))
            require(one.id == other.id, "one number: \(one.id) \(other.id)")
            same(
                [one.name, one.status, one.species, one.type, one.gender, one.image],
                [other.name, other.status, other.species, other.type, other.gender, other.image])
            same(
                [one.origin.name, one.origin.url, one.location.name, one.location.url],
                [other.origin.name, other.origin.url, other.location.name, other.location.url])
            same(one.episode, other.episode)
        case "location":
            let (one, other) = (try Location(decoding: record), try Location(archived: record))
            require(one.id == other.id, "one number: \(one.id) \(other.id)")
            same(
                [one.name, one.type, one.dimension] + one.residents,
                [other.name, other.type, other.dimension] + other.residents)
        default:
            let (one, other) = (try Episode(decoding: record), try Episode(archived: record))
            require(one.id == other.id, "one number: \(one.id) \(other.id)")
            same(
                [one.name, one.airDate, one.episode] + one.characters,
                [other.name, other.airDate, other.episode] + other.characters)
        }
    }

    /// Compares bytes, because String considers different encodings of a letter equal.
    private static func same(_ one: [String], _ other: [String]) {
        require(one.map { Array($0.utf8) } == other.map { Array($0.utf8) }, "one text: \(one) \(other)")
    }

    private struct Page: Decodable {
        struct Info: Decodable {
            let count: Int
            let pages: Int
        }

        struct Anything: Decodable {
            init(from decoder: any Decoder) {}
        }

        let info: Info
        let results: [Anything]
    }
}
