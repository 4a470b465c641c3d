import Glibc
import Platform

/// Collects the bytes of a body. A small body is in memory, a larger one in a new file. A body over the maximum size is
/// refused.
struct BodySink {
    private let memorySize: Int
    private let maximumSize: Int
    private let folder: String
    private var bytes: [UInt8] = []
    private var file: (descriptor: Int32, path: String)?
    private(set) var size = 0
    private(set) var fault: Transfer.Fault?

    init(memorySize: Int, maximumSize: Int, folder: String) {
        self.memorySize = memorySize
        self.maximumSize = maximumSize
        self.folder = folder
    }
}

extension BodySink {
    /// - Returns: whether the bytes were accepted; if not, `fault` is the reason.
    mutating func append(_ new: UnsafeRawBufferPointer) -> Bool {
        size += new.count
        guard size <= maximumSize else {
            return fail(.refused, "the body is larger than the limit of \(maximumSize) bytes")
        }
        if file == nil, size <= memorySize {
            bytes.append(contentsOf: new)
            return true
        }
        guard openFile() else { return false }
        return write(new)
    }

    /// Ends the body. If the body is in a file, the file is closed, and the caller must remove it later.
    /// - Returns: nil if the file could not be written; `fault` is the reason.
    mutating func finish() -> Body? {
        guard let open = file else { return .bytes(bytes) }
        file = nil
        guard close(open.descriptor) == 0 else {
            _ = fail(.disk, Self.failure(open.path))
            unlink(open.path)
            return nil
        }
        return .file(path: open.path, size: size)
    }

    mutating func discard() {
        if let file {
            close(file.descriptor)
            unlink(file.path)
        }
        file = nil
        bytes = []
        size = 0
        fault = nil
    }

    private mutating func openFile() -> Bool {
        guard file == nil else { return true }
        let path = "\(folder)/body-\(getpid())-\(UInt64.random(in: 0...UInt64.max))"
        let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { return fail(.disk, Self.failure(path)) }
        file = (descriptor, path)
        let buffered = bytes
        bytes = []
        return buffered.withUnsafeBytes { write($0) }
    }

    private mutating func write(_ new: UnsafeRawBufferPointer) -> Bool {
        guard let file else { return false }
        var remaining = new[...]
        while !remaining.isEmpty {
            let count = Glibc.write(
                file.descriptor, UnsafeRawBufferPointer(rebasing: remaining).baseAddress, remaining.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return fail(.disk, Self.failure(file.path)) }
            remaining = remaining.dropFirst(count)
        }
        return true
    }

    private mutating func fail(_ cause: HTTPError.Cause, _ reason: String) -> Bool {
        fault = (cause, reason)
        return false
    }

    private static func failure(_ path: String) -> String { "\(SystemError("write the body to", path))" }
}
