import Archive
package import Catalogue
import Pages
import Platform

/// Reading of the keys `list` and `lists`.
extension CatalogueDeclaration {
    /// The types of paginators, each with the keys of its rules.
    private static let paginators: [(type: String, keys: [String])] = [
        ("page_number", ["parameter", "first"]), ("offset", ["parameter", "limitParameter", "limit"]),
        ("cursor", ["parameter", "cursor", "more"]), ("json_link", ["next"]), ("header_link", []), ("single_page", []),
    ]

    private static let listKeys = [
        "path", "paginator", "records", "count", "pages", "error", "responses", "detail",
    ]

    /// The kinds of the lists, and the rules of each. A list that is an object has its own rules in addition to the
    /// shared ones in `list`.
    static func lists(_ file: DeclarationObject) throws -> (kinds: [String], rules: [String: List]) {
        let elements = try file.elements("lists")
        guard elements.count <= maximumKinds else {
            throw ContentFault("lists", "has \(elements.count) names; 1 to \(maximumKinds) are allowed")
        }
        let shared = try file.object("list", keys: listKeys)
        if let shared, shared.value("paginator") == nil { throw ContentFault("list.paginator", "is missing") }
        guard try shared?.optionalText("path")?.contains("{list}") ?? true else {
            throw ContentFault("list.path", "is not a path with {list}, and without a slash before it")
        }
        guard !elements.isEmpty || shared == nil else {
            throw ContentFault("list", "is of no use without the key \"lists\"")
        }
        var kinds: [String] = []
        var rules: [String: List] = [:]
        for (index, element) in elements.enumerated() {
            let path = "lists[\(index)]"
            var object = shared ?? DeclarationObject(path: "list", members: [])
            var kind = ""
            var name = ""
            if case .object = element {
                let own = try DeclarationObject(element, at: path, keys: ["name", "kind"] + listKeys)
                name = try own.text("name")
                kind = try own.optionalText("kind") ?? name
                let others = object.members.filter { own.value($0.name) == nil }
                object = DeclarationObject(path: path, members: own.members + others)
            } else {
                name = try DeclarationObject(.object([(path, element)]), at: "", keys: nil).text(path)
                kind = name
            }
            try DeclarationObject.checkName(kind.replacing("-", with: "_"), at: path)
            guard rules[kind] == nil else { throw ContentFault(path, "has the kind \(kind.quoted) of an earlier list") }
            rules[kind] = try list(object, named: name)
            kinds.append(kind)
        }
        return (kinds, rules)
    }

    /// - Parameter name: replaces the placeholder `{list}` of the path.
    private static func list(_ list: DeclarationObject, named name: String) throws -> List {
        guard let any = try list.object("paginator", keys: nil) else {
            throw ContentFault(list.path("paginator"), "is missing")
        }
        let type = try any.text("type")
        guard let rules = paginators.first(where: { $0.type == type }) else {
            let allowed = paginators.map(\.type).joined(separator: ", ")
            throw ContentFault(any.path("type"), "is \(type.quoted); allowed: \(allowed)")
        }
        let object = try DeclarationObject(.object(any.members), at: any.path, keys: ["type"] + rules.keys)
        let pattern = try list.text("path", of: { DeclarationObject.isPathByte($0) || $0 == "?" }) ?? "{list}"
        guard pattern.contains("{list}") || list.value("name") != nil, !pattern.hasPrefix("/") else {
            throw ContentFault(list.path("path"), "is not a path with {list}, and without a slash before it")
        }
        let path = TextPattern(pattern).filled(["list": name])
        guard DeclaredCatalogue.isPlain(path) else {
            throw ContentFault(list.path("path"), "is \(pattern.quoted), which can lead out of the API's address")
        }
        let paginator = try paginator(type, object)
        let count = try value(list, "count")
        let pages = try value(list, "pages")
        guard pages == nil || count != nil else {
            throw ContentFault(list.path("pages"), "is of no use without the key \"count\"")
        }
        var ends = false
        if let responses = try list.object("responses", keys: ["404"]) {
            guard try responses.text("404") == "end" else {
                throw ContentFault(responses.path("404"), "is not \"end\"")
            }
            guard count == nil, type == "page_number" || type == "offset" else {
                throw ContentFault(
                    list.path("responses"), "is only for page numbers and offsets of lists without the key \"count\"")
            }
            ends = true
        }
        return List(
            path: path, paginator: paginator, records: try list.fieldPath("records"), count: count, pages: pages,
            error: try list.fieldPath("error", steps: 1...1)?.text, endsWithMissing: ends, detail: try detail(list))
    }

