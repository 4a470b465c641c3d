package import Archive
import Platform

/// A list of an API, and how its pages are found.
package struct ListEndpoint: Sendable, Hashable {
    /// The kinds of its records; in a list with several kinds, each record says its own.
    package var kinds: [String]
    /// The first kind. Lists with a shared kind, several kinds, or a parent add their own name: "post/archive".
    package var name: String
    /// The kind of the parents: each record of this kind has such a list. Nil for a list without parents.
    package var parent: String?
    package let paginator: Paginator
    /// Whether the API claims the number of records.
    package var hasCount = true
    /// Whether the header of an answer has a count, or a flag for another page.
    package var hasHeaderValues = false
    /// The statuses for the end of a list without counts, or for a missing list of children. Only 404s are stored.
    package var endStatuses: Set<Int> = []
    /// Whether a page has only rows, and each record is requested separately.
    package var hasDetail = false
    /// How only changed records are requested; nil if captures always read all pages.
    package var updated: ChangeRule?
    /// The path of the list with its own parameters, relative to the API's address: "posts?per_page=100". If it has a
    /// parent, it has placeholders for members of the parent's record.
    package private(set) var path: String

    package init(kind: String, path: String, paginator: Paginator) {
        kinds = [kind]
        name = kind
        self.path = path
        self.paginator = paginator
    }

    /// The first of its kinds.
    package var kind: String { kinds[0] }

    /// Whether pages are requested conditionally. Cursors and links of an earlier capture may no longer be valid, and
    /// values in the header can change while the body does not.
    package var canBeConfirmed: Bool { !paginator.isChain && !hasHeaderValues }

    package var firstPath: String { path(page: 1) ?? path }

    /// The list of the children of one record, with the path that the record gives.
    package func at(_ path: String) -> ListEndpoint {
        var list = self
        list.path = path
        return list
    }

    /// The list of the records that changed since a time. The paths of all its pages begin with its path.
    package func changed(since time: String, _ rule: ChangeRule) -> ListEndpoint {
        at(path(adding: [(rule.parameter, time)]))
    }

    /// The path of a page. Pages count from 1. Nil for further pages of a list with cursors or links.
    package func path(page: Int) -> String? {
        switch paginator {
        case .pageNumber(let parameter, let first): adding("\(parameter)=\(first + page - 1)")
        case .offset(let parameter, let limitParameter, let limit):
            adding("\(limitParameter)=\(limit)&\(parameter)=\(limit * (page - 1))")
        case .cursor, .jsonLink, .headerLink, .single: page == 1 ? path : nil
        }
    }

    /// The page number of a path; nil if it is not a page of this list, or a further page of one with cursors or links.
    package func page(of path: String) -> Int? {
        // This fast check comes first, because a catalogue can have many lists.
        guard path.utf8.starts(with: self.path.utf8) else { return nil }
        if path == firstPath { return 1 }
        let digits = firstPath.utf8.reversed().prefix(while: \.isDigit).count
        guard path.hasPrefix(firstPath.dropLast(digits)),
            let number = Int(path.dropFirst(firstPath.utf8.count - digits)), (0...1 << 50).contains(number)
        else { return nil }
        let page: Int? =
            switch paginator {
            case .pageNumber(_, let first): number - first + 1
            case .offset(_, _, let limit): number / limit + 1
            case .cursor, .jsonLink, .headerLink, .single: nil
            }
        guard let page, page > 0, self.path(page: page) == path else { return nil }
        return page
    }

    /// The path with more parameters. Names are as declared, and values are encoded here.
    package func path(adding parameters: [(name: String, value: String)]) -> String {
        adding(parameters.map { "\($0.name)=\(percentEncoded($0.value))" }.joined(separator: "&"))
    }

    private func adding(_ query: String) -> String { "\(path)\(path.contains("?") ? "&" : "?")\(query)" }
}

extension ListEndpoint: CustomStringConvertible {
    /// The name for messages: "post", or "posts/5/comments" for children.
    package var description: String { parent == nil ? name.replacing("/", with: " ") : path }
}

