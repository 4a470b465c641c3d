import Foundation
import SampleAPI
import TestSupport
import Testing

struct VerifyTests {
    struct Sealed {
        let small: Small

        private static let original = Task<Small, any Error> {
            let small = try Small(universe: Universe(seed: 7, characters: 3))
            for verb in ["build", "snapshot"] {
                let result = try await small.run(verb)
                guard result.code == 0 else { throw CocoaError(.executableLoad, userInfo: ["sentence": result.errors]) }
            }
            return small
        }

        /// Copies an output that is built once for all tests.
        init() async throws {
            small = try await Small(copyOf: Self.original.value)
        }

        var snapshots: String { "\(small.output)/snapshots" }

        func verify(_ more: String..., output: String? = nil) async throws -> Program.Result {
            var arguments = small.arguments("verify", more)
            if let output { arguments += ["--output", output] }
            return try await Program.start(arguments).wait()
        }

        func name() throws -> String {
            let names = try FileManager.default.contentsOfDirectory(atPath: snapshots)
            return try #require(names.first { $0.hasSuffix(".tar") }.map { String($0.dropLast(4)) })
        }
    }

    @Test func `Every check of a new site and package passes and has its own line`() async throws {
        let sealed = try await Sealed()
        let result = try await sealed.verify().succeeded()
        let lines = result.output.split(separator: "\n")
        #expect(lines.dropLast(2).allSatisfy { $0.hasPrefix("ok    ") }, "\(result.output)")
        #expect(
            lines.dropLast().last == "consistent: 20 checks passed"
                && lines.last?.hasPrefix("Consistent means that ") == true)
        let words = [
            "archive: archive.sqlite has the digest in archive.sqlite.sha256",
            "site: the root hash of api/ is that of the archive, ",
        ]
        for word in words { #expect(result.output.contains("ok    \(word)")) }
        #expect(
            lines.count { $0.hasPrefix("ok    archive: ") } == 7 && lines.count { $0.hasPrefix("ok    site: ") } == 2)

