public import Foundation
import Glibc

/// A temporary folder for a test. It is removed when it is released.
public final class ScratchFolder: Sendable {
    /// The folder's path.
    public let path: String

    /// Creates an empty folder.
    public init() throws {
        path = NSTemporaryDirectory() + "amber-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        // A folder that cannot be removed does not change the result of the test.
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder.
    public subscript(name: String) -> String { "\(path)/\(name)" }

    /// Writes a text file below the folder and returns its path.
    @discardableResult
    public func write(_ text: String, to name: String) throws -> String {
        let file = "\(path)/\(name)"
        try FileManager.default.createDirectory(
            atPath: (file as NSString).deletingLastPathComponent, withIntermediateDirectories: true)
        try Data(text.utf8).write(to: URL(fileURLWithPath: file))
        return file
    }

    /// Writes the key of RFC 8032's test 3 as private.pem (RFC 8410, section 7) and public.pem.
    public func writeKeys() throws {
        for (name, key) in [
            ("PRIVATE", "MC4CAQAwBQYDK2VwBCIEIMWqjfQ/n4N77bdELzHct7Fm04U1B28JS4XOOi4LRFj3"),
            ("PUBLIC", "MCowBQYDK2VwAyEA/FHNjmIYoaONpH7QAjDwWAgW7RO6MwOsXeuRFUiQgCU="),
        ] {
            try write(
                "-----BEGIN \(name) KEY-----\n\(key)\n-----END \(name) KEY-----\n", to: "\(name.lowercased()).pem")
        }
    }
}

/// The description of the error that a body throws; nil if there is none.
public func errorText(_ body: () throws -> Void) -> String? {
    do {
        try body()
        return nil
    } catch {
        return "\(error)"
    }
}

/// Changes a text file. A change that changes nothing is an error.
public func edit(_ path: String, _ change: (String) -> String) throws {
    let text = try String(contentsOfFile: path, encoding: .utf8)
    let changed = change(text)
    guard changed != text else { throw CocoaError(.fileWriteUnknown, userInfo: ["unchanged": path]) }
    try Data(changed.utf8).write(to: URL(fileURLWithPath: path))
}

/// The object or array of a text in JSON.
public func jsonObject<Value>(_ text: Data, as type: Value.Type = [String: Any].self) throws -> Value {
    guard let object = try JSONSerialization.jsonObject(with: text) as? Value else {
        throw CocoaError(.fileReadCorruptFile)
    }
    return object
}

/// Sets the modification time of a file, in nanoseconds since 1970.
public func setModified(_ path: String, to nanoseconds: Int64) {
    let (seconds, rest) = Int(nanoseconds).quotientAndRemainder(dividingBy: 1_000_000_000)
    let time = timespec(tv_sec: seconds, tv_nsec: rest)
    precondition(utimensat(AT_FDCWD, path, [time, time], 0) == 0, "cannot set the time of \(path)")
}

/// The content of every file below a folder. Links are followed.
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

/// The size, inode and modification time of every file and folder below a folder.
public func fingerprint(of folder: String) throws -> [String: String] {
    var prints: [String: String] = [:]
    guard let names = FileManager.default.enumerator(atPath: folder) else { return [:] }
    for case let name as String in names {
        let facts = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
        prints[name] = "\(facts[.size] ?? "") \(facts[.systemFileNumber] ?? "") \(facts[.modificationDate] ?? "")"
    }
    return prints
}
