import CSystem
import Glibc
import Platform
import TestSupport
import Testing

struct FolderTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test(
        arguments: ["one", "one/two/three", "one/two/"])
    func `A folder is created with its parents, and creating it again is not an error`(name: String) throws {
        try Folder.make(folder[name])
        try Folder.make(folder[name])
        #expect(FileStatus(folder[name])?.isFolder == true)
    }

    @Test func `A folder can be reached through a link`() throws {
        try Folder.make(folder["real"])
        symlink("real", folder["link"])
        try Folder.make(folder["link"])
        try Folder.make(folder["link/inside"])
        #expect(FileStatus(folder["real/inside"])?.isFolder == true)
    }

    @Test func `Creating a folder with the path of a file is an error`() throws {
        try folder.writeFiles(["file": "x"])
        #expect(throws: SystemError("open the folder", folder["file"], code: ENOTDIR)) {
            try Folder.make(folder["file"])
        }
        #expect(throws: SystemError("make the folder", folder["file/below"], code: ENOTDIR)) {
            try Folder.make(folder["file/below"])
        }
    }

    @Test func `A folder lists its names in byte order, including hidden files`() throws {
        try folder.writeFiles(["b": "", "a/x": "", "Z": "", ".hidden": "", "ä": "", "a.txt": "", "10": "", "9": ""])
        #expect(try Folder.names(in: folder.path) == [".hidden", "10", "9", "Z", "a", "a.txt", "b", "ä"])
    }

    @Test func `A missing folder has no names and no files`() throws {
        #expect(try Folder.names(in: folder["nothing"]) == [])
        #expect(try Folder.files(below: folder["nothing"]) == [])
    }

    @Test func `A file cannot be listed`() throws {
        try folder.writeFiles(["file": "x"])
        #expect(throws: SystemError("open the folder", folder["file"], code: ENOTDIR)) {
            try Folder.names(in: folder["file"])
        }
    }

    @Test func `Files at every depth are listed in byte order of their paths`() throws {
        try folder.writeFiles(["a/x": "", "a-b": "", "a.txt": "", "a/b/deep": "", "z": ""])
        try Folder.make(folder["empty"])
        symlink("a", folder["link"])
        #expect(try Folder.files(below: folder.path) == ["a-b", "a.txt", "a/b/deep", "a/x", "link", "z"])
    }

    @Test func `A folder is removed with its content, but links are not followed`() throws {
        try folder.writeFiles(["tree/a/b/c": "x", "tree/d": "y", "outside/kept": "z"])
        symlink(folder["outside"], folder["tree/link"])
        symlink("nowhere", folder["tree/a/broken"])
        try Folder.remove(folder["tree"])
        try Folder.remove(folder["tree"])
        #expect(try Folder.names(in: folder.path) == ["outside"])
        #expect(try folder.texts() == ["outside/kept": "z"])
    }

    @Test func `Names that are not UTF-8 are listed and removed`() throws {
        try folder.writeFiles(["tree/kept": "x", "tree/deep/kept": "y", "outside": "z"])
        let latin: [CChar] = "caf".utf8CString.dropLast() + [CChar(bitPattern: 0xE9), 0]
        func path(_ parent: String) -> [CChar] { folder[parent + "/"].utf8CString.dropLast() + latin }
        func write() throws {
            for parent in ["tree", "tree/deep"] { try #require(mkdir(path(parent), 0o755) == 0) }
            let target: [CChar] = path("tree/deep").dropLast() + Array("/link".utf8CString)
            symlink("../../outside", target)
            // A file with such a name, next to a file with the name that messages show.
            try folder.writeFiles(["tree/empty/caf\u{FFFD}": "x"])
            try #require(link(folder["tree/empty/caf\u{FFFD}"], path("tree/empty")) == 0)
        }
        try write()
        let names = ["deep/caf\u{FFFD}/link", "deep/kept", "empty/caf\u{FFFD}", "empty/caf\u{FFFD}", "kept"]
        #expect(try Folder.files(below: folder["tree"]) == names)
        try Folder.open(folder["tree"]).removeFiles(unless: { $0.hasSuffix("kept") })
        #expect(try folder.texts() == ["tree/kept": "x", "tree/deep/kept": "y", "outside": "z"])
        #expect(try Folder.folders(from: folder["tree"]) == [folder["tree"], folder["tree/deep"]])
        try write()
        try Folder.remove(folder["tree"])
        #expect(try Folder.names(in: folder.path) == ["outside"])
    }

    @Test func `A link to a folder is removed as a link`() throws {
        try folder.writeFiles(["outside/kept": "z"])
        symlink("outside", folder["link"])
        try Folder.remove(folder["link"])
        #expect(try folder.texts() == ["outside/kept": "z"])
    }

    @Test func `Two folders are exchanged atomically`() throws {
        try folder.writeFiles(["one/a": "1", "two/b/c": "2"])
        try Folder.exchange(folder["one"], folder["two"])
        #expect(try folder.texts() == ["two/a": "1", "one/b/c": "2"])
    }

    @Test func `Exchanging a folder with a missing folder is an error`() throws {
        try folder.writeFiles(["one/a": "1"])
        let failure = SystemError("exchange \(folder["one"]) with", folder["two"], code: ENOENT)
        #expect(throws: failure) { try Folder.exchange(folder["one"], folder["two"]) }
        #expect(try folder.texts() == ["one/a": "1"])
    }

    @Test func `Opening a file as a folder is an error`() throws {
        try folder.writeFiles(["file": "x"])
        #expect(throws: SystemError("open the folder", folder["file"], code: ENOTDIR)) {
            try Folder.open(folder["file"])
        }
        #expect(throws: SystemError("open the folder", folder["no"], code: ENOENT)) { try Folder.open(folder["no"]) }
    }

    @Test func `A temporary folder has an unpredictable name and is private`() throws {
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

    @Test func `A real path has no links, and a missing file has none`() throws {
        try Folder.make(folder["real"])
        symlink("real", folder["link"])
        #expect(Folder.realPath(folder["link/../link"]) == Folder.realPath(folder["real"]))
        #expect(Folder.realPath(folder["nothing"]) == nil)
    }
}
