import Foundation
import SampleAPI
import TestSupport

/// A small universe on a server of its own, and runs of the program against it.
struct Small {
    static let universe = Universe(seed: 3, characters: 45)

    let server: SampleServer
    let scratch: ScratchFolder

    init(_ behaviour: Behaviour = Behaviour(), universe: Universe = Self.universe) throws {
        server = try SampleServer(universe, behaviour: behaviour)
        scratch = try ScratchFolder()
        // Retries without their waits: what is tested is what happens, not when.
        try scratch.write(#"{"attempts": 3, "retryDelay": 0.01}"#, to: "quick.json")
    }

    var output: String { "\(scratch.path)/out" }
    var site: String { "\(output)/site" }

    /// Arguments for a verb against the server.
    func arguments(_ verb: String, _ more: [String] = [], api: String? = nil) -> [String] {
        [verb, "--api", api ?? server.apiURL, "--output", output, "--config", "\(scratch.path)/quick.json"] + more
    }

    func run(_ verb: String, _ more: String..., api: String? = nil) async throws -> Program.Result {
        try await Program.start(arguments(verb, more, api: api)).wait()
    }

    /// The summary as JSON.
    static func summary(_ result: Program.Result) throws -> [String: Any] {
        guard let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any] else {
            throw CocoaError(.fileReadCorruptFile)
        }
        return object
    }
}
