import Glibc
import Platform

/// Collects the bytes of a body. A small body is in memory, a larger one in a new file. A body over the maximum size is
/// refused.
struct BodySink: ~Copyable {
    private let memorySize: Int
    private let maximumSize: Int
    private let path: String
    private var bytes: [UInt8] = []
    private var file: FileWriter?
    private(set) var size = 0
    private(set) var fault: Transfer.Fault?

    init(memorySize: Int, maximumSize: Int, folder: String) {
        self.memorySize = memorySize
        self.maximumSize = maximumSize
        path = "\(folder)/body-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
    }
}

extension BodySink {
    /// - Returns: whether the bytes were accepted; if not, `fault` is the reason.
    mutating func append(_ new: UnsafeRawBufferPointer) -> Bool {
        size += new.count
        guard size <= maximumSize else {
            fault = (.refused, "the body is larger than the limit of \(maximumSize) bytes")
            return false
        }
        bytes.append(contentsOf: new)
        guard size > memorySize else { return true }
        do {
            // A body may contain a secret until it is redacted.
            if file == nil { file = try FileWriter(path, mode: 0o600) }
            try file?.append(bytes)
            bytes = []
            return true
        } catch {
            return fail(error)
        }
    }

    /// Ends the body. If the body is in a file, the file is closed, and the caller must remove it later.
    /// - Returns: nil if the file could not be written; `fault` is the reason.
    mutating func finish() -> Body? {
        guard file != nil else { return .bytes(bytes) }
        do {
            try file?.finish()
            file = nil
            return .file(path: path, size: size)
        } catch {
            _ = fail(error)
            return nil
        }
    }

    mutating func discard() {
        if file != nil { unlink(path) }
        file = nil
        bytes = []
        size = 0
        fault = nil
    }

    private mutating func fail(_ error: any Error) -> Bool {
        fault = (.disk, "\(error)")
        return false
    }
}
