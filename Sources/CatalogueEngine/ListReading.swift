package import Catalogue

/// Reading of the key `list`.
extension CatalogueDeclaration {
    /// The types of paginators, each with the keys of its rules.
    private static let paginators: [(type: String, keys: [String])] = [
        ("page_number", ["parameter", "first"]), ("offset", ["parameter", "limitParameter", "limit"]),
        ("cursor", ["parameter", "cursor", "more"]), ("json_link", ["next"]), ("header_link", []), ("single_page", []),
    ]

    static func list(_ file: DeclarationObject) throws(ContentFault) -> List {
        let keys = ["path", "paginator", "records", "count", "pages", "error", "responses"]
        guard let list = try file.object("list", keys: keys) else { throw ContentFault("list", "is missing") }
        guard let any = try list.object("paginator", keys: nil) else {
            throw ContentFault("list.paginator", "is missing")
        }
        let type = try any.text("type")
        guard let rules = paginators.first(where: { $0.type == type }) else {
            let allowed = paginators.map(\.type).joined(separator: ", ")
            throw ContentFault("list.paginator.type", "is \(type.quoted); allowed: \(allowed)")
        }
        let object = try DeclarationObject(.object(any.members), at: any.path, keys: ["type"] + rules.keys)
        guard let path = try list.text("path", of: { DeclarationObject.isPathByte($0) || $0 == "?" }) else {
            throw ContentFault("list.path", "is missing")
        }
        guard path.contains("{list}"), !path.hasPrefix("/") else {
            throw ContentFault("list.path", "is not a path with {list}, and without a slash before it")
        }
        guard DeclaredCatalogue.isPlain(path) else {
            throw ContentFault("list.path", "is \(path.quoted), which can lead out of the API's address")
        }
        let paginator = try paginator(type, object)
        let count = try value(list, "count")
        let pages = try value(list, "pages")
        guard pages == nil || count != nil else {
            throw ContentFault("list.pages", "is of no use without the key \"count\"")
        }
        var ends = false
        if let responses = try list.object("responses", keys: ["404"]) {
            guard try responses.text("404") == "end" else {
                throw ContentFault("list.responses.404", "is not \"end\"")
            }
            guard count == nil, type == "page_number" || type == "offset" else {
                throw ContentFault(
                    "list.responses", "is only for page numbers and offsets of lists without the key \"count\"")
            }
            ends = true
        }
        return List(
            path: path, paginator: paginator, records: try list.fieldPath("records"), count: count, pages: pages,
            error: try list.fieldPath("error", steps: 1...1)?.text, endsWithMissing: ends)
    }

    private static func paginator(_ type: String, _ object: DeclarationObject) throws(ContentFault) -> Paginator {
        func parameter(_ key: String, _ standard: String) throws(ContentFault) -> String {
            try object.text(key) {
                DeclarationObject.isNameByte($0) || DeclarationObject.isUpper($0) || "-.~%$[]".utf8.contains($0)
            } ?? standard
        }
        switch type {
        case "page_number":
            return .pageNumber(
                parameter: try parameter("parameter", "page"), first: try object.integer("first", 0...1, default: 1))
        case "offset":
            return .offset(
                parameter: try parameter("parameter", "offset"),
                limitParameter: try parameter("limitParameter", "limit"),
                limit: try object.integer("limit", 1...100_000, default: 100))
        case "cursor":
            guard let cursor = try value(object, "cursor") else {
                throw ContentFault(object.path("cursor"), "is missing")
            }
            return .cursor(
                parameter: try parameter("parameter", "cursor"), value: cursor, more: try object.fieldPath("more"))
        case "json_link": return .jsonLink(try object.fieldPath("next") ?? FieldPath("next"))
        case "header_link": return .headerLink
        default: return .single
        }
    }

    /// The place of a value in an answer: a path in its body, or "header:NAME".
    private static func value(_ object: DeclarationObject, _ key: String) throws(ContentFault) -> AnswerValue? {
        guard let text = try object.optionalText(key) else { return nil }
        guard text.hasPrefix("header:") else {
            return .body(try DeclarationObject.fieldPath(text, at: object.path(key)))
        }
        let name = text.dropFirst("header:".count)
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 == "-" || DeclarationObject.isNameByte($0 | 0x20) }
        guard isName else {
            throw ContentFault(object.path(key), "is \(text.quoted), which has no name of a header field")
        }
        return .header(String(name))
    }
}

