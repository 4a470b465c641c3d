import Catalogue
import Foundation
import Pages
import Platform
import TestSupport
import Testing

@testable import Archive
@testable import Site

struct TreeWriterTests {
    private let scratch: ScratchFolder
    private let path = SitePath(fixed: "a.html")

    init() throws {
        scratch = try ScratchFolder()
        try Folder.make("\(scratch.path)/tree")
    }

    private var file: String { "\(scratch.path)/tree/a.html" }

    private func text(_ file: String) throws -> String { try String(contentsOfFile: file, encoding: .utf8) }

    private func writer(isNew: Bool = false, published: OpenFolder? = nil) throws -> TreeWriter {
        TreeWriter(
            folder: try Folder.open("\(scratch.path)/tree"), archive: try Folder.open(scratch.path),
            disk: DiskReserve { nil }, isNew: isNew, published: published)
    }

    /// - Returns: whether the file was written.
    private func write(_ text: String, isNew: Bool = false, published: OpenFolder? = nil) throws -> Bool {
        let writer = try writer(isNew: isNew, published: published)
        try writer.write(Array(text.utf8), to: path)
        #expect(writer.report.files == 1 && writer.report.bytes == Int64(text.utf8.count))
        return writer.report.written == 1
    }

    @Test func `Equal files are kept, and different ones are overwritten in place`() throws {
        #expect(try write("one"))
        let first = try #require(FileStatus(file))
        #expect(try !write("one") && FileStatus(file) == first)
        for content in ["eno", "a longer text", "s", ""] {
            #expect(try write(content) && FileStatus(file)?.inode == first.inode)
            #expect(try text(file) == content)
        }
    }

    @Test func `An equal published file gets a second name and is never modified`() throws {
        let place = try scratch.write("one", to: "published/a.html")
        let published = try Folder.open("\(scratch.path)/published")
        #expect(try !write("one", isNew: true, published: published))
        #expect(FileStatus(file)?.inode == FileStatus(place)?.inode)
        #expect(try write("two", published: published))
        #expect(try text(place) == "one" && text(file) == "two")
        #expect(try !write("one", published: published))
        #expect(FileStatus(file)?.inode == FileStatus(place)?.inode)
    }

    @Test func `A file written in pieces is kept if the tree has it`() throws {
        for (content, written) in [("one", 1), ("one", 0), ("two", 1), ("longer", 1)] {
            let writer = try writer()
            try writer.write(SiteStream(path: path, appending: { append in try append(Array(content.utf8)) }))
            #expect(writer.report.written == written && writer.report.bytes == Int64(content.utf8.count))
            #expect(try text(file) == content)
            #expect(try FileManager.default.contentsOfDirectory(atPath: "\(scratch.path)/tree") == ["a.html"])
        }
    }

    @Test func `The draft of a file written in pieces replaces no file of the site`() throws {
        let other = SitePath(fixed: "a.html.draft")
        let writer = try writer()
        try writer.write(Array("other".utf8), to: other)
        // A build that was killed left a draft.
        try scratch.write("old", to: "tree/a.html~")
        try writer.write(
            SiteStream(
                path: path,
                appending: { append in
                    try append(Array("one".utf8))
                    // Another thread can write the other file while the draft is open.
                    try writer.write(Array("other".utf8), to: other)
                }))
        #expect(try text(file) == "one" && text("\(scratch.path)/tree/\(other)") == "other")
        #expect(try Folder.names(in: "\(scratch.path)/tree") == ["a.html", other.text])
    }

