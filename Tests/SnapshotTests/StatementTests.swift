import Archive
import Testing

@testable import Snapshot

struct StatementTests {
    private let digest = SHA256(of: [1]).hex
    private var text: String {
        """
        amber package statement 1
        package: things-2026-11-21-r5
        api: https://api.example.org/api
        catalogue: things
        origin: live
        revision: 5
        date: 2026-11-21T10:20:30Z
        root-hash: \(digest)
        revision-digest: \(digest)
        revision-seal: \(digest)
        tar-sha256: \(digest)
        tar-bytes: 10240
        wacz-sha256: none
        wacz-bytes: none
        tagmanifest-sha256: \(digest)
        software: Amber 0

        """
    }

    private func fault(_ text: some Sequence<UInt8>) -> String? {
        damage { _ = try PackageStatement(Array(text), "x.statement") }
    }

    @Test func `A statement is read back unchanged`() throws {
        let statement = try PackageStatement(Array(text.utf8), "x.statement")
        #expect(
            statement[.package] == "things-2026-11-21-r5" && statement[.wacz] == "none" && statement[.tar] == digest)
        #expect(statement.bytes == Array(text.utf8))
        let values = Dictionary(uniqueKeysWithValues: PackageStatement.Key.allCases.map { ($0, statement[$0]) })
        #expect(try PackageStatement(values) == statement)
    }

    @Test func `Any other form is refused with the line`() {
        func replacing(_ old: String, _ new: String) -> String? { fault(text.replacing(old, with: new).utf8) }
        #expect(fault(text.utf8) == nil)
        #expect(fault([]) == "x.statement does not begin with \"amber package statement 1\"")
        #expect(
            replacing("statement 1", "statement 2") == "x.statement does not begin with \"amber package statement 1\"")
        #expect(replacing("amber", "\u{FEFF}amber") == "x.statement does not begin with \"amber package statement 1\"")
        #expect(replacing("\n", "\r\n") == "x.statement does not begin with \"amber package statement 1\"")
        #expect(replacing("things\n", "things\r\n") == "x.statement, line 4, is not a valid catalogue")
        #expect(replacing("origin: live\n", "") == "x.statement, line 5, does not begin with \"origin: \"")
        #expect(
            replacing("origin: live\n", "origin: live\norigin: live\n")
                == "x.statement, line 6, does not begin with \"revision: \"")
        #expect(replacing("origin: ", "Origin: ") == "x.statement, line 5, does not begin with \"origin: \"")
        #expect(replacing("origin: ", "origin:") == "x.statement, line 5, does not begin with \"origin: \"")
        #expect(replacing("origin: live", "origin: ") == "x.statement, line 5, is not a valid origin")
        #expect(replacing("revision: 5", "revision: 05") == "x.statement, line 6, is not a valid revision")
        #expect(
            replacing("revision: 5", "revision: 99999999999999999999") == "x.statement, line 6, is not a valid revision"
        )
        #expect(
            replacing("tar-sha256: \(digest)", "tar-sha256: none") == "x.statement, line 11, is not a valid tar-sha256")
        #expect(
            replacing("root-hash: \(digest)", "root-hash: \(digest.uppercased())")
                == "x.statement, line 8, is not a valid root-hash")
        let surplus = "x.statement does not have exactly the 16 lines of a statement"
        #expect(fault("\(text)\n".utf8) == surplus)
        #expect(fault("\(text)note: more\n".utf8) == surplus)
        #expect(fault(text.dropLast().utf8) == surplus)
        #expect(fault(Array(text.utf8.dropLast()) + [0xFF, 0x0A]) == surplus)
    }

    @Test(arguments: [
        "two\nlines", "two\rlines", "nul\0", "escape\u{1B}[2J", "next\u{85}line", "separated\u{2028}", "",
    ])
    func `A value with line breaks or control characters is refused`(value: String) throws {
        let statement = try PackageStatement(Array(text.utf8), "x.statement")
        var values = Dictionary(uniqueKeysWithValues: PackageStatement.Key.allCases.map { ($0, statement[$0]) })
        values[.api] = value
        #expect(
            throws: SnapshotError.unwritable("the statement cannot contain the api \"\(value)\"; use one line of text")
        ) {
            try PackageStatement(values)
        }
    }
}
