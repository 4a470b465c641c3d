import CSystem
import Glibc
import TestSupport
import Testing

@testable import Platform

struct OpenFolderTests {
    private let scratch: ScratchFolder
    private let folder: OpenFolder

    /// A folder with links to a folder next to it, which must not change.
    init() throws {
        scratch = try ScratchFolder()
        try scratch.writeFiles(["in/deep/file": "x", "in/other": "y", "out/file": "outside", "out/sub/file": "outside"])
        symlink("../out", scratch["in/link"])
        symlink("../../out/sub", scratch["in/deep/link"])
        folder = try Folder.open(scratch["in"])
    }

    private func failure(_ body: () throws -> Void) -> SystemError? {
        do {
            try body()
            return nil
        } catch {
            return error as? SystemError
        }
    }

    @Test func `A pipe is read only if the caller expects one`() throws {
        #expect(mkfifo(scratch["in/pipe"], 0o600) == 0)
        #expect(throws: SystemError.self) { try File.read(scratch["in/pipe"]) }
        #expect(throws: SystemError.self) { try File.read("pipe", in: folder) }
    }

    @Test func `Removing a file in a missing folder is not an error`() throws {
        try folder.remove("absent/deep/file")
        try folder.remove("absent")
        #expect(throws: SystemError.self) { try folder.remove("other/file") }
    }