    @Test func `Nothing is written when the disk is nearly full`() throws {
        let free = Locked(1_000_000_000)
        let folder = try Folder.open("\(scratch.path)/tree")
        let writer = TreeWriter(folder: folder, archive: folder, disk: DiskReserve { free.withLock { $0 } })
        _ = try writer.write(Array("one".utf8), to: path)
        free.withLock { $0 = 99_000_000 }
        // The free space is read again after each megabyte, which is a hundredth of the reserve.
        let large = [UInt8](repeating: 32, count: 1_000_000)
        for _ in 1...2 {
            let error = try #require(throws: SiteError.self) {
                try writer.write(large, to: SitePath(fixed: "b.html"))
            }
            #expect("\(error)".contains("has only 99000000 bytes left"))
        }
        #expect(FileStatus("b.html", in: folder) == nil)
    }

    @Test func `A file written in pieces is removed when the disk is nearly full`() throws {
        let free = Locked(1_000_000_000)
        let folder = try Folder.open("\(scratch.path)/tree")
        let writer = TreeWriter(folder: folder, archive: folder, disk: DiskReserve { free.withLock { $0 } })
        let written = Locked(0)
        let piece = [UInt8](repeating: 32, count: 1 << 20)
        let stream = SiteStream(
            path: path,
            appending: { append in
                for _ in 0..<1_000 {
                    try append(piece)
                    written.withLock { $0 += piece.count }
                    free.withLock { $0 -= 14_000_000 }
                }
            })
        let error = try #require(throws: SiteError.self) { try writer.write(stream) }
        #expect("\(error)".contains("are reserved for other programs"))
        #expect(written.withLock { $0 } <= 66 << 20)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `A limit stops a file written in pieces before the piece that exceeds it`() throws {
        let folder = try Folder.open("\(scratch.path)/tree")
        let writer = TreeWriter(folder: folder, archive: folder, disk: DiskReserve { nil }, limit: 10)
        let written = Locked(0)
        let stream = SiteStream(
            path: path,
            appending: { append in
                for _ in 0..<5 {
                    try append([1, 2, 3, 4])
                    written.withLock { $0 += 4 }
                }
            })
        #expect(throws: ArchiveError.damaged("its site has more than 10 bytes")) {
            try writer.write(stream)
        }
        #expect(written.withLock { $0 } == 8)
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == [])
    }

    @Test func `A limit stops the writing before the file that exceeds it`() throws {
        let folder = try Folder.open("\(scratch.path)/tree")
        let writer = TreeWriter(folder: folder, archive: folder, disk: DiskReserve { nil }, limit: 10)
        for name in ["a", "b"] { _ = try writer.write(Array("12345".utf8), to: SitePath(joined: name)) }
        let error = try #require(throws: ArchiveError.self) {
            try writer.write([1], to: SitePath(joined: "c"))
        }
        #expect(error == .damaged("its site has more than 10 bytes"))
        #expect(FileStatus("c", in: folder) == nil)
    }

    @Test func `A file with a second name keeps its content under that name`() throws {
        _ = try write("one")
        try FileManager.default.linkItem(atPath: file, toPath: "\(scratch.path)/copy.html")
        #expect(try write("two"))
        #expect(try text(file) == "two" && text("\(scratch.path)/copy.html") == "one")
    }

    @Test(
        arguments: [true, false])
    func `A link is replaced, and its target is not modified`(isNew: Bool) throws {
        let target = try scratch.write("precious", to: "precious.txt")
        try FileManager.default.createSymbolicLink(atPath: file, withDestinationPath: target)
        #expect(try write("two", isNew: isNew))
        #expect(try text(target) == "precious" && text(file) == "two")
        #expect(FileStatus(file)?.size == 3)
    }

    @Test(arguments: ["bytes", "stream", "published file"])
    func `A folder in the place of a file or draft is replaced, without following links`(content: String) throws {
        let target = try scratch.write("precious", to: "precious.txt")
        for place in [file, "\(file)~"] {
            try scratch.write("foreign", to: "tree/\(place.split(separator: "/").last ?? "")/below/file")
            try FileManager.default.createSymbolicLink(atPath: "\(place)/link", withDestinationPath: target)
        }
        switch content {
        case "bytes": #expect(try write("one"))
        case "stream":
            try writer().write(SiteStream(path: path, appending: { append in try append(Array("one".utf8)) }))
        default:
            try scratch.write("one", to: "published/a.html")
            #expect(try !write("one", published: Folder.open("\(scratch.path)/published")))
        }
        #expect(try text(file) == "one" && text(target) == "precious")
        #expect(FileStatus("\(file)~") == nil || content != "stream")
    }

    @Test func `A picture is a second name of the archive's file and is restored`() throws {
        let bytes = Array("picture".utf8)
        let name = ArchiveFolder.assetName(SHA256(of: bytes))
        let source = try scratch.write("picture", to: name)
        let asset = Asset(sha256: SHA256(of: bytes), size: bytes.count, format: .png, width: 1, height: 1)
        let link = {
            let writer = try writer()
            try writer.link(asset.sha256, size: asset.size, to: path)
            return writer.report.written == 1
        }
        #expect(try link() && FileStatus(file)?.inode == FileStatus(source)?.inode)
        #expect(try !link())
        try FileManager.default.removeItem(atPath: file)
        try scratch.write("other", to: "tree/a.html")
        #expect(try link())
        #expect(try text(file) == "picture")
        // The archive's file is another one now, because the old one may have been damaged.
        try FileManager.default.copyItem(atPath: source, toPath: "\(source).new")
        try FileManager.default.removeItem(atPath: source)
        try FileManager.default.moveItem(atPath: "\(source).new", toPath: source)
        #expect(try link() && FileStatus(file)?.inode == FileStatus(source)?.inode)
        try scratch.write("short", to: name)
        #expect(throws: ArchiveError.damaged("the picture \(source) has 5 bytes instead of 7")) { try link() }
        try FileManager.default.removeItem(atPath: source)
        #expect(throws: ArchiveError.damaged("the picture \(source) is missing")) { try link() }
        // A link to the same bytes, a pipe, and a link in the place of a folder.
        try scratch.write("picture", to: "elsewhere/\(source.split(separator: "/").last ?? "")")
        try FileManager.default.createSymbolicLink(
            atPath: source, withDestinationPath: "\(scratch.path)/elsewhere/\(source.split(separator: "/").last ?? "")")
        #expect(throws: ArchiveError.damaged("the picture \(source) is not a regular file")) { try link() }
        try FileManager.default.removeItem(atPath: source)
        mkfifo(source, 0o600)
        #expect(throws: ArchiveError.damaged("the picture \(source) is not a regular file")) { try link() }
        let parent = (source as NSString).deletingLastPathComponent
        try FileManager.default.removeItem(atPath: parent)
        try FileManager.default.createSymbolicLink(atPath: parent, withDestinationPath: "\(scratch.path)/elsewhere")
        #expect(throws: SystemError("open the folder", parent, code: 40)) { try link() }
    }

    @Test func `Files written in pieces are compared at the same time`() throws {
        let paths = [SitePath(fixed: "api/a/b/page/1.json"), SitePath(fixed: "api/a-b/page/1.json")]
        for path in paths { try scratch.write(path.text, to: "tree/\(path)") }
        let comparer = TreeComparer(
            folder: try Folder.open("\(scratch.path)/tree"), scratch: scratch.path, disk: DiskReserve { nil })
        try comparer.write(
            SiteStream(
                path: paths[0],
                appending: { append in
                    try append(Array(paths[0].text.utf8))
                    // Another thread can compare the other file while the draft of this one is open.
                    try comparer.write(
                        SiteStream(path: paths[1], appending: { append in try append(Array(paths[1].text.utf8)) }))
                }))
        #expect(comparer.fault == nil)
        #expect(try Folder.names(in: scratch.path) == ["tree"])
    }
}
