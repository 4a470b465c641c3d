import Archive
import Foundation
import Platform
import TestSupport
import Testing

@testable import Snapshot

@Suite("Packages that are read again")
struct ReaderTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    private func writeBag() throws -> BagWriter.Report {
        let picture = try folder.write("picture", to: "picture")
        try #require(try File.link(picture, to: folder["again"]))
        let bag = BagWriter(
            name: "bag", info: [.init("Source-Organization", "Nobody")], baggingDate: "2026-11-21", software: "Amber 0",
            modified: 1_795_000_000)
        return try bag.write(
            [
                BagFile("a/picture", .file(picture)), BagFile("again", .file(folder["again"])), BagFile("50%\r\n", .bytes([])),
                BagFile("b.html", .bytes(Array("some text".utf8))),
            ], folder: folder["bag"], tar: folder["bag.tar"])
    }

    private func damage(_ body: () throws(SnapshotError) -> Void) -> String? {
        do throws(SnapshotError) {
            try body()
            return nil
        } catch {
            return error.description
        }
    }

    @Test func `are a bag and its tar, both whole`() throws {
        let report = try writeBag()
        #expect(try BagReader.check(folder: folder["bag"]).payload == report)
        #expect(try BagReader.check(tar: folder["bag.tar"]).payload == report)
    }

    @Test func `are refused with one bit changed in any file of a bag, and the first difference is named`() throws {
        _ = try writeBag()
        let files = try Folder.files(below: folder["bag"])
        #expect(files.count == 10)
        for name in files where name != "data/50%\r\n" {
            let path = folder["bag/\(name)"]
            let whole = try File.read(path)
            for (step, offset) in stride(from: 0, to: whole.count, by: 5).enumerated() {
                var bytes = whole
                bytes[offset] ^= 1 << UInt8(step % 8)
                try File.overwrite(path, with: bytes)
                #expect(
                    damage { () throws(SnapshotError) in _ = try BagReader.check(folder: folder["bag"]) } != nil, "\(name), byte \(offset)")
            }
            try File.overwrite(path, with: whole)
        }
        try File.overwrite(folder["bag/data/b.html"], with: Array("other text".utf8))
        let (other, text) = (SHA256(of: "other text".utf8).hex, SHA256(of: "some text".utf8).hex)
        #expect(
            damage { () throws(SnapshotError) in _ = try BagReader.check(folder: folder["bag"]) }
                == "the package is damaged: \(folder["bag"])/manifest-sha256.txt has the line \"\(text)  data/b.html\" where its files make it "
                + "\"\(other)  data/b.html\"; take another copy of it")
    }

    @Test func `are refused with a file too many, one missing, and one that is no bag's`() throws {
        _ = try writeBag()
        func fault() -> String? { damage { () throws(SnapshotError) in _ = try BagReader.check(folder: folder["bag"]) } }
        try folder.write("", to: "bag/data/more")
        #expect(fault()?.contains("\(folder["bag"])/manifest-sha256.txt has the line") == true)
        try File.remove(folder["bag/data/more"])
        try folder.write("", to: "bag/more.txt")
        #expect(fault()?.contains("tagmanifest-sha256.txt has the line") == true)
        try File.remove(folder["bag/more.txt"])
        #expect(fault() == nil)
        try File.remove(folder["bag/data/again"])
        #expect(fault()?.contains("  data/again\" where") == true)
        try File.remove(folder["bag/manifest-sha512.txt"])
        try File.writeNew([], to: folder["bag/data/again"])
        #expect(fault() != nil)
    }

    @Test func `are refused where the manifests agree with what no bag of ours has`() throws {
        _ = try writeBag()
        let bag = folder["bag"]
        /// Lists the bag's own files anew, as somebody would who means to hide a change.
        func fault() throws -> String? {
            let tags = try Folder.names(in: bag).filter { $0 != "data" && !$0.hasPrefix("tagmanifest") }
            for algorithm in BagManifest.Algorithm.allCases {
                let lines = try tags.map { (path: $0, digests: FileDigests(of: try File.read("\(bag)/\($0)"))) }
                try File.overwrite("\(bag)/tagmanifest-\(algorithm).txt", with: BagManifest.bytes(lines, algorithm))
            }
            return damage { () throws(SnapshotError) in _ = try BagReader.check(folder: bag) }
        }
        #expect(try fault() == nil)
        try folder.write("", to: "bag/more.txt")
        #expect(try fault() == "the package is damaged: \(bag) holds more than a bag's own files; take another copy of it")
        try File.rename("\(bag)/more.txt", to: "\(bag)/tagmanifest-md5.txt")
        #expect(try fault() == "the package is damaged: \(bag) holds more than a bag's own files; take another copy of it")
        try File.remove("\(bag)/tagmanifest-md5.txt")
        try folder.write("BagIt-Version: 0.97\n", to: "bag/bagit.txt")
        #expect(try fault() == "the package is damaged: \(bag)/bagit.txt is not that of a bag; take another copy of it")
        try File.overwrite("\(bag)/bagit.txt", with: BagManifest.declaration)
        try folder.write("Payload-Oxum: 1.1\n", to: "bag/bag-info.txt")
        #expect(
            try fault()
                == "the package is damaged: \(bag)/bag-info.txt tells another number of files or bytes than 23.4; take another copy of it")
    }

    @Test func `are refused with one bit changed anywhere in a bag's tar`() throws {
        _ = try writeBag()
        try refuseFlips(in: folder["bag.tar"]) { path throws(SnapshotError) in _ = try BagReader.check(tar: path) }
    }

    @Test func `are refused with one bit changed anywhere in a zip, or cut short, or with more behind`() throws {
        try writeLongZip(folder["long.zip"])
        var zip = try ZipWriter(folder["a.zip"], time: PackageTime(milliseconds: 1_795_256_431_123))
        try zip.add("a", Array("stored".utf8))
        try zip.begin("b")
        try zip.append([UInt8](repeating: 7, count: 3_000_000))
        try zip.end()
        try zip.add("empty", [])
        try zip.finish()
        for (name, limit) in [("long.zip", 10 as UInt64), ("a.zip", ZipEntry.limit)] {
            func names(_ path: String) throws(SnapshotError) -> [String] {
                var reader = try ZipReader(path, limit: limit)
                var names: [String] = []
                while let name = try reader.next() { names.append(name) }
                return names
            }
            #expect(try names(folder[name]) == (name == "a.zip" ? ["a", "b", "empty"] : ["short", "long", "pieces"]))
            try refuseFlips(in: folder[name]) { path throws(SnapshotError) in _ = try names(path) }
            let whole = try File.read(folder[name])
            for bytes in [Array(whole.dropLast()), whole + [0], [], Array(whole.prefix(20))] {
                try File.replace(bytes, at: folder["cut"])
                #expect(throws: SnapshotError.self) { try names(folder["cut"]) }
            }
        }
    }

    /// Changes a bit in some hundred bytes, and in every one of the first and last thousand.
    private func refuseFlips(in path: String, _ check: (String) throws(SnapshotError) -> Void) throws {
        let whole = try File.read(path)
        let ends = Array(0..<min(1_000, whole.count)) + Array(max(0, whole.count - 1_000)..<whole.count)
        for (step, offset) in (ends + Array(stride(from: 1_000, to: whole.count, by: max(7, whole.count / 100)))).enumerated() {
            // Large files' flips are few, for each reads the whole.
            guard whole.count < 100_000 || step % 20 == 0 else { continue }
            var bytes = whole
            bytes[offset] ^= 1 << UInt8(step % 8)
            try File.replace(bytes, at: "\(path).flipped")
            #expect(damage { () throws(SnapshotError) in try check("\(path).flipped") } != nil, "bit \(step % 8) of byte \(offset)")
        }
    }
}
