import Foundation
import SampleAPI
import TestSupport
import Testing

struct FallbackTests {
    @Test func `The error for an API without a revision names the APIs that have one`() async throws {
        let small = try Small()
        let other = ["--output", small.output, "--api", "http://127.0.0.1:9/api"]
        let none = "amber: the archive in \(small.output)/archive has no complete revision of http://127.0.0.1:9/api; "
        let empty = try await Program.start(["log"] + other).wait()
        #expect(empty.code == 3)
        #expect(
            empty.errors == none
                + "create one with: \(Program.path) build --output \(small.output) --api http://127.0.0.1:9/api\n")
        #expect(try await small.run("build").code == 0)
        for verb in [["log"], ["build", "--source", "archive"], ["render", "--source", "archive"]] {
            let refused = try await Program.start(verb + other).wait()
            #expect(refused.code == 3)
            #expect(refused.errors == none + "it has revisions of \(small.server.apiURL) (--api)\n")
        }
        try await Program.start(["capture", "--source", "sample", "--characters", "3", "--output", small.output])
            .wait().succeeded()
        let live = try await Program.start(["log", "--source", "live"] + other).wait()
        #expect(
            live.errors.hasSuffix("\(small.server.apiURL) (--api), the sample (--source sample)\n"), "\(live.errors)")
    }

    @Test func `Offline, the archive's only API is used if the configuration names the public one`() async throws {
        let small = try await Small.built()
        try small.scratch.write(#"{"api": "https://rickandmortyapi.com/api"}"#, to: "public.json")
        try small.scratch.write(#"{"api": "http://127.0.0.1:9/api"}"#, to: "other.json")
        for verb in ["log", "render"] {
            let options = ["--output", small.output, "--config"]
            try await Program.start([verb] + options + [small.scratch["public.json"]]).wait().succeeded()
            try await Program.start([verb] + options + [small.scratch["other.json"]]).wait()
                .failed(3, "has no complete revision of http://127.0.0.1:9/api")
        }
        // The declaration may write the host in capitals.
        let catalogue = try small.copyCatalogue()
        let declaration = try String(contentsOfFile: "\(catalogue)/catalogue.json", encoding: .utf8)
        let capitals = declaration.replacing("//rickandmortyapi.com/api\"", with: "//RICKANDMORTYAPI.com/api\"")
        #expect(capitals != declaration)
        try small.scratch.write(capitals, to: "catalogue/catalogue.json")
        for config in ["public.json", "quick.json"] {
            let options = ["--output", small.output, "--catalogue", catalogue, "--config", small.scratch[config]]
            try await Program.start(["log"] + options).wait().succeeded()
        }
    }

    @Test func `Without network and archive, auto builds the sample and says so on every page`() async throws {
        let small = try Small()
        small.server.stop()
        let run = try await small.run("build", "--characters", "45").succeeded()
        #expect(run.errors.hasPrefix("amber: the API cannot be reached (\(small.server.apiURL)/"))
        #expect(run.errors.split(separator: "\n")[0].hasSuffix("This is an invented sample universe."))
        #expect(run.output.hasPrefix("the API cannot be reached"))
        #expect(run.output.contains("source    sample: the sample universe (seed 1, 45 characters), revision 1\n"))
        try small.expectSampleNotices()
    }

    @Test func `Render finds the sample that was captured last`() async throws {
        let small = try Small()
        #expect(try await small.run("build", "--source", "sample", "--characters", "45").code == 0)
        #expect(try await small.run("render", "--source", "sample").code == 0)
        #expect(try await small.run("render").code == 0)
    }

    @Test func `Without a network, auto renders the archived capture and exits with 0`() async throws {
        let small = try Small()
        #expect(try await small.run("build").code == 0)
        let before = try contents(of: small.site)
        small.server.stop()
        let quiet = try await small.run("build", "--quiet").succeeded()
        #expect(quiet.errors.contains("; using revision 1 of 20"))
        let run = try await small.run("build").succeeded()
        #expect(run.output.contains("source    archive: \(small.server.apiURL), revision 1"))
        #expect(try contents(of: small.site) == before)
        #expect(!before.values.contains { String(decoding: $0, as: UTF8.self).contains("Sample data.") })
    }

    @Test func `The source live never falls back: exit 3, one sentence, an unchanged site`() async throws {
        let small = try Small()
        #expect(try await small.run("build").code == 0)
        let before = try fingerprint(of: small.site)
        small.server.stop()
        let run = try await small.run("build", "--source", "live")
        #expect(run.code == 3)
        #expect(run.errors.hasPrefix("amber: the API cannot be reached: \(small.server.apiURL)/"))
        #expect(run.errors.contains("no connection: "))
        #expect(run.errors.split(separator: "\n").count == 1)
        #expect(try fingerprint(of: small.site) == before)
    }

    @Test func `A capture without a network stores nothing, not even the sample`() async throws {
        let small = try Small()
        small.server.stop()
        let run = try await small.run("capture")
        #expect(run.code == 3 && run.errors.contains("the API cannot be reached: \(small.server.apiURL)/"))
        let log = try await small.run("log")
        #expect(log.code == 3 && log.errors.contains("has no complete revision"))
    }

    @Test func `A first capture that fails exits with 3 and publishes nothing`() async throws {
        let small = try Small(Behaviour(faults: [Fault(.any, times: nil, .status(500))]))
        #expect(try await small.run("build", "--source", "live").code == 3)
        #expect(!FileManager.default.fileExists(atPath: small.site))
    }

    @Test func `A site of real data is not replaced by the sample`() async throws {
        let small = try Small()
        #expect(try await small.run("build").code == 0)
        try FileManager.default.removeItem(atPath: "\(small.output)/archive")
        let before = try fingerprint(of: small.site)
        small.server.stop()
        let run = try await small.run("build")
        run.failed(3, "the site in \(small.site) has real data, so the sample does not replace it")
        #expect(try fingerprint(of: small.site) == before)
    }

    @Test func `A host name that does not resolve is reported without waiting`() async throws {
        let small = try Small()
        let run = try await small.run("capture", "--source", "live", api: "http://nothing.invalid/api")
        run.failed(3, "the host's name cannot be resolved")
    }

    @Test func `The source archive and the verb render need no network`() async throws {
        let small = try Small()
        #expect(try await small.run("capture").code == 0)
        small.server.stop()
        #expect(try await small.run("build", "--source", "archive").code == 0)
        let before = try contents(of: small.site)
        #expect(try await small.run("render").code == 0)
        #expect(try contents(of: small.site) == before)
        #expect(try await Small().run("build", "--source", "archive").code == 3)
    }
}
