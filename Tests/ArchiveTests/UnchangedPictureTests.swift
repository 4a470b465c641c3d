import Platform
import SQLite
import TestSupport
import Testing

@testable import Archive

struct UnchangedPictureTests {
    private let test: TestArchive
    private let bytes = Array("picture one".utf8)
    private let damaged = Array("picture 0ne".utf8)
    private let path: String

    init() async throws {
        test = try TestArchive()
        path = test.archive.assetPath(SHA256(of: bytes))
        try await test.capture()
    }

    /// Whether a further capture accepts the stored picture. An accepted picture is confirmed.
    private func isAccepted() async throws -> Bool {
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        let earlier = try await revision.earlierAnswer(for: "avatar/1.png")
        if let earlier { try await revision.confirm(earlier, as: .asset) }
        try await revision.abandon()
        try await writer.close()
        return earlier != nil
    }

    private func modified() throws -> Int64 { try #require(FileStatus(path)).modified }

    /// Stores the file's current status, as if its bytes had been compared some days ago.
    private func forge(daysAgo days: Int64 = 0) throws {
        let facts = ArchiveFolder.statusText(of: try #require(FileStatus(path)))
        try Connection(test.archive.database, .readWrite).run(
            "UPDATE seen SET facts = ?, compared = compared - ? WHERE asset = (SELECT id FROM asset WHERE sha256 = ?)",
            facts,
            days * 86_400_000, SHA256(of: bytes))
    }

    @Test func `An unchanged picture file is not read for a week, but verify reads it`() async throws {
        #expect(try await isAccepted())
        try File.repair(path, with: damaged)
        try forge()
        #expect(try await isAccepted())
        let faults = test.archive.proofs().compactMap(\.fault)
        #expect(
            faults.contains(
                "assets/\(SHA256(of: bytes).hex.prefix(1))/\(SHA256(of: bytes).hex) does not match the digest in its name"
            ))
        try forge(daysAgo: 6)
        #expect(try await isAccepted())
        try forge(daysAgo: 2)
        #expect(try await !isAccepted())
        // A comparison in the future does not count.
        try forge(daysAgo: -20)
        #expect(try await !isAccepted())
    }

    @Test func `A changed picture file is read, even if its size and time are unchanged`() async throws {
        let time = try modified()
        try File.repair(path, with: damaged)
        setModified(path, to: time)
        #expect(try await !isAccepted())
        // The file is also read if its stored status has another modification time.
        try forge()
        setModified(path, to: time + 1)
        #expect(try await !isAccepted())
    }

    @Test func `If only the time of a picture file changes, it is read and its status is stored`() async throws {
        let facts = { ArchiveFolder.statusText(of: try #require(FileStatus(path))) }
        setModified(path, to: try modified() + 1)
        #expect(try storedStatus() != facts())
        #expect(try await isAccepted())
        #expect(try storedStatus() == facts())
    }

    @Test func `Another file with the same size and time is not accepted`() async throws {
        let time = try modified()
        try File.writeNew(damaged, to: test.folder["other"])
        setModified(test.folder["other"], to: time)
        try File.rename(test.folder["other"], to: path)
        #expect(try await !isAccepted())
        try File.remove(path)
        #expect(try await !isAccepted())
    }

    @Test func `The status of a written or repaired picture file is stored`() async throws {
        #expect(try storedStatus() == ArchiveFolder.statusText(of: #require(FileStatus(path))))
        try File.repair(path, with: damaged)
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        _ = try await revision.accept(.picture(at: "avatar/1.png", bytes))
        try await revision.abandon()
        try await writer.close()
        #expect(try File.read(path) == bytes)
        #expect(try storedStatus() == ArchiveFolder.statusText(of: #require(FileStatus(path))))
    }

    private func storedStatus() throws -> String? {
        try Connection(test.archive.database, .readOnly).first(
            "SELECT facts FROM seen JOIN asset ON asset.id = asset WHERE sha256 = ?", SHA256(of: bytes)
        ) { $0.text(0) }
    }
}