        let json = try await sealed.verify("--json")
        let report = try json.summary()
        #expect(report["failed"] as? Int == 0 && (report["proofs"] as? [[String: Any]])?.count == 20)
    }

    @Test(arguments: ["about.html", "api/character/1.json"])
    func `A symbolic link in the site fails, whatever its target is`(_ file: String) async throws {
        let sealed = try await Sealed()
        let place = "\(sealed.small.site)/\(file)"
        try FileManager.default.moveItem(atPath: place, toPath: "\(sealed.small.output)/elsewhere")
        try FileManager.default.createSymbolicLink(
            atPath: place, withDestinationPath: "\(sealed.small.output)/elsewhere")
        let result = try await sealed.verify("site")
        let faults = result.output.split(separator: "\n").filter { $0.hasPrefix("FAIL") }
        #expect(
            result.code == 7 && faults.first?.hasPrefix("FAIL  site: \(file) is a symbolic link, not a file") == true,
            "\(result.output)")
        // `find -type f` ignores the link, so the root hash differs too.
        #expect(faults.count == (file.hasPrefix("api/") ? 2 : 1))
    }

    @Test(
        arguments: [
            (
                "site", "site/character/2.html",
                "FAIL  site: character/2.html differs from the rendered file, first at byte 20"
            ),
            ("site", "site/data/archive.sqlite", "FAIL  site: data/archive.sqlite differs from the rendered file"),
            (
                "site", "site/api/character/page/1.json",
                "FAIL  site: api/character/page/1.json differs from the rendered file, first at byte 20"
            ),
            ("site", "site/completeness.json", "FAIL  site: completeness.json differs from the rendered file"),
            (
                "archive", "archive/archive.sqlite.sha256",
                "FAIL  archive: archive.sqlite was changed after it was closed"
            ),
        ])
    func `Verify names the first difference and exits with 7`(_ subject: String, _ file: String, _ line: String)
        async throws
    {
        let sealed = try await Sealed()
        try Damage.flip(in: "\(sealed.small.output)/\(file)", at: 20)
        let result = try await sealed.verify(subject)
        result.failed(7, printing: line)
        #expect(result.output.split(separator: "\n").last?.hasSuffix(" checks failed") == true)
    }

    @Test func `Missing files and unknown files fail`() async throws {
        let sealed = try await Sealed()
        try FileManager.default.removeItem(atPath: "\(sealed.small.site)/character/2.html")
        var result = try await sealed.verify("site")
        result.failed(7, printing: "FAIL  site: character/2.html is missing")
        #expect(try await sealed.small.run("render").code == 0)
        try Data("hello".utf8).write(to: URL(fileURLWithPath: "\(sealed.small.site)/hello.txt"))
        result = try await sealed.verify()
        result.failed(7, printing: "FAIL  site: hello.txt is not a file of this site")
        // The lists in this file can be longer than a record.
        let long = #"{"gaps":["\#(String(repeating: "x", count: 5 << 20))"],"revision":1}"#
        try Data(long.utf8).write(to: URL(fileURLWithPath: "\(sealed.small.site)/completeness.json"))
        result = try await sealed.verify("site")
        #expect(result.output.contains("completeness.json differs from the rendered file"), "\(result.output)")
        let name = try sealed.name()
        try FileManager.default.removeItem(atPath: "\(sealed.snapshots)/\(name)/data/README.txt")
        result = try await sealed.verify("snapshot")
        result.failed(7, printing: "FAIL  \(name): the package is damaged: ")
        try FileManager.default.moveItem(
            atPath: "\(sealed.snapshots)/\(name).wacz", toPath: "\(sealed.small.output)/wacz")
        result = try await sealed.verify("snapshot")
        #expect(result.output.contains("FAIL  \(name): \(name).wacz is missing"), "\(result.output)")
        try FileManager.default.moveItem(
            atPath: "\(sealed.small.output)/wacz", toPath: "\(sealed.snapshots)/\(name).wacz")
        try FileManager.default.removeItem(atPath: "\(sealed.snapshots)/\(name).sha256")
        result = try await sealed.verify("snapshot")
        #expect(
            result.output.contains(
                "FAIL  \(name): the package is damaged: \(sealed.snapshots)/\(name).sha256 is missing"),
            "\(result.output)")
        #expect(try await sealed.small.run("snapshot").code == 0)
        result = try await sealed.verify("snapshot")
        #expect(result.code == 0, "\(result.output)")
    }

    @Test func `A given key requires a signature, and a signature of another key fails`() async throws {
        let sealed = try await Sealed()
        let scratch = sealed.small.scratch
        for key in ["mine", "other"] {
            _ = try await Running(
                "/usr/bin/openssl", ["genpkey", "-algorithm", "ed25519", "-out", scratch["\(key).pem"]]
            ).wait()
            _ = try await Running(
                "/usr/bin/openssl", ["pkey", "-in", scratch["\(key).pem"], "-pubout", "-out", scratch["\(key).pub"]]
            )
            .wait()
        }
        try await sealed.verify("snapshot", "--key", scratch["mine.pub"]).failed(7, printing: ": it is not signed: ")
        let signing = try await sealed.small.run("snapshot", "--key", scratch["mine.pem"])
        #expect(signing.code == 0 && signing.output.contains(", signed: "), "\(signing.errors)")
        let held = try await sealed.verify("snapshot", "--key", scratch["mine.pub"])
        #expect(
            held.code == 0
                && held.output.hasSuffix("\nsigned with the key in \(scratch["mine.pub"]): 11 checks passed\n"),
            "\(held.output)"
        )
        // A package that is created again without the key has the same statement, so its signature is kept.
        #expect(try await sealed.small.run("snapshot").output.contains(", signed: "))
        #expect(try await sealed.verify("snapshot", "--key", scratch["mine.pub"]).code == 0)
        let foreign = try await sealed.verify("snapshot", "--key", scratch["other.pub"])
        foreign.failed(7, printing: "is not the signature of")
        let quiet = try await sealed.verify("snapshot", "--key", scratch["other.pub"], "--quiet").output
        #expect(quiet.split(separator: "\n").allSatisfy { $0.hasPrefix("FAIL") } && quiet.contains("FAIL"), "\(quiet)")
        try await sealed.verify("snapshot", "--key", scratch["none.pub"]).failed(2, "cannot read")
        try await sealed.verify("snapshot", "--key", scratch["mine.pem"]).failed(2, "is not a public key in PEM")
        let wrong = try await sealed.small.run("snapshot", "--key", scratch["mine.pub"])
        wrong.failed(2, "is a public key; use the private key to sign")
    }

    @Test func `Verify does not follow a link in its own folders`() async throws {
        let small = try await Small.built()
        for name in ["site", "snapshot"] { try small.scratch.write("precious", to: "canary/\(name)/file") }
        try FileManager.default.createSymbolicLink(
            atPath: "\(small.output)/.amber/verify", withDestinationPath: small.scratch["canary"])
        #expect(try await small.run("verify").code == 0)
        for name in ["site", "snapshot"] {
            #expect(try String(contentsOfFile: small.scratch["canary/\(name)/file"], encoding: .utf8) == "precious")
        }
    }

    @Test func `Verifying something that does not exist is wrong usage`() async throws {
        let small = try Small()
        let cases: [([String], String)] = [
            (
                [],
                "there is nothing to verify in \(small.output) yet; create a site with: \(Program.path) build --config \(small.scratch["quick.json"]) --output \(small.output) --api \(small.server.apiURL)"
            ),
            (["site"], "there is no site in \(small.output) yet"),
            (["moon"], "verify accepts archive, site or snapshot, or no argument for all three, not \"moon\""),
        ]
        for (operands, sentence) in cases {
            try await Program.start(small.arguments("verify", operands)).wait().failed(2, saying: sentence)
        }
    }

    @Test func `Every bit that is flipped at random is found`() async throws {
        try await flip(30)
    }

    @Test(.enabled(if: Soak.minutes != nil, "make soak does"))
    func `Bits that are flipped repeatedly are found`() async throws { try await flip(Soak.isShort ? 100 : 500) }

    private func flip(_ count: Int) async throws {
        let sealed = try await Sealed()
        let folders = ["\(sealed.small.scratch.path)/one", "\(sealed.small.scratch.path)/two"]
        for folder in folders { try await Tool.copy(sealed.small.output, to: folder) }
        try await withThrowingTaskGroup(of: Int.self) { group in
            for (index, folder) in folders.enumerated() {
                group.addTask { try await self.flip(count / 2, seed: UInt64(index + 1), in: folder, sealed) }
            }
            var found = 0
            for try await part in group { found += part }
            #expect(found == count)
        }
        // All bits are flipped back. Everything passes again, so each failure was caused by its bit.
        for folder in folders {
            try await sealed.verify(output: folder).succeeded()
        }
    }

    /// - Returns: the number of flipped bits that were found.
    private func flip(_ count: Int, seed: UInt64, in folder: String, _ sealed: Sealed) async throws -> Int {
        var random = SeededRandom(seed)
        let files = try ["archive", "site", "snapshots"].map { part in
            let names = try #require(FileManager.default.enumerator(atPath: "\(folder)/\(part)")).compactMap {
                $0 as? String
            }.sorted()
            return try names.map { "\(folder)/\(part)/\($0)" }.filter { try size($0) > 0 }
        }
        var found = 0
        for round in 0..<count {
            // Each file of a part has the same chance, whatever its size, and the parts take turns.
            let part = round % 3
            let file = random.pick(files[part])
            let (byte, bit) = (random.integer(below: try size(file)), random.integer(below: 8))
            try Damage.flip(in: file, at: byte, bit: bit)
            let result = try await sealed.verify(["archive", "site", "snapshot"][part], output: folder)
            #expect(result.code == 7, "bit \(bit) of byte \(byte) of \(file): \(result.output)\(result.errors)")
            found += result.code == 7 ? 1 : 0
            try Damage.flip(in: file, at: byte, bit: bit)
        }
        return found
    }

    private func size(_ file: String) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: file)
        guard attributes[.type] as? FileAttributeType == .typeRegular else { return 0 }
        return attributes[.size] as? Int ?? 0
    }
}
