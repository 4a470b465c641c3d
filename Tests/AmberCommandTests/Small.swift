import Foundation
import Platform
import SampleAPI
import TestSupport
import Testing

/// A server and the output of its data in a temporary folder.
protocol Outputs {
    var scratch: ScratchFolder { get }
    /// The API's address.
    var api: String { get }
}

extension Outputs {
    var output: String { "\(scratch.path)/out" }
    var site: String { "\(output)/site" }

    func page(_ path: String) throws -> String { try String(contentsOfFile: "\(site)/\(path)", encoding: .utf8) }

    func hasFile(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(site)/\(path)") }

    func arguments(_ verb: String, _ more: [String] = [], api: String? = nil, output: String? = nil) -> [String] {
        [verb, "--api", api ?? self.api, "--output", output ?? self.output, "--config", scratch["quick.json"]] + more
    }

    func run(_ verb: String, _ more: String..., api: String? = nil, output: String? = nil) async throws
        -> Program.Result
    {
        try await Program.start(arguments(verb, more, api: api, output: output)).wait()
    }

    /// The newest revision's site, rendered from scratch.
    func freshSite() async throws -> [String: Data] {
        let fresh = scratch["fresh-\(UUID().uuidString)"]
        try FileManager.default.createDirectory(atPath: fresh, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            atPath: "\(fresh)/archive", withDestinationPath: "\(output)/archive")
        let rendered = try await run("render", "--source", "archive", output: fresh)
        #expect([0, 4].contains(rendered.code), "\(rendered.errors)")
        return try contents(of: "\(fresh)/site")
    }

    /// Expects that all pages say that they have invented data.
    func expectSampleNotices() throws {
        for (name, page) in try contents(of: site) where name.hasSuffix(".html") {
            let text = String(decoding: page, as: UTF8.self)
            let notice = name.hasPrefix("ru/") ? "Демонстрационные данные." : "Sample data."
            #expect(
                text.contains("<strong>\(notice)</strong>")
                    && text.contains("<meta name=\"robots\" content=\"noindex\" />"), "\(name)")
        }
    }
}

extension Program.Result {
    /// The JSON object on standard output.
    func summary() throws -> [String: Any] { try jsonObject(Data(output.utf8)) }

    func gaps() throws -> [[String: String]] { try #require(try summary()["gaps"] as? [[String: String]]) }
}

/// A server with a small universe, and runs of the program against it.
struct Small: Outputs {
    static let universe = Universe(seed: 3, characters: 45)

    let server: SampleServer
    let scratch: ScratchFolder
    var api: String { server.apiURL }

    init(_ behaviour: Behaviour = Behaviour(), universe: Universe = Self.universe) throws {
        server = try SampleServer(universe, behaviour: behaviour)
        scratch = try ScratchFolder()
        // Retries do not wait.
        try scratch.write(#"{"attempts": 3, "retryDelay": 0.01}"#, to: "quick.json")
    }

    /// A copy of the catalogue's folder.
    func copyCatalogue() throws -> String {
        try FileManager.default.copyItem(
            atPath: "\(Program.root)/Catalogues/rickandmorty", toPath: scratch["catalogue"])
        return scratch["catalogue"]
    }

    /// A copy of an output that is built once for each universe and process. The server is shared and has no faults.
    /// The copied files have other inodes, so the next build renders all pages.
    static func built(_ universe: Universe = Self.universe) async throws -> Small {
        let original = originals.withLock { originals in
            let task =
                originals["\(universe.seed) \(universe.counts.character)"]
                ?? Task {
                    let small = try Small(universe: universe)
                    let run = try await small.run("build")
                    guard run.code == 0 else { throw CocoaError(.executableLoad, userInfo: ["errors": run.errors]) }
                    return small
                }
            originals["\(universe.seed) \(universe.counts.character)"] = task
            return task
        }
        return try await Small(copyOf: original.value)
    }

    /// By seed and number of characters.
    private static let originals = Locked<[String: Task<Small, any Error>]>([:])

    init(copyOf other: Small, _ behaviour: Behaviour = Behaviour()) async throws {
        server = other.server
        server.behaviour = behaviour
        scratch = try ScratchFolder()
        try scratch.write(try String(contentsOfFile: other.scratch["quick.json"], encoding: .utf8), to: "quick.json")
        try await Tool.copy(other.output, to: output)
        server.resetLog()
    }
}
