import Archive
import Foundation
import Platform
import TestSupport
import Testing

@testable import Site

struct ManifestTests {
    private let scratch: ScratchFolder
    private let folder: OpenFolder
    private static let source = Source(catalogue: "made", api: "http://made.example", origin: .live)

    init() throws {
        scratch = try ScratchFolder()
        try Folder.make("\(scratch.path)/tree")
        folder = try Folder.open(scratch.path)
    }

    private func read() throws -> Manifest? { try Manifest("manifest", in: folder) }

    private func write(_ manifest: Manifest) throws {
        try manifest.write(to: "manifest", in: folder)
    }

    @Test func `A manifest is read back unchanged, finished or not`() throws {
        #expect(try read() == nil)
        var manifest = Manifest(of: Self.source)
        try write(manifest)
        #expect(try read() == manifest)
        manifest.key = "abc \"def\""
        manifest.report = BuildReport(pages: 1, files: 2, bytes: .max, rootHash: "def")
        manifest.tree.add("a.html", try #require(FileStatus(scratch.path)))
        try write(manifest)
        #expect(try read() == manifest)
    }

    @Test func `The state of a tree shows every change of a path, size, time or inode`() throws {
        let tree = try folder.folder("tree")
        func state() throws -> TreeState { try TreeState(of: tree) }
        // More files than TreeState reads in one batch (8,192).
        for number in 0..<9_000 { try scratch.write("text", to: "tree/\(number % 7)/\(number).html") }
        var before = try state()
        #expect(try state() == before)
        for name in ["0/0.html", "4/8999.html"] {
            let status = try #require(FileStatus(name, in: tree))
            try scratch.write("longer", to: "tree/\(name)")
            #expect(try state() != before)
            try scratch.write("text", to: "tree/\(name)")
            #expect(try state() != before)
            setModified(scratch["tree/\(name)"], to: status.modified)
            #expect(try state() == before)
            try File.rename(name, to: "new", in: tree)
            #expect(try state() != before)
            try File.rename("new", to: name, in: tree)
            #expect(try state() == before)
            try scratch.write("text", to: "tree/other")
            setModified(scratch["tree/other"], to: status.modified)
            #expect(try state() != before)
            try File.remove(name, in: tree)
            try File.rename("other", to: name, in: tree)
            // Another file with the same path, size and time.
            #expect(try state() != before)
            before = try state()
        }
    }

    @Test func `A replaced or lost picture of the archive is noticed`() async throws {
        var sites = try await Sites()
        sites.catalogue.pictures = ["1.png"]
        try sites.build()
        #expect(try sites.build().written == 0)
        let picture = sites.archive.assetPath(try #require(sites.catalogue.asset).sha256)
        try FileManager.default.copyItem(atPath: picture, toPath: "\(picture).new")
        try File.rename("\(picture).new", to: picture)
        #expect(try sites.build().written == 1)
        try FileManager.default.removeItem(atPath: picture)
        #expect(try sites.failure()?.contains("the picture \(picture) is missing") == true)
    }

    @Test func `A damaged manifest or one of another version is refused`() throws {
        var manifest = Manifest(of: Self.source)
        try write(manifest)
        let good = try File.read("manifest", in: folder)
        for length in good.indices {
            try File.overwrite("manifest", in: folder, with: Array(good[..<length]))
            #expect(try read() == nil, "cut after \(length) bytes")
        }
        try File.overwrite("manifest", in: folder, with: good + [0])
        #expect(try read() == nil)
        let text = String(decoding: good, as: UTF8.self)
        try scratch.write(text.replacing("\"format\":7", with: "\"format\":6"), to: "manifest")
        #expect(try read() == nil)
        manifest.key = String(repeating: "k", count: 5_000)
        try write(manifest)
        #expect(try read() == nil)
        // A sparse file is not read completely.
        truncate(scratch["manifest"], 8 << 40)
        #expect(try read() == nil)
    }
}
