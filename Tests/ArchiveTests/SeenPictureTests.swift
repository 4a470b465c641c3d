import Platform
import SQLite
import TestSupport
import Testing

@testable import Archive

@Suite("A picture's file")
struct SeenPictureTests {
    private let test: TestArchive
    private let bytes = Array("picture one".utf8)
    private let damaged = Array("picture 0ne".utf8)
    private let path: String

    init() async throws {
        test = try TestArchive()
        path = test.archive.assetPath(SHA256(of: bytes))
        try await test.capture()
    }

    /// What a further capture finds, after what `change` did to the file; it confirms what it finds.
    private func isFound() async throws -> Bool {
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        let earlier = try await revision.earlierAnswer(for: "avatar/1.png")
        if let earlier { try await revision.confirm(earlier, as: .picture) }
        try await revision.abandon()
        try await writer.close()
        return earlier != nil
    }

    private func modified() throws -> Int64 { try #require(FileStatus(path)).modified }

    /// Makes what was seen of the file what it is now, as if nothing had touched it, so many days ago.
    private func forge(daysAgo days: Int64 = 0) throws {
        let facts = ArchiveFolder.facts(of: try #require(FileStatus(path)))
        try Connection(test.archive.database, .readWrite).run(
            "UPDATE seen SET facts = ?, compared = compared - ? WHERE asset = (SELECT id FROM asset WHERE sha256 = ?)",
            .text(facts),
            .integer(days * 86_400_000), .blob(SHA256(of: bytes).bytes))
    }

    @Test("that is as it was when it was last compared is taken for whole and not read, for a week; verify reads it")
    func unread() async throws {
        #expect(try await isFound())
        try File.mend(path, with: damaged)
        try forge()
        #expect(try await isFound())
        let faults = ArchiveVerifier(test.archive).proofs().compactMap(\.fault)
        #expect(
            faults.contains(
                "assets/\(SHA256(of: bytes).hex.prefix(1))/\(SHA256(of: bytes).hex) is not the picture that its name says"
            ))
        try forge(daysAgo: 6)
        #expect(try await isFound())
        try forge(daysAgo: 2)
        #expect(try await !isFound())
        // What was compared in the future was not.
        try forge(daysAgo: -20)
        #expect(try await !isFound())
    }

    @Test("that was written to is read, whatever its size and time: one with other bytes is not found")
    func written() async throws {
        let time = try modified()
        try File.mend(path, with: damaged)
        try File.setModified(path, to: time)
        #expect(try await !isFound())
        // Not even when its digest is noted for another time.
        try forge()
        try File.setModified(path, to: time + 1)
        #expect(try await !isFound())
    }

    @Test("that was only touched is read, found whole, and noted when it is confirmed")
    func touched() async throws {
        let facts = { ArchiveFolder.facts(of: try #require(FileStatus(path))) }
        try File.setModified(path, to: try modified() + 1)
        #expect(try seen() != facts())
        #expect(try await isFound())
        #expect(try seen() == facts())
    }

    @Test("of the same time and length that is another file, or is gone, is not taken for the one that was seen")
    func replaced() async throws {
        let time = try modified()
        try File.writeNew(damaged, to: test.folder["other"])
        try File.setModified(test.folder["other"], to: time)
        try File.rename(test.folder["other"], to: path)
        #expect(try await !isFound())
        try File.remove(path)
        #expect(try await !isFound())
    }

    @Test("that was written or mended is noted as it is then")
    func mended() async throws {
        #expect(try seen() == ArchiveFolder.facts(of: #require(FileStatus(path))))
        try File.mend(path, with: damaged)
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        _ = try await revision.accept(.picture(at: "avatar/1.png", bytes))
        try await revision.abandon()
        try await writer.close()
        #expect(try File.read(path) == bytes)
        #expect(try seen() == ArchiveFolder.facts(of: #require(FileStatus(path))))
    }

    private func seen() throws -> String? {
        try Connection(test.archive.database, .readOnly).first(
            "SELECT facts FROM seen JOIN asset ON asset.id = asset WHERE sha256 = ?", .blob(SHA256(of: bytes).bytes)
        ) { $0.text(0) }
    }
}
