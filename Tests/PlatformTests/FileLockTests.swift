import Glibc
import Platform
import TestSupport
import Testing

@Suite("A lock on a file")
struct FileLockTests {
    private let folder: ScratchFolder

    init() throws {
        folder = try ScratchFolder()
    }

    @Test("is refused to a second holder until the first lets go")
    func exclusive() throws {
        var first = try FileLock(folder["lock"])
        #expect(first != nil)
        #expect(try FileLock(folder["lock"]) == nil)
        withExtendedLifetime(first) {}
        first = nil
        #expect(try FileLock(folder["lock"]) != nil)
    }

    @Test("is a matter of its own file only")
    func independent() throws {
        let first = try FileLock(folder["one"])
        let second = try FileLock(folder["two"])
        withExtendedLifetime((first, second)) { #expect(first != nil && second != nil) }
    }

    @Test("whose file cannot be made says so")
    func impossible() throws {
        #expect(throws: SystemError("open the lock", folder["no/lock"], code: ENOENT)) {
            try FileLock(folder["no/lock"])
        }
    }
}
