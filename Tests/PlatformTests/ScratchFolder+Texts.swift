import Platform
import TestSupport

extension ScratchFolder {
    func writeFiles(_ texts: [String: String]) throws {
        for (name, text) in texts {
            if let slash = name.lastIndex(of: "/") { try Folder.make(self[String(name[..<slash])]) }
            try File.writeNew(Array(text.utf8), to: self[name])
        }
    }

    func texts() throws -> [String: String] {
        var texts: [String: String] = [:]
        for name in try Folder.files(below: path) {
            texts[name] = String(decoding: try File.read(self[name]), as: UTF8.self)
        }
        return texts
    }
}
