import Foundation
import Platform
import SampleAPI
import TestSupport

/// A server with a small universe, and runs of the program against it.
struct Small {
    static let universe = Universe(seed: 3, characters: 45)

    let server: SampleServer
    let scratch: ScratchFolder

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

    var output: String { "\(scratch.path)/out" }
    var site: String { "\(output)/site" }

    func page(_ path: String) throws -> String { try String(contentsOfFile: "\(site)/\(path)", encoding: .utf8) }

    func hasFile(_ path: String) -> Bool { FileManager.default.fileExists(atPath: "\(site)/\(path)") }

    func arguments(_ verb: String, _ more: [String] = [], api: String? = nil) -> [String] {
        [verb, "--api", api ?? server.apiURL, "--output", output, "--config", "\(scratch.path)/quick.json"] + more
    }

    func run(_ verb: String, _ more: String..., api: String? = nil) async throws -> Program.Result {
        try await Program.start(arguments(verb, more, api: api)).wait()
    }

    static func summary(_ result: Program.Result) throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return object
    }
}
