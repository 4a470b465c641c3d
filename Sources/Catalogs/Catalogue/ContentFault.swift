/// What is wrong with an answer's content: where in its JSON, and what.
public struct ContentFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// Where, as "results[3].name"; empty for the whole.
    public let keyPath: String
    /// What is wrong, as the rest of a sentence whose subject is the place.
    public let reason: String

    /// A fault with its place.
    public init(_ keyPath: String, _ reason: String) {
        self.keyPath = keyPath
        self.reason = reason
    }

    /// The fault as seen from further out.
    public func inside(_ outer: String) -> ContentFault {
        guard !keyPath.isEmpty else { return ContentFault(outer, reason) }
        return ContentFault(keyPath.hasPrefix("[") ? outer + keyPath : "\(outer).\(keyPath)", reason)
    }

    /// "results[3].name: is missing"
    public var description: String { keyPath.isEmpty ? reason : "\(keyPath): \(reason)" }
}
