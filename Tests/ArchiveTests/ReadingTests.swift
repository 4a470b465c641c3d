import Foundation
import Platform
import SQLite
import TestSupport
import Testing

@testable import Archive

struct ReadingTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    /// Reads all data that the commands log, diff, render, snapshot and verify read.
    private func readAll(_ archive: ArchiveFolder) throws {
        let revisions = try RevisionReader.all(in: archive) { _ in true }
        #expect(revisions.count == 2)
        for (revision, earlier) in zip(revisions, [nil] + revisions.map(Optional.some)) {
            let reader = try RevisionReader(revision, in: archive)
            #expect(try reader.records(of: "character", at: 0..<9).count == 3)
            try reader.forEachDifference(from: earlier) { _ in }
        }
        let export = "\(test.folder.path)/export.sqlite"
        try RevisionReader(revisions[1], in: archive).export(to: export, views: [])
        try File.remove(export)
        #expect(archive.proofs().filter { $0.fault != nil && !$0.claim.contains(".sha256") } == [])
    }

    @Test func `An export reports bytes before it writes them, and can be stopped`() async throws {
        try await captureTwice()
        let archive = test.archive
        let revision = try #require(try RevisionReader.all(in: archive) { _ in true }.last)
        let reader = try RevisionReader(revision, in: archive)
        var reported = 0
        try reader.export(to: "\(test.folder.path)/export.sqlite", views: []) { reported += $0 }
        let size = Int(try #require(FileStatus("\(test.folder.path)/export.sqlite")).size)
        #expect(reported > 0 && reported <= size)
        struct Full: Error {}
        var calls = 0
        #expect(throws: Full.self) {
            try reader.export(to: "\(test.folder.path)/full.sqlite", views: []) { _ in
                calls += 1
                if calls == 9 { throw Full() }
            }
        }
        #expect(calls == 9)
    }

    private func captureTwice() async throws {
        try await test.capture()
        try await test.capture(Captured(pages: [[(1, "Ada"), (2, "Bob")], [(3, "Cid")]]))
    }

    /// The content, size, inode and times of every file.
    private func state(_ archive: ArchiveFolder) throws -> [String: String] {
        let folder = FileStatus(archive.path).map { "\($0.modified) \($0.changed)" } ?? ""
        return try contents(of: archive.path).mapValues { SHA256(of: [UInt8]($0)).hex }
            .merging(fingerprint(of: archive.path).map { ("facts of \($0)", $1) }) { first, _ in first }
            .merging(["": folder]) { first, _ in first }
    }

    @Test(arguments: 1...6)
    func `Reading an earlier format changes nothing and removes the copy`(version: Int) async throws {
        try await captureTwice()
        try test.rewrite(inFormat: version)
        let before = try state(test.archive)
        var copy = ""
        do {
            let archive = ArchiveFolder(test.archive.path)
            try readAll(archive)
            copy = try archive.location().path
            #expect(copy != archive.database && FileStatus(copy) != nil)
        }
        #expect(FileStatus(copy) == nil)
        #expect(try state(test.archive) == before)
    }

    @Test func `Reading the newest format needs no copy`() async throws {
        try await captureTwice()
        let before = try state(test.archive)
        try readAll(test.archive)
        #expect(try test.archive.location().path == test.archive.database)
        #expect(try state(test.archive) == before)
    }

    /// A copy of the archive while a writer has it open, like after a killed capture.
    private func killedArchive(at version: Int = 6, with endings: [String] = ["", "-wal", "-shm"]) async throws
        -> ArchiveFolder
    {
        try await captureTwice()
        if version < 6 { try test.rewrite(inFormat: version) }
        let db = try Connection(test.archive.database, .readWrite)
        try db.execute("PRAGMA journal_mode = WAL; UPDATE revision SET confirmed = confirmed + 1")
        let killed = ArchiveFolder(test.folder["killed"])
        try Folder.make("\(killed.path)/assets")
        for ending in endings { try File.copy(test.archive.database + ending, to: killed.database + ending) }
        for file in try Folder.files(below: "\(test.archive.path)/assets") {
            try Folder.make("\(killed.path)/assets/\(file.prefix(1))")
            try File.copy("\(test.archive.path)/assets/\(file)", to: "\(killed.path)/assets/\(file)")
        }
        return killed
    }

    @Test(arguments: [6, 5, 1])
    func `Reading after a killed capture finds committed rows and changes nothing`(version: Int) async throws {
        let archive = try await killedArchive(at: version)
        let before = try state(archive)
        try readAll(archive)
        #expect(try state(archive) == before)
        #expect(
            try Connection(archive.location().path, .readOnly).first("PRAGMA journal_mode") { $0.text(0) }
                == "delete")
    }

    @Test func `Reading a WAL database without its log changes nothing`() async throws {
        let archive = try await killedArchive(with: [""])
        let before = try state(archive)
        try readAll(archive)
        #expect(try state(archive) == before)
    }

    @Test func `A journal that names another file is refused, and that file is kept`() async throws {
        try await test.capture()
        let victim = try test.folder.write("precious", to: "victim")
        // The end of a journal of a transaction on several databases
        // (https://sqlite.org/fileformat.html#the_rollback_journal).
        let name = Array(victim.utf8)
        func word(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
        let magic: [UInt8] = [0xD9, 0xD5, 0x05, 0xF9, 0x20, 0xA1, 0x63, 0xD7]
        let pages = try #require(
            try Connection(test.archive.database, .readOnly).first("PRAGMA page_count") { $0.int(0) })
        var journal = magic
        for value in [0, 0, pages, 512, 4_096] { journal += word(value) }
        journal += [UInt8](repeating: 0, count: 512 - journal.count)
        journal += word((1 << 30) / 4_096 + 1)
        journal += name
        journal += word(name.count)
        journal += word(name.reduce(0) { $0 + Int($1) })
        journal += magic
        try File.writeNew(journal, to: "\(test.archive.database)-journal")
        let refusal = ArchiveError.refused("its rollback journal names another file", archive: test.archive.database)
        #expect(throws: refusal) { try test.newest() }
        #expect(throws: refusal) { try ArchiveWriter(test.archive) }
        #expect(FileStatus(victim) != nil)
        // SQLite itself deletes the file.
        _ = try Connection(test.archive.database, .readWrite).schemaVersion(limit: .max)
        #expect(FileStatus(victim) == nil)
    }
}
