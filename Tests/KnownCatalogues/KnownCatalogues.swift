package import CatalogueEngine
import Platform
import TestSupport

/// The catalogues of the repository, from their declarations.
extension DeclaredCatalogue {
    /// - Parameter bases: further base addresses of links in the data, such as the sample's.
    package static func rickAndMorty(bases: [String] = []) throws -> DeclaredCatalogue {
        DeclaredCatalogue(try declaration("rickandmorty"), bases: bases)
    }

    /// - Parameter searches: JSON such as `[{"term": "sea", "media": "ebook"}]`; nil for none.
    package static func itunes(_ searches: String? = nil, bases: [String] = []) throws -> DeclaredCatalogue {
        DeclaredCatalogue(
            try declaration("itunes"), roots: try searches.map { try self.searches($0) } ?? [], bases: bases)
    }

    package static func searches(_ json: String) throws -> [Root] {
        try declaration("itunes").roots?.roots(Array(json.utf8)) ?? []
    }

    private static func declaration(_ name: String) throws -> CatalogueDeclaration {
        try CatalogueDeclaration(
            File.read(
                "\(Program.root)/Catalogues/\(name)/catalogue.json", limit: CatalogueDeclaration.maximumSize))
    }
}
