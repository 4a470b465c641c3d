import FoundationEssentials
import Mustache
import Testing

/// The official test data, which is not part of the package.
struct SpecificationTests {
    @Test(
        .enabled(
            if: SpecificationFile.isPresent, "no mustache-spec folder at \(SpecificationFile.folder); set AMBER_SHARED")
    )
    func `All tests of the Mustache specification pass`() throws {
        let core = try ["comments", "delimiters", "interpolation", "inverted", "partials", "sections"].map(run).reduce(
            0, +)
        let inheritance = try run("~inheritance")

        let summary = "mustache spec: \(core) core, \(inheritance) inheritance"
        print(summary)
        #expect(summary == "mustache spec: 136 core, 27 inheritance")
    }

    /// The tests that show nothing for a name or content that does not exist. In Amber's templates it is an error.
    private static let refused: Set = [
        "interpolation: Dotted Names - Broken Chains", "interpolation: Dotted Names - Broken Chain Resolution",
        "interpolation: Dotted Names - Context Precedence", "inverted: Dotted Names - Broken Chains",
        "sections: Dotted Names - Broken Chains", "~inheritance: Text inside parent",
    ]

    /// - Returns: the number of tests in the file.
    private func run(_ name: String) throws -> Int {
        let tests = try SpecificationFile.read(name).tests
        for (index, test) in tests.enumerated() {
            let title = "\(name): \(test.name)"
            guard !Self.refused.contains(title) else {
                #expect(throws: TemplateError.self, "\(index) \(title)") { try test.render() }
                continue
            }
            #expect(throws: Never.self, "\(index) \(title): \(test.desc)") {
                let output = try test.render()
                #expect(output == test.expected, "\(index) \(title): \(test.desc)")
            }
        }

        return tests.count
    }
}

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
    /// `<shared>/data/mustache-spec`, where shared is AMBER_SHARED or a folder next to the package.
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
    /// Renders the template. All words of the templates are names with the value null, and templates without text, if
    /// they are not in the test.
    func render() throws -> String {
        let partials = partials ?? [:]
        let words = Set(
            ([template] + partials.values).flatMap { text in
                text.split { !$0.isLetter && !$0.isNumber && !"_-".contains($0) }.map(String.init)
            })
        var model = data
        if case .object(let members) = data {
            model = .object(members.merging(words.map { ($0, .null) }) { known, _ in known })
        }
        let files = [("", template)] + partials.map { ($0, $1) } + words.subtracting(partials.keys).map { ($0, "") }
        let library = try Library(files.map { TemplateFile(name: $0, file: $0, bytes: Array($1.utf8)) })
        var renderer = Renderer(library)
        var output: [UInt8] = []
        try renderer.render("", model.value, into: &output)

        return String(decoding: output, as: UTF8.self)
    }
}

/// Any JSON value of the official tests.
enum JSON: Decodable {
    case null, flag(Bool), integer(Int), decimal(Double), text(String), list([JSON]), object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
            return
        }

        if let flag = Self.attempt(Bool.self, container) {
            self = .flag(flag)
        } else if let number = Self.attempt(Double.self, container) {
            self = Int(exactly: number).map { .integer($0) } ?? .decimal(number)
        } else if let text = Self.attempt(String.self, container) {
            self = .text(text)
        } else if let items = Self.attempt([JSON].self, container) {
            self = .list(items)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    private static func attempt<Member: Decodable>(_ type: Member.Type, _ container: any SingleValueDecodingContainer)
        -> Member?
    {
        do {
            return try container.decode(type)
        } catch {
            return nil
        }
    }

    var value: Value {
        switch self {
        case .null: return .null
        case .flag(let flag): return .flag(flag)
        case .integer(let number): return .integer(number)
        case .decimal(let number): return .decimal(number)
        case .text(let text): return .text(text)
        case .list(let items): return .list(items.map(\.value))
        case .object(let members):
            let members = members.sorted { $0.key < $1.key }
            let shape = Shape("object", members.map { Shape.Field($0.key, .text) })

            return .object(Object(shape, members.map(\.value.value)))
        }
    }
}