    /// The path of a record, with placeholders for members of its row.
    private static func detail(_ list: DeclarationObject) throws -> TextPattern? {
        guard let text = try list.optionalText("detail") else { return nil }
        let pattern = TextPattern(text)
        for name in pattern.placeholders {
            guard !name.hasPrefix("env:") else {
                throw ContentFault(
                    list.path("detail"), "has an environment variable; only headers and other paths can have one")
            }
            _ = try DeclarationObject.fieldPath(name, at: list.path("detail"))
        }
        guard !pattern.placeholders.isEmpty, !text.hasPrefix("/"),
            DeclaredCatalogue.isPlain(pattern.filled(with: [:]))
        else {
            throw ContentFault(
                list.path("detail"), "is not a path with members of a row, such as \"{url}\" or \"items/{id}\"")
        }
        return pattern
    }

    private static func paginator(_ type: String, _ object: DeclarationObject) throws -> Paginator {
        func parameter(_ key: String, _ standard: String) throws -> String {
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
    private static func value(_ object: DeclarationObject, _ key: String) throws -> AnswerValue? {
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
    package func page(_ answer: PageAnswer, of list: ListEndpoint) throws -> ListPage {
        guard let rules = declaration.rules[list.kind] else { throw ContentFault("", "is not a page of a list") }
        let values = AnswerValues(answer)
        let body = answer.body
        let place = try Self.place(values, rules)
        let isObject = place.map { body[$0.lowerBound] == "{" } ?? values.isObject
        // Some servers send null for an empty array.
        let isNull = place.map { body[$0].elementsEqual("null".utf8) } ?? false
        let records = try ContentFault.inside(rules.records?.text ?? "") {
            let records = isNull ? [] : try JSONSlices.values(of: body, at: place)
            // If the path of the records is forgotten, these are the members of the envelope.
            guard !isObject || records.allSatisfy({ body[$0.lowerBound] == "{" }) else {
                throw ContentFault(
                    "", "is an object whose members are not all records; say where they are with \"records\"")
            }
            return records
        }
        return ListPage(
            claim: try Self.claim(values, rules), records: records, isObject: isNull ? nil : isObject,
            at: rules.records?.text ?? "", next: try next(after: values, list))
    }

    package func detail(of row: ArraySlice<UInt8>, in list: ListEndpoint, base: String) throws
        -> Reference
    {
        guard let rules = declaration.rules[list.kind], let detail = rules.detail,
            let kind = declaration.kind(list.kind)
        else { throw ContentFault("", "is a row of a list of records") }
        let fields = try JSONFields(Array(row))
        var words: [String: String] = [:]
        for name in detail.placeholders {
            let value = fields.scalar(FieldPath(name))
            guard !value.isEmpty else { throw ContentFault(name, "is missing") }
            words[name] = value
        }
        let reader = links(base)
        var path = detail.filled(with: words.mapValues(percentEncoded))
        if let link = words.first?.value, detail.isPlaceholder { path = reader.path(link) ?? "" }
        guard Self.isPlain(path), !lists.contains(where: { $0.page(of: path) != nil }) else {
            throw ContentFault(
                detail.placeholders.sorted().joined(separator: ", "),
                "is \(words.values.sorted().joined(separator: ", ").quoted), which gives no address of a record of this API"
            )
        }
        // A row can lack the id that the record has.
        let key = fields.has(kind.id) ? try kind.key(of: fields) : reader.key("\(base)/\(path)", kind: kind.name)
        guard let key else {
            throw ContentFault(
                kind.id.text,
                "is missing, and \(path.quoted) has no number; set \"textIds\" if ids of this kind can be other texts")
        }
        return Reference(key, at: kind.id.text, path: path)
    }

    /// The place of the records; nil for the whole answer.
    private static func place(_ values: AnswerValues, _ rules: CatalogueDeclaration.List) throws
        -> Range<Int>?
    {
        if let path = rules.records, let range = try values.range(of: path) { return range }
        // Some APIs answer an error with the status 200.
        if let name = rules.error, values.isObject, let error = try values.range(of: FieldPath(name)) {
            throw ContentFault(
                name, "says \(JSONDecoding.quotedError(values.answer.body[error])) where a list page belongs")
        }
        if let path = rules.records { throw ContentFault(path.text, "is missing") }
        return nil
    }

    /// The number of records that a list claims, and the number of pages if the API states it.
    private static func claim(_ values: AnswerValues, _ rules: CatalogueDeclaration.List) throws
        -> (count: Int, pages: Int?)?
    {
        guard let place = rules.count else { return nil }
        let count = try values.number(place)
        guard let place = rules.pages else { return (count, nil) }
        let pages = try values.number(place)
        guard pages <= max(count, 1) else {
            throw ContentFault(place.text, "is \(pages), more pages than the \(count) records")
        }
        return (count, pages)
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

/// Reads the values that an answer has besides its records. The members of its body are found once, because a page can
/// be large.
final class AnswerValues {
    let answer: PageAnswer
    /// Whether the body is an object, and not an array.
    let isObject: Bool
    private var members: [String: Range<Int>]?

    init(_ answer: PageAnswer) {
        self.answer = answer
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let start = answer.body.starts(with: mark) ? mark.count : 0
        isObject = answer.body[start...].first { !JSONSlices.isSpace($0) } == "{"
    }

    /// The place of a value. The name of a member can have dots, such as "@odata.nextLink". Nil if a member is missing.
    func range(of path: FieldPath) throws -> Range<Int>? {
        var members = self.members ?? [:]
        if self.members == nil {
            members = try JSONSlices.members(of: answer.body)
            self.members = members
        }
        var rest = path.names[...]
        while true {
            let length = (1...rest.count).last { members[rest.prefix($0).joined(separator: ".")] != nil }
            guard let length, let range = members[rest.prefix(length).joined(separator: ".")] else { return nil }
            rest = rest.dropFirst(length)
            if rest.isEmpty { return range }
            guard answer.body[range.lowerBound] == "{" else { return nil }
            members = try JSONSlices.members(of: answer.body, at: range)
        }
    }

    /// A text or a number. Nil if it is missing, null, false or empty.
    func text(_ value: AnswerValue) throws -> (text: String, isObject: Bool)? {
        switch value {
        case .header(let name): return answer.header(name).flatMap { $0.isEmpty ? nil : ($0, false) }
        case .body(let path):
            guard let range = try range(of: path) else { return nil }
            let raw = answer.body[range]
            if raw.elementsEqual("null".utf8) || raw.elementsEqual("false".utf8) { return nil }
            let text = try ContentFault.inside(path.text) {
                try JSONDecoding.scalar(answer.body, at: range)
            }
            return text.isEmpty ? nil : (text, raw.first == "{")
        }
    }

    func flag(_ path: FieldPath) throws -> Bool {
        guard let range = try range(of: path) else { throw ContentFault(path.text, "is missing") }
        let raw = answer.body[range]
        guard raw.elementsEqual("true".utf8) || raw.elementsEqual("false".utf8) else {
            throw ContentFault(path.text, "is not true or false")
        }
        return raw.first == "t"
    }

    /// A claimed number of records or pages.
    func number(_ value: AnswerValue) throws -> Int {
        var number: Int64?
        switch value {
        case .header(let name): number = answer.header(name).flatMap { Int64($0) }
        case .body(let path):
            guard let range = try range(of: path) else { throw ContentFault(path.text, "is missing") }
            number = try ContentFault.inside(path.text) {
                try JSONFields.integer(answer.body[range])
            }
        }
        guard let number else { throw ContentFault(value.text, "is missing, or not a whole number") }
        guard number >= 0 else { throw ContentFault(value.text, "is \(number), less than nothing") }
        guard number <= Self.maximumClaim else {
            throw ContentFault(value.text, "is \(number), more than a list can hold")
        }
        return Int(number)
    }

    /// Larger than any list, and small enough that sums do not overflow.
    private static let maximumClaim = 1_000_000_000
}