/// Reading of a page of a list.
extension DeclaredCatalogue {
    package func page(_ answer: PageAnswer, of list: ListEndpoint) throws(ContentFault) -> ListPage {
        guard let rules = declaration.list else { throw ContentFault("", "is no page of a list: there are none") }
        let body = answer.body
        let place = try Self.place(in: body, rules)
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = place?.lowerBound ?? (body.starts(with: mark) ? mark.count : 0)
        let first = body[start...].first { !JSONSlices.isSpace($0) }
        let records = try ContentFault.inside(rules.records?.text ?? "") { () throws(ContentFault) in
            // Some servers send null for an empty array.
            if place.map({ body[$0].elementsEqual("null".utf8) }) == true { return [Range<Int>]() }
            let records = try JSONSlices.values(of: body, at: place)
            // The members of an envelope are not records, so that a forgotten path is noticed.
            guard first != "{" || records.allSatisfy({ body[$0.lowerBound] == "{" }) else {
                throw ContentFault(
                    "", "is an object whose members are not all records; say where they are with \"records\"")
            }
            return records
        }
        return ListPage(
            claim: try claim(answer, rules), records: records, isObject: first == "n" ? nil : first == "{",
            at: rules.records?.text ?? "", next: try next(after: answer, list))
    }

    /// The place of the records; nil for the whole answer.
    private static func place(in body: [UInt8], _ rules: CatalogueDeclaration.List) throws(ContentFault) -> Range<Int>?
    {
        guard let path = rules.records else {
            if let name = rules.error, body.first(where: { !JSONSlices.isSpace($0) }) == "{" {
                try refuse(body, ifItHas: name)
            }
            return nil
        }
        if let range = try range(of: path, in: body) { return range }
        if let name = rules.error { try refuse(body, ifItHas: name) }
        throw ContentFault(path.text, "is missing")
    }

    /// Some APIs answer an error with the status 200.
    private static func refuse(_ body: [UInt8], ifItHas name: String) throws(ContentFault) {
        guard let error = try JSONSlices.members(of: body)[name] else { return }
        throw ContentFault(name, "says \(JSONDecoding.quotedError(body[error])) where a list page belongs")
    }

    /// The place of a value. The name of a member can have dots, such as "@odata.nextLink". Nil if a member is missing.
    static func range(of path: FieldPath, in body: [UInt8]) throws(ContentFault) -> Range<Int>? {
        var rest = path.names[...]
        var range: Range<Int>?
        while !rest.isEmpty {
            guard range.map({ body[$0.lowerBound] == "{" }) ?? true else { return nil }
            let members = try JSONSlices.members(of: body, at: range)
            let length = (1...rest.count).last { members[rest.prefix($0).joined(separator: ".")] != nil }
            guard let length else { return nil }
            range = members[rest.prefix(length).joined(separator: ".")]
            rest = rest.dropFirst(length)
        }
        return range
    }

    /// A text or a number of an answer. Nil if it is missing, null, false or empty.
    static func text(_ value: AnswerValue, in answer: PageAnswer) throws(ContentFault) -> String? {
        switch value {
        case .header(let name): return answer.header(name).flatMap { $0.isEmpty ? nil : $0 }
        case .body(let path):
            guard let range = try range(of: path, in: answer.body) else { return nil }
            let raw = answer.body[range]
            if raw.elementsEqual("null".utf8) || raw.elementsEqual("false".utf8) { return nil }
            let text = try ContentFault.inside(path.text) { () throws(ContentFault) in
                try JSONDecoding.scalar(answer.body, at: range)
            }
            return text.isEmpty ? nil : text
        }
    }
}

extension AnswerValue {
    /// The name for messages.
    var text: String {
        switch self {
        case .body(let path): path.text
        case .header(let name): "the header field \(name)"
        }
    }
}

/// The claims of a page.
extension DeclaredCatalogue {
    /// The numbers of records and pages that a list claims. The number of pages follows from the number of records and
    /// the size of a page, unless the API states it.
    private func claim(_ answer: PageAnswer, _ rules: CatalogueDeclaration.List) throws(ContentFault)
        -> (count: Int, pages: Int?)?
    {
        guard let value = rules.count else { return nil }
        let count = try Self.number(value, in: answer)
        guard let value = rules.pages else { return (count, nil) }
        let pages = try Self.number(value, in: answer)
        guard pages <= max(count, 1) else {
            throw ContentFault(value.text, "is \(pages), more pages than the \(count) records")
        }
        return (count, pages)
    }

    private static func number(_ value: AnswerValue, in answer: PageAnswer) throws(ContentFault) -> Int {
        var number: Int64?
        switch value {
        case .header(let name): number = answer.header(name).flatMap { Int64($0) }
        case .body(let path):
            guard let range = try range(of: path, in: answer.body) else { throw ContentFault(path.text, "is missing") }
            number = try ContentFault.inside(path.text) { () throws(ContentFault) in
                try JSONFields.integer(answer.body, at: range)
            }
        }
        guard let number else { throw ContentFault(value.text, "is missing, or not a whole number") }
        guard number >= 0 else { throw ContentFault(value.text, "is \(number), less than nothing") }
        guard number <= maximumClaim else { throw ContentFault(value.text, "is \(number), more than a list can hold") }
        return Int(number)
    }

    /// Larger than any list, and small enough that sums do not overflow.
    private static let maximumClaim = 1_000_000_000
}
