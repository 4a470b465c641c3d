import Archive
import Foundation
import Platform
import TestSupport
import Testing

@testable import Snapshot

struct ReaderTests {
    private let bags: Bags
    private var folder: ScratchFolder { bags.folder }

    init() throws { bags = try Bags() }

    @Test func `A bag and its tar agree with their manifests`() throws {
        let report = try bags.write()
        let found = try BagReader.check(folder: folder["bag"])
        let payload = found.filter { $0.path.hasPrefix("data/") }
        #expect(payload.count == report.files && payload.reduce(0) { $0 + $1.digests.size } == report.bytes)
        #expect(bags.fault(tagManifest: report.tagManifest) == nil)
        try BagReader.check(tar: folder["bag.tar"], named: "bag", against: found)
        #expect(
            bags.fault(tagManifest: SHA256(of: []))?.contains(
                "tagmanifest-sha256.txt has the SHA-256 \(report.tagManifest.hex)") == true)
    }

    @Test func `One changed bit in a bag is refused with the first difference`() throws {
        _ = try bags.write()
        let files = try Folder.files(below: folder["bag"])
        #expect(files.count == 10)
        for name in files where name != "data/50%\r\n" {
            let path = folder["bag/\(name)"]
            let whole = try File.read(path)
            for (step, offset) in stride(from: 0, to: whole.count, by: 5).enumerated() {
                var bytes = whole
                bytes[offset] ^= 1 << UInt8(step % 8)
                try File.overwrite(path, with: bytes)
                #expect(bags.fault() != nil, "\(name), byte \(offset)")
            }
            try File.overwrite(path, with: whole)
        }
        try File.overwrite(folder["bag/data/b.html"], with: Array("other text".utf8))
        let (other, text) = (SHA256(of: "other text".utf8).hex, SHA256(of: "some text".utf8).hex)
        #expect(
            bags.fault()
                == "\(folder["bag"])/manifest-sha256.txt has the line \"\(text)  data/b.html\", but the bag's files require the line \"\(other)  data/b.html\""
        )
    }

    @Test func `A file without a manifest line and a missing file are refused`() throws {
        _ = try bags.write()
        let bag = folder["bag"]
        for name in ["data/more", "data/a/more", "more.txt", ".hidden", "tagmanifest-md5.txt", "dat/a"] {
            try folder.write("", to: "bag/\(name)")
            #expect(bags.fault() == "\(bag)/\(name) is in no manifest")
            try File.remove("\(bag)/\(name)")
            try Folder.remove("\(bag)/dat")
        }
        for name in ["data/empty", "empty"] {
            try Folder.make("\(bag)/\(name)")
            #expect(bags.fault() == "\(bag)/\(name) is an empty folder, which is in no manifest")
            try Folder.remove("\(bag)/\(name)")
        }
        #expect(bags.fault() == nil)
        try File.remove(folder["bag/data/again"])
        #expect(bags.fault() == "\(bag)/data/again is missing")
        try File.remove(folder["bag/manifest-sha512.txt"])
        #expect(bags.fault() == "\(bag)/manifest-sha512.txt is missing")
    }

    @Test func `Manifests that agree with a wrong bag are refused`() throws {
        _ = try bags.write()
        let bag = folder["bag"]
        /// Writes the tag manifests again, as an attacker would.
        func fault() throws -> String? {
            let tags = try Folder.names(in: bag).filter { $0 != "data" && !$0.hasPrefix("tagmanifest") }
            for algorithm in BagManifest.Algorithm.allCases {
                let lines = try tags.map { (path: $0, digests: FileDigests(of: try File.read("\(bag)/\($0)"))) }
                try File.overwrite("\(bag)/tagmanifest-\(algorithm).txt", with: BagManifest.bytes(lines, algorithm))
            }
            return bags.fault()
        }
        #expect(try fault() == nil)
        try folder.write("BagIt-Version: 0.97\n", to: "bag/bagit.txt")
        #expect(try fault() == "\(bag)/bagit.txt is not the declaration of a bag")
        try File.overwrite("\(bag)/bagit.txt", with: BagManifest.declaration)
        try folder.write("Payload-Oxum: 23.5\n", to: "bag/bag-info.txt")
        #expect(try fault() == "\(bag)/bag-info.txt does not end with \"Payload-Oxum: 23.4\"")
        try folder.write("Payload-Oxum: 8.4\n", to: "bag/bag-info.txt")
        #expect(try fault() == "\(bag)/data/b.html has 9 bytes, but bag-info.txt gives 8 for all files")
    }

    @Test func `One changed bit in a bag's tar is refused, and so is a truncated tar`() throws {
        _ = try bags.write()
        let found = try BagReader.check(folder: folder["bag"])
        let whole = try File.read(folder["bag.tar"])
        try File.writeNew(whole, to: folder["flipped.tar"])
        func fault() -> String? {
            damage { try BagReader.check(tar: folder["flipped.tar"], named: "bag", against: found) }
        }
        #expect(fault() == nil)
        for (step, offset) in stride(from: 0, to: whole.count, by: 13).enumerated() {
            var bytes = whole
            bytes[offset] ^= 1 << UInt8(step % 8)
            try File.overwrite(folder["flipped.tar"], with: bytes)
            #expect(fault() != nil, "bit \(step % 8) of byte \(offset)")
        }
        for bytes in [Array(whole.dropLast()), whole + [0], [], Array(whole.prefix(700))] {
            try File.overwrite(folder["flipped.tar"], with: bytes)
            #expect(fault() != nil)
        }
    }
}

/// A small bag as a folder and a tar.
struct Bags {
    let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    func write() throws -> BagWriter.Report {
        let picture = try folder.write("picture", to: "picture")
        try #require(try File.link(picture, to: folder["again"]) == .linked)
        let bag = BagWriter(
            name: "bag",
            info: [
                ("Source-Organization", "Nobody"), ("Bagging-Date", "2026-11-21"), ("Bag-Software-Agent", "Amber 0"),
            ], modified: 1_795_000_000)
        return try bag.write(
            [
                BagFile(path: "a/picture", content: .file(picture)),
                BagFile(path: "again", content: .file(folder["again"])),
                BagFile(path: "50%\r\n", content: .bytes([])),
                BagFile(path: "b.html", content: .bytes(Array("some text".utf8))),
            ], folder: folder["bag"], tar: folder["bag.tar"])
    }

    func fault(tagManifest: SHA256? = nil) -> String? {
        damage { _ = try BagReader.check(folder: folder["bag"], tagManifest: tagManifest) }
    }
}

/// The reason why a check finds damage, or another error; nil if it succeeds.
func damage(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch SnapshotError.damaged(let what) {
        return what
    } catch {
        return "\(error)"
    }
}
