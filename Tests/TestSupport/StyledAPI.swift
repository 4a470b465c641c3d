import Foundation
import HTTPServer

/// The answers of a server with lists of items. The key `list` of a declaration describes how it pages them.
public struct StyledAPI: Sendable {
    /// A page and its place among the pages of a list.
    public struct Page {
        /// Its index, from 0.
        public let index: Int
        /// The path and query of the next page; nil for the last one.
        public var next: String?
        /// The numbers of its items.
        public var items: [Int]
        /// The number of items that the list claims.
        public var count: Int
        /// The value for the next request, in the answer of a paginator with a cursor.
        public var cursor: Int
    }

    /// An answer without its body's length.
    public typealias Answer = (status: Int, header: String, body: String)

    /// The API's address in links. It differs from the requested address.
    private let api: String
    private let count: Int
    private let size: Int
    private let hasObjects: Bool
    private let type: String
    private let text: @Sendable (String) -> String?
    private let paginator: @Sendable (String) -> String?
    private let first: Int
    /// Whether a missing page has the status 404.
    private let hasEnd: Bool

    /// Whether there is one page.
    public var isSingle: Bool { type == "single_page" }
    /// Whether pages contain the address of the next one, or a cursor.
    public var isChain: Bool { ["cursor", "json_link", "header_link"].contains(type) }
    private var hasLastID: Bool { paginator("cursor")?.hasSuffix("[-1].id") ?? false }
    /// Whether the list claims its count.
    public var hasCount: Bool { text("count") != nil }

    /// - Parameters:
    ///   - template: the value of the key `list`.
    ///   - items: the number of items.
    ///   - size: the number of items on a page, unless a request states it.
    ///   - hasObjects: whether the items are members of an object.
    public init(_ template: String, api: String, items: Int, size: Int, hasObjects: Bool = false) throws {
        let list = template.replacing("{list}", with: "item")
        self.api = api
        count = items
        self.size = size
        self.hasObjects = hasObjects
        let members = try JSONSerialization.jsonObject(with: Data(list.utf8)) as? [String: Any] ?? [:]
        let own = members["paginator"] as? [String: Any] ?? [:]
        let (texts, ownTexts) = (members.compactMapValues { $0 as? String }, own.compactMapValues { $0 as? String })
        text = { texts[$0] }
        paginator = { ownTexts[$0] }
        type = ownTexts["type"] ?? ""
        first = own["first"] as? Int ?? 1
        hasEnd = members["responses"] != nil
    }

    /// The answer to a request for a page of a list.
    /// - Parameter change: changes the page, or returns an answer instead.
    public func answer(
        _ path: String, _ query: [String: String], _ change: (inout Page) -> Answer? = { _ in nil }
    ) -> Answer {
        // The path of a single item has two steps.
        if path.split(separator: "/").count == 2, let number = path.split(separator: "/").last.flatMap({ Int($0) }) {
            return (200, "", #"{"id":\#(number),"name":"item \#(number)"}"#)
        }
        var size = size
        func number(_ key: String, _ standard: String) -> Int? { query[paginator(key) ?? standard].flatMap { Int($0) } }
        let index: Int
        switch type {
        case "page_number": index = (number("parameter", "page") ?? -1) - first
        case "offset":
            size = number("limitParameter", "limit") ?? 0
            index = size == 0 ? -1 : (number("parameter", "offset") ?? -1) / size
        // The cursor can be the id of the last record.
        case "cursor": index = (number("parameter", "cursor") ?? 0) / (hasLastID ? size : 1)
        case "single_page": (index, size) = (0, count)
        default: index = Int(query["after"] ?? "") ?? 0
        }
        guard index >= 0 else { return (400, "", #"{"error":"bad request"}"#) }
        let start = index * size
        var page = Page(
            index: index, items: Array(start + 1..<max(start, min(start + size, count)) + 1), count: count,
            cursor: index + 1)
        if start + size < count { page.next = "\(path)?after=\(index + 1)" }
        if let answer = change(&page) { return answer }
        if page.items.isEmpty, index > 0, hasEnd { return (404, "", "{}") }
        return write(page)
    }

    private func write(_ page: Page) -> Answer {
        let items = page.items.map { number -> [String: Any] in
            let type = number % 2 == 0 ? "Film" : "Book"
            return ["id": number, "name": "item \(number)", "type": type, "url": "\(api)/items/\(number)"]
        }
        var body: Any = items
        // A row can be only the id.
        if text("detail") == "items/{id}" { body = page.items }
        if hasObjects { body = Dictionary(uniqueKeysWithValues: items.map { ("key \($0["id"] ?? 0)", $0) }) }
        var header = ""
        if let records = text("records") { body = Self.with(body, at: records, in: [String: Any]()) }
        func add(_ value: Any, at place: String?) {
            guard let place else { return }
            if place.hasPrefix("header:") {
                header += "\(place.dropFirst(7)): \(value)\r\n"
            } else {
                body = Self.with(value, at: place, in: body)
            }
        }
        add(page.count, at: text("count"))
        add((page.count + size - 1) / size, at: text("pages"))
        add(page.next != nil, at: paginator("more"))
        switch type {
        case "cursor" where hasLastID: break
        case "cursor":
            let place = paginator("cursor") ?? ""
            // MediaWiki has an object of parameters.
            let value: Any = place == "continue" ? ["cursor": "\(page.cursor)", "continue": "-||"] : "\(page.cursor)"
            if page.next != nil { add(value, at: place) }
        case "json_link":
            add(page.next.map { $0.contains("://") ? $0 : "\(api)/\($0)" } ?? NSNull(), at: paginator("next") ?? "next")
        case "header_link":
            if let next = page.next {
                header += "Link: <\(next.contains("://") ? next : "\(api)/\(next)")>; rel=\"next\"\r\n"
            }
        default: break
        }
        // Sorted, so that an answer has the same bytes each time.
        let bytes =
            (try? JSONSerialization.data(withJSONObject: body, options: [.sortedKeys, .fragmentsAllowed])) ?? Data()
        return (200, header, String(decoding: bytes, as: UTF8.self))
    }

    /// The object with a value at a path. The names of OData have dots.
    private static func with(_ value: Any, at path: String, in object: Any) -> Any {
        var members = object as? [String: Any] ?? [:]
        let steps = path.hasPrefix("@") ? [path] : path.split(separator: ".", maxSplits: 1).map(String.init)
        members[steps[0]] =
            steps.count == 1 ? value : with(value, at: steps[1], in: members[steps[0]] ?? [String: Any]())
        return members
    }
}

extension FaultyServer {
    /// A server of a styled API below `/api`.
    public convenience init(of api: StyledAPI) throws {
        try self.init { request in
            let parameters = URLComponents(string: request.target)?.queryItems ?? []
            let (status, header, body) = api.answer(
                String(request.path.dropFirst("/api/".count)),
                Dictionary(parameters.map { ($0.name, $0.value ?? "") }) { $1 })
            let fields = header.split(separator: "\r\n").map { field in
                let colon = field.firstIndex(of: ":") ?? field.endIndex
                return (name: String(field[..<colon]), value: String(field[colon...].dropFirst(2)))
            }
            return Reply(status, [("Content-Type", "application/json")] + fields, Array(body.utf8))
        }
    }
}
