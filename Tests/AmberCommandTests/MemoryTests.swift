import SampleAPI
import TestSupport
import Testing

struct MemoryTests {
    @Test func `A long name of an episode is not copied for each of 10,000 references to it`() async throws {
        var behaviour = Behaviour()
        let link = #""\#(Universe.canonicalBase)/episode/1""#
        behaviour.replaced[.init(.character, 1)] = HostileRecords.character(
            1, ["episode": "[\(Array(repeating: link, count: 10_000).joined(separator: ","))]"])
        behaviour.replaced[.init(.episode, 1)] = HostileRecords.episode(
            1, characters: [1], ["name": "\"\(String(repeating: "x", count: 1_000_000))\""])
        let small = try Small(behaviour)
        // 10,000 copies would need 10 GB.
        try await Running(
            "/bin/sh", ["-c", "ulimit -d 2000000; exec \"$0\" \"$@\"", Program.path] + small.arguments("build")
        ).wait().succeeded()
        let pages = try contents(of: small.site)
        #expect(try #require(pages["character/1.html"]).count < 100_000)
        #expect(try #require(pages["episode/1.html"]).count > 1_000_000)
    }
}
