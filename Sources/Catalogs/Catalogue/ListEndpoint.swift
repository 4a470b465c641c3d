package import Archive

/// A paged list of an API.
public struct ListEndpoint: Sendable, Hashable {
    package let kind: String
    private let pathBeforePage: String

    package init(kind: String, pathBeforePage: String) {
        self.kind = kind
        self.pathBeforePage = pathBeforePage
    }

    /// Where a page stands, relative to the API's address. Pages count from 1.
    package func path(page: Int) -> String { "\(pathBeforePage)\(page)" }

    /// Which page stands at a path; nil where it is none of this list.
    package func page(of path: String) -> Int? {
        guard path.hasPrefix(pathBeforePage), let page = Int(path.dropFirst(pathBeforePage.count)), page > 0,
            self.path(page: page) == path
        else { return nil }
        return page
    }
}

/// A page of a list: what it says of the list, and where its records lie in the body.
public struct ListPage: Sendable {
    package let count: Int
    package let pages: Int
    package let records: [Range<Int>]
    private let member: String

    /// A page with its parts.
    /// - Parameter member: the name of the array that holds the records.
    package init(count: Int, pages: Int, records: [Range<Int>], in member: String) {
        self.count = count
        self.pages = pages
        self.records = records
        self.member = member
    }

    package func keyPath(of index: Int) -> String { "\(member)[\(index)]" }
}

/// What a capture has to know of a record.
public struct RecordFacts: Sendable {
    package let id: Int64
    /// The records that its card shows; they are asked for as soon as the record is in.
    package let card: [Reference]
    /// Further records that it names; each has to be found by the end.
    package let mentions: [Reference]
    /// Its pictures, as paths relative to the API's address; as whole https addresses where they are elsewhere.
    package let pictures: [String]
    /// Links that lead nowhere a capture may go, each with its key path.
    package let refused: [ContentFault]

    package init(id: Int64, card: [Reference], mentions: [Reference], pictures: [String], refused: [ContentFault]) {
        self.id = id
        self.card = card
        self.mentions = mentions
        self.pictures = pictures
        self.refused = refused
    }
}

/// A link from one record to another, with the place where it stands.
public struct Reference: Sendable, Hashable {
    package let key: RecordKey
    /// Where in the referring record it stands: "episode[3]".
    package let keyPath: String
    /// Where it is asked for, relative to the API's address; nil where its key says it.
    package let path: String?

    package init(_ key: RecordKey, at keyPath: String, path: String? = nil) {
        self.key = key
        self.keyPath = keyPath
        self.path = path
    }
}
