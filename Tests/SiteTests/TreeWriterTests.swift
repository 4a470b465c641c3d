import Archive
import Catalogue
import Foundation
import Platform
import TestSupport
import Testing

@testable import Site

/// How single files are brought up to date.
struct TreeWriterTests {
    private let scratch: ScratchFolder
    private let path = SitePath(fixed: "a.html")

    init() throws {
        scratch = try ScratchFolder()
        try Folder.make("\(scratch.path)/tree")
    }

    private var file: String { "\(scratch.path)/tree/a.html" }

    private func text(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    private func write(_ text: String, after before: Manifest.Entry?) throws -> (
        entry: Manifest.Entry, outcome: TreeWriter.Outcome
    ) {
        let (entry, outcome) = try TreeWriter(
            folder: try Folder.open("\(scratch.path)/tree"), archive: try Folder.open(scratch.path)
        )
        .write(
            Array(text.utf8), to: path, known: before)
        return (entry, outcome)
    }

    @Test("What is there already is left alone; what differs is written in place, longer or shorter")
    func inPlace() throws {
        let first = try write("one", after: nil)
        #expect(first.outcome == .written)
        let again = try write("one", after: first.entry)
        #expect(again.outcome == .kept && again.entry == first.entry)
        var entry = first.entry
        for content in ["a longer text", "s", ""] {
            let next = try write(content, after: entry)
            #expect(next.outcome == .written && next.entry.inode == first.entry.inode)
            #expect(try text(file) == content)
            entry = next.entry
        }
    }

    @Test("Nothing is written any more when the disk is nearly full")
    func diskFills() throws {
        let free = Guarded(1_000_000_000)
        let folder = try Folder.open("\(scratch.path)/tree")
        let writer = TreeWriter(folder: folder, archive: folder) { free.withLock { $0 } }
        _ = try writer.write(Array("one".utf8), to: path, known: nil)
        free.withLock { $0 = 99_000_000 }
        // The disk is looked at every 64 MiB.
        let large = [UInt8](repeating: 32, count: 65 << 20)
        let error = try #require(throws: SiteError.self) {
            try writer.write(large, to: SitePath(fixed: "b.html"), known: nil)
        }
        #expect("\(error)".contains("has only 99000000 bytes left"))
        #expect(FileStatus("b.html", in: folder) == nil)
    }

    @Test("A file written piece by piece ends when the disk is nearly full, and nothing of it stays")
    func diskFillsInAStream() throws {
        let free = Guarded(1_000_000_000)
        let folder = try Folder.open("\(scratch.path)/tree")
        let writer = TreeWriter(folder: folder, archive: folder) { free.withLock { $0 } }
        let written = Guarded(0)
        let piece = [UInt8](repeating: 32, count: 1 << 20)
        let stream = SiteStream(path: path) { file, willWrite in
            try FileWriter.write(file, willWrite) { append in
                for _ in 0..<1_000 {
                    try append(piece)
                    written.withLock { $0 += piece.count }
                    free.withLock { $0 -= 14_000_000 }
                }
            }
        }
        let error = try #require(throws: SiteError.self) { try writer.write(stream, known: nil) }
        #expect("\(error)".contains("are for other programs"))
        // The disk is looked at every 64 MiB.
        #expect(written.withLock { $0 } <= 192 << 20)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("A limit ends a file written piece by piece before the piece that exceeds it")
    func limitInAStream() throws {
        let folder = try Folder.open("\(scratch.path)/tree")
        let writer = TreeWriter(folder: folder, archive: folder, limit: 10)
        let written = Guarded(0)
        let stream = SiteStream(path: path) { file, willWrite in
            try FileWriter.write(file, willWrite) { append in
                for _ in 0..<5 {
                    try append([1, 2, 3, 4])
                    written.withLock { $0 += 4 }
                }
            }
        }
        #expect(throws: ArchiveError.damaged("it makes a site of more than 10 bytes")) {
            try writer.write(stream, known: nil)
        }
        #expect(written.withLock { $0 } == 8)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test("A limit ends the writing before the file that exceeds it")
    func limit() throws {
        let folder = try Folder.open("\(scratch.path)/tree")
        let writer = TreeWriter(folder: folder, archive: folder, limit: 10)
        for name in ["a", "b"] { _ = try writer.write(Array("12345".utf8), to: SitePath(joined: name), known: nil) }
        let error = try #require(throws: ArchiveError.self) {
            try writer.write([1], to: SitePath(joined: "c"), known: nil)
        }
        #expect(error == .damaged("it makes a site of more than 10 bytes"))
        #expect(FileStatus("c", in: folder) == nil)
    }

