import FoundationEssentials
import Mustache

/// One file of the official test data.
struct SpecificationFile: Decodable {
    let tests: [Test]

    struct Test: Decodable {
        let name: String
        let desc: String
        let data: JSON
        let template: String
        let partials: [String: String]?
        let expected: String
    }
}

extension SpecificationFile {
    /// `<shared>/data/mustache-spec`, where shared is AMBER_SHARED or a folder beside the package.
    static let folder: String = {
        let root = #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        let shared = ProcessInfo.processInfo.environment["AMBER_SHARED"] ?? root + "/../shared"

        return shared + "/data/mustache-spec"
    }()

    static var isPresent: Bool {
        FileManager.default.fileExists(atPath: folder + "/sections.json")
    }

    static func read(_ name: String) throws -> SpecificationFile {
        try JSONDecoder().decode(
            SpecificationFile.self, from: Data(contentsOf: URL(filePath: "\(folder)/\(name).json")))
    }
}

extension SpecificationFile.Test {
    func render() throws -> String {
        let partials = (partials ?? [:]).map { Source(name: $0, file: $0, bytes: Array($1.utf8)) }
        let library = try Library([Source(name: "", file: "", bytes: Array(template.utf8))] + partials, mode: .spec)
        var renderer = library.renderer()
        var output: [UInt8] = []
        try renderer.render("", data.value, into: &output)

        return String(decoding: output, as: UTF8.self)
    }
}
