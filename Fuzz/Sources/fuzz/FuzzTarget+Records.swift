import Archive
import Catalogue
import FoundationEssentials
import Platform

@testable import CatalogueEngine

/// The Rick and Morty API, from its declaration in the repository.
func declaredCatalogue(_ bases: [String]) -> DeclaredCatalogue { DeclaredCatalogue(declaration, bases: bases) }

private let declaration: CatalogueDeclaration = {
    let root = "\(#filePath)".split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
    do {
        return try CatalogueDeclaration(
            File.read("\(root)/Catalogues/rickandmorty/catalogue.json", limit: CatalogueDeclaration.maximumSize))
    } catch {
        // A trap reports a finding.
        fatalError("broken: the declaration is valid: \(error)")
    }
}()

private let catalogue = declaredCatalogue(["http://127.0.0.1:8090/api"])
private let mirror = "http://mirror.example/api"

private func facts(_ record: ArraySlice<UInt8>, _ kind: String) -> RecordFacts? {
    // A fault is also a correct result.
    try? catalogue.facts(of: record, kind: kind, base: mirror)
}

extension FuzzTarget {
    /// A record from an answer or a list page. It is read at the capture, and again when pages are rendered.
    static let record = FuzzTarget(name: "record") { bytes in
        for list in catalogue.lists { check(bytes[...], list.kind) }
        // The byte ranges are checked without a decoder.
        guard let members = try? JSONSlices.members(of: bytes) else { return }
        for range in members.values {
            require(!range.isEmpty && range.upperBound <= bytes.count, "a value is within the bytes")
        }
    }

    /// A list page, or an answer of one or several records.
    static let page = FuzzTarget(name: "page") { bytes in
        let list = catalogue.lists[0]
        let answer = PageAnswer(path: list.firstPath, headers: bytes, body: bytes, base: catalogue.declaration.api)
        // Most inputs are refused, which is correct. The assertions are for the others.
        let read = try? catalogue.page(answer, of: list)
        if let read, let claim = read.claim {
            require(claim.count ?? 0 >= 0 && claim.pages ?? 0 >= 0, "counts are not negative")
            requireOrder(read.records, in: bytes)
            // The decoder may refuse this input. Both are compared only if it does not.
            if let decoded = try? JSONDecoder().decode(Page.self, from: Data(bytes)) {
                require(
                    decoded.info.count == claim.count && decoded.info.pages == claim.pages,
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
        guard let declared = catalogue.declaration.kind(kind), let found = facts(record, kind) else { return }
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
            try checkArchived(Array(record), declared, found)
        } catch {
            require(false, "a captured record can be shown: \(kind): \(error)")
        }
    }

    /// Reads a captured record as the archive's readers do. They must find the same facts, and a row for its lists.
    private static func checkArchived(_ record: [UInt8], _ kind: KindDeclaration, _ found: RecordFacts) throws {
        let key = RecordKey(kind.name, found.id)
        let archived = try catalogue.archivedFacts(of: record, key, base: mirror)
        require(
            archived.id == found.id && archived.card == found.card && archived.references == found.references
                && archived.pictures == found.pictures && archived.refused == found.refused,
            "the capture and the archive read the same facts")
        let table = RecordTable(kind, in: catalogue.declaration, count: 1)
        let entry = try table.entry(of: record, catalogue.links(mirror))
        require(entry.key.id == found.id, "one number: \(entry.key.id) \(found.id)")
        same([entry.name], [catalogue.title(of: record, key)])
        require(!entry.name.isBlank, "a record has a name")
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
