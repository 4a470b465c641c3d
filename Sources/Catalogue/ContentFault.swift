/// An error in the content of an answer or a file: the key path in its JSON, and the reason.
package struct ContentFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the value, such as "results[3].name"; empty for the complete document.
    package let keyPath: String
    /// The rest of a sentence whose subject is the key path, such as "is missing".
    package let reason: String

    package init(_ keyPath: String, _ reason: String) {
        self.keyPath = keyPath
        self.reason = reason
    }

    /// The same fault, with `outer` before its key path.
    package func inside(_ outer: String) -> ContentFault {
        guard !keyPath.isEmpty, !outer.isEmpty else { return ContentFault(outer + keyPath, reason) }
        return ContentFault(keyPath.hasPrefix("[") ? outer + keyPath : "\(outer).\(keyPath)", reason)
    }

    /// The result of `body`. If it throws a fault, `outer` is put before the key path.
    package static func inside<Result>(_ outer: @autoclosure () -> String, _ body: () throws -> Result) throws -> Result
    {
        do {
            return try body()
        } catch let fault as ContentFault {
            throw fault.inside(outer())
        }
    }

    /// Key path and reason on one line, such as "results[3].name: is missing".
    package var description: String { keyPath.isEmpty ? reason : "\(keyPath.singleLine): \(reason)" }
}
