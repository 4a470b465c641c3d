import Catalogue
import Pages
import Platform

/// Reading of the keys `list` and `lists`.
extension CatalogueDeclaration {
    private static let listKeys = [
        "path", "paginator", "records", "count", "pages", "error", "responses", "detail", "record",
    ]

    /// The kinds of the lists, and the rules of each list: its own if it is an object, and those in `list`.
    static func lists(_ file: DeclarationObject, isRequired: Bool) throws -> (kinds: [String], rules: [List]) {
        let elements = try file.elements("lists")
        try require(
            (isRequired ? 1 : 0)...maximumKinds ~= elements.count, "lists",
            "has \(elements.count) names; 1 to \(maximumKinds) are allowed")
        let shared = try file.object("list", keys: listKeys)
        if let shared {
            try require(shared.value("paginator") != nil, "list.paginator", "is missing")
            let hasName = try shared.optionalText("path")?.contains("{list}") ?? true
            try require(hasName, "list.path", "is not a path with {list}, and without a slash before it")
            try require(!elements.isEmpty, "list", "is of no use without the key \"lists\"")
        }
        let plans = try elements.map { element, path in
            var object = shared ?? DeclarationObject(path: "list", members: [])
            let name: String
            var kinds: (names: [String], rule: List.KindRule?)?
            if case .object = element {
                let own = try DeclarationObject(
                    element, at: path, keys: ["name", "kind", "kinds", "updated"] + listKeys)
                name = try own.text("name")
                kinds = try self.kinds(own)
                // A single page has no page count, and no status that marks the end of the list.
                let isSingle = own.value("paginator")?["type"]?.text == "single_page"
                let others = object.members.filter { member in
                    own.value(member.key) == nil && !(isSingle && ["pages", "responses"].contains(member.key))
                }
                object = DeclarationObject(path: path, members: own.members + others, shared: others.map(\.key))
            } else {
                name = try DeclarationObject.text(element, path)
            }
            let (names, rule) = kinds ?? ([name], nil)
            for kind in names { try DeclarationObject.checkName(kind.replacing("-", with: "_"), at: path) }
            return (object: object, name: name, kinds: names, rule: rule, path: path)
        }
        let counts = Dictionary(plans.flatMap(\.kinds).map { ($0, 1) }, uniquingKeysWith: +)
        try require(counts.count <= maximumKinds, "lists", "has more than the \(maximumKinds) kinds allowed")
        let rules = try plans.map { plan in
            let shared = plan.kinds.first { counts[$0] != 1 }
            try require(
                plan.rule == nil || shared == nil, "\(plan.path).kinds",
                "has the kind \((shared ?? "").quoted), which another list has too")
            return try list(
                plan.object, named: plan.name, of: plan.kinds, plan.rule, isOnly: shared == nil, at: plan.path)
        }
        try checkUnique(zip(plans, rules).map { plan, rule in (plan.path, rule.endpoint.name) })
        try checkUnique(
            zip(plans, rules).map { plan, rule in (plan.path, "\(plan.kinds[0]) at \(rule.endpoint.path)") })
        for (plan, rule) in zip(plans, rules) {
            guard let parent = rule.endpoint.parent else { continue }
            try require(
                rules.contains { $0.endpoint.kinds.contains(parent) }, "\(plan.path).path",
                "has a placeholder of the kind \"\(parent)\", which has no list")
            var parents: Set = [parent]
            for _ in 0..<deepestLists {
                parents = Set(
                    rules.filter { !parents.isDisjoint(with: $0.endpoint.kinds) }.compactMap(\.endpoint.parent))
            }
            try require(
                parents.isEmpty, "\(plan.path).path",
                "leads to lists of children more than \(deepestLists) levels deep")
        }
        return (plans.flatMap(\.kinds).unique(), rules)
    }

    /// The kinds of a list, and the member with a record's kind if there are several; nil for the kind named like it.
    private static func kinds(_ list: DeclarationObject) throws -> (names: [String], rule: List.KindRule?)? {
        let kind = try list.optionalText("kind")
        let kinds = try list.pairs("kinds")
        guard let kind, kind.hasPrefix("{"), kind.hasSuffix("}") else {
            try require(list.value("kinds") == nil, list.path("kinds"), "is only for a \"kind\" such as \"{type}\"")
            return kind.map { ([$0], nil) }
        }
        let member = try DeclarationObject.fieldPath(String(kind.dropFirst().dropLast()), at: list.path("kind"))
        try require(!kinds.isEmpty, list.path("kinds"), "is missing; it has the kind for each value of \(kind)")
        return (kinds.map(\.value).unique(), (member, Dictionary(uniqueKeysWithValues: kinds.map { ($0, $1) })))
    }

