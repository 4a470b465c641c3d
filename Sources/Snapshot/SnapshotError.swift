/// Why a package cannot be written, read or signed. What the system refuses is a `SystemError`.
package enum SnapshotError: Error, Equatable, CustomStringConvertible {
    /// A file differs from what it has to be, or changes while it is read.
    case changed(String)
    /// A value has no place in its format.
    case unwritable(String)
    /// A package that is read is not as it was written.
    case damaged(String)
    /// Another package of that name exists, made from something else.
    case standing(String)
    /// A key or a signature is of no use.
    case key(String)

    /// One sentence for a person.
    package var description: String {
        switch self {
        case .changed(let what):
            "the snapshot cannot be written: \(what); see that nothing else is at work there, and run again"
        case .unwritable(let what): "the snapshot cannot be written: \(what)"
        case .damaged(let what): "the package is damaged: \(what); take another copy of it"
        case .standing(let path):
            "\(path) already exists with different content: its templates, settings, history or version differ; move "
                + "it away to create a new one"
        case .key(let what): what
        }
    }
}
