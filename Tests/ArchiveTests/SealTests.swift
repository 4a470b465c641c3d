import Foundation
import Platform
import TestSupport
import Testing

@testable import Archive

struct SealTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    @Test(
        arguments: [
            "UPDATE source SET api = 'http://127.0.0.1/other'", "UPDATE revision SET started = started - 1",
            "UPDATE revision SET finished = finished + 1", "UPDATE list SET count = 4", "DELETE FROM list",
            "UPDATE gap SET reason = 'is fine'",
            "DELETE FROM gap", "UPDATE exchange SET headers = x'41'", "UPDATE exchange SET received = received + 1",
            "UPDATE asset SET format = 'gif'",
            "UPDATE asset SET width = 4",
            // This statement exchanges two pictures.
            "UPDATE member SET picture = CASE position WHEN 0 THEN 'avatar/2.png' WHEN 1 THEN 'avatar/1.png' END",
            "UPDATE member SET picture = NULL",
            // This statement assigns the records to another answer.
            "UPDATE member SET exchange = (SELECT exchange FROM answer WHERE path = 'character?page=2')",
        ])
    func `The seal covers everything that pages and proofs use`(_ sql: String) async throws {
        let revision = try await test.capture(Captured(gaps: [Gap(url: "one", reason: "is missing")])).revision
        #expect(test.faults() == [])
        try test.execute(sql)
        #expect(
            test.faults().contains("revision \(revision.number) does not have the seal that it was closed with"),
            "\(test.faults())")
    }

    @Test func `A seal does not change when other revisions are added to the archive`() async throws {
        let first = try await test.capture().revision
        try await test.capture(Captured(pages: [[(1, "Ada"), (2, "Bob")], [(3, "Cid")]], folder: "elsewhere"))
        #expect(
            try await !test.capture(Captured(pages: [[(1, "Ada"), (2, "Bob")], [(3, "Cid")]], folder: "elsewhere"))
                .isNew)
        let (bytes, slices) = Captured.page([(1, "Ada"), (9, "Eve")])
        let file = ImportedFile(name: "characters.json", bytes: bytes, records: slices)
        let writer = try ArchiveWriter(test.archive)
        _ = try await writer.importState(of: TestArchive.source, date: first.finished - 5, [file])
        try await writer.close()
        for revision in try RevisionReader.all(in: test.archive, where: { _ in true }) {
            #expect(try RevisionReader(revision, in: test.archive).computedSeal() == revision.seal)
        }
        #expect(test.faults() == [])
        #expect(
            try RevisionReader.all(in: test.archive) { _ in true }.contains {
                $0.number == first.number && $0.seal == first.seal
            })
    }

    @Test func `A revision that an import splits gets its own seal`() async throws {
        let file = { (name: String) in
            let (bytes, slices) = Captured.page([(1, name)])
            return ImportedFile(name: "characters.json", bytes: bytes, records: slices)
        }
        for (date, name) in [(Int64(1), "Ada"), (9, "Ada"), (5, "Eve")] {
            let writer = try ArchiveWriter(test.archive)
            _ = try await writer.importState(of: TestArchive.source, date: date, [file(name)])
            try await writer.close()
        }
        let revisions = try RevisionReader.all(in: test.archive) { _ in true }
        #expect(revisions.map(\.finished) == [1, 5, 9] && Set(revisions.map(\.seal)).count == 3)
        #expect(test.faults() == [])
    }

    @Test func `An export has the same seal, and the seal can be computed from it`() async throws {
        try await test.capture(Captured(pages: [[(7, "Zoe")]]))
        let revision = try await test.capture().revision
        let copy = ArchiveFolder(test.folder["copy"])
        try Folder.make(copy.path)
        try RevisionReader(revision, in: test.archive).export(to: copy.database, views: [])
        let exported = try #require(try RevisionReader.newest(in: copy) { _ in true })
        #expect(exported.seal == revision.seal)
        #expect(try RevisionReader(exported, in: copy).computedSeal() == revision.seal)
    }

    @Test func `A seal that was computed late is reported as late`() async throws {
        try await test.capture()
        try test.rewrite(inFormat: 5)
        let claims = test.archive.proofs().map(\.claim)
        #expect(
            claims.contains { $0.hasSuffix("; seals computed when the archive was migrated, not at capture: 1") },
            "\(claims)")
    }

    @Test func `The program in docs/format.md computes the seal`() async throws {
        let python = "/usr/bin/python3"
        try #require(
            FileManager.default.isExecutableFile(atPath: python),
            "python3 is needed to run the program of docs/format.md")
        let revision = try await test.capture(
            Captured(
                pages: [[(7, "Zoë"), (2, "B,e:n")], [(5, "")]],
                gaps: [Gap(url: "ü", keyPath: "a[1]", reason: "is 3:x,")])
        ).revision
        let document = try String(contentsOfFile: "\(Program.root)/docs/format.md", encoding: .utf8)
        let start = try #require(document.range(of: "    import hashlib"))
        let program = document[start.lowerBound...].split(separator: "\n", omittingEmptySubsequences: false)
            .prefix { $0.isEmpty || $0.hasPrefix("    ") }.map { $0.dropFirst(4) }.joined(separator: "\n")
        let script = try test.folder.write(program, to: "seal.py")
        let result = try await Running(python, [script, test.archive.database]).wait()
        #expect(result.output == "\(revision.number) \(revision.seal.hex) as closed\n", "\(result.errors)")
    }
}
