import Catalogue
import CatalogueEngine
import HTTP
import Platform

extension APISurvey {
    /// The places of cursors, and the usual names of their parameters.
    private static let cursors: [(path: String, parameter: String)] = [
        ("next_cursor", "cursor"), ("nextCursor", "cursor"), ("meta.next_cursor", "cursor"),
        ("meta.cursor.next", "cursor"), ("cursor.next", "cursor"), ("paging.cursors.after", "after"),
        ("pagination.next_cursor", "cursor"), ("response_metadata.next_cursor", "cursor"), ("continue", "continue"),
        ("nextPageToken", "pageToken"), ("next_page_token", "page_token"), ("continuationToken", "continuationToken"),
    ]

    /// Finds the paginator, and confirms it with a second page that has other records.
    func paginator(of list: inout ListDescription, _ first: Answer) async -> JSON {
        let (place, name) = (list.records, list.name)
        let id = KindDescription.id(of: list.sample, named: name)?.path
        let keys = list.sample.map { $0.identity(id) }
        var tried: [String] = []
        var hasEmptyPage = false
        /// Whether the answer at an address has other records at the same place.
        func isSecond(_ url: String) async -> Bool {
            let answer = await get(url)
            let found = answer.flatMap { Self.records(of: $0.json, named: name) }
            let others = found?.path == place ? found?.records.map { $0.identity(id) } ?? [] : []
            let isOther = !others.isEmpty && Set(others).isDisjoint(with: keys)
            let array = place.isEmpty ? answer?.json : answer?.json.value(place)
            let isEmpty = array?.elements?.isEmpty == true
            hasEmptyPage = hasEmptyPage || isEmpty && url == Self.adding("page=2", to: first.url)
            let none = isEmpty ? "an empty list" : "no records"
            let result = answer == nil ? "no answer" : others.isEmpty ? none : "the same \(others.count) records"
            // The rest of the query can contain a secret.
            if !isOther { tried.append("\(url.split { "?&".contains($0) }.last ?? ""): \(result)") }
            return isOther
        }
        /// Page numbers in a parameter; nil if the parameter has no effect.
        func pageNumbers(_ name: String) async -> JSON? {
            guard await isSecond(Self.adding("\(name)=2", to: first.url)) else { return nil }
            // Some APIs count from 0.
            let isFromZero = await isSecond(Self.adding("\(name)=1", to: first.url))
            return [
                "type": .text("page_number"), "parameter": name == "page" ? nil : .text(name),
                "first": isFromZero ? .integer(0) : nil,
            ]
        }
        let (next, value) =
            first.json.nextPages(besides: place).first { path, value in
                let letters = path.lowercased()
                let isLink = letters.contains("next") && !["cursor", "token"].contains(where: letters.contains)
                let isPath = letters.replacing("[rel=next]", with: "").replacing(".", with: "").isPathName
                return isLink && isPath && (value.text != nil || "\(value)" == "null")
            } ?? (nil, nil)
        let link = value?.text
        /// The address of a further page. It can be above the API's address, such as GitHub's "/repositories/1/issues".
        func page(_ link: String) -> String? {
            let full = onHost(link)
            return WebURL(full)?.origin == WebURL(api)?.origin ? full : nil
        }
        func widen(_ link: String) { isWide = isWide || absolute(link) == nil }
        let query = Self.query(of: link ?? "")
        if list.count != nil, !list.isOnePage {
            // Pages by number are better than links, because three of them can be requested at a time.
            let isOffset = Self.offsetNames.contains { query[$0.start] != nil || query[$0.size] != nil }
            if isOffset, let offsets = await offsets(of: &list, first.url, query, isSecond) { return offsets }
            for name in ["page", "p", "pageNumber", "page_number", "@page_index"]
            where query[name] != nil || link == nil && name == "page" {
                if let numbers = await pageNumbers(name) {
                    await enlargePages(of: &list, first)
                    return numbers
                }
            }
            if link == nil, let offsets = await offsets(of: &list, first.url, query, isSecond) { return offsets }
        }
        // Without a second page, only a list with a count is known to have one page.
        var hasNext = link == nil && list.isOnePage
        if let link { hasNext = await isSecond(page(link) ?? first.url) }
        if let next, hasNext {
            if let link { widen(link) }
            return ["type": .text("json_link"), "next": next == "next" ? nil : .text(next)]
        }
        if let link = WebLinks.target(of: "next", in: first.headers.list("Link").joined(separator: ", ")) {
            if absolute(link) == nil, let url = page(link), await isSecond(url) { widen(link) }
            return ["type": .text("header_link")]
        }
        for name in ["Next-Page", "X-Next-Page-URL", "X-Next"] {
            guard let target = first.headers[name].flatMap(absolute), await isSecond(target) else { continue }
            return ["type": .text("json_link"), "next": .text("header:\(name)")]
        }
        func cursor(_ parameter: String, _ place: String) -> JSON {
            let parameter = parameter == "cursor" ? nil : JSON.text(parameter)
            return ["type": .text("cursor"), "parameter": parameter, "cursor": .text(place)]
        }
        for name in ["X-Next-Cursor", "X-Next"] {
            guard let value = first.headers[name], value.replacing("=", with: "").isPathName else { continue }
            for parameter in ["cursor", "next", "after"] {
                guard await isSecond(Self.adding("\(parameter)=\(value)", to: first.url)) else { continue }
                return cursor(parameter, "header:\(name)")
            }
        }
        for (path, parameter) in Self.cursors {
            // Each member of an object is a parameter.
            if first.json.value(path)?.members != nil { return cursor("cursor", path) }
            guard first.json.value(path)?.scalar != nil else { continue }
            list.pageDoubts.append("\(list.name): the parameter \(parameter) of the cursor \(path) is a guess")
            return cursor(parameter, path)
        }
        if let numbers = await pageNumbers("page") {
            // The list has more pages, so a count that fits the first page is only the size of the page.
            if list.isOnePage { (list.count, list.pages, list.claimed) = (nil, nil, nil) }
            list.isOnePage = false
            // After the last page, some APIs have no page without records.
            list.endsWithout = await isMissing(Self.adding("page=1000000", to: first.url))
            return numbers
        }
        if list.count == nil, let offsets = await offsets(of: &list, first.url, query, isSecond) { return offsets }
        if !list.isOnePage {
            let tried = tried.joined(separator: "; ")
            list.pageDoubts.append("\(list.name): no way from the first page to further pages was found (\(tried))")
        }
        list.hasEmptyPage = hasEmptyPage
        if let next, link != nil { list.pageDoubts.append("\(list.name): the page at \(next) has no other records") }
        return ["type": .text("single_page")]
    }

