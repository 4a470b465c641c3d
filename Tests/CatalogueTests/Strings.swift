import Catalogue
import Foundation
import Pages
import TestSupport

enum Strings {
    static func english() throws -> Texts { try texts("en") }
    static func russian() throws -> Texts { try texts("ru") }

    private static func texts(_ language: String) throws -> Texts {
        func bytes(_ folder: String) throws -> [UInt8] {
            Array(try Data(contentsOf: URL(fileURLWithPath: "\(Program.root)/\(folder)/strings/\(language).json")))
        }
        return try Texts(try bytes("Templates"), language: language)
            .adding(try bytes("Catalogues/rickandmorty")).adding(try bytes("Catalogues/itunes"))
    }
}
