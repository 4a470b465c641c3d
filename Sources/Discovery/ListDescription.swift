package import Catalogue
import CatalogueEngine
import HTTP
import Platform

/// A list of an API, as its first pages show it.
package struct ListDescription: Sendable {
    package let name: String
    /// The kind of its records, a name that a declaration can have.
    package internal(set) var kind = ""
    /// The path below the API's address, with its own query.
    var path: String
    /// The place of the records; empty for the whole answer.
    let records: String
    var count: String?
    var pages: String?
    package internal(set) var claimed: Int?
    /// The keys of the paginator.
    package internal(set) var paginator: DeclarationKeys
    /// The member of a row with the address of its record; nil if pages have records.
    package internal(set) var detail: String?
    /// The first records.
    package internal(set) var sample: [JSON]
    package var paginatorType: String { if case .text(let type)? = paginator.first?.value { type } else { "" } }
    package internal(set) var doubts: [String] = []
    /// Whether the first page has all records, so that its paginator is a guess.
    package internal(set) var isOnePage = false
    /// Lists with the same form page alike. A list of several pages can have a size of pages in its query.
    var form: [String] {
        let own = path.prefix { $0 != "?" }
        return [own.hasPrefix(name) ? String(own.dropFirst(name.count)) : path]
            + [records, count ?? "", pages ?? "", detail ?? ""]
    }
}

extension APISurvey {
    static let recordNames = [
        "results", "data", "items", "records", "value", "values", "rows", "content", "objects", "entries", "hits",
        "list",
    ]
    private static let countNames = [
        "count", "total", "total_count", "totalCount", "totalItems", "total_items", "totalElements", "total_results",
        "@odata.count", "found", "numberMatched", "numFound", "totalRecords", "total_rows", "filtered_table_rows_count",
    ]
    private static let countParents = [
        "", "info", "meta", "data", "pagination", "paging", "meta.pagination", "result", "page",
    ]
    private static let pageNames = ["pages", "total_pages", "totalPages", "last_page", "pageCount", "page_count"]
    private static let nextPaths = [
        "next", "links.next", "_links.next.href", "info.next", "meta.next", "paging.next", "pagination.next",
        "@odata.nextLink", "next_url", "nextPageUrl", "next_page_url", "meta.next_url", "links.next.href",
    ]
    private static let nextFields = ["Next-Page", "X-Next-Page-URL", "X-Next"]
    /// The places of cursors, and the usual names of their parameters.
    private static let cursors: [(path: String, parameter: String)] = [
        ("next_cursor", "cursor"), ("nextCursor", "cursor"), ("meta.next_cursor", "cursor"),
        ("meta.cursor.next", "cursor"), ("cursor.next", "cursor"), ("paging.cursors.after", "after"),
        ("pagination.next_cursor", "cursor"), ("response_metadata.next_cursor", "cursor"), ("continue", "continue"),
        ("nextPageToken", "pageToken"), ("next_page_token", "page_token"), ("continuationToken", "continuationToken"),
    ]
    /// The maximum number of records that are read for the fields of a kind.
    static let sampleSize = 100

    /// - Parameter base: the address of the API.
    func list(_ name: String, _ url: String, below base: String) async -> ListDescription? {
        // A name or an address with a brace would be a placeholder in the declaration.
        guard Self.isPathName(name.replacing(".", with: "")), url.utf8.starts(with: "\(base)/".utf8),
            !url.utf8.contains("{"), DeclaredCatalogue.isPlain(String(url.dropFirst(base.count + 1))),
            let first = await get(url)
        else { return nil }
        if let arrays = first.json.members?.first(where: { $0.value.elements?.first?.elements != nil })?.key {
            report(
                url,
                "has \"\(arrays)\", whose rows are arrays; records have to be objects, and many APIs have a parameter for that, "
                    + "such as ?_shape=objects of Datasette")
            return nil
        }
        guard let (records, sample) = Self.records(of: first.json, named: name), !sample.isEmpty else { return nil }
        let path = String(url.dropFirst(base.count + 1))
        let count = Self.count(of: first, atLeast: sample.count)
        var list = ListDescription(
            name: name, path: path, records: records, count: count?.place,
            pages: count.flatMap { Self.pages(of: first, count: $0.number, size: sample.count) },
            claimed: count?.number, paginator: [], sample: Array(sample.prefix(Self.sampleSize)))
        list.isOnePage = count?.number == sample.count
        await addPaginator(to: &list, first)
        await addDetail(to: &list, base)
        return list
    }

