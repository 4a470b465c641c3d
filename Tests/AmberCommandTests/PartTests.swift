import Foundation
import TestSupport
import Testing

struct PartTests {
    @Test(arguments: [2, 3])
    func `Parts that are rendered in parallel have the same files as the complete site`(count: Int) async throws {
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
    }

    @Test(arguments: ["0/2", "3/2", "2", "a/b", "1/2/3", "1/10001", "-1/2"])
    func `An invalid part is refused`(text: String) async throws {
        let small = try Small()
        let result = try await small.run("render", "--part", text)
        #expect(result.code == 2)
        #expect(
            result.errors
                == "amber: --part requires a part and the number of parts, such as 2/3, not \"\(text)\"\n"
        )
    }
}
