public import Glibc

/// A call to the operating system that failed: what was tried, on what, and the system's reason.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// What was tried, as a verb: "write", "exchange".
    public let action: String
    /// The file or folder concerned.
    public let path: String
    /// The error number, errno(3).
    public let code: Int32

    /// A failure with its error number; by default the one the last call left.
    public init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// One sentence for a person.
    public var description: String { "cannot \(action) \(path): \(String(cString: strerror(code)))" }
}