    /// The place of the records: the array of objects with the best name, or an object whose members are all objects.
    private static func records(of json: JSON, named list: String) -> (path: String, records: [JSON])? {
        func objects(_ value: JSON) -> [JSON]? {
            let elements = value.elements ?? []
            return !elements.isEmpty && elements.allSatisfy { $0.members != nil } ? elements : nil
        }
        if let found = objects(json) { return ("", found) }
        guard let members = json.members else { return nil }
        var found: [(path: String, rank: Int, records: [JSON])] = []
        func add(_ path: String, _ name: String, _ value: JSON) {
            guard isPathName(name), !["errors", "warnings"].contains(name), let records = objects(value) else { return }
            let rank = name == list ? 0 : recordNames.firstIndex(of: name) ?? recordNames.count
            found.append((path, rank, records))
        }
        for (name, value) in members {
            add(name, name, value)
            for (inner, value) in value.members ?? [] where isPathName(name) { add("\(name).\(inner)", inner, value) }
        }
        if let best = found.min(by: { ($0.rank, -$0.records.count) < ($1.rank, -$1.records.count) }) {
            return (best.path, best.records)
        }
        // An object with a record for each of its members.
        let values = members.map(\.value)
        guard values.count > 1, values.allSatisfy({ ($0.members?.count ?? 0) > 1 }) else { return nil }
        return ("", values)
    }

    /// Whether a path of a declaration can have the name.
    static func isPathName(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "_$@:-".utf8.contains($0) }
    }

    /// The numbers of an answer in fields of its header and in members with usual names.
    private static func numbers(_ fields: [String], _ names: [String], in answer: Answer)
        -> [(place: String, number: Int)]
    {
        let headers = fields.compactMap { name in
            answer.headers[name].flatMap { Int($0) }.map { (place: "header:\(name)", number: $0) }
        }
        return headers
            + countParents.flatMap { parent in
                let object = parent.isEmpty ? answer.json : answer.json.value(parent)
                return names.compactMap { name in
                    object?[name]?.integer.map { (place: parent.isEmpty ? name : "\(parent).\(name)", number: $0) }
                }
            }
    }

    /// The number of records that an answer claims: the largest one, because an answer can also count its own records.
    private static func count(of answer: Answer, atLeast size: Int) -> (place: String, number: Int)? {
        let possible = numbers(
            ["X-WP-Total", "X-Total-Count", "X-Total", "Total-Count", "Total-Records"], countNames, in: answer
        )
        .filter { $0.number >= size && $0.number <= 1_000_000_000 }
        return possible.first { one in possible.allSatisfy { $0.number <= one.number } }
    }

    private static func pages(of answer: Answer, count: Int, size: Int) -> String? {
        let expected = (count + size - 1) / max(1, size)
        return numbers(["X-WP-TotalPages"], pageNames, in: answer).first { $0.number == expected }?.place
    }
}

extension APISurvey {
    /// Finds the paginator, and confirms it with a second page that has other records.
    private func addPaginator(to list: inout ListDescription, _ first: Answer) async {
        let keys = list.sample.compactMap(\.identity)
        let (place, name) = (list.records, list.name)
        /// Whether an answer has other records at the same place.
        func isSecond(_ answer: Answer?) -> Bool {
            guard let answer, let found = Self.records(of: answer.json, named: name), found.path == place else {
                return false
            }
            let others = found.records.compactMap(\.identity)
            return !others.isEmpty && Set(others).isDisjoint(with: keys)
        }
        /// The keys of page numbers; nil if the parameter has no effect.
        func pageNumbers(_ name: String) async -> DeclarationKeys? {
            guard isSecond(await get(Self.adding("\(name)=2", to: first.url))) else { return nil }
            var keys: DeclarationKeys = name == "page" ? [] : [("parameter", .text(name))]
            // Some APIs count from 0.
            if isSecond(await get(Self.adding("\(name)=1", to: first.url))) { keys.append(("first", .integer(0))) }
            return keys
        }
        func set(_ type: String, _ more: DeclarationKeys = []) { list.paginator = [("type", .text(type))] + more }
        let next = Self.nextPaths.first { path in
            switch first.json.value(path) {
            case .text?, .word("null")?: true
            default: false
            }
        }
        let link = next.flatMap { first.json.value($0)?.text }
        let query = Self.query(of: link ?? "")
        if list.count != nil, !list.isOnePage {
            // Pages by number are better than links, because three of them can be requested at a time.
            if query["offset"] != nil || query["limit"] != nil,
                let offset = await offsets(&list, first.url, isSecond)
            {
                return set("offset", offset)
            }
            for name in ["page", "p", "pageNumber", "page_number"]
            where query[name] != nil || link == nil && name == "page" {
                if let keys = await pageNumbers(name) {
                    await enlargePages(of: &list, first.url)
                    return set("page_number", keys)
                }
            }
            if link == nil, let offset = await offsets(&list, first.url, isSecond) { return set("offset", offset) }
        }
        let target = link.flatMap(absolute)
        let following = link == nil ? nil : await get(target ?? first.url)
        if let next, link == nil || isSecond(following) {
            // Without a second page, only a list with a count is known to have one page.
            if link != nil || list.isOnePage { return set("json_link", next == "next" ? [] : [("next", .text(next))]) }
        }
        if first.headers.list("Link").contains(where: { $0.contains("rel=\"next\"") }) { return set("header_link") }
        for name in Self.nextFields {
            guard let target = first.headers[name].flatMap(absolute), isSecond(await get(target)) else { continue }
            return set("json_link", [("next", .text("header:\(name)"))])
        }
        for (path, parameter) in Self.cursors
        where first.json.value(path)?.scalar != nil || first.json.value(path)?.members != nil {
            list.doubts.append("\(list.name): the parameter \(parameter) of the cursor \(path) is a guess")
            return set(
                "cursor", (parameter == "cursor" ? [] : [("parameter", .text(parameter))]) + [("cursor", .text(path))])
        }
        if let keys = await pageNumbers("page") {
            // Then a count that fits the first page is only the size of the page.
            if list.isOnePage { (list.count, list.pages, list.claimed) = (nil, nil, nil) }
            list.isOnePage = false
            return set("page_number", keys)
        }
        let size = list.sample.count
        if list.count == nil {
            let second = await get(Self.adding("limit=\(size)&offset=\(size)", to: Self.withoutOffsets(first.url)))
            if isSecond(second) {
                list.path = Self.withoutOffsets(list.path)
                return set("offset", [("limit", .integer(size))])
            }
        }
        if !list.isOnePage { list.doubts.append("\(list.name): no way to other pages than the first was found") }
        if let next, link != nil { list.doubts.append("\(list.name): the page at \(next) has no other records") }
        set("single_page")
    }

