import Archive
import Catalogue
import CatalogueEngine
import FoundationEssentials
import Platform

private let catalogue: DeclaredCatalogue = {
    let root = "\(#filePath)".split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    let searches = #"[{"term":"sea","media":"ebook"},{"term":"love"}]"#
    do {
        let declaration = try CatalogueDeclaration(
            File.read("\(root)/Catalogues/itunes/catalogue.json", limit: CatalogueDeclaration.maximumSize))
        let roots = try declaration.roots?.roots(Array(searches.utf8)) ?? []
        return DeclaredCatalogue(declaration, roots: roots, bases: ["http://127.0.0.1:8090"])
    } catch {
        // A trap reports a finding.
        fatalError("broken: the declaration is valid: \(error)")
    }
}()

extension FuzzTarget {
    /// An answer of a search service, read as search results, as items and as albums.
    static let media = FuzzTarget(name: "media") { bytes in
        let requested = [
            catalogue.roots[0], RecordKey("song-us", 1), RecordKey("movie-us", 1), RecordKey("book-us", 1),
            RecordKey("albums-us", 1),
        ]
        for key in requested {
            // Most inputs are refused, which is correct. The assertions are for the others.
            guard let ranges = try? catalogue.records(in: bytes, requested: [key]) else { continue }
            var end = 0
            for range in ranges {
                require(
                    range.lowerBound >= end && range.upperBound <= bytes.count,
                    "records are in order and within the bytes")
                end = range.upperBound
                guard
                    let facts = try? catalogue.facts(of: bytes[range], requested: [key], base: "http://mirror.example")
                else { continue }
                require(facts.id > 0, "a number is 1 or more")
                require(
                    facts.pictures.allSatisfy { !$0.contains("..") || $0.hasPrefix("https://") },
                    "pictures are below the address")
                let again = try? catalogue.archivedFacts(of: Array(bytes[range]), key, base: "http://mirror.example")
                require(
                    again?.card == facts.card && again?.pictures == facts.pictures,
                    "an archived record has the same facts as at its capture")
            }
        }
    }
}
