import CSystem
import Glibc
import Platform
import TestSupport
import Testing

struct FileTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test(arguments: [0, 1, 4096, 3_000_000])
    func `A file of any length is read back unchanged`(size: Int) throws {
        let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try File.writeNew(bytes, to: folder["file"])
        #expect(try File.read(folder["file"]) == bytes)
    }

    @Test func `A pipe is read to its end, and reading a folder is an error`() async throws {
        let path = folder["pipe"]
        #expect(mkfifo(path, 0o600) == 0)
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
        try File.writeNew(bytes, to: folder["file"])
        // Opening one end of a pipe waits for the other.
        let writer = try Running("/bin/sh", ["-c", "cat \"$0\" > \"$1\"", folder["file"], path])
        #expect(try File.read(path, mayBePipe: true) == bytes)
        #expect(try await writer.wait().code == 0)
        #expect(throws: SystemError("read", folder.path, code: EISDIR)) { try File.read(folder.path, mayBePipe: true) }
    }

    @Test func `A file is created with the requested mode`() throws {
        try File.writeNew([1], to: folder["kept"], mode: 0o444)
        var status = stat()
        #expect(stat(folder["kept"], &status) == 0)
        #expect(status.st_mode & 0o777 == 0o444)
    }

    @Test func `Creating a file that exists is an error, and the file keeps its content`() throws {
        try folder.writeFiles(["file": "old"])
        #expect(throws: SystemError("write", folder["file"], code: EEXIST)) {
            try File.writeNew([1], to: folder["file"])
        }
        #expect(try folder.texts() == ["file": "old"])
    }

    @Test(
        arguments: ["", "brief", "much longer than it was"])
    func `A file is overwritten in place without remains of the old content`(new: String) throws {
        try folder.writeFiles(["file": "the old text"])
        let inode = FileStatus(folder["file"])?.inode
        try File.overwrite(folder["file"], with: Array(new.utf8))
        #expect(try folder.texts() == ["file": new])
        #expect(FileStatus(folder["file"])?.inode == inode)
    }

    @Test func `A missing file is not overwritten`() throws {
        #expect(throws: SystemError("write", folder["file"], code: ENOENT)) {
            try File.overwrite(folder["file"], with: [1])
        }
    }

    @Test func `A file is not overwritten through a link`() throws {
        try folder.writeFiles(["file": "old"])
        symlink("file", folder["link"])
        #expect(throws: SystemError("write", folder["link"], code: ELOOP)) {
            try File.overwrite(folder["link"], with: [1])
        }
        #expect(try File.read(folder["file"]) == Array("old".utf8))
    }

    @Test func `A file is replaced atomically, and an open old file can still be read`() throws {
        try folder.writeFiles(["file": "old", "file.new": "left by a killed run"])
        let held = open(folder["file"], O_RDONLY)
        defer { close(held) }
        try File.replace(Array("new".utf8), at: folder["file"])

        var buffer = [UInt8](repeating: 0, count: 10)
        #expect(read(held, &buffer, 10) == 3)
        #expect(Array(buffer.prefix(3)) == Array("old".utf8))
        #expect(try folder.texts() == ["file": "new"])
    }

    @Test func `A failed replacement leaves no draft file`() throws {
        try folder.writeFiles(["taken/inside": "x"])
        #expect(throws: SystemError.self) { try File.replace([1], at: folder["taken"]) }
        #expect(try folder.texts() == ["taken/inside": "x"])
    }

    @Test func `Removing a file twice is not an error`() throws {
        try folder.writeFiles(["file": "x"])
        try File.remove(folder["file"])
        try File.remove(folder["file"])
        #expect(try folder.texts() == [:])
    }

    @Test func `The path of a file can be relative to an open folder`() throws {
        let open = try Folder.open(folder.path)
        try File.writeNew(Array("one".utf8), to: "a", in: open)
        try File.writeNew(Array("two".utf8), to: "b", in: open)
        try File.overwrite("a", in: open, with: Array("three".utf8))
        try File.remove("b", in: open)
        #expect(try folder.texts() == ["a": "three"])
        #expect(FileStatus("a", in: open)?.size == 5)
        #expect(FileStatus("b", in: open) == nil)
    }

    @Test func `A status has size, kind and link count, and does not follow links`() throws {
        try folder.writeFiles(["file": "four"])
        link(folder["file"], folder["again"])
        symlink("file", folder["link"])
        let status = try #require(FileStatus(folder["file"]))
        #expect(status.size == 4 && status.links == 2 && !status.isFolder)
        #expect(FileStatus(folder["again"]) == status)
        #expect(FileStatus(folder["link"])?.inode != status.inode)
        #expect(FileStatus(folder.path)?.isFolder == true)
        #expect(FileStatus(folder["nothing"]) == nil)
    }

    @Test func `File calls leave no descriptor open, whether they succeed or fail`() throws {
        try folder.writeFiles(["file": "x", "deep/er/file": "y"])
        let before = try openDescriptors()
        for _ in 0..<20 {
            _ = try File.read(folder["file"])
            #expect(throws: SystemError.self) { try File.read(folder["deep"]) }
            #expect(throws: SystemError.self) { try File.writeNew([1], to: folder["file"]) }
            #expect(throws: SystemError.self) { try File.replace([1], at: folder["deep"]) }
            #expect(throws: SystemError.self) { try Folder.names(in: folder["file"]) }
            try File.overwrite(folder["file"], with: [1, 2])
            _ = try Folder.files(below: folder.path)
            _ = try Folder.open(folder.path)
            _ = try FileLock(folder["lock"])
        }
        #expect(try openDescriptors() == before)
    }

    /// The open descriptors in this test's folder. Other tests open other files at the same time.
    private func openDescriptors() throws -> [String] {
        try Folder.names(in: "/proc/self/fd").compactMap { Folder.realPath("/proc/self/fd/\($0)") }.filter {
            $0.hasPrefix(folder.path)
        }
    }
}
