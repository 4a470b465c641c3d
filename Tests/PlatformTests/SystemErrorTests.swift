import Glibc
import Platform
import TestSupport
import Testing

@Suite("A failure of the system")
struct SystemErrorTests {
    @Test("is one sentence: what was tried, on what, and why it failed")
    func sentence() {
        let full = SystemError("write", "/full/page.html", code: ENOSPC)
        #expect(
            full.description == "cannot write /full/page.html: No space left on device; make room there and run again")
        #expect(
            SystemError("exchange a with", "b", code: ENOENT).description
                == "cannot exchange a with b: No such file or directory")
    }

    @Test("carries the number that the call left, not one of a later call")
    func number() throws {
        let folder = try ScratchFolder()
        let missing = folder["missing"]
        #expect(throws: SystemError("read", missing, code: ENOENT)) { try File.read(missing) }
        #expect(throws: SystemError("read", folder.path, code: EISDIR)) { try File.read(folder.path, mayBePipe: true) }
        #expect(throws: SystemError("move \(missing) to", folder["new"], code: ENOENT)) {
            try File.rename(missing, to: folder["new"])
        }
        #expect(throws: SystemError("remove", folder.path, code: EISDIR)) { try File.remove(folder.path) }
    }

    @Test("of a machine without processors does not occur")
    func processors() {
        #expect(processorCount >= 1)
    }
}
