import Catalogue
import CatalogueEngine
import Foundation
import TestSupport
import Testing

/// The verdicts of Declarations/corpus.json. Tests/Judges/test_declarations.py compares the schema's verdicts on it.
struct DeclarationCorpusTests {
    private typealias Members = [String: Any]

    @Test func `The program accepts and refuses every declaration of the corpus as stated`() throws {
        let file = "\(Program.root)/Tests/CatalogueTests/Declarations/corpus.json"
        let corpus = try #require(
            JSONSerialization.jsonObject(with: Data(contentsOf: URL(fileURLWithPath: file))) as? Members)
        let cases = try #require(corpus["cases"] as? [Members])
        #expect(cases.count >= 400)
        for change in cases {
            let name = try #require(change["name"] as? String)
            let isValid = change["shape"] as? Bool ?? true && change["meaning"] as? Bool ?? true
            let wanted = change["fault"] as? [String] ?? []
            #expect(isValid == wanted.isEmpty, "\(name): only an invalid case has a fault")
            let base = try #require(corpus[change["base"] as? String ?? "base"])
            let fault = try Self.fault(of: Self.changed(base, change))
            guard let fault, wanted.count == 2 else {
                let isExpected = fault == nil && isValid
                #expect(isExpected, "\(name): \(fault?.description ?? "is accepted")")
                continue
            }
            let isSame = fault.keyPath == wanted[0] && fault.reason.hasPrefix(wanted[1])
            #expect(isSame, "\(name): \(fault), instead of \(wanted)")
        }
    }

    @Test func `The declarations that come with Amber are accepted`() throws {
        let folder = "\(Program.root)/Catalogues"
        let names = try FileManager.default.contentsOfDirectory(atPath: folder)
        #expect(!names.isEmpty)
        for name in names {
            let declaration = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)/catalogue.json"))
            #expect(try Self.fault(of: declaration) == nil, "\(name)")
        }
    }
}

extension DeclarationCorpusTests {
    private static func fault(of declaration: Data) throws -> ContentFault? {
        do {
            _ = DeclaredCatalogue(try CatalogueDeclaration(Array(declaration)))
            return nil
        } catch let fault as ContentFault {
            return fault
        }
    }

    /// The declaration of a case. The corpus describes the changes.
    private static func changed(_ base: Any, _ change: Members) throws -> Data {
        var tree = base
        for (path, value) in (change["set"] as? Members ?? [:]).sorted(by: { $0.key < $1.key }) {
            tree = edited(tree, path, value)
        }
        for path in change["remove"] as? [String] ?? [] { tree = edited(tree, path, nil) }
        if let many = change["many"] as? Members {
            let names = (0..<(try #require(many["count"] as? Int))).map { "x\($0)" }
            let value = many["value"].map { value in Dictionary(uniqueKeysWithValues: names.map { ($0, value) }) }
            tree = edited(tree, try #require(many["at"] as? String), value ?? names)
        }
        // Sorted, because a kind can have the list of an earlier one.
        let json = try JSONSerialization.data(withJSONObject: tree, options: .sortedKeys)
        let text = String(decoding: json, as: UTF8.self)
        return Data(text.replacingOccurrences(of: "\"RAW\"", with: change["raw"] as? String ?? "\"RAW\"").utf8)
    }

    /// The value with a change at a path such as "figures.0.most".
    private static func edited(_ value: Any, _ path: String, _ new: Any?) -> Any {
        let steps = path.split(separator: ".", maxSplits: 1).map(String.init)
        if var elements = value as? [Any], let index = Int(steps[0]) {
            elements[index] = steps.count == 1 ? new ?? NSNull() : edited(elements[index], steps[1], new)
            return elements
        }
        var members = value as? Members ?? [:]
        members[steps[0]] = steps.count == 1 ? new : edited(members[steps[0]] ?? Members(), steps[1], new)
        return members
    }
}
