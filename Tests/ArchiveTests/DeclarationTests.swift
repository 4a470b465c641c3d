import Platform
import SQLite
import TestSupport
import Testing

@testable import Archive

struct DeclarationTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    /// A declaration with a capture part, and a part that only pages use.
    private static func declaration(_ capture: String, pages: String = "") -> StoredDeclaration {
        (Array("\(capture)\(pages)".utf8), SHA256(of: capture.utf8))
    }

    @discardableResult
    private func capture(_ name: String, _ declaration: StoredDeclaration?, gaps: [Gap] = []) async throws
        -> RevisionWriter.Outcome
    {
        let writer = try ArchiveWriter(test.archive)
        let revision = try await RevisionWriter(
            of: TestArchive.source, in: test.archive, through: writer, resumeAfter: 0, declaration: declaration)
        try await revision.store(Captured(pages: [[(1, name)]]))
        let outcome = try await revision.finish(gaps: gaps)
        try await writer.close()
        return outcome
    }

    /// The declarations of all revisions, by date; empty texts for revisions without one.
    private func declarations(in archive: ArchiveFolder? = nil) throws -> [String] {
        let archive = archive ?? test.archive
        return try RevisionReader.all(in: archive) { _ in true }.map {
            String(decoding: try RevisionReader($0, in: archive).declaration(), as: UTF8.self)
        }
    }

    private func storedCount() throws -> Int? { try test.rows()["declaration"] }

    @Test func `Each revision stores its declaration, and equal ones are stored once`() async throws {
        let new = try await capture("Ada", Self.declaration("one"))
        try await capture("Bea", Self.declaration("one"))
        try await capture("Cid", Self.declaration("two"))
        #expect(try declarations() == ["one", "one", "two"])
        #expect(try storedCount() == 2)
        #expect(try RevisionReader.all(in: test.archive) { _ in true }.first == new.revision)
        #expect(new.revision.captureDigest == Self.declaration("one").captureDigest)
        #expect(test.faults() == [])
    }

    @Test func `An unchanged capture replaces a declaration of another capture digest`() async throws {
        try await capture("Ada", nil)
        #expect(try await !capture("Ada", Self.declaration("one")).isNew)
        #expect(try declarations() == [""], "a revision without a declaration stays without one")
        try await capture("Bea", Self.declaration("one"))
        #expect(try await !capture("Bea", Self.declaration("one", pages: ", other labels")).isNew)
        #expect(try declarations() == ["", "one"])
        #expect(try await !capture("Bea", Self.declaration("two")).isNew)
        #expect(try declarations() == ["", "two"])
        #expect(try storedCount() == 1, "the first declaration is no longer used")
        #expect(test.faults() == [])
    }

    @Test func `Gaps that appear or disappear make a new revision`() async throws {
        let gap = Gap(url: "character", keyPath: "created", reason: "is no date")
        try await capture("Ada", Self.declaration("string"))
        #expect(try await capture("Ada", Self.declaration("datetime"), gaps: [gap]).isNew)
        #expect(try await !capture("Ada", Self.declaration("datetime"), gaps: [gap]).isNew)
        let last = try await capture("Ada", Self.declaration("datetime"))
        #expect(try last.isNew && RevisionReader(last.revision, in: test.archive).gaps().isEmpty)
        #expect(test.faults() == [])
    }

    @Test func `The declaration does not change the digest and the seal of a revision`() async throws {
        let first = try await capture("Ada", nil).revision
        let second = try await capture("Bea", Self.declaration("one")).revision
        #expect(first.seal != second.seal)
        for revision in [first, second] {
            try test.execute("UPDATE revision SET declaration = NULL")
            #expect(try RevisionReader(revision, in: test.archive).computedSeal() == revision.seal)
        }
    }

    @Test func `An imported state stores its declaration, and so does the copy of a state`() async throws {
        try await capture("Ada", Self.declaration("one"))
        try await capture("Ada", Self.declaration("one"))
        let (bytes, slices) = Captured.page([(9, "Eve")])
        let file = ImportedFile(name: "characters.json", bytes: bytes, records: slices)
        let revision = try #require(try test.newest())
        try test.execute("UPDATE revision SET finished = 1, started = 1, confirmed = 9")
        let writer = try ArchiveWriter(test.archive)
        _ = try await writer.importState(
            of: revision.source, date: 5, [file], declaration: Self.declaration("two"))
        try await writer.close()
        #expect(try declarations() == ["one", "two", "one"])
    }

    @Test func `An export has the declarations of its revisions only`() async throws {
        try await capture("Ada", Self.declaration("one"))
        let second = try await capture("Bea", Self.declaration("two")).revision
        try await capture("Cid", Self.declaration("three"))
        let copy = ArchiveFolder(test.folder["copy"])
        try Folder.make(copy.path)
        try RevisionReader(second, in: test.archive).export(to: copy.database, views: [])
        #expect(try declarations(in: copy) == ["one", "two"])
        #expect(
            try Connection(copy.database, .readOnly).first("SELECT count(*) FROM declaration") { $0.int(0) } == 2)
    }

    @Test func `A changed declaration fails the check of digests`() async throws {
        try await capture("Ada", Self.declaration("one"))
        #expect(test.faults() == [])
        try test.execute("UPDATE declaration SET bytes = CAST('on3' AS BLOB)")
        #expect(test.faults() == ["declaration 1 does not match its digest"])
    }

    @Test func `A declaration of more bytes than a file may have is refused`() async throws {
        try await capture("Ada", Self.declaration("one"))
        try test.execute("UPDATE declaration SET bytes = zeroblob(\(1 << 20 + 1))")
        #expect(test.faults().first?.contains("\"declaration\" has longer values than any archive") == true)
    }
}