    @Test("List pages share a batch only where they fit into memory together")
    func pageParts() {
        #expect(TwinFiles.pageParts([]).isEmpty)
        #expect(
            TwinFiles.pageParts([Int](repeating: 1, count: 25)) == [.pages(0..<10), .pages(10..<20), .pages(20..<25)])
        let large = 17 << 20
        #expect(
            TwinFiles.pageParts([large, 1, 1, large, large, 1]) == [
                .largePage(0), .pages(1..<3), .largePage(3), .largePage(4), .pages(5..<6),
            ])
        #expect(TwinFiles.pageParts([8 << 20, 8 << 20, 8 << 20]) == [.pages(0..<2), .pages(2..<3)])
    }

    @Test("What is not known is read: the same bytes are left alone, others replaced")
    func unknown() throws {
        let first = try write("one", after: nil)
        let again = try write("one", after: nil)
        #expect(again.outcome == .kept && again.entry == first.entry)
        #expect(try write("eno", after: nil).outcome == .written)
        #expect(try text(file) == "eno")
    }

    @Test("A file with a second name is somebody's copy: it keeps its content")
    func copies() throws {
        let first = try write("one", after: nil)
        try FileManager.default.linkItem(atPath: file, toPath: "\(scratch.path)/copy.html")
        #expect(try write("two", after: first.entry).outcome == .written)
        #expect(try text(file) == "two" && text("\(scratch.path)/copy.html") == "one")
    }

    @Test(
        "A file that is not ours is replaced, not written into: a link's target stays as it is",
        arguments: [true, false])
    func foreign(isKnown: Bool) throws {
        let first = try write("one", after: nil)
        let target = try scratch.write("precious", to: "precious.txt")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
        #expect(try write("two", after: isKnown ? first.entry : nil).outcome == .written)
        #expect(try text(target) == "precious" && text(file) == "two")
        #expect(FileStatus(file)?.size == 3)
    }

    @Test("A folder at the place is an error that names it")
    func folder() throws {
        try Folder.make(file)
        #expect(throws: SystemError.self) { try write("one", after: nil) }
    }

    @Test("A picture is a second name of the archive's file, and put back where it was replaced")
    func pictures() throws {
        let bytes = Array("picture".utf8)
        let name = ArchiveFolder.assetName(hex: SHA256(of: bytes).hex)
        let source = try scratch.write("picture", to: name)
        let asset = Asset(sha256: SHA256(of: bytes), size: bytes.count, format: .png, width: 1, height: 1)
        let link = { (known: Manifest.Entry?) in
            try TreeWriter(folder: try Folder.open("\(scratch.path)/tree"), archive: try Folder.open(scratch.path))
                .link(
                    asset, to: path, known: known)
        }
        let first = try link(nil)
        #expect(first.1 == .written && FileStatus(file)?.inode == FileStatus(source)?.inode)
        var known = first.0
        #expect(try link(known).1 == .kept && link(nil).1 == .kept)
        try FileManager.default.removeItem(atPath: file)
        try scratch.write("other", to: "tree/a.html")
        #expect(try link(known).1 == .written)
        #expect(try text(file) == "picture")
        // The archive's file is another one now: what the site has may be what was wrong with it.
        try FileManager.default.copyItem(atPath: source, toPath: "\(source).new")
        try FileManager.default.removeItem(atPath: file)
        try FileManager.default.linkItem(atPath: source, toPath: file)
        known = try link(known).0
        try FileManager.default.removeItem(atPath: source)
        try FileManager.default.moveItem(atPath: "\(source).new", toPath: source)
        #expect(try link(known).1 == .written && FileStatus(file)?.inode == FileStatus(source)?.inode)
        try scratch.write("short", to: name)
        #expect(throws: ArchiveError.damaged("the picture \(source) has 5 bytes in place of 7")) { try link(known) }
        try FileManager.default.removeItem(atPath: source)
        #expect(throws: ArchiveError.damaged("the picture \(source) is missing")) { try link(known) }
        // A link to the very bytes, a pipe, and a link in the place of a folder.
        try scratch.write("picture", to: "elsewhere/\(source.split(separator: "/").last ?? "")")
        try FileManager.default.createSymbolicLink(
            atPath: source, withDestinationPath: "\(scratch.path)/elsewhere/\(source.split(separator: "/").last ?? "")")
        #expect(throws: ArchiveError.damaged("the picture \(source) is not a regular file")) { try link(nil) }
        try FileManager.default.removeItem(atPath: source)
        mkfifo(source, 0o600)
        #expect(throws: ArchiveError.damaged("the picture \(source) is not a regular file")) { try link(nil) }
        let parent = (source as NSString).deletingLastPathComponent
        try FileManager.default.removeItem(atPath: parent)
        try FileManager.default.createSymbolicLink(atPath: parent, withDestinationPath: "\(scratch.path)/elsewhere")
        #expect(throws: SystemError("open the folder", parent, code: 40)) { try link(nil) }
    }
}
