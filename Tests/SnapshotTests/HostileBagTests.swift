import Archive
import Foundation
import Platform
import TestSupport
import Testing

@testable import Snapshot

/// Malicious bags and tars.
@Suite(.timeLimit(.minutes(1)))
struct HostileBagTests {
    private let bags: Bags
    private var folder: ScratchFolder { bags.folder }
    private var bag: String { folder["bag"] }

    init() throws {
        bags = try Bags()
        _ = try bags.write()
    }

    @Test(
        arguments: ["bagit.txt", "bag-info.txt", "manifest-sha256.txt", "data/b.html", "data/more"])
    func `A pipe, link or folder in the place of a file is refused without waiting`(name: String) throws {
        let path = "\(bag)/\(name)"
        try File.remove(path)
        try #require(mkfifo(path, 0o600) == 0)
        #expect(bags.fault() == "\(path) is a pipe or device, not a file")
        try File.remove(path)
        try #require(symlink("/etc/hostname", path) == 0)
        #expect(bags.fault() == "\(path) is a symbolic link, not a file")
        try File.remove(path)
        try Folder.make(path)
        #expect(bags.fault() != nil)
    }

    @Test func `A bag that is a link to a folder is refused`() throws {
        try File.rename(bag, to: folder["elsewhere"])
        try #require(symlink(folder["elsewhere"], bag) == 0)
        #expect(bags.fault() == "\(bag) is missing, or is not a folder")
    }

    @Test(
        arguments: ["bagit.txt", "bag-info.txt", "manifest-sha256.txt", "tagmanifest-sha512.txt", "data/b.html"])
    func `A sparse file of eight terabytes is refused without reading it`(name: String) throws {
        let path = "\(bag)/\(name)"
        try #require(truncate(path, 8 << 40) == 0)
        #expect(bags.fault()?.contains("\(path) has 8796093022208 bytes") == true)
    }

    @Test func `A total size over Int64.max is refused`() throws {
        // A file system in memory accepts files of any length.
        let shared = "/dev/shm/amber-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: shared, withIntermediateDirectories: false)
        // A folder that cannot be removed is left to the system.
        defer { try? FileManager.default.removeItem(atPath: shared) }
        let files = try (0..<3).map { number in
            try File.writeNew([], to: "\(shared)/\(number)")
            try #require(truncate("\(shared)/\(number)", Int.max / 2) == 0)
            return BagFile(path: "\(number)", content: .file("\(shared)/\(number)"))
        }
        #expect(throws: SnapshotError.unwritable("all files together have more than \(Int64.max) bytes")) {
            try BagPayload(files)
        }
    }

    /// The fault of a tar with these entries after the first ones of the bag.
    private func fault(_ entries: [(TarEntry, [UInt8])], after count: Int = 2) throws -> String? {
        let found = try BagReader.check(folder: bag)
        let whole = try File.read(folder["bag.tar"])
        // The offset of the end of each entry.
        var ends = [0]
        for (path, digests) in found {
            let link = try TarEntry.link(in: File(reading: folder["bag.tar"]), at: Int64(ends.last ?? 0))
            let size = link == nil ? digests.size : 0
            let header = TarEntry(path: "bag/\(path)", link: link, size: size, modified: 0).header
            ends.append((ends.last ?? 0) + header.count + Int(size) + TarEntry.padding(after: size))
        }
        var bytes = Array(whole.prefix(ends[count]))
        for (entry, content) in entries { bytes += entry.header + content }
        bytes += TarEntry.end(after: Int64(bytes.count))
        let path = folder["forged.tar"]
        try File.replace(bytes, at: path)
        return damage { try BagReader.check(tar: path, named: "bag", against: found) }
    }

    private func entry(_ path: String, link: String? = nil, size: Int64 = 0) -> TarEntry {
        TarEntry(path: path, link: link, size: size, modified: 1_795_000_000)
    }

    @Test func `A tar with impossible lengths is refused`() throws {
        for size in [Int64.max, Int64.max - 511, 1 << 62, 1 << 33] {
            #expect(
                try fault([(entry("bag/data/50%\r\n", size: size), [])])?.contains(
                    "does not have the header of bag/data/50%\r\n")
                    == true)
        }
    }

    @Test(
        arguments: ["../data", "bag/../../data", "/bag/data", "bag//data", "other/data", "bag/data/\0", "bag/./data"])
    func `A tar with paths that lead elsewhere is refused`(path: String) throws {
        #expect(try fault([(entry(path), [])]) != nil)
    }

    @Test func `A tar with links to missing, other or later files is refused`() throws {
        let name = "bag/data/50%\r\n"
        for target in [
            "bag/data/none", "bag/data/b.html", "bag/bagit.txt", "bag", "", "/etc/passwd", "x", "bag/data/", name,
            "bag/data/\u{301}", String(repeating: "x", count: 60_000),
        ] {
            #expect(
                try fault([(entry(name, link: target), [])])?.contains("as a link to") == true,
                "\(target.prefix(20))")
        }
    }

    @Test func `A tar with a folder, a repeated file or another order is refused`() throws {
        let name = "does not have the header of bag/data"
        let empty = entry("bag/data/50%\r\n")
        var folder = empty.header
        // Type 5 (a folder) in place of 0, with the checksum adjusted by 5.
        (folder[156], folder[153]) = (UInt8(ascii: "5"), folder[153] + 5)
        let start = try File.read(self.folder["bag.tar"]).prefix(2_048)
        try File.writeNew(start + folder + TarEntry.end(after: 2_560), to: self.folder["folder.tar"])
        let found = try BagReader.check(folder: bag)
        let path = self.folder["folder.tar"]
        let fault = damage { try BagReader.check(tar: path, named: "bag", against: found) }
        #expect(fault == "\(path) \(name)/50%\r\n at byte 2048")
        #expect(try self.fault([(empty, []), (empty, [])])?.contains("\(name)/a/picture at byte 2560") == true)
        #expect(try self.fault([(entry("bag/data/b.html"), [])])?.contains("\(name)/50%\r\n at byte 2048") == true)
        #expect(try self.fault([])?.contains("\(name)/50%\r\n at byte 2048") == true)
        #expect(try self.fault([(entry("bag/more"), [])], after: 10)?.contains("does not end after") == true)
        #expect(try self.fault([], after: 10) == nil)
    }

    @Test func `A tar with invalid extended headers is refused`() throws {
        let path = folder["forged.tar"]
        let found = try BagReader.check(folder: bag)
        let whole = try File.read(folder["bag.tar"])
        let header = entry("bag/" + String(repeating: "x", count: 200)).header
        for size in ["77777777777", "00000200001", "-0000000001", "00000000000", "           "] {
            for record in [
                "99999999999999999999 path=x\n", "-5 path=x\n", "0 path=x\n", "11 path=x\n", "3 \n", "10 pathxyz\n",
                "\u{0}",
            ] {
                var block = Array(header.prefix(512))
                block.replaceSubrange(124..<135, with: size.utf8)
                block.replaceSubrange(148..<156, with: "        ".utf8)
                let sum = String(block.reduce(0) { $0 + Int($1) }, radix: 8)
                block.replaceSubrange(
                    148..<155, with: (String(repeating: "0", count: 6 - sum.utf8.count) + sum + "\0").utf8)
                let content = Array(record.utf8) + [UInt8](repeating: 0, count: 512 - record.utf8.count)
                try File.replace(block + content + header.suffix(512) + whole, at: path)
                let fault = damage { try BagReader.check(tar: path, named: "bag", against: found) }
                #expect(fault != nil, "\(size) \(record)")
            }
        }
    }
}
