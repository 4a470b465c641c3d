/// Something that a revision lacks, named: never a silent hole.
public struct Gap: Sendable, Hashable, Comparable {
    /// The URL concerned, relative to the API's base or absolute.
    public let url: String
    /// Where in the answer's JSON, as "results[3].name"; empty where the whole answer is meant.
    public let keyPath: String
    /// What is wrong, as the rest of a sentence.
    public let reason: String

    /// A gap of three parts.
    public init(url: String, keyPath: String = "", reason: String) {
        self.url = url
        self.keyPath = keyPath
        self.reason = reason
    }

    /// Orders by URL, place and reason.
    public static func < (left: Gap, right: Gap) -> Bool {
        (left.url, left.keyPath, left.reason) < (right.url, right.keyPath, right.reason)
    }
}