/// How to request only the records that changed since a time. Times are texts or numbers, which are only compared.
package struct ChangeRule: Sendable, Hashable {
    package let parameter: String
    /// The member of a record with the time of its last change.
    package let from: FieldPath
    /// All pages are read again after this number of days.
    package let fullEvery: Int

    package init(parameter: String, from: FieldPath, fullEvery: Int) {
        self.parameter = parameter
        self.from = from
        self.fullEvery = fullEvery
    }

    /// The number of known records that are requested again. A record can appear later than others with its time.
    private static let overlap = 100
    /// Longer times are not sent.
    private static let longestTime = 64

    /// The time since which changes are requested. Some known records are later, so that the answer can be checked. Nil
    /// if there is no such time, if a record has no time, or if the answer would contain the whole list.
    /// - Parameter isUsable: whether a time can be requested.
    package static func start(_ times: [String], where isUsable: (String) -> Bool) -> String? {
        let sorted = times.sorted(by: isEarlier)
        guard let newest = sorted.last, sorted.allSatisfy({ 1...longestTime ~= $0.utf8.count }) else { return nil }
        return sorted.dropLast(overlap).last { isEarlier($0, newest) && isUsable($0) }
    }

    package static func isEarlier(_ time: String, _ other: String) -> Bool {
        if let time = Int64(time), let other = Int64(other) { return time < other }
        return time.utf8.lexicographicallyPrecedes(other.utf8)
    }
}

/// How the next page of a list is found. The names are those of the declaration.
package enum Paginator: Sendable, Hashable {
    /// A parameter has the page's number.
    case pageNumber(parameter: String, first: Int)
    /// A parameter has the number of records before the page.
    case offset(parameter: String, limitParameter: String, limit: Int)
    /// A value of the answer is a parameter of the next request. The members of an object are several parameters.
    case cursor(parameter: String, value: AnswerValue)
    /// A value of the answer is the address of the next page.
    case jsonLink(AnswerValue)
    /// The field "Link" of the answer's header has the address of the next page, with this relation (RFC 8288).
    case headerLink(relation: String)
    case single

    /// Whether each page contains the address of the next one.
    package var isChain: Bool { nextPlace != nil }

    /// Where a page has the address or cursor of the next one; nil for pages without it.
    package var nextPlace: AnswerValue? {
        switch self {
        case .cursor(_, let value), .jsonLink(let value): value
        case .headerLink: .header("Link")
        case .pageNumber, .offset, .single: nil
        }
    }
}

/// The place of a value in an answer: in its body, or a field of its header.
package enum AnswerValue: Sendable, Hashable {
    case body(FieldPath)
    case header(String)

    /// The place, written as in a declaration.
    package var text: String {
        switch self {
        case .body(let path): path.text
        case .header(let name): "header:\(name)"
        }
    }
}

/// The answer to a request for a page. The path is relative to the base, the address of the API that was requested.
package typealias PageAnswer = (path: String, headers: [UInt8], body: [UInt8], base: String)

/// The content of a list page: the list's size as the page states it, and the byte ranges of its records.
package struct ListPage: Sendable {
    /// The numbers of records and pages that the list claims, as far as the API states them; nil for no claim.
    package var claim: (count: Int?, pages: Int?)?
    package let records: [Range<Int>]
    /// Whether the records are members of an object, and not elements of an array; nil for null.
    package var isObject: Bool? = false
    /// The path of the next page, for lists with cursors or links. Nil for the last page, and for other lists.
    package var next: String?
    /// Whether the page says that there is another one; nil if it does not say.
    package var more: Bool?
    /// Whether a list without a count ends here, because the page has no value at the place of the next one.
    package var lacksNext = false
    /// Where the page announces another page, although the paginator finds none. The capture reports it as a gap.
    package var unread: ContentFault?
    private let place: String

    /// - Parameter place: the key path of the array or object that contains the records.
    package init(_ records: [Range<Int>], at place: String) {
        self.records = records
        self.place = place
    }

    package func keyPath(of index: Int) -> String { "\(place)[\(index)]" }
}

/// The properties of a record that a capture needs.
package struct RecordFacts: Sendable {
    package let key: RecordKey
    package var id: Int64 { key.id }
    /// The records that its card shows, and that have no card. The card waits for them, so their lists must not have
    /// records with a card.
    package var card: [Reference]
    /// Other records that it refers to. A capture requests those that no list contains.
    package var references: [Reference] = []
    /// Its pictures: paths relative to the API's address, or addresses on other hosts.
    package var pictures: [String] = []
    package var children: [ChildList] = []
    /// The same for its files, and for the pictures in its texts.
    package var files: [(path: String, isPicture: Bool)] = []
    /// The pictures and files whose addresses come from the declaration, not from the API. They may not exist.
    package var derived: Set<String> = []
    /// The time of its last change; empty if the list has no rule for changes, or the record no such time.
    package var changed = ""
    /// Links that a capture must not follow, each with its key path.
    package var refused: [ContentFault]

    package init(_ key: RecordKey, card: [Reference] = [], refused: [ContentFault] = []) {
        self.key = key
        self.card = card
        self.refused = refused
    }
}

/// A list of the children of a record: its index in the catalogue's lists, and its path.
package typealias ChildList = (list: Int, path: String)

/// A link from one record to another.
package struct Reference: Sendable, Hashable {
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
