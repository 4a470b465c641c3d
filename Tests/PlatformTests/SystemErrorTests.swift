import Glibc
import Platform
import TestSupport
import Testing

struct SystemErrorTests {
    @Test func `A description says what failed, on which path, and why`() {
        let full = SystemError("write", "/full/page.html", code: ENOSPC)
        #expect(
            full.description == "cannot write /full/page.html: No space left on device; free space there and run again")
        #expect(
            SystemError("exchange a with", "b", code: ENOENT).description
                == "cannot exchange a with b: No such file or directory")
    }

    @Test func `The error keeps the code of the failed call`() throws {
        let folder = try ScratchFolder()
        let missing = folder["missing"]
        #expect(throws: SystemError("read", missing, code: ENOENT)) { try File.read(missing) }
        #expect(throws: SystemError("read", folder.path, code: EISDIR)) { try File.read(folder.path, mayBePipe: true) }
        #expect(throws: SystemError("move \(missing) to", folder["new"], code: ENOENT)) {
            try File.rename(missing, to: folder["new"])
        }
        #expect(throws: SystemError("remove", folder.path, code: EISDIR)) { try File.remove(folder.path) }
    }

    @Test func `A machine has at least one processor`() {
        #expect(processorCount >= 1)
    }

    @Test func `Two functions at the same time return both results, or throw the error of either one`() throws {
        let results = try inParallel({ 1 }, { "b" })
        #expect(results == (1, "b"))
        let error = SystemError("read", "a", code: ENOENT)
        @Sendable func failing() throws -> Int { throw error }
        #expect(throws: error) { try inParallel(failing, { 2 }) }
        #expect(throws: error) { try inParallel({ 1 }, failing) }
    }
}
