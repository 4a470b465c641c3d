import Platform
import TestSupport
import Testing

struct FilePiecesTests {
    private let folder: ScratchFolder

    init() throws { folder = try ScratchFolder() }

    @Test func `A file written in pieces and changed in the middle is read back unchanged`() throws {
        let writer = try FileWriter(folder["file"])
        var expected: [UInt8] = []
        for size in [0, 1, 100_000, 300_000, 262_144, 7] {
            let piece = (0..<size).map { UInt8(truncatingIfNeeded: $0 &+ size) }
            expected += piece
            try writer.append(piece)
        }
        #expect(writer.count == Int64(expected.count))
        try writer.patch([1, 2, 3], at: 99_999)
        expected.replaceSubrange(99_999..<100_002, with: [1, 2, 3])
        try writer.append([4])
        expected.append(4)
        try writer.finish()

        let reader = try File(reading: folder["file"])
        #expect(try reader.status().size == Int64(expected.count))
        var read: [UInt8] = []
        while true {
            let piece = try reader.read(65_537)
            guard !piece.isEmpty else { break }
            read += piece
        }
        #expect(read == expected)
        #expect(throws: SystemError("write", folder["file"], code: 17)) { _ = try FileWriter(folder["file"]) }
        #expect(throws: SystemError("read", folder["none"], code: 2)) { _ = try File(reading: folder["none"]) }
    }

    @Test func `A file can be linked or copied, and a link to another file system is not an error`() throws {
        let file = try folder.write("text", to: "file")
        #expect(try File.link(file, to: folder["link"]) == .linked)
        #expect(FileStatus(folder["link"])?.inode == FileStatus(file)?.inode)
        #expect(try File.link(file, to: folder["link"]) == .kept)
        try File.copy(file, to: folder["copy"])
        #expect(try File.read(folder["copy"]) == Array("text".utf8))
        #expect(FileStatus(folder["copy"])?.links == 1)
        let device = try #require(FileStatus(file)).device
        for other in ["/dev/shm", "/var/tmp"] where FileStatus(other).map({ $0.device != device }) == true {
            #expect(try File.link(file, to: "\(other)/amber-test-link") == .refused)
        }
    }
}
