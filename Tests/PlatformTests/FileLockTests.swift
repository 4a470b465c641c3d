import Glibc
import Platform
import TestSupport
import Testing

struct FileLockTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test func `A second holder is refused until the first releases the lock`() throws {
        var first = try FileLock(folder["lock"])
        #expect(first != nil)
        #expect(try FileLock(folder["lock"]) == nil)
        withExtendedLifetime(first) {}
        first = nil
        #expect(try FileLock(folder["lock"]) != nil)
    }

    @Test func `Locks of different files are independent`() throws {
        let first = try FileLock(folder["one"])
        let second = try FileLock(folder["two"])
        withExtendedLifetime((first, second)) { #expect(first != nil && second != nil) }
    }

    @Test func `A lock file that cannot be created is reported`() throws {
        #expect(throws: SystemError("open the lock", folder["no/lock"], code: ENOENT)) {
            try FileLock(folder["no/lock"])
        }
    }
}
