import Glibc

/// The bytes of an answer.
public enum Body: Sendable {
    /// At most a mebibyte, in memory.
    case bytes([UInt8])
    /// More than that, streamed into a file that now belongs to whoever holds the answer.
    case file(path: String, size: Int)

    /// The length in bytes.
    public var size: Int {
        switch self {
        case .bytes(let bytes): bytes.count
        case .file(_, let size): size
        }
    }

    /// Removes the file of a body that nobody is to read.
    func discard() {
        if case .file(let path, _) = self { unlink(path) }
    }
}
