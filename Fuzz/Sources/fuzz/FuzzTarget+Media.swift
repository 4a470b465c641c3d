import Archive
import Catalogue
import ITunes

private let search = Search("sea", .ebook)
private let catalogue = ITunes([search, Search("love")], bases: ["http://127.0.0.1:8090"])

extension FuzzTarget {
    /// An answer of a service that is searched: as what a search brought, as items, as albums.
    static let media = FuzzTarget(name: "media") { bytes in
        let asked = [
            search.key, RecordKey("song-us", 1), RecordKey("movie-us", 1), RecordKey("book-us", 1),
            RecordKey("albums-us", 1),
        ]
        for key in asked {
            // Most inputs are refused, which is right; what is asserted is what holds of those that are not.
            guard let places = try? catalogue.records(in: bytes, askedFor: [key]) else { continue }
            var end = 0
            for place in places {
                require(
                    place.lowerBound >= end && place.upperBound <= bytes.count, "records lie in order within the bytes")
                end = place.upperBound
                guard let facts = try? catalogue.facts(of: bytes[place], askedFor: [key], base: "http://mirror.example")
                else { continue }
                require(facts.id > 0, "a number is 1 or more")
                require(
                    facts.pictures.allSatisfy { !$0.contains("..") || $0.hasPrefix("https://") },
                    "pictures are below the address")
                let again = try? catalogue.archivedFacts(of: Array(bytes[place]), key, base: "http://mirror.example")
                require(
                    again?.card == facts.card && again?.pictures == facts.pictures,
                    "what is archived is read as it was captured")
            }
        }
    }
}
