import Glibc

/// The result of a closure; nil if a file or folder that it needs does not exist.
func ifExists<Value>(_ body: () throws -> Value) throws -> Value? {
    do {
        return try body()
    } catch let error as SystemError where error.code == ENOENT {
        return nil
    }
}

/// A failed system call: the action, the path, and the system's reason.
public struct SystemError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The action as a verb, such as "write" or "exchange".
    package let action: String
    package let path: String
    /// The error number, errno(3).
    package let code: Int32

    /// By default the code is that of the last call.
    package init(_ action: String, _ path: String, code: Int32 = errno) {
        self.action = action
        self.path = path
        self.code = code
    }

    /// The code for a folder, pipe, socket or device where a regular file is required.
    package static let notRegularFile: Int32 = -1
    /// The code for a path or link that leads out of its folder.
    package static let outsideFolder: Int32 = -2

    /// One sentence for users: what failed, why, and what to do if that is known.
    public var description: String { "cannot \(action) \(path): \(reason)\(remedy.map { "; \($0)" } ?? "")" }

    private var reason: String {
        switch code {
        case Self.notRegularFile: "it is not a regular file"
        case Self.outsideFolder: "it leads out of its folder"
        case ELOOP: "it is a symbolic link"
        default: String(cString: strerror(code))
        }
    }

    private var remedy: String? {
        switch code {
        case ENOSPC, EDQUOT: "free space there and run again"
        case EACCES, EPERM: "give the user who runs amber permission, or choose another folder"
        case EROFS: "make the file system writable, or choose another folder"
        case Self.notRegularFile: "remove it"
        case Self.outsideFolder, ELOOP: "replace the link with the file or folder itself"
        case EXDEV: "both must be on the same file system"
        case EMFILE, ENFILE: "raise the limit of open files (ulimit -n) and run again"
        default: nil
        }
    }
}