    /// The maximum number of levels of lists of children.
    private static let deepestLists = 3

    /// The kind of the placeholders in a path such as "posts/{post.id}/comments"; nil for a path without them.
    private static func parent(_ path: TextPattern, of list: DeclarationObject) throws -> String? {
        let names = path.placeholders.filter { !$0.hasPrefix("env:") }
        let kinds = Set(names.map { $0.prefix { $0 != "." } })
        let rest = path.filled(with: Dictionary(uniqueKeysWithValues: path.placeholders.map { ($0, "") }))
        try require(!rest.contains { "{}".contains($0) }, list.path("path"), "has a brace outside of a placeholder")
        for name in names.sorted() {
            try require(
                kinds.count == 1 && name.contains("."), list.path("path"),
                "has the placeholder \(name.quoted), which is not {list}, or {KIND.MEMBER} of a single kind")
            _ = try DeclarationObject.fieldPath(name, at: list.path("path"), steps: 2...16)
        }
        return kinds.first.map(String.init)
    }

    /// - Parameters:
    ///   - name: replaces the placeholder `{list}` of the path.
    ///   - isOnly: whether its kinds have no other list.
    private static func list(
        _ list: DeclarationObject, named name: String, of kinds: [String], _ rule: List.KindRule?, isOnly: Bool,
        at place: String
    ) throws -> List {
        let any = try list.required("paginator") { try list.object($0) }
        let type = try any.text("type")
        let allowed = paginators.map(\.key).joined(separator: ", ")
        let keys = try require(
            paginators.first { $0.key == type }?.value, any.path("type"), "is \(type.quoted); allowed: \(allowed)")
        let object = try DeclarationObject(.object(any.members), at: any.path, keys: ["type"] + keys)
        let allowedBytes = "visible characters of ASCII, and no #"
        let pattern = try list.text("path", allowedBytes) { DeclarationObject.isPathByte($0) || $0 == "?" } ?? "{list}"
        let hasName = (pattern.contains("{list}") || list.value("name") != nil) && !pattern.hasPrefix("/")
        try require(hasName, list.path("path"), "is not a path with {list}, and without a slash before it")
        let path = TextPattern(pattern).filled(["list": name])
        let parent = try parent(TextPattern(path), of: list)
        let hasOwnName = parent != nil || !isOnly || rule != nil
        if hasOwnName { try DeclarationObject.checkName(name.replacing("-", with: "_"), at: place) }
        let isPlain = DeclaredCatalogue.isPlain(path)
        try require(isPlain, list.path("path"), "is \(pattern.quoted), which can lead out of the API's address")
        let paginator = try paginator(type, object)
        func parameters(_ path: String) -> [String] {
            path.drop { $0 != "?" }.dropFirst().split(separator: "&").map { String($0.prefix { $0 != "=" }) }
        }
        // The first cursor can be in the path: "works?cursor=*".
        let sent = parameters(ListEndpoint(kind: kinds[0], path: "", paginator: paginator).firstPath)
        for name in parameters(path) {
            try require(
                !sent.contains(name), list.path("path"),
                "has the parameter \(name.quoted), which the paginator adds; leave it out of the path")
        }
        let count = try value(list, "count")
        let pages = try value(list, "pages")
        let hasUse = pages == nil || count != nil || type == "page_number"
        try require(hasUse, list.path("pages"), "is of no use without the key \"count\", except for page numbers")
        let more = try value(object, "more")
        try require(
            more == nil || count == nil && pages == nil || type == "cursor", object.path("more"),
            "is of no use beside the key \"count\" or \"pages\"")
        let responses = try list.object("responses", keys: ["204", "400", "403", "404", "410"])
        if let responses {
            for (status, _) in responses.members {
                try require(responses.text(status) == "end", responses.path(status), "is not \"end\"")
            }
            try require(
                count == nil && pages == nil && (parent != nil || type == "page_number" || type == "offset"),
                list.path("responses"),
                "is only for page numbers, offsets and lists of children, without the keys \"count\" and \"pages\"")
        }
        let records = try list.optionalText("records").map {
            try DeclarationObject.valuePath(TextPattern($0).filled(["list": name]), at: list.path("records"))
        }
        try require(
            records.map { !$0.text.contains("[]") && !$0.text.contains("=") } ?? true, list.path("records"),
            "is \(records?.text.quoted ?? ""), which does not lead to one array")
        let detail = try detail(list, named: name)
        let record = try list.fieldPath("record")
        try require(record == nil || detail != nil, list.path("record"), "is of no use without the key \"detail\"")
        var endpoint = ListEndpoint(kind: kinds[0], path: path, paginator: paginator)
        endpoint.kinds = kinds
        if hasOwnName { endpoint.name = "\(kinds[0])/\(name)" }
        endpoint.parent = parent
        endpoint.hasCount = count != nil
        endpoint.hasHeaderValues = [count, pages, more].contains { if case .header? = $0 { true } else { false } }
        endpoint.endStatuses = Set(responses?.members.compactMap { Int($0.key) } ?? [])
        endpoint.hasDetail = detail != nil
        endpoint.updated = try updated(list)
        try require(
            endpoint.updated == nil || detail == nil && parent == nil && isOnly && rule == nil, list.path("updated"),
            "is only for the only list of a kind, whose pages have the records, and which has no parents")
        return List(
            endpoint: endpoint, kinds: rule, records: records, count: count, pages: pages, more: more,
            error: try list.fieldPath("error", steps: 1...1)?.text, detail: detail, record: record)
    }

