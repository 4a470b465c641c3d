import Foundation
import TestSupport
import Testing

struct PartTests {
    @Test(arguments: [2, 3])
    func `Parts that are rendered in parallel and merged equal the complete site`(count: Int) async throws {
        let small = try await Small.built()
        let options = ["--source", "archive", "--base-url", "https://cards.example", "--json"]
        #expect(try await Program.start(small.arguments("render", options)).wait().code == 0)
        let running = try (1...count).map { number in
            try Program.start(small.arguments("render", options + ["--part", "\(number)/\(count)"]))
        }
        var whole: [String: Data] = [:]
        var pages = 0
        for (number, program) in running.enumerated() {
            let result = try await program.wait().succeeded()
            pages += try result.summary()["pages"] as? Int ?? 0
            let part = try contents(of: "\(small.output)/parts/\(number + 1)-of-\(count)")
            #expect(part.keys.contains { $0.hasPrefix("character/") })
            // A file in two parts becomes empty here, and the comparison fails.
            whole.merge(part) { _, _ in Data() }
        }
        let site = try contents(of: small.site)
        #expect(whole == site)
        #expect(pages == site.keys.count { $0.hasSuffix(".html") })
        // A part has a range of the records, in the order of the API.
        let ids = try contents(of: "\(small.output)/parts/1-of-\(count)/character").keys.compactMap {
            Int($0.dropLast(5))
        }.sorted()
        #expect(ids == Array(1...(ids.last ?? 0)))

        try FileManager.default.moveItem(atPath: small.site, toPath: small.scratch["whole"])
        let merge = small.arguments("render", options + ["--merge", "\(count)"])
        let merged = try await Program.start(merge).wait().succeeded()
        #expect(merged.errors.hasPrefix("[1/2] merge and check\n"))
        #expect(try merged.summary()["pages"] as? Int == pages)
        #expect(try contents(of: small.site) == site)
        // The folders are the same too.
        #expect(try await Running("/usr/bin/diff", ["-r", small.scratch["whole"], small.site]).wait().code == 0)
        try FileManager.default.removeItem(atPath: small.site)
        try FileManager.default.removeItem(atPath: "\(small.output)/parts/2-of-\(count).json")
        try await Program.start(merge).wait()
            .failed(5, "amber: part 2 of \(count) is missing or not finished; nothing is published\n")
        #expect(!FileManager.default.fileExists(atPath: small.site))
    }

    @Test(arguments: [
        (["--merge", "0"], "--merge"), (["--merge", "2", "--part", "1/2"], "--part renders a part, and"),
    ])
    func `Wrong options for merging are refused`(options: [String], start: String) async throws {
        try await Program.start(["render"] + options).wait().failed(2, "amber: \(start)")
    }

    @Test(arguments: ["0/2", "3/2", "2", "a/b", "1/2/3", "1/10001", "-1/2"])
    func `An invalid part is refused`(text: String) async throws {
        let small = try Small()
        let result = try await small.run("render", "--part", text)
        result.failed(2, saying: "--part requires a part and the number of parts, such as 2/3, not \"\(text)\"")
    }
}
