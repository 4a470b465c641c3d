/// A text that a catalogue or the site asks for by name; all languages have to have it.
public struct TextNeed: Sendable, Hashable {
    /// Its name in the strings' files.
    package let key: String
    /// The names that it has in braces: "{number}".
    package let placeholders: Set<String>
    /// Whether it has a form for each kind of count; "count" is then one of its placeholders.
    package let isPlural: Bool

    /// A text with what it is filled with.
    package init(_ key: String, filling placeholders: Set<String> = []) {
        self.key = key
        self.placeholders = placeholders
        isPlural = false
    }

    /// A text that depends on a count.
    package init(plural key: String, filling placeholders: Set<String> = []) {
        self.key = key
        self.placeholders = placeholders.union(["count"])
        isPlural = true
    }
}
