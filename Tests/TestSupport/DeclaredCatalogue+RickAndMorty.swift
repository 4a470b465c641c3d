package import CatalogueEngine
import Foundation

extension DeclaredCatalogue {
    /// The Rick and Morty API, from its declaration in the repository.
    /// - Parameter bases: further base addresses of links in the data, such as the sample's.
    package static func rickAndMorty(bases: [String] = []) throws -> DeclaredCatalogue {
        let file = URL(fileURLWithPath: "\(Program.root)/Catalogues/rickandmorty/catalogue.json")
        return DeclaredCatalogue(try CatalogueDeclaration(Array(Data(contentsOf: file))), bases: bases)
    }
}
