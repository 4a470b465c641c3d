import Archive
import SQLite
import Testing

@Suite("An archive of the version before imports")
struct UpgradeTests {
    @Test("has each revision's records from the answers of that revision, those too that a later capture found again")
    func broughtBy() async throws {
        let test = try TestArchive()
        let first = try await test.capture().revision
        var state = Captured()
        state.pages[0] = [(1, "Ada"), (2, "Bob")]
        let second = try await test.capture(state).revision
        try makeOld(test.archive)
        #expect(try test.newest() == second)

        for revision in [first, second] {
            let reader = try RevisionReader(revision, in: test.archive)
            var brought: [String] = []
            for page in try reader.answers(as: .page) {
                brought += try reader.records(broughtBy: page).map { "\(page.path) \($0.key)" }
            }
            #expect(brought == ["character?page=1 character 1", "character?page=1 character 2", "character?page=2 character 3"])
            #expect(try reader.origins(of: "character", at: 0..<3).count == 3)
        }
        #expect(ArchiveVerifier(test.archive).proofs().filter { $0.fault != nil } == [])
    }

    /// Takes the tables back to how that version left them.
    private func makeOld(_ archive: ArchiveFolder) throws {
        try Connection(archive.database, .readWrite).execute(
            """
            DROP INDEX member_by_exchange; DROP INDEX file_by_body; DROP TABLE file; DROP TABLE seen;
            ALTER TABLE member DROP COLUMN exchange; ALTER TABLE revision DROP COLUMN imported;
            PRAGMA user_version = 2;
            """)
    }
}
