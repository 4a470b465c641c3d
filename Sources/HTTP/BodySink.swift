import Glibc
import Platform

/// Takes the bytes of a body as they come: in memory up to a size, from there on in a new file; refuses more than the
/// maximum.
struct BodySink {
    struct Fault: Error {
        let cause: HTTPError.Cause
        let reason: String
    }

    private let memorySize: Int
    private let maximumSize: Int
    private let folder: String
    private var bytes: [UInt8] = []
    private var file: (descriptor: Int32, path: String)?
    private(set) var size = 0
    private(set) var fault: Fault?

    init(memorySize: Int, maximumSize: Int, folder: String) {
        self.memorySize = memorySize
        self.maximumSize = maximumSize
        self.folder = folder
    }
}

extension BodySink {
    /// - Returns: whether the bytes were taken; when not, `fault` says why.
    mutating func append(_ new: UnsafeRawBufferPointer) -> Bool {
        size += new.count
        guard size <= maximumSize else {
            fault = Fault(
                cause: .refused, reason: "the body is larger than \(maximumSize) bytes, the most that is taken")
            return false
        }
        if file == nil, size <= memorySize {
            bytes.append(contentsOf: new)
            return true
        }
        guard openFile() else { return false }
        return write(new)
    }

    /// The body; a file is closed and belongs to the caller from here on.
    mutating func finish() -> Result<Body, Fault> {
        guard let open = file else { return .success(.bytes(bytes)) }
        file = nil
        guard close(open.descriptor) == 0 else {
            let fault = Self.diskFault(open.path)
            unlink(open.path)
            return .failure(fault)
        }
        return .success(.file(path: open.path, size: size))
    }

    /// Forgets everything and removes the file.
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
        guard descriptor >= 0 else {
            fault = Self.diskFault(path)
            return false
        }
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
            if count < 0 {
                if errno == EINTR { continue }
                fault = Self.diskFault(file.path)
                return false
            }
            left = left.dropFirst(count)
        }
        return true
    }

    private static func diskFault(_ path: String) -> Fault {
        Fault(cause: .disk, reason: "\(SystemError("write the body to", path))")
    }
}
