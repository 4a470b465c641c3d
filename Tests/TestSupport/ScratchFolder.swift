public import Foundation

/// A folder of a test's own, removed with it.
public final class ScratchFolder: Sendable {
    /// Its path.
    public let path: String

    /// Makes a fresh folder.
    public init() throws {
        path = NSTemporaryDirectory() + "amber-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // A folder that cannot be removed is the system's to clean; the test has had its verdict.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a name inside.
    public subscript(name: String) -> String { "\(path)/\(name)" }

    /// Writes a text file below the folder and answers its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }
}

/// Every file below a folder with its content; links are read through.
public func contents(of folder: String) throws -> [String: Data] {
    var files: [String: Data] = [:]
    guard let names = FileManager.default.enumerator(atPath: folder) else { return [:] }
    for case let name as String in names {
        var isFolder: ObjCBool = false
        guard FileManager.default.fileExists(atPath: "\(folder)/\(name)", isDirectory: &isFolder), !isFolder.boolValue
        else { continue }
        files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
    }
    return files
}

/// Every name below a folder with size, inode and time of last change.
public func fingerprint(of folder: String) throws -> [String: String] {
    var prints: [String: String] = [:]
    guard let names = FileManager.default.enumerator(atPath: folder) else { return [:] }
    for case let name as String in names {
        let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
        prints[name] = "\(facts[.size] ?? "") \(facts[.systemFileNumber] ?? "") \(facts[.modificationDate] ?? "")"
    }
    return prints
}
