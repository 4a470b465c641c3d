import Archive
import Catalogue
import FoundationEssentials

@testable import RickAndMorty

private let catalogue = RickAndMorty(bases: ["http://127.0.0.1:8090/api"])

private func facts(_ record: ArraySlice<UInt8>, _ kind: String) -> RecordFacts? {
    // A fault is as good an end as facts.
    try? catalogue.facts(of: record, kind: kind, base: "http://mirror.example/api")
}

extension FuzzTarget {
    /// One record, as an answer or a page's slice has it: read when it is captured, and read again when pages are made.
    static let record = FuzzTarget(name: "record") { bytes in
        for kind in ["character", "location", "episode"] { check(bytes[...], kind) }
        // Places, without a decoder's word on them.
        guard let members = try? JSONSlices.members(of: bytes) else { return }
        for place in members.values {
            require(!place.isEmpty && place.upperBound <= bytes.count, "a value lies within the bytes")
        }
    }

    /// A list page, or an answer of one or several records.
    static let page = FuzzTarget(name: "page") { bytes in
        // Most inputs are refused, which is right; what is asserted is what holds of those that are not.
        let read = try? catalogue.listPage(bytes)
        if let read {
            require(read.count >= 0 && read.pages >= 0, "a list holds nothing or more")
            inOrder(read.records, in: bytes)
            // The decoder may refuse what is read here: compared is what both take.
            if let decoded = try? JSONDecoder().decode(Page.self, from: Data(bytes)) {
                require(
                    decoded.info.count == read.count && decoded.info.pages == read.pages,
                    "a decoder reads the same claims")
                require(decoded.results.count == read.records.count, "a decoder finds as many records")
            }
        }
        let one = RecordKey("episode", 1)
        for keys in [[one], [one, RecordKey("episode", 2)]] {
            // Refused, as most are.
            guard let places = try? catalogue.records(in: bytes, askedFor: keys) else { continue }
            inOrder(places, in: bytes)
            for place in places { check(bytes[place], "episode") }
        }
        for place in read?.records ?? [] { check(bytes[place], "location") }
    }

    private static func inOrder(_ places: [Range<Int>], in bytes: [UInt8]) {
        var end = 0
        for place in places {
            require(
                place.lowerBound >= end && !place.isEmpty && place.upperBound <= bytes.count,
                "slices lie in the bytes, in order: \(places)"
            )
            end = place.upperBound
        }
    }

    private static func check(_ record: ArraySlice<UInt8>, _ kind: String) {
        guard let found = facts(record, kind) else { return }
        require(found.id > 0 && found.id < 1 << 53, "a number that scripts can hold: \(found.id)")
        for reference in found.card + found.mentions {
            require(reference.key.id > 0, "a link names a record: \(reference)")
        }
        for path in found.pictures {
            require(
                path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }, "a picture's path is plain: \(path.debugDescription)")
            let segments = path.split(separator: "/", omittingEmptySubsequences: false)
            require(!segments.contains { ["", ".", ".."].contains($0) }, "a picture's path does not climb: \(path)")
        }
        let again = facts(record, kind)
        require(
            again?.id == found.id && again?.card == found.card && again?.refused == found.refused,
            "the same bytes are the same record")
        do {
            try compareArchived(Array(record), kind)
        } catch {
            require(false, "a record that was captured can be shown: \(kind): \(error)")
        }
    }

    /// Pages are made from archived bytes by another reader, which must see what the decoder saw.
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

    /// Compares by bytes: two spellings of one letter are not the same text.
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