    /// Adds the size of a page to the path, if the API knows the parameter. An answer often has a member with its name.
    private func enlargePages(of list: inout ListDescription, _ first: Answer) async {
        let size = list.sample.count
        let members = Self.numbers([], ["limit", "size", "pagesize", "perpage"], in: first, besides: list.records)
        let names = members.filter { $0.number == size }.map { String($0.path.split(separator: ".").last ?? "") }
        for name in names + ["per_page", "page_size"] where size < 100 && Self.query(of: first.url)[name] == nil {
            // A server can have a smaller maximum.
            guard let page = await get(Self.adding("\(name)=100", to: first.url)),
                let found = Self.records(of: page.json, named: list.name), found.path == list.records,
                found.records.count > size
            else { continue }
            let most = found.records.count < list.claimed ?? 0 ? found.records.count : 100
            list.path = Self.adding("\(name)=\(most)", to: list.path)
            list.sample = Self.spread(found.records)
            return
        }
    }

    /// The parameters of offset paginators. "rows" is tried only for lists with a count, others if a link has them.
    private static let offsetNames = [
        (start: "offset", size: "limit"), (start: "skip", size: "limit"), (start: "offset", size: "rows"),
        (start: "start", size: "rows"), (start: "b_start", size: "b_size"), (start: "$offset", size: "$limit"),
    ]

    /// An offset paginator with the largest page that the API allows. The limit in the path comes first.
    /// - Parameter query: the query of the next link.
    private func offsets(
        of list: inout ListDescription, _ url: String, _ query: [String: String], _ isSecond: (String) async -> Bool
    ) async -> JSON? {
        let first = list.sample.count
        let own = Self.query(of: url)
        for (name, size) in Self.offsetNames
        where size.hasSuffix("limit") || size == "rows" && list.count != nil || query[name] != nil {
            let url = Self.without([name, size], url)
            guard await isSecond(Self.adding("\(size)=\(first)&\(name)=\(first)", to: url)) else { continue }
            for limit in [own[size].flatMap { Int($0) }, 100, first].compactMap(\.self)
            where (1...100_000).contains(limit) {
                let expected = min(limit, list.claimed ?? limit)
                guard let page = await get(Self.adding("\(size)=\(limit)&\(name)=0", to: url)),
                    let records = Self.records(of: page.json, named: list.name)?.records,
                    records.count == expected || list.claimed != nil && records.count >= first
                else { continue }
                list.path = Self.without([name, size], list.path)
                list.sample = Self.spread(records)
                return [
                    "type": .text("offset"), "parameter": name == "offset" ? nil : .text(name),
                    "limitParameter": size == "limit" ? nil : .text(size),
                    // A server can have a smaller maximum.
                    "limit": .integer(records.count < expected ? records.count : limit),
                ]
            }
        }
        return nil
    }

