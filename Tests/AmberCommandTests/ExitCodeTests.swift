import Foundation
import SampleAPI
import TestSupport
import Testing

/// Each exit code once, as README lists them; other tests have the many ways to each.
struct ExitCodeTests {
    @Test func `0: done`() async throws { #expect(try await Small().run("build").code == 0) }

    @Test func `2: wrong usage`() async throws {
        #expect(try await Program.run("build", "--frob").code == 2)
    }

    @Test func `3: the source cannot be captured, and nothing is published`() async throws {
        let small = try Small(Behaviour(faults: [Fault(.any, times: nil, .status(500))]))
        #expect(try await small.run("build", "--source", "live").code == 3)
        #expect(!FileManager.default.fileExists(atPath: small.site))
    }

    @Test func `4: published with gaps`() async throws {
        let small = try Small(Behaviour(faults: [Fault(.contains("avatar/7."), times: nil, .status(404))]))
        #expect(try await small.run("build").code == 4)
        #expect(FileManager.default.fileExists(atPath: "\(small.site)/index.html"))
    }

    @Test func `5: a template fails, and the site stays as it was`() async throws {
        let small = try await Small.built()
        let before = try contents(of: small.site)
        let templates = small.scratch["Templates"]
        try FileManager.default.copyItem(atPath: "\(Program.root)/Templates", toPath: templates)
        try small.scratch.write("{{naem}}", to: "Templates/card.mustache")
        #expect(try await small.run("render", "--templates", templates).code == 5)
        #expect(try contents(of: small.site) == before)
    }

    @Test func `6: the output holds what Amber did not make`() async throws {
        let small = try Small()
        try small.scratch.write("mine", to: "out/site/index.html")
        #expect(try await small.run("build").code == 6)
        #expect(try contents(of: small.site) == ["index.html": Data("mine".utf8)])
    }

    @Test func `7: a proof of verify fails`() async throws {
        let small = try await Small.built()
        #expect(try await small.run("verify").code == 0)
        try small.scratch.write("other", to: "out/site/hello.txt")
        #expect(try await small.run("verify").code == 7)
    }

    @Test(arguments: [(SIGINT, 130), (SIGTERM, 143)] as [(Int32, Int32)]) func `130 and 143: interrupted`(
        signal: Int32, code: Int32
    )
        async throws
    {
        let small = try Small(Behaviour(faults: [Fault(.any, times: nil, .hang(.seconds(3_600)))]))
        let running = try Program.start(small.arguments("build"))
        while running.isRunning, small.server.log.isEmpty { usleep(500) }
        running.send(signal)
        #expect(try await running.wait().code == code)
    }
}
