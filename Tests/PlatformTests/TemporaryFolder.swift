import Glibc
import Platform
import Testing

/// An empty folder for one test; removes itself.
final class TemporaryFolder: Sendable {
    let path: String

    init() throws {
        var template = Array("/tmp/amber-platform-XXXXXX".utf8CString)
        let made = template.withUnsafeMutableBufferPointer { $0.baseAddress.flatMap(mkdtemp).map { String(cString: $0) } }
        path = try #require(made)
    }

    // What cannot be removed is left to the system's own cleaning of /tmp.
    deinit { try? Folder.remove(path) }

    /// The path of a name inside.
    subscript(name: String) -> String { "\(path)/\(name)" }

    /// Writes short texts, making the folders they need.
    func fill(_ texts: [String: String]) throws {
        for (name, text) in texts {
            if let slash = name.lastIndex(of: "/") { try Folder.make(self[String(name[..<slash])]) }
            try File.writeNew(Array(text.utf8), to: self[name])
        }
    }

    /// The content of every file below, by relative path.
    func texts() throws -> [String: String] {
        var texts: [String: String] = [:]
        for name in try Folder.files(below: path) { texts[name] = String(decoding: try File.read(self[name]), as: UTF8.self) }
        return texts
    }
}
