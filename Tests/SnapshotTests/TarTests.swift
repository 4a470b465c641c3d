import Foundation
import Platform
import TestSupport
import Testing

@testable import Snapshot

struct TarTests {
    private let folder: ScratchFolder
    private let long = String(repeating: "a", count: 101)
    private let longest = (0..<6).map { "\($0)" + String(repeating: "b", count: 50) }.joined(separator: "/")

    init() throws { folder = try ScratchFolder() }

    /// Files with lengths around a block, long names, a large file and links.
    @discardableResult
    private func write(_ name: String, large size: Int = 2_500_000) throws -> [String: [UInt8]] {
        let large = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 13) }
        if FileStatus(folder["large"]) == nil { try File.writeNew(large, to: folder["large"]) }
        var content: [String: [UInt8]] = ["set/large": large]
        let tar = try TarWriter(file: FileWriter(folder[name]), modified: 1_795_000_000)
        for size in [0, 1, 511, 512, 513] {
            content["set/\(size)"] = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
            try tar.addFile("set/\(size)", content["set/\(size)"] ?? [])
        }
        for path in ["set/\(long)", longest, "set/köln", String(repeating: "c", count: 100)] {
            content[path] = Array(path.utf8)
            try tar.addFile(path, Array(path.utf8))
        }
        try tar.begin("set/large", size: Int64(size))
        try PackageContent.file(folder["large"]).forEachPiece(of: Int64(size)) { try tar.append($0) }
        try tar.begin("set/again", link: "set/513")
        try tar.begin("set/longer", link: "set/\(long)")
        content["set/again"] = content["set/513"]
        content["set/longer"] = content["set/\(long)"]
        try tar.finish()
        return content
    }

    @Test func `The program tar unpacks the same files, links and times`() throws {
        let content = try write("one.tar")
        #expect(try File.read(folder["one.tar"]).count % 10_240 == 0)
        let target = folder["out"]
        try unpack(folder["one.tar"], into: target)
        #expect(try contents(of: target).mapValues { Array($0) } == content)
        let status = try #require(FileStatus("\(target)/set/513"))
        #expect(status.modified == 1_795_000_000_000_000_000 && status.links == 2)
        #expect(FileStatus("\(target)/set/again")?.inode == status.inode)
    }

    @Test(arguments: ["", "/a", "a//b", "../a", "a/./b", "a/..", "a\0b", "a/"])
    func `A path that leads out of the tar is refused`(path: String) throws {
        let tar = try TarWriter(file: FileWriter(folder["one.tar"]), modified: 0)
        #expect(
            throws: SnapshotError.unwritable(
                "\"\(path)\" is not a valid path in a package; use a relative path without \".\" and \"..\"")
        ) {
            try tar.addFile(path, [])
        }
    }
}

extension TarTests {
    @Test func `The target of a link is found, even if paths contain its key`() throws {
        let entry = TarEntry(path: "a linkpath=b/\(long)", link: "c linkpath=d/\(long)", size: 0, modified: 0)
        try File.writeNew(entry.header, to: folder["header"])
        #expect(try TarEntry.link(in: File(reading: folder["header"]), at: 0) == entry.link)
    }
}

/// Unpacks a tar with the program tar.
func unpack(_ file: String, into folder: String) throws {
    try Folder.make(folder)
    #expect(try Running("/bin/tar", ["-xf", file, "-C", folder]).waitHere().code == 0)
}
