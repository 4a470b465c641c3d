public import Archive

/// What a catalogue says of records wherever pages name them: where they stand, what their members are called, how values read.
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

/// A record's page.
public struct RecordPage: Sendable, Equatable {
    /// Where it stands in each edition.
    public let path: SitePath
    /// What other pages call the record.
    public let name: String
    /// The picture that stands for it.
    public let picture: RecordPicture?

    /// A page with what stands for it elsewhere.
    public init(path: SitePath, name: String, picture: RecordPicture? = nil) {
        self.path = path
        self.name = name
        self.picture = picture
    }
}

/// A picture as pages show it.
public struct RecordPicture: Sendable, Equatable {
    /// The file, relative to the site's root.
    public let path: SitePath
    /// Pixels across.
    public let width: Int
    /// Pixels down.
    public let height: Int

    /// A picture with its size.
    public init(path: SitePath, width: Int, height: Int) {
        self.path = path
        self.width = width
        self.height = height
    }
}

/// A member of a kind's records, as pages call it.
public struct ToldMember: Sendable {
    /// The member's name in the JSON.
    public let name: String
    /// What it is called; nil for one that is no news, such as a record's own address.
    public let label: TextNeed?

    /// A member with its label.
    public init(_ name: String, _ label: TextNeed?) {
        self.name = name
        self.label = label
    }
}

/// A value as pages show it.
public struct ShownValue: Sendable, Equatable {
    /// What to read.
    public let text: String
    /// The page of what it names.
    public let path: SitePath?
    /// Whether the text is as served, in the language of the data.
    public let isServed: Bool

    /// A value to show.
    public init(_ text: String, path: SitePath? = nil, isServed: Bool) {
        self.text = text
        self.path = path
        self.isServed = isServed
    }
}

/// What is said of records whose catalogue says nothing: numbers, and values as they are.
public struct UntoldRecords: RecordTelling {
    /// Says nothing.
    public init() {}

    /// None is known.
    public var kinds: [(name: String, count: TextNeed)] { [] }

    /// None has a page.
    public func page(of key: RecordKey) -> RecordPage? { nil }

    /// All are called by their own names.
    public func members(of kind: String) -> [ToldMember] { [] }

    /// None means a record.
    public func key(_ element: JSONValue, of member: String, in kind: String) -> RecordKey? { nil }

    /// The value as it is.
    public func shown(_ value: JSONValue, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue? {
        ShownValue(value.shown, isServed: true)
    }
}