    private static func updated(_ list: DeclarationObject) throws -> ChangeRule? {
        guard let object = try list.object("updated", keys: ["parameter", "from", "fullEvery"]) else { return nil }
        return ChangeRule(
            parameter: try parameter(object, "parameter", object.text("parameter")),
            from: try object.required("from") { try object.fieldPath($0) },
            fullEvery: try object.integer("fullEvery", 1...366, default: 7))
    }

    /// The path of a record, with placeholders for members of its row.
    private static func detail(_ list: DeclarationObject, named name: String) throws -> TextPattern? {
        guard let text = try list.optionalText("detail") else { return nil }
        let pattern = TextPattern(TextPattern(text).filled(["list": name]))
        for name in pattern.placeholders {
            try require(
                !name.hasPrefix("env:"), list.path("detail"),
                "has an environment variable; only headers and other paths can have one")
            _ = try DeclarationObject.fieldPath(name, at: list.path("detail"))
        }
        try require(
            !pattern.placeholders.isEmpty && !text.hasPrefix("/")
                && DeclaredCatalogue.isPlain(pattern.filled(with: [:])), list.path("detail"),
            "is not a path with members of a row, such as \"{url}\" or \"items/{id}\"")
        return pattern
    }

    /// The types of paginators, each with the keys of its rules.
    private static let paginators: KeyValuePairs<String, [String]> = [
        "page_number": ["parameter", "first", "more"], "offset": ["parameter", "limitParameter", "limit", "more"],
        "cursor": ["parameter", "cursor", "more"], "json_link": ["next"], "header_link": ["rel"], "single_page": [],
    ]

    private static func paginator(_ type: String, _ object: DeclarationObject) throws -> Paginator {
        switch type {
        case "page_number":
            .pageNumber(
                parameter: try parameter(object, "parameter", "page"),
                first: try object.integer("first", 0...1_000_000, default: 1))
        case "offset":
            .offset(
                parameter: try parameter(object, "parameter", "offset"),
                limitParameter: try parameter(object, "limitParameter", "limit"),
                limit: try object.integer("limit", 1...100_000, default: 100))
        case "cursor":
            .cursor(
                parameter: try parameter(object, "parameter", "cursor"),
                value: try object.required("cursor") { try value(object, $0) })
        case "json_link": .jsonLink(try value(object, "next") ?? .body("next"))
        // Relations are compared without regard to case (RFC 8288, section 2.1.1).
        case "header_link": .headerLink(relation: try parameter(object, "rel", "next").lowercased())
        default: .single
        }
    }

    private static func parameter(_ object: DeclarationObject, _ key: String, _ standard: String) throws -> String {
        try object.text(key, "letters, digits and _-.~%$@[]") {
            $0.isLetter || $0.isDigit || "_-.~%$@[]".utf8.contains($0)
        } ?? standard
    }

    /// The place of a value in an answer: a path in its body, or "header:NAME".
    private static func value(_ object: DeclarationObject, _ key: String) throws -> AnswerValue? {
        guard let text = try object.optionalText(key) else { return nil }
        guard text.hasPrefix("header:") else {
            // Only this path can begin in an array ("[-1].id"), or lead to the last element of one.
            let usual = (text.hasPrefix("[") ? "_" : "") + text.replacing("[-1]", with: "[0]")
            _ = try DeclarationObject.valuePath(usual, at: object.path(key))
            return .body(FieldPath(text))
        }
        let name = text.dropFirst("header:".count)
        let isName = !name.isEmpty && name.utf8.allSatisfy { $0 == "-" || DeclarationObject.isNameByte($0 | 0x20) }
        try require(isName, object.path(key), "is \(text.quoted), which has no name of a header field")
        return .header(String(name))
    }
}
