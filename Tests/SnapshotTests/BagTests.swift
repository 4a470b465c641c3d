import Archive
import Foundation
import Platform
import TestSupport
import Testing

@testable import Snapshot

struct BagTests {
    private let folder: ScratchFolder
    private let writer = BagWriter(
        name: "bag",
        info: [
            ("Source-Organization", "Nobody"), ("External-Description", "Ünlike: a test"),
            ("Bagging-Date", "2026-11-21"), ("Bag-Software-Agent", "Amber 0"),
        ], modified: 1_795_000_000)

    init() throws { folder = try ScratchFolder() }

    private func payload() throws -> [BagFile] {
        let picture = folder["from/picture"]
        if FileStatus(picture) == nil { try folder.write("picture", to: "from/picture") }
        try Folder.make(folder["from/again"])
        if FileStatus(folder["from/again/picture"]) == nil {
            #expect(try File.link(picture, to: folder["from/again/picture"]) == .linked)
        }
        return [
            BagFile(path: "site/b.html", content: .bytes(Array("b".utf8))),
            BagFile(path: "site/a/picture", content: .file(picture), sha256: SHA256(of: "picture".utf8)),
            BagFile(
                path: "site/again", content: .file(folder["from/again/picture"]), sha256: SHA256(of: "picture".utf8)),
            BagFile(path: "50%\r\n", content: .bytes([])),
        ]
    }

    private func text(_ name: String) throws -> String { String(decoding: try File.read(folder[name]), as: UTF8.self) }

    @Test func `A bag has exactly the files of RFC 8493, sorted, with both digests`() throws {
        let report = try writer.write(try payload(), folder: folder["bag"])
        #expect(report.files == 4 && report.bytes == 15)
        #expect(
            try contents(of: folder["bag"]).keys.sorted() == [
                "bag-info.txt", "bagit.txt", "data/50%\r\n", "data/site/a/picture", "data/site/again",
                "data/site/b.html",
                "manifest-sha256.txt", "manifest-sha512.txt", "tagmanifest-sha256.txt", "tagmanifest-sha512.txt",
            ])
        #expect(try text("bag/bagit.txt") == "BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n")
        #expect(
            try text("bag/bag-info.txt") == """
                Source-Organization: Nobody
                External-Description: Ünlike: a test
                Bagging-Date: 2026-11-21
                Bag-Software-Agent: Amber 0
                Payload-Oxum: 15.4

                """)
        let picture = SHA256(of: "picture".utf8).hex
        #expect(
            try text("bag/manifest-sha256.txt") == """
                \(SHA256(of: []).hex)  data/50%25%0D%0A
                \(picture)  data/site/a/picture
                \(picture)  data/site/again
                \(SHA256(of: "b".utf8).hex)  data/site/b.html

                """)
        #expect(
            try text("bag/manifest-sha512.txt").contains(
                "\(FileDigests(of: Array("b".utf8)).sha512.hex)  data/site/b.html\n"))
        let tags = ["bag-info.txt", "bagit.txt", "manifest-sha256.txt", "manifest-sha512.txt"]
        let tagged256 = try tags.map { "\(SHA256(of: try File.read(folder["bag/\($0)"])).hex)  \($0)\n" }.joined()
        #expect(try text("bag/tagmanifest-sha256.txt") == tagged256)
        let tagged512 = try tags.map { "\(FileDigests(of: try File.read(folder["bag/\($0)"])).sha512.hex)  \($0)\n" }
            .joined()
        #expect(try text("bag/tagmanifest-sha512.txt") == tagged512)
        // The picture is one file with four names: two in the source, two in the bag.
        #expect(FileStatus(folder["bag/data/site/again"])?.links == 4)
    }

    @Test func `A bag is the same as folder and tar, in any order of files`() throws {
        _ = try writer.write(try payload(), folder: folder["bag"], tar: folder["bag.tar"])
        _ = try writer.write(try payload().reversed(), tar: folder["alone.tar"])
        #expect(try File.read(folder["bag.tar"]) == File.read(folder["alone.tar"]))
        try unpack(folder["bag.tar"], into: folder["out"])
        #expect(try contents(of: folder["out/bag"]) == (try contents(of: folder["bag"])))
        let names = ["data/site/a/picture", "data/site/again"]
        #expect(Set(names.map { FileStatus(folder["out/bag/\($0)"])?.inode }).count == 1)
    }

    @Test func `A copy of a picture gives the same tar as a hard link`() throws {
        _ = try writer.write(try payload(), tar: folder["linked.tar"])
        var files = try payload()
        let copies = try ["picture", "another"].map { BagFile(path: $0, content: .file(try folder.write($0, to: $0))) }
        files[2] = BagFile(path: files[2].path, content: copies[0].content)
        _ = try writer.write(files, tar: folder["copied.tar"])
        #expect(try File.read(folder["copied.tar"]) == File.read(folder["linked.tar"]))
        files[2] = BagFile(path: files[2].path, content: copies[1].content)
        _ = try writer.write(files, tar: folder["other.tar"])
        #expect(try File.read(folder["other.tar"]) != File.read(folder["linked.tar"]))
    }

    @Test func `A bag can have large files and many small ones`() throws {
        let large = (0..<5_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 11) }
        try File.writeNew(large, to: folder["large"])
        let files =
            (0..<700).map { BagFile(path: "small/\($0)", content: .bytes(Array("\($0)".utf8))) } + [
                BagFile(path: "large", content: .file(folder["large"]), sha256: SHA256(of: large))
            ]
        let report = try writer.write(files, folder: folder["bag"], tar: folder["bag.tar"])
        #expect(report.files == 701)
        #expect(try text("bag/manifest-sha512.txt").hasPrefix("\(FileDigests(of: large).sha512.hex)  data/large\n"))
        #expect(try File.read(folder["bag/data/large"]) == large)
        try unpack(folder["bag.tar"], into: folder["out"])
        #expect(try contents(of: folder["out/bag"]) == (try contents(of: folder["bag"])))
    }

    @Test func `Changed, missing and duplicate files are refused`() throws {
        let path = try folder.write("picture", to: "picture")
        func refuse(_ error: SnapshotError, _ files: BagFile...) {
            #expect(throws: error) { try writer.write(files, tar: folder["\(files.count)\(files[0].path).tar"]) }
        }
        let (known, found) = (SHA256(of: "other".utf8), SHA256(of: "picture".utf8))
        refuse(
            .changed("data/a has the SHA-256 \(found.hex) instead of \(known.hex)"),
            BagFile(path: "a", content: .file(path), sha256: known))
        refuse(
            .changed("\(folder["none"]) is missing, or is not a regular file"),
            BagFile(path: "b", content: .file(folder["none"])))
        refuse(
            .unwritable("two files have the path data/c; remove one of them"),
            BagFile(path: "c", content: .bytes([])), BagFile(path: "c", content: .bytes([])))
        _ = try writer.write([], folder: folder["bag"])
        #expect(
            throws: SnapshotError.unwritable("\(folder["bag"]) already exists; remove it or choose another folder")
        ) {
            try writer.write([], folder: folder["bag"])
        }
        let wrong = BagWriter(name: "bag", info: [("Note", "two\nlines")], modified: 0)
        #expect(
            throws: SnapshotError.unwritable(
                "bag-info.txt cannot contain \"Note\" with \"two\nlines\": both must be one line")
        ) {
            try wrong.write([])
        }
    }
}
