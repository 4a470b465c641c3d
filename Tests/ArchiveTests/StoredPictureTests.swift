import Glibc
import Platform
import TestSupport
import Testing

@testable import Archive

struct StoredPictureTests {
    private let test: TestArchive
    private let bytes = Array("picture one".utf8)
    private let damaged = Array("picture 0ne".utf8)
    private let path: String

    init() async throws {
        test = try TestArchive()
        path = test.archive.assetPath(SHA256(of: bytes))
        try await test.capture()
    }

    /// Whether a further capture accepts the stored picture.
    private func isAccepted() async throws -> Bool {
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        let earlier = try await revision.earlierAnswer(for: "avatar/1.png")
        try await revision.abandon()
        try await writer.close()
        return earlier != nil
    }

    @Test func `A damaged picture file is not accepted, even if its size and time are unchanged`() async throws {
        #expect(try await isAccepted())
        let time = try #require(FileStatus(path)).modified
        try File.repair(path, with: damaged)
        setModified(path, to: time)
        #expect(try await !isAccepted())
        let name = SHA256(of: bytes).hex
        let fault = "assets/\(name.prefix(1))/\(name) does not match the digest in its name"
        #expect(test.archive.proofs().compactMap(\.fault).contains(fault))
        try File.remove(path)
        #expect(try await !isAccepted())
    }

    @Test func `A damaged picture file is repaired when the picture is stored again`() async throws {
        try File.repair(path, with: damaged)
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        _ = try await revision.accept(newPicture(at: "avatar/1.png", bytes))
        try await revision.abandon()
        try await writer.close()
        #expect(try File.read(path) == bytes)
    }

    @Test func `A link in place of a picture is not accepted, and is replaced when the picture is stored again`()
        async throws
    {
        let elsewhere = try test.folder.write("picture one", to: "elsewhere")
        try File.remove(path)
        try #require(symlink(elsewhere, path) == 0)
        #expect(try await !isAccepted())
        let writer = try ArchiveWriter(test.archive)
        let revision = try await test.revision(writer)
        _ = try await revision.accept(newPicture(at: "avatar/1.png", bytes))
        try await revision.abandon()
        try await writer.close()
        #expect(FileStatus(path)?.isRegular == true)
        #expect(try File.read(path) == bytes && File.read(elsewhere) == bytes)
    }
}
