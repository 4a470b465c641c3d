/// The reason why a package cannot be written, read or signed. For errors of the operating system see `SystemError`.
package enum SnapshotError: Error, Equatable, CustomStringConvertible {
    /// A file of the input differs from the expected content, or changes while it is read.
    case changed(String)
    /// A value or path is not valid in the format of the package.
    case unwritable(String)
    /// A package is incomplete or was changed.
    case damaged(String)
    /// A different package of this name exists.
    case alreadyExists(String)
    case key(String)

    package var description: String {
        switch self {
        case .changed(let what):
            "the snapshot cannot be written: \(what); make sure that no other program changes the files, and run again"
        case .unwritable(let what): "the snapshot cannot be written: \(what)"
        case .damaged(let what): "the package is damaged: \(what); use another copy of it"
        case .alreadyExists(let path):
            "\(path) already exists with different content: its templates, settings, history or version differ; move "
                + "it away to create a new one"
        case .key(let what): what
        }
    }
}
