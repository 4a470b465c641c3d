import Foundation
import Glibc
import SampleAPI
import TestSupport
import Testing

struct ProgressTests {
    /// Some containers have no pseudo-terminals.
    private static let hasTerminals: Bool = {
        let descriptor = open("/dev/ptmx", O_RDWR | O_NOCTTY)
        guard descriptor >= 0 else { return false }
        close(descriptor)
        return access("/usr/bin/script", X_OK) == 0
    }()

    @Test(.enabled(if: hasTerminals, "script(1) or its pseudo-terminal cannot be had here"))
    func `On a terminal the bar shows progress, speed, time left and what it waits for`() async throws {
        // The first requests are all refused, so that no answer arrives during the wait.
        let refusals = ["character", "location", "episode"].map {
            Fault(.contains("/\($0)?page=1"), .status(429, headers: [("Retry-After", "1")]))
        }
        let small = try Small(Behaviour(latency: .milliseconds(60), faults: refusals))
        let command = ([Program.path] + small.arguments("capture", ["--connections", "1"])).joined(separator: " ")
        let shown = try await Running("/usr/bin/script", ["--quiet", "--return", "--command", command, "/dev/null"])
            .wait().succeeded()
        let bars = shown.output.split(separator: "\r").map(String.init)
        let bar = /\[1\/1\] capture [█░]{24} \d+\/\d+  \d+(\.\d)?\/s, \d+ s left/
        #expect(bars.contains { $0.firstMatch(of: bar) != nil }, "\(shown.output)")
        let waiting =
            /waiting: \/api\/[a-z]+\?page=1: (answered status 429|the server asked for a pause); next attempt in 1 s/
        #expect(bars.contains { $0.firstMatch(of: waiting) != nil }, "\(shown.output)")
    }

    @Test func `With --verbose each request has a line with its result and its condition`() async throws {
        let small = try Small(Behaviour(faults: [Fault(.satisfies { $0.contains("/episode") }, .status(500))]))
        let lines = try await small.run("capture", "--verbose").errors.split(separator: "\n").filter {
            $0.hasPrefix("GET ")
        }
        #expect(lines.count == small.server.log.count)
        #expect(lines.count { $0.wholeMatch(of: /GET \/api\/episode\?page=1 500 \d+ bytes \d+ ms/) != nil } == 1)
        #expect(lines.count { $0.wholeMatch(of: /GET \/api\/episode\?page=1 200 \d+ bytes \d+ ms/) != nil } == 1)
        #expect(
            lines.count { $0.wholeMatch(of: /GET \/api\/character\/avatar\/\d+\.jpeg 200 \d+ bytes \d+ ms/) != nil }
                == 45)

        let again = try await small.run("capture", "--verbose").errors.split(separator: "\n").filter {
            $0.hasPrefix("GET ")
        }
        #expect(
            again.contains {
                $0.wholeMatch(of: /GET \/api\/character\?page=2 \(if changed\) 304 0 bytes \d+ ms/) != nil
            }, "\(again)")
        #expect(try await !small.run("capture").errors.contains("GET "))
    }
}
