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

    /// The code for what is no regular file: a folder, pipe, socket or device.
    public static let noFile: Int32 = -1
    /// The code for a path or a link that leads out of the folder that it has to stay in.
    public static let leadsOut: Int32 = -2

    /// One sentence for a person: what failed, why, and what helps where that is known.
    public var description: String { "cannot \(action) \(path): \(reason)\(remedy.map { "; \($0)" } ?? "")" }

    private var reason: String {
        switch code {
        case Self.noFile: "it is not a regular file"
        case Self.leadsOut: "it leads out of its folder"
        case ELOOP: "it is a symbolic link"
        default: String(cString: strerror(code))
        }
    }

    private var remedy: String? {
        switch code {
        case ENOSPC, EDQUOT: "make room there and run again"
        case EACCES, EPERM: "give the user who runs amber the right to it, or choose another place"
        case EROFS: "make it writable, or choose another place"
        case Self.noFile: "remove it"
        case Self.leadsOut, ELOOP: "put the file or folder itself in its place"
        case EXDEV: "both have to be on one file system"
        case EMFILE, ENFILE: "allow more open files (ulimit -n) and run again"
        default: nil
        }
    }
}
