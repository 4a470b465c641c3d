import Glibc
import Platform

/// Collects the bytes of a body: a small one in memory, a larger one in a new file. One over the maximum is refused.
struct BodySink: ~Copyable {
    private let memorySize: Int
    private let maximumSize: Int
    private let path: String
    private var bytes: [UInt8] = []
    private var file: FileWriter?
    var size: Int { bytes.count + Int(file?.count ?? 0) }

    init(memorySize: Int, maximumSize: Int, folder: String) {
        self.memorySize = memorySize
        self.maximumSize = maximumSize
        path = "\(folder)/body-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    }

    /// - Returns: the reason why the bytes are refused; nil if they are accepted.
    mutating func append(_ new: UnsafeRawBufferPointer) -> Transfer.Fault? {
        guard size + new.count <= maximumSize else {
            return (.refused, "the body is larger than the limit of \(maximumSize) bytes")
        }
        bytes.append(contentsOf: new)
        guard size > memorySize else { return nil }
        do {
            // A body may contain a secret until it is redacted.
            if file == nil { file = try FileWriter(path, mode: 0o600) }
            try file?.append(bytes)
            bytes = []
            return nil
        } catch {
            return (.disk, "\(error)")
        }
    }

    /// Ends the body. If the body is in a file, the file is closed, and the caller must remove it later.
    mutating func finish() throws -> Body {
        guard let file else { return .bytes(bytes) }
        try file.finish()
        self.file = nil
        return .file(path: path, size: Int(file.count))
    }

    mutating func discard() {
        if file != nil { unlink(path) }
        file = nil
        bytes = []
    }
}
