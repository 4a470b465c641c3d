package import Archive

/// A paged list of an API.
public struct ListEndpoint: Sendable, Hashable {
    package let kind: String
    private let pathBeforePage: String

    package init(kind: String, pathBeforePage: String) {
        self.kind = kind
        self.pathBeforePage = pathBeforePage
    }

    /// The path of a page, relative to the API's address. Pages count from 1.
    package func path(page: Int) -> String { "\(pathBeforePage)\(page)" }

    /// The page number of a path; nil if the path is not a page of this list.
    package func page(of path: String) -> Int? {
        guard path.hasPrefix(pathBeforePage), let page = Int(path.dropFirst(pathBeforePage.count)), page > 0,
            self.path(page: page) == path
        else { return nil }
        return page
    }
}

/// The content of a list page: the list's size as the page states it, and the byte ranges of its records.
public struct ListPage: Sendable {
    package let count: Int
    package let pages: Int
    package let records: [Range<Int>]
    private let member: String

    /// - Parameter member: the name of the array that contains the records.
    package init(count: Int, pages: Int, records: [Range<Int>], in member: String) {
        self.count = count
        self.pages = pages
        self.records = records
        self.member = member
    }

    package func keyPath(of index: Int) -> String { "\(member)[\(index)]" }
}

/// The properties of a record that a capture needs.
public struct RecordFacts: Sendable {
    package let id: Int64
    /// The records that its card shows. They are requested as soon as the record is stored.
    package let card: [Reference]
    /// Other records that it refers to. A capture requests those that no list contains.
    package let references: [Reference]
    /// Its pictures: paths relative to the API's address, or https addresses on other hosts.
    package let pictures: [String]
    /// Links that a capture must not follow, each with its key path.
    package let refused: [ContentFault]

    package init(id: Int64, card: [Reference], references: [Reference], pictures: [String], refused: [ContentFault]) {
        self.id = id
        self.card = card
        self.references = references
        self.pictures = pictures
        self.refused = refused
    }
}

/// A link from one record to another.
public struct Reference: Sendable, Hashable {
    package let key: RecordKey
    /// The key path of the link in the referring record, such as "episode[3]".
    package let keyPath: String
    /// The path to request, relative to the API's address; nil if it follows from the key.
    package let path: String?

    package init(_ key: RecordKey, at keyPath: String, path: String? = nil) {
        self.key = key
        self.keyPath = keyPath
        self.path = path
    }
}