    private static func adding(_ query: String, to url: String) -> String {
        "\(url)\(url.contains("?") ? "&" : "?")\(query)"
    }

    /// An address without these parameters.
    static func without(_ names: [String], _ url: String) -> String {
        let kept = url.drop { $0 != "?" }.dropFirst().split(separator: "&").filter { part in
            !names.contains { part.hasPrefix("\($0)=") }
        }
        return withoutQuery(url) + (kept.isEmpty ? "" : "?\(kept.joined(separator: "&"))")
    }

    static func query(of url: String) -> [String: String] {
        let parameters = url.drop { $0 != "?" }.dropFirst().split(separator: "&")
        let pairs = parameters.map { $0.split(separator: "=", maxSplits: 1).map(String.init) }
        return Dictionary(pairs.map { ($0.first ?? "", $0.dropFirst().first ?? "") }) { first, _ in first }
    }

    /// If the rows of a list only name or summarise records, each record has an address of its own.
    func addDetail(to list: inout ListDescription) async {
        let row = list.sample[0].members ?? []
        let isLink = row.count <= 4 && row.allSatisfy { $0.value.scalar != nil }
        let own = isLink ? row.first { $0.value.text.map { absolute($0) != nil } ?? false }?.key : nil
        // Wagtail's "meta.detail_url".
        let summary = row.first { $0.value["detail_url"]?.text != nil }.map { "\($0.key).detail_url" }
        guard let path = own ?? summary, path.replacing(".", with: "").isPathName else { return }
        /// Whether an answer is the record of a row: it has more members, and a name or a value of the row.
        func isRecord(_ record: JSON, of row: JSON) -> Bool {
            // Comparing all members of a row with all of a record takes quadratic time.
            let members = (record.members ?? []).prefix(KindDescription.maximumMembers)
            let (names, values) = (Set(members.map(\.key)), Set(members.compactMap(\.value.scalar)))
            let others = (row.members ?? []).filter { $0.key != path.prefix { $0 != "." } }
            let isNamed = others.prefix(KindDescription.maximumMembers).contains { name, value in
                names.contains(name) || values.contains(value.scalar ?? "")
            }
            return record.members?.count ?? 0 > others.count + 1 && (others.isEmpty || isNamed)
        }
        var records: [JSON] = []
        var place: String?
        let (most, last) = (detailCount, list.sample.count - 1)
        let positions = (0..<max(3, most)).map { last * $0 / max(2, most - 1) }.unique()
        for (number, row) in positions.map({ list.sample[$0] }).enumerated()
        where records.count < most && (number < 3 || !records.isEmpty) {
            guard let url = row.value(path)?.text.flatMap(absolute), let answer = await get(url)?.json else { continue }
            // The record can be in a member of the answer, such as "data".
            let inner = row.members.map { $0.count > 1 ? answer.members ?? [] : [] } ?? []
            let possible =
                [(key: nil, value: answer)] + inner.prefix(KindDescription.maximumMembers).map { ($0.key, $0.value) }
            guard let (key, record) = possible.first(where: { isRecord($0.value, of: row) }),
                records.isEmpty || key == place, key.map(\.isPathName) ?? true,
                case let id = KindDescription.id(of: [record], named: list.name)?.path,
                !records.contains(where: { $0.identity(id) == record.identity(id) })
            else { continue }
            place = key
            records.append(record)
        }
        guard !records.isEmpty else {
            if own != nil, row.count < 3 {
                list.doubts.append("\(list.name): its rows have only ids, and no records were found at their addresses")
            }
            return
        }
        (list.detail, list.record) = ("{\(path)}", place)
        list.ids = Set(list.sample.compactMap { $0.value(path)?.text.map(Self.name) })
        list.sample = records
    }
}

extension JSON {
    /// The id at a path. Without it the whole record, although other members can change between two requests.
    fileprivate func identity(_ path: String?) -> String { path.flatMap { value($0)?.scalar } ?? "\(self)" }
}
