import Foundation
import TestSupport
import Testing

/// Package.swift against the imports. The compiler does not check this: it accepts imports of indirect dependencies.
struct PackageTests {
    private struct Target {
        let name: String
        let folder: String
        let dependencies: [String]
    }

    @Test func `Targets import exactly the targets that they declare, and these are declared before them`() throws {
        let targets = try Self.targets()
        #expect(targets.count > 30)
        var above: Set<String> = []
        for target in targets {
            let imported = try Self.imports(below: target.folder).intersection(targets.map(\.name)).subtracting([
                target.name
            ])
            // Tests start the program and do not import it.
            let declared = Set(target.dependencies).subtracting(["amber"])
            #expect(imported == declared, "\(target.name)")
            #expect(above.isSuperset(of: target.dependencies), "\(target.name)")
            above.insert(target.name)
        }
    }

    @Test func `The layers of docs/architecture.md are those of Package.swift`() throws {
        let text = try Document("docs/architecture.md").text
        let section = try #require(text.components(separatedBy: "## Modules\n").last)
        let diagram = section.split(separator: "\n").drop { !$0.hasPrefix("    ") }.prefix { $0.hasPrefix("    ") }
        let layers = diagram.map { line in
            // The names of modules come before the explanation.
            Set(line.split(separator: " ").prefix { $0.first?.isUppercase == true || $0 == "amber" }.map(String.init))
        }
        let targets = try Self.targets().filter { $0.folder.hasPrefix("Sources/") }
        #expect(Set(layers.joined()) == Set(targets.map(\.name)))
        let level = Dictionary(layers.enumerated().flatMap { level, names in names.map { ($0, level) } }) { first, _ in
            first
        }
        for target in targets {
            for name in target.dependencies {
                #expect((level[name] ?? 0) > (level[target.name] ?? 0), "\(target.name) is not above \(name)")
            }
        }
    }
}

extension PackageTests {
    /// Every target, in the order of the file.
    private static func targets() throws -> [Target] {
        let text = try String(contentsOfFile: "\(Program.root)/Package.swift", encoding: .utf8)
        let declared = try #require(text.components(separatedBy: "    targets: [\n").last)
        return declared.matches(
            of: /(library|module|tests|\.target|\.testTarget|\.executableTarget)\(((?:[^()"]|"[^"]*")*)\)/
        ).map {
            match in
            let words = match.2.matches(of: /(?:(\w+): \[?)?"([^"]*)"/).map {
                (label: $0.1.map(String.init), text: String($0.2))
            }
            let isTests = match.1 == "tests"
            let name = words.first { $0.label == nil || $0.label == "name" }?.text ?? ""
            let path = words.first { $0.label == "in" || $0.label == "path" }?.text
            let dependencies = words.filter { $0.label == nil || $0.label == "dependencies" }.map(\.text).filter {
                $0 != name
            }
            return Target(
                name: isTests ? "\(name)Tests" : name,
                folder: path
                    ?? (isTests || match.1 == ".testTarget"
                        ? "Tests/\(isTests ? "\(name)Tests" : name)" : "Sources/\(name)"),
                dependencies: match.1 == "library" ? [] : isTests ? [name] + dependencies : dependencies)
        }
    }

    private static func imports(below folder: String) throws -> Set<String> {
        let root = "\(Program.root)/\(folder)"
        let files = try FileManager.default.subpathsOfDirectory(atPath: root).filter { $0.hasSuffix(".swift") }
        return try files.reduce(into: []) { names, file in
            let lines = try String(contentsOfFile: "\(root)/\(file)", encoding: .utf8).split(separator: "\n")
            for line in lines where line.contains("import ") {
                let words = line.split(separator: " ").drop {
                    ["@testable", "public", "package", "internal", "private"].contains($0)
                }
                guard words.first == "import", let name = words.last else { continue }
                names.insert(String(name.prefix { $0 != "." }))
            }
        }
    }
}
