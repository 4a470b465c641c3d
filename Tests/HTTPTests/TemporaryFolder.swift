import Glibc
import Platform
import Testing

/// An empty folder for one test; removes itself.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/amber-http-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } }
        path = try #require(made)
    }

    // What cannot be removed is left to the system's own cleaning of /tmp.
    deinit { try? Folder.remove(path) }

    /// The path of a name inside.
    subscript(name: String) -> String { "\(path)/\(name)" }
}
