import Catalogue
import Foundation
import TestSupport

enum Strings {
    static func english() throws -> Texts { try texts("en") }
    static func russian() throws -> Texts { try texts("ru") }

    private static func texts(_ language: String) throws -> Texts {
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(Program.root)/Templates/strings/\(language).json"))
        return try Texts(Array(data), language: language)
    }
}