    @Test func `No call follows a link, and each error contains the link's path`() throws {
        let calls: [(OpenFolder) throws -> Void] = [
            { folder in _ = try folder.folder("link") },
            { folder in _ = try folder.folder("link/sub") },
            { folder in try folder.make("link") },
            { folder in try folder.makeAll("link/new/deep") },
            { folder in try folder.remove("link/file") },
            { folder in try folder.remove("link/sub") },
            { folder in _ = try File.read("link/file", in: folder) },
            { folder in _ = try File(reading: "link/file", in: folder) },
            { folder in _ = try File(new: "link/new", in: folder) },
            { folder in _ = try FileLock("link/new", in: folder) },
            { folder in try File.writeNew([1], to: "link/new", in: folder) },
            { folder in try File.overwrite("link/file", in: folder, with: [1]) },
            { folder in try File.rename("other", to: "link/file", in: folder) },
            { folder in try File.rename("link/file", to: "other", in: folder) },
            { folder in try File.remove("link/file", in: folder) },
            { folder in try Folder.exchange("link/sub", "deep", in: folder) },
            { folder in _ = try File.link("link/file", of: folder, to: "new", in: folder) },
            { folder in _ = try File.link("other", of: folder, to: "link/new", in: folder) },
        ]
        for (number, call) in calls.enumerated() {
            let error = failure { try call(folder) }
            #expect(
                error?.code == ELOOP && error?.path == scratch["in/link"],
                "call \(number): \(error?.description ?? "no error")")
        }
        #expect(FileStatus("link/file", in: folder) == nil && FileStatus("link", in: folder)?.isLink == true)
        #expect(try Folder.files(below: scratch["out"]) == ["file", "sub/file"])
        #expect(try File.read(scratch["out/file"]) == Array("outside".utf8))
        #expect(failure { _ = try folder.folder("deep/link") }?.path == scratch["in/deep/link"])
        #expect(
            SystemError("read", "a/link", code: ELOOP).description
                == "cannot read a/link: it is a symbolic link; replace the link with the file or folder itself")
    }

    @Test func `Folders whose names are equal only as texts are different`() throws {
        let names = ["\u{E9}", "e\u{301}"]
        for name in names { try scratch.write(name, to: "\(name)/file") }
        let folder = try Folder.open(scratch.path)
        #expect(try names.map { try File.read("\($0)/file", in: folder) } == names.map { Array($0.utf8) })
    }

    @Test func `A slash before a combining mark still separates names`() throws {
        try scratch.writeFiles(["out/\u{301}b/file": "outside"])
        #expect(failure { _ = try File.read("link/\u{301}b/file", in: folder) }?.code == ELOOP)
        #expect(failure { _ = try File.read("../\u{301}b/file", in: folder) }?.code == SystemError.outsideFolder)
    }

    @Test func `The status of a file is read even if its time overflows 64-bit nanoseconds`() throws {
        let distant = timespec(tv_sec: 10_413_792_000, tv_nsec: 0)
        #expect(utimensat(AT_FDCWD, scratch["in/other"], [distant, distant], 0) == 0)
        #expect(FileStatus("other", in: folder)?.isRegular == true)
    }

    @Test func `A file that is a link is not read or written, and only the link is removed`() throws {
        symlink("../out/file", scratch["in/file"])
        #expect(failure { _ = try File.read("file", in: folder) }?.code == ELOOP)
        #expect(failure { try File.overwrite("file", in: folder, with: [1]) }?.code == ELOOP)
        #expect(failure { _ = try FileLock("file", in: folder) }?.code == ELOOP)
        try folder.remove("file")
        try folder.remove("link")
        #expect(try folder.names() == ["deep", "other"])
        #expect(try Folder.files(below: scratch["out"]) == ["file", "sub/file"])
    }

    @Test(
        arguments: ["..", "../out", "../out/file", "deep/../../out/file", "/etc", "/etc/passwd", ".", ""])
    func `Paths that leave the folder are refused`(path: String) throws {
        let calls: [(OpenFolder) throws -> Void] = [
            { folder in _ = try File.read(path, in: folder) },
            { folder in try File.writeNew([1], to: path, in: folder) },
            { folder in try folder.remove(path) },
        ]
        for call in calls { #expect(failure { try call(folder) } != nil) }
        #expect(FileStatus(path, in: folder) == nil)
        #expect(try Folder.files(below: scratch["out"]) == ["file", "sub/file"])
        #expect(throws: SystemError.self) { try folder.folder(path) }
    }

    @Test func `A folder is opened without following links`() throws {
        #expect(try folder.folder("deep").names() == ["file", "link"])
        for path in ["link", "link/sub", "deep/link", "deep/../deep", "deep//file", "deep/file", "deep/missing"] {
            #expect(throws: SystemError.self, "\(path)") { try folder.folder(path) }
        }
    }

    @Test func `A link is followed on request, but only within the folder`() throws {
        symlink("other", scratch["in/inside"])
        symlink("../other", scratch["in/deep/inside"])
        symlink(scratch["in/other"], scratch["in/absolute"])
        for path in ["inside", "deep/inside", "absolute", "other"] {
            #expect(try File.readFollowing(path, in: folder, limit: 10) == [0x79])
        }
        for path in ["link/file", "deep/link/file"] {
            let error = failure { _ = try File.readFollowing(path, in: folder, limit: 10) }
            #expect(error == SystemError("follow the link", scratch["in/\(path)"], code: SystemError.outsideFolder))
        }
    }

    @Test func `Only regular files within the size limit are read`() throws {
        mkfifo(scratch["in/pipe"], 0o600)
        symlink("pipe", scratch["in/to-pipe"])
        for path in ["pipe", "deep"] {
            let error = SystemError("read", scratch["in/\(path)"], code: SystemError.notRegularFile)
            #expect(throws: error) { try File.read(path, in: folder) }
            #expect(failure { _ = try File(reading: path, in: folder) } == error)
            #expect(throws: error) { try File.readFollowing(path, in: folder, limit: 10) }
        }
        #expect(
            failure { _ = try File.readFollowing("to-pipe", in: folder, limit: 10) }?.code == SystemError.notRegularFile
        )
        truncate(scratch["in/other"], 8 << 40)
        #expect(throws: SystemError("read", scratch["in/other"], code: EFBIG)) { try File.read("other", in: folder) }
        #expect(throws: SystemError("read", scratch["in/other"], code: EFBIG)) { try File.read(scratch["in/other"]) }
        #expect(throws: SystemError("read", "/dev/zero", code: EFBIG)) {
            try File.read("/dev/zero", limit: 1 << 20, mayBePipe: true)
        }
    }

    @Test func `Folders are listed while a thread removes and replaces them`() throws {
        let path = scratch.path
        let isDone = Locked(false)
        let lists = Locked(0)
        startThread {
            var rounds = 0
            // On a busy machine, 300 rounds can end before the first list.
            while rounds < 300 || lists.withLock({ $0 }) == 0 {
                rounds += 1
                mkdir("\(path)/in/new", 0o755)
                mkdir("\(path)/in/new/deep", 0o755)
                rmdir("\(path)/in/new/deep")
                rmdir("\(path)/in/new")
                symlink("deep", "\(path)/in/new")
                unlink("\(path)/in/new")
            }
            isDone.withLock { $0 = true }
        }
        while !isDone.withLock({ $0 }) {
            let folders = try folder.folders()
            #expect(Set(folders).isSubset(of: ["deep", "new", "new/deep"]) && folders.contains("deep"))
            lists.withLock { $0 += 1 }
        }
        #expect(try folder.folders() == ["deep"])
    }

    @Test(.timeLimit(.minutes(1)))
    func `Folders nested deeper than the longest path are not listed`() throws {
        // Each folder is created below an open folder, because the complete path is too long for the system.
        var at = folder
        for _ in 0..<45 {
            let name = String(repeating: "d", count: 100)
            try at.make(name)
            at = try at.folder(name)
        }
        let error = #expect(throws: SystemError.self) { try folder.folders() }
        #expect(error?.code == ENAMETOOLONG)
    }

    @Test func `Using many folders needs only a few descriptors`() throws {
        for number in 0..<200 {
            try folder.makeAll("many/\(number)/deep")
            try File.writeNew([1], to: "many/\(number)/deep/file", in: folder)
        }
        let open = try Folder.names(in: "/proc/self/fd").compactMap { Folder.realPath("/proc/self/fd/\($0)") }
        #expect(open.count { $0.hasPrefix(scratch["in"]) } <= 40)
        #expect(try folder.files().count { $0.hasPrefix("many/") } == 200)
        #expect(try folder.folders().count { $0.hasSuffix("/deep") } == 200)
        try folder.remove("many")
        #expect(FileStatus("many", in: folder) == nil)
    }
}
