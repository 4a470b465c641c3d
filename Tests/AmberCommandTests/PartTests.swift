import Foundation
import TestSupport
import Testing

/// A site made in parts, by several processes.
struct PartTests {
    @Test(arguments: [2, 3])
    func `Parts made side by side, a range of the records each, are together the same bytes as the site made in one`(
        count: Int
    )
        async throws
    {
        let small = try await Small.built()
        let running = try (1...count).map { number in
            try Program.start(
                small.arguments("render", ["--source", "archive", "--part", "\(number)/\(count)", "--json"]))
        }
        var whole: [String: Data] = [:]
        var pages = 0
        for (number, program) in running.enumerated() {
            let result = try await program.wait()
            #expect(result.code == 0, "\(result.errors)")
            pages += try Small.summary(result)["pages"] as? Int ?? 0
            let part = try contents(of: "\(small.output)/parts/\(number + 1)-of-\(count)")
            #expect(part.keys.contains { $0.hasPrefix("character/") })
            // No file is made twice.
            whole.merge(part) { _, _ in Data() }
        }
        let site = try contents(of: small.site)
        #expect(whole == site)
        #expect(pages == site.keys.count { $0.hasSuffix(".html") })
        // In the order of the API the records of a part are a range.
        let ids = try contents(of: "\(small.output)/parts/1-of-\(count)/character").keys.compactMap {
            Int($0.dropLast(5))
        }.sorted()
        #expect(ids == Array(1...(ids.last ?? 0)))
    }

    @Test(arguments: ["0/2", "3/2", "2", "a/b", "1/2/3", "1/10001", "-1/2"])
    func `What is no part is refused`(text: String) async throws {
        let small = try Small()
        let result = try await small.run("render", "--part", text)
        #expect(result.code == 2)
        #expect(
            result.errors
                == "amber: --part takes a part and how many there are, as 2/3 for the second of three, not \"\(text)\"\n"
        )
    }
}