    /// Adds the size of a page to the path, if the API knows the parameter.
    private func enlargePages(of list: inout ListDescription, _ url: String) async {
        for name in ["per_page", "page_size"] {
            guard let page = await get(Self.adding("\(name)=100", to: url)),
                let found = Self.records(of: page.json, named: list.name),
                found.path == list.records, found.records.count == min(100, list.claimed ?? 0)
            else { continue }
            list.path = Self.adding("\(name)=100", to: list.path)
            list.sample = Array(found.records.prefix(Self.sampleSize))
            return
        }
    }

    /// The keys of an offset paginator with the largest page that the API allows. The list's own limit is tried first,
    /// and leaves its path.
    private func offsets(_ list: inout ListDescription, _ url: String, _ isSecond: (Answer?) -> Bool) async
        -> DeclarationKeys?
    {
        let own = Self.query(of: url)["limit"].flatMap { Int($0) } ?? 100
        let url = Self.withoutOffsets(url)
        for limit in [own, 100, list.sample.count] where (1...100_000).contains(limit) {
            let size = min(limit, list.claimed ?? limit)
            guard let page = await get(Self.adding("limit=\(limit)&offset=0", to: url)),
                Self.records(of: page.json, named: list.name)?.records.count == size
            else { continue }
            // A page that is larger than the first one shows that both parameters are known.
            if limit <= list.sample.count {
                guard isSecond(await get(Self.adding("limit=\(limit)&offset=\(size)", to: url))) else { continue }
            }
            list.path = Self.withoutOffsets(list.path)
            return [("limit", .integer(limit))]
        }
        return nil
    }

    private static func adding(_ query: String, to url: String) -> String {
        "\(url)\(url.contains("?") ? "&" : "?")\(query)"
    }

    /// An address without the parameters of an offset paginator.
    private static func withoutOffsets(_ url: String) -> String {
        let parts = url.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let kept = (parts.dropFirst().first ?? "").split(separator: "&").filter {
            !$0.hasPrefix("limit=") && !$0.hasPrefix("offset=")
        }
        return parts[0] + (kept.isEmpty ? "" : "?\(kept.joined(separator: "&"))")
    }

    private static func query(of url: String) -> [String: String] {
        guard let start = url.firstIndex(of: "?") else { return [:] }
        let pairs = url[url.index(after: start)...].split(separator: "&").map { $0.split(separator: "=", maxSplits: 1) }
        return Dictionary(pairs.map { (String($0.first ?? ""), String($0.dropFirst().first ?? "")) }) { first, _ in
            first
        }
    }

    /// If the rows of a list only name records, each record has an address of its own.
    private func addDetail(to list: inout ListDescription, _ base: String) async {
        let row = list.sample[0].members ?? []
        let address = row.first { $0.value.text.map { absolute($0) != nil } ?? false }
        guard row.count <= 3, row.allSatisfy({ $0.value.text != nil }), let address, Self.isPathName(address.key)
        else { return }
        // Two records show more than one, and a survey has a limit of requests.
        var records: [JSON] = []
        for row in [list.sample[0], list.sample[list.sample.count / 2], list.sample[list.sample.count - 1]]
        where records.count < 2 {
            guard let url = row[address.key]?.text.flatMap(absolute), let record = await get(url)?.json,
                record.members != nil, record.identity != records.first?.identity
            else { continue }
            records.append(record)
        }
        guard !records.isEmpty else { return }
        list.detail = "{\(address.key)}"
        list.sample = records
    }
}

extension JSON {
    /// A value that differs between records.
    fileprivate var identity: String? {
        for name in ["id", "_id", "uuid", "url", "slug", "key", "code", "name"] {
            if let value = self[name]?.scalar { return value }
        }
        return members?.first?.value.scalar
    }
}
