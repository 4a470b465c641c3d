import Archive
import Catalogue
import Foundation
import Platform
import TestSupport
import Testing

@testable import Site

struct ManifestTests {
    private let scratch: ScratchFolder
    private let tree: OpenFolder

    init() throws {
        scratch = try ScratchFolder()
        try Folder.make("\(scratch.path)/tree")
        tree = try Folder.open("\(scratch.path)/tree")
    }

    private var path: String { "\(scratch.path)/manifest" }
    private static let facts = Manifest.Facts(key: "key", catalogue: "made", origin: .live)

    private func read(_ name: String = "manifest") throws -> Manifest? {
        try Manifest(name, in: try Folder.open(scratch.path))
    }

    /// Whether every file matches the manifest.
    private func matches() throws -> Bool? {
        try read()?.matchesAllFiles(in: tree, archive: try Folder.open(scratch.path), workers: 3)
    }

    private func write(_ names: [String] = [], _ facts: Manifest.Facts = facts) throws {
        let writer = try ManifestWriter("manifest.new", in: try Folder.open(scratch.path))
        for name in names {
            try writer.append(SitePath(joined: name), Manifest.Entry(try #require(FileStatus(name, in: tree))))
        }
        try writer.finish(facts, at: "manifest")
    }

    /// Writes a manifest with these blocks and facts.
    private func make(_ blocks: [UInt8], facts: String = "key\nmade\nlive\n0\n0\n0\n") throws {
        let end = withUnsafeBytes(of: UInt64(Manifest.title.count + blocks.count).littleEndian) { Array($0) }
        try scratch.write("", to: "manifest")
        try File.overwrite(path, with: Manifest.title + blocks + facts.utf8 + end)
    }

    private func block(_ entries: [UInt8], length: UInt64? = nil) -> [UInt8] {
        withUnsafeBytes(of: (length ?? UInt64(entries.count)).littleEndian) { Array($0) } + entries
    }

    @Test func `A manifest is read back unchanged, finished or not`() throws {
        var facts = Manifest.Facts(catalogue: "made", origin: .sample)
        try write([], facts)
        #expect(try read()?.facts == facts)
        facts = Manifest.Facts(
            key: "abc", catalogue: "made", origin: .live, pages: 1, files: 2, bytes: .max, rootHash: "def")
        try write([], facts)
        #expect(try read()?.facts == facts && matches() == true)
        #expect(try read("nothing") == nil)
    }

    @Test func `A manifest holds while size, time and inode of every file are the same`() throws {
        // Several blocks, for several threads.
        let names = (0..<900).map { "\($0).html" }
        for name in names { try scratch.write("text", to: "tree/\(name)") }
        try write(names)
        #expect(try matches() == true && read()?.matchesAnyFile(in: tree) == true)
        for name in [names[0], names[899]] {
            try scratch.write("longer", to: "tree/\(name)")
            #expect(try matches() == false)
            try write(names)
            #expect(try matches() == true)
            try scratch.write("longer", to: "tree/new")
            try File.setModified("new", in: tree, to: try #require(FileStatus(name, in: tree)).modified)
            try File.rename("new", to: name, in: tree)
            #expect(try matches() == false)
            try write(names)
            try File.remove(name, in: tree)
            #expect(try matches() == false && read()?.matchesAnyFile(in: tree) == true)
            try scratch.write("text", to: "tree/\(name)")
            try write(names)
        }
        for name in names { try File.remove(name, in: tree) }
        #expect(try read()?.matchesAnyFile(in: tree) == false)
    }

    @Test func `A picture holds while it is the archive's file or a copy with its time`() throws {
        let digest = SHA256(of: "picture".utf8)
        let source = try scratch.write("picture", to: ArchiveFolder.assetName(digest))
        let original = try #require(FileStatus(source))
        func addEntry(_ provenance: Manifest.Entry.Provenance) throws {
            let writer = try ManifestWriter("manifest.new", in: try Folder.open(scratch.path))
            let status = try #require(FileStatus("1.png", in: tree))
            try writer.append(
                SitePath(fixed: "1.png"), Manifest.Entry(status, pictureOf: digest, provenance))
            try writer.finish(Self.facts, at: "manifest")
        }
        try scratch.write("picture", to: "tree/1.png")
        try File.setModified("1.png", in: tree, to: original.modified + 1)
        try addEntry(.copy)
        #expect(try matches() == false)
        try File.setModified("1.png", in: tree, to: original.modified)
        try addEntry(.copy)
        #expect(try matches() == true)
        try addEntry(.link)
        #expect(try matches() == false)
        try File.remove("1.png", in: tree)
        #expect(try File.link(source, to: "\(tree.path)/1.png") == .linked)
        try addEntry(.link)
        #expect(try matches() == true)
        try FileManager.default.removeItem(atPath: source)
        #expect(try matches() == false)
    }

    @Test func `A damaged manifest or one of another version is refused`() throws {
        try scratch.write("text", to: "tree/index.html")
        try write(["index.html"])
        let good = try File.read(path)
        for length in 0..<good.count {
            try File.overwrite(path, with: Array(good[..<length]))
            #expect(try read() == nil, "cut after \(length) bytes")
        }
        try File.overwrite(path, with: good + [0])
        #expect(try read() == nil)
        try File.overwrite(path, with: Array("amber manifest 4".utf8) + good.dropFirst(16))
        #expect(try read() == nil)
        // A changed byte never causes a crash, and the manifest does not hold.
        for place in good.indices {
            var spoilt = good
            spoilt[place] ^= 0x81
            try File.overwrite(path, with: spoilt)
            let isFact = place >= good.count - 8 - "key\nmade\nlive\n0\n0\n0\n".utf8.count
            // Only a picture's digest is used.
            let digest = Manifest.title.count + 8 + 32
            #expect(try isFact || digest..<digest + 32 ~= place || matches() != true, "byte \(place)")
        }
    }

    @Test func `An oversized manifest is refused without reading all of it`() throws {
        // A sparse file whose last bytes give an offset of the facts directly after the title.
        for size in [8 << 40, 81 << 20] {
            try write()
            truncate(path, size)
            let descriptor = open(path, O_WRONLY)
            let end = withUnsafeBytes(of: UInt64(Manifest.title.count).littleEndian) { Array($0) }
            #expect(pwrite(descriptor, end, 8, size - 8) == 8)
            close(descriptor)
            #expect(try read() == nil)
        }
        try make([], facts: "\(String(repeating: "k", count: 4_079))\nmade\nlive\n0\n0\n0\n")
        #expect(try read() != nil)
        try make([], facts: "\(String(repeating: "k", count: 4_080))\nmade\nlive\n0\n0\n0\n")
        #expect(try read() == nil)
        try make(block([UInt8](repeating: 0, count: 8), length: .max))
        #expect(try matches() == false && read()?.matchesAnyFile(in: tree) == false)
        try make(block([UInt8](repeating: 1, count: 1 << 20 + 1)))
        #expect(try matches() == false && read()?.matchesAnyFile(in: tree) == false)
    }

    @Test func `Zeros and overlong paths are not entries`() throws {
        let status = try #require(FileStatus(scratch.path))
        for (length, isPath) in [(0, false), (255, true), (1_024, false)] {
            let name = [UInt8](repeating: 0x61, count: length)
            if isPath { try scratch.write("x", to: "tree/\(String(decoding: name, as: UTF8.self))") }
            let file = isPath ? FileStatus(String(decoding: name, as: UTF8.self), in: tree) : status
            var entry: [UInt8] = []
            for number in [0, UInt64(file?.size ?? 0), UInt64(file?.modified ?? 0), file?.inode ?? 0, 0, 0, 0, 0] {
                entry += withUnsafeBytes(of: number.littleEndian) { Array($0) }
            }
            try make(block(entry + name + [0]))
            #expect(try matches() == isPath, "\(length)")
        }
    }
}
