import Glibc
import Platform

/// Takes the bytes of a body: in memory up to a size, above that in a new file; refuses more than the maximum.
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
    /// - Returns: whether the bytes were taken; if not, `fault` says why.
    mutating func append(_ new: UnsafeRawBufferPointer) -> Bool {
        size += new.count
        guard size <= maximumSize else {
            return fail(.refused, "the body is larger than \(maximumSize) bytes, the most that is taken")
        }
        if file == nil, size <= memorySize {
            bytes.append(contentsOf: new)
            return true
        }
        guard openFile() else { return false }
        return write(new)
    }

    /// The body; a file is closed and belongs to the caller from here on.
    /// - Returns: nil if the file could not be written; `fault` says why.
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
        let held = bytes
        bytes = []
        return held.withUnsafeBytes { write($0) }
    }

    private mutating func write(_ new: UnsafeRawBufferPointer) -> Bool {
        guard let file else { return false }
        var left = new[...]
        while !left.isEmpty {
            let count = Glibc.write(file.descriptor, UnsafeRawBufferPointer(rebasing: left).baseAddress, left.count)
            if count < 0 && errno == EINTR { continue }
            guard count >= 0 else { return fail(.disk, Self.failure(file.path)) }
            left = left.dropFirst(count)
        }
        return true
    }

    private mutating func fail(_ cause: HTTPError.Cause, _ reason: String) -> Bool {
        fault = (cause, reason)
        return false
    }

    private static func failure(_ path: String) -> String { "\(SystemError("write the body to", path))" }
}
