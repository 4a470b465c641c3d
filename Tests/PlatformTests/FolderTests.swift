import CSystem
import Glibc
import Platform
import TestSupport
import Testing

@Suite("A folder")
struct FolderTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test(
        "is made with those above it, and made again without complaint",
        arguments: ["one", "one/two/three", "one/two/"])
    func make(name: String) throws {
        try Folder.make(folder[name])
        try Folder.make(folder[name])
        #expect(FileStatus(folder[name])?.isFolder == true)
    }

    @Test("may be reached through a link")
    func makeThroughLink() throws {
        try Folder.make(folder["real"])
        symlink("real", folder["link"])
        try Folder.make(folder["link"])
        try Folder.make(folder["link/inside"])
        #expect(FileStatus(folder["real/inside"])?.isFolder == true)
    }

    @Test("is not made where a file is in the way")
    func makeOverFile() throws {
        try folder.fill(["file": "x"])
        #expect(throws: SystemError("make the folder", folder["file"], code: ENOTDIR)) {
            try Folder.make(folder["file"])
        }
        #expect(throws: SystemError("make the folder", folder["file/below"], code: ENOTDIR)) {
            try Folder.make(folder["file/below"])
        }
    }

    @Test("names what is in it in the order of bytes, hidden files too")
    func names() throws {
        try folder.fill(["b": "", "a/x": "", "Z": "", ".hidden": "", "ä": "", "a.txt": "", "10": "", "9": ""])
        #expect(try Folder.names(in: folder.path) == [".hidden", "10", "9", "Z", "a", "a.txt", "b", "ä"])
    }

    @Test("that is not there has no names and no files")
    func missing() throws {
        #expect(try Folder.names(in: folder["nothing"]) == [])
        #expect(try Folder.files(below: folder["nothing"]) == [])
    }

    @Test("that is a file cannot be listed")
    func listFile() throws {
        try folder.fill(["file": "x"])
        #expect(throws: SystemError("list", folder["file"], code: ENOTDIR)) { try Folder.names(in: folder["file"]) }
    }

    @Test(
        "lists its files at every depth, sorted by the bytes of their paths; empty folders and what links lead to are none"
    )
    func files() throws {
        try folder.fill(["a/x": "", "a-b": "", "a.txt": "", "a/b/deep": "", "z": ""])
        try Folder.make(folder["empty"])
        symlink("a", folder["link"])
        #expect(try Folder.files(below: folder.path) == ["a-b", "a.txt", "a/b/deep", "a/x", "link", "z"])
    }

    @Test("is removed with all in it, links themselves but not what they lead to")
    func remove() throws {
        try folder.fill(["tree/a/b/c": "x", "tree/d": "y", "outside/kept": "z"])
        symlink(folder["outside"], folder["tree/link"])
        symlink("nowhere", folder["tree/a/broken"])
        try Folder.remove(folder["tree"])
        try Folder.remove(folder["tree"])
        #expect(try Folder.names(in: folder.path) == ["outside"])
        #expect(try folder.texts() == ["outside/kept": "z"])
    }

    @Test("that is a link is removed as a link")
    func removeLink() throws {
        try folder.fill(["outside/kept": "z"])
        symlink("outside", folder["link"])
        try Folder.remove(folder["link"])
        #expect(try folder.texts() == ["outside/kept": "z"])
    }

    @Test("is exchanged with another in one step")
    func exchange() throws {
        try folder.fill(["one/a": "1", "two/b/c": "2"])
        try Folder.exchange(folder["one"], folder["two"])
        #expect(try folder.texts() == ["two/a": "1", "one/b/c": "2"])
    }

    @Test("is not exchanged with nothing, and stays as it was")
    func exchangeWithNothing() throws {
        try folder.fill(["one/a": "1"])
        let failure = SystemError("exchange \(folder["one"]) with", folder["two"], code: ENOENT)
        #expect(throws: failure) { try Folder.exchange(folder["one"], folder["two"]) }
        #expect(try folder.texts() == ["one/a": "1"])
    }

    @Test("is opened only where it is one")
    func open() throws {
        try folder.fill(["file": "x"])
        #expect(throws: SystemError("open the folder", folder["file"], code: ENOTDIR)) {
            try Folder.open(folder["file"])
        }
        #expect(throws: SystemError("open the folder", folder["no"], code: ENOENT)) { try Folder.open(folder["no"]) }
    }

    @Test("that is temporary has an unpredictable name and is closed to other users")
    func temporary() throws {
        let paths = try (0..<10).map { _ in try Folder.makeTemporary(prefix: "scratch-", in: folder.path) }
        #expect(Set(paths).count == 10 && paths.allSatisfy { $0.hasPrefix(folder["scratch-"]) })
        for path in paths {
            var status = stat()
            #expect(stat(path, &status) == 0 && status.st_mode == S_IFDIR | 0o700)
        }
        #expect(throws: SystemError("make a temporary folder in", folder["no"], code: ENOENT)) {
            try Folder.makeTemporary(prefix: "scratch-", in: folder["no"])
        }
    }

    @Test("has a real path without links, and none where nothing is")
    func realPath() throws {
        try Folder.make(folder["real"])
        symlink("real", folder["link"])
        #expect(Folder.realPath(folder["link/../link"]) == Folder.realPath(folder["real"]))
        #expect(Folder.realPath(folder["nothing"]) == nil)
    }
}
