import Foundation
import SampleAPI
import TestSupport
import Testing

/// What happens where the API cannot be reached, or answers and fails.
struct FallbackTests {
    @Test("Where there is no revision of what is asked for, what there is is named")
    func elsewhere() async throws {
        let small = try Small()
        let other = ["--output", small.output, "--api", "http://127.0.0.1:9/api"]
        let none = "amber: the archive in \(small.output)/archive has no complete revision of http://127.0.0.1:9/api; "
        let empty = try await Program.start(["log"] + other).wait()
        #expect(empty.code == 3)
        #expect(
            empty.errors == none
                + "make one with: \(Program.path) build --output \(small.output) --api http://127.0.0.1:9/api\n")
        #expect(try await small.run("build").code == 0)
        for verb in [["log"], ["build", "--source", "archive"], ["render", "--source", "archive"]] {
            let refused = try await Program.start(verb + other).wait()
            #expect(refused.code == 3)
            #expect(refused.errors == none + "it has those of \(small.server.apiURL) (--api)\n")
        }
        #expect(
            try await Program.start(["capture", "--source", "sample", "--characters", "3", "--output", small.output])
                .wait().code == 0)
        let live = try await Program.start(["log", "--source", "live"] + other).wait()
        #expect(
            live.errors.hasSuffix("\(small.server.apiURL) (--api), the sample (--source sample)\n"), "\(live.errors)")
    }

    @Test(
        "Where nothing can be reached and nothing is archived, auto builds the sample and says so first, last and on every page"
    )
    func sample() async throws {
        let small = try Small()
        small.server.stop()
        let run = try await small.run("build", "--characters", "45")
        #expect(run.code == 0, "\(run.errors)")
        #expect(run.errors.hasPrefix("The API cannot be reached (\(small.server.apiURL)/"))
        #expect(run.errors.split(separator: "\n")[0].hasSuffix("This is an invented sample universe."))
        #expect(run.output.hasPrefix("The API cannot be reached"))
        #expect(run.output.contains("source    sample: the sample universe (seed 1, 45 characters), revision 1\n"))
        for (name, page) in try contents(of: small.site) where name.hasSuffix(".html") {
            let text = String(decoding: page, as: UTF8.self)
            let notice = name.hasPrefix("ru/") ? "Пробные данные." : "Sample data."
            #expect(
                text.contains("<strong>\(notice)</strong>")
                    && text.contains("<meta name=\"robots\" content=\"noindex\" />"), "\(name)")
        }
    }

    @Test("Whatever sample was captured last, render finds it again")
    func sampleAgain() async throws {
        let small = try Small()
        #expect(try await small.run("build", "--source", "sample", "--characters", "45").code == 0)
        #expect(try await small.run("render", "--source", "sample").code == 0)
        #expect(try await small.run("render").code == 0)
    }

    @Test("Where an earlier capture is archived, auto renders it and exits 0")
    func archived() async throws {
        let small = try Small()
        #expect(try await small.run("build").code == 0)
        let before = try contents(of: small.site)
        small.server.stop()
        let run = try await small.run("build")
        #expect(run.code == 0)
        #expect(run.errors.contains("This is the archive's revision 1 of 20"))
        #expect(run.output.contains("source    archive: \(small.server.apiURL), revision 1"))
        #expect(try contents(of: small.site) == before)
        #expect(!before.values.contains { String(decoding: $0, as: UTF8.self).contains("Sample data.") })
    }

    @Test("live never falls back: exit 3, one sentence with the cause, the site as it was")
    func live() async throws {
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

    @Test("A site of real data is not replaced by the sample")
    func realSiteStays() async throws {
        let small = try Small()
        #expect(try await small.run("build").code == 0)
        try FileManager.default.removeItem(atPath: "\(small.output)/archive")
        let before = try fingerprint(of: small.site)
        small.server.stop()
        let run = try await small.run("build")
        #expect(run.code == 3)
        #expect(run.errors.contains("the site in \(small.site) is made from real data, so it stays"))
        #expect(try fingerprint(of: small.site) == before)
    }

    @Test("A host whose name does not resolve is named, without waiting")
    func unknownHost() async throws {
        let small = try Small()
        let run = try await small.run("capture", "--source", "live", api: "http://nothing.invalid/api")
        #expect(run.code == 3)
        #expect(run.errors.contains("the host's name cannot be resolved"))
    }

    @Test("Where the API answers but a list page cannot be had, auto keeps what is published and exits 3")
    func answersButFails() async throws {
        let small = try await Small.built()
        let before = try fingerprint(of: small.site)
        var behaviour = Behaviour(faults: [Fault(.contains("/character?page=2"), times: nil, .status(503))])
        behaviour.revise(small.server.universe)
        small.server.behaviour = behaviour
        let run = try await small.run("build")
        #expect(run.code == 3)
        #expect(
            run.errors.contains(
                "the capture is not complete: \(small.server.apiURL)/character?page=2: answered status 503 (3 attempts)"
            ))
        #expect(try fingerprint(of: small.site) == before)
        small.server.behaviour = Behaviour()
        #expect(try await small.run("build").code == 0)
    }

    @Test("The archive alone is enough: archive and render ask nobody")
    func offline() async throws {
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
