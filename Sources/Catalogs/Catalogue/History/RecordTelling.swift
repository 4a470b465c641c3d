public import Archive

/// What a catalogue says of records wherever pages name them: where they stand, what their members are called, how
/// values read.
public protocol RecordTelling: Sendable {
    /// The kinds in the order in which they are told, each with a plural text: "{count} characters".
    var kinds: [(name: String, count: TextNeed)] { get }

    /// Where a record's page is, and its picture; nil for one that the site does not have.
    func page(of key: RecordKey) -> RecordPage?

    /// What a record's members are called, in the order of its page.
    func members(of kind: String) -> [ToldMember]

    /// The record that an element of a list means; nil where it means none.
    func key(_ element: JSONValue, of member: String, in kind: String) -> RecordKey?

    /// A member's value as people read it; nil where there is nothing to see of it.
    func shown(_ value: JSONValue, of member: String, in record: RecordKey, _ texts: Texts) -> ShownValue?
}

/// What is said of records whose catalogue says nothing: numbers, and values as they are.
package struct UntoldRecords: RecordTelling {
    package init() {}

    package var kinds: [(name: String, count: TextNeed)] { [] }
    package func page(of key: RecordKey) -> RecordPage? { nil }
    package func members(of kind: String) -> [ToldMember] { [] }
    package func key(_ element: JSONValue, of member: String, in kind: String) -> RecordKey? { nil }
    package func shown(_ value: JSONValue, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue? {
        ShownValue(value.shown, isServed: true)
    }
}

/// A member of a kind's records and what pages call it; no label for one that is no news, such as a record's own
/// address.
public typealias ToldMember = (name: String, label: TextNeed?)

/// A value as pages show it.
public struct ShownValue: Sendable, Equatable {
    package let text: String
    package let path: SitePath?
    /// Whether the text is as served, in the language of the data.
    package let isServed: Bool

    package init(_ text: String, path: SitePath? = nil, isServed: Bool) {
        self.text = text
        self.path = path
        self.isServed = isServed
    }
}

/// A record's page.
public struct RecordPage: Sendable {
    package let path: SitePath
    /// What other pages call the record.
    package let name: String
    /// The picture that stands for it.
    package let picture: Picture?

    /// A picture by its file, relative to the site's root, and its size in pixels.
    package typealias Picture = (path: SitePath, width: Int, height: Int)

    package init(path: SitePath, name: String, picture: Picture? = nil) {
        self.path = path
        self.name = name
        self.picture = picture
    }
}
