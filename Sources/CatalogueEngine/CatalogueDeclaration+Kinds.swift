import Catalogue
import Mustache
import Pages

/// Reading of the kinds, with their parameters, and of the roots.
extension CatalogueDeclaration {
    static func parameters(_ file: DeclarationObject) throws -> [Parameter] {
        let declared = try file.object("parameters")?.members ?? []
        try require(declared.count <= maximumParameters, "parameters", "are more than the \(maximumParameters) allowed")
        return try declared.map { name, value in try Parameter(name, value, at: "parameters.\(name)") }
    }

    static func roots(_ file: DeclarationObject, _ parameters: [Parameter]) throws -> RootDeclaration? {
        guard let object = try file.object("roots", keys: ["kind", "path"]) else { return nil }
        try require(
            file.value("extension") != nil, "roots", "need an extension, which finds the results in the answers")
        let roots = try RootDeclaration(object, parameters)
        let hasKind = try file.object("kinds")?.value(roots.kind) != nil
        try require(hasKind, "roots.kind", "is \(roots.kind.quoted), which is not a key of \"kinds\"")
        return roots
    }

    /// Checks that kinds without pages, and the fields of roots, are used as the engine expects.
    func checkRoots() throws {
        var targets: Set<String> = []
        for kind in kinds {
            let isRoot = isRoot(kind)
            let results = kind.fields.filter { $0.type == .results }
            try require(
                results.count == (isRoot ? 1 : 0) && results.allSatisfy { targets.insert($0.target ?? "").inserted },
                "\(kind.path).fields",
                isRoot
                    ? "need one field of the type results, with a kind that no other root has"
                    : "have the type results, which is only for roots")
            try require(
                (kind.rootTitle != nil) == isRoot && kind.rootTitle.map(isFilled) ?? true, "\(kind.path).title",
                isRoot
                    ? "is not a text with placeholders of parameters, such as \"{term}\""
                    : "has a brace, which only roots have")
            try require(
                kind.page.map { isRoot && isFilled($0) } ?? true, "\(kind.path).page",
                "is only for roots, and has only placeholders of parameters")
            try require(
                kind.permalink == nil || !isRoot && kind.list != nil, "\(kind.path).page",
                "has the key permalink, which is only for kinds with pages, except roots")
            try require(kind.isWholeAnswer || kind.list != nil, "\(kind.path).list", "is missing")
            try require(
                !kind.isWholeAnswer || kind.list == nil && !isRoot && hasExtension, "\(kind.path).whole",
                "is only for kinds of an extension without a list")
            for field in kind.fields { try check(field, of: kind) }
            let first = kind.list.map { kinds(of: $0)[0] }
            for field in kind.fields where field.hasLists {
                let own = first?.field(field.name)
                try require(
                    first == nil || own?.isFacet == field.isFacet && own?.isListed == field.isListed,
                    "\(kind.path).fields.\(field.name).\(field.isFacet ? "facet" : "lists")",
                    "is not \(field.isFacet ? "a facet" : "set") in the first kind of the same list")
            }
        }
        for own in ownLists {
            try checkShapes(kinds(of: own.list))
            for section in own.list.highlights { try check(section, of: own.list) }
        }
    }

    /// Checks that fields on the cards or rows of one list have the same type if they have the same name.
    private func checkShapes(_ kinds: [KindDeclaration]) throws {
        for fields in [\KindDeclaration.card, \.row] {
            var shapes: [String: String] = [:]
            for kind in kinds {
                for field in kind[keyPath: fields] {
                    let shape = RecordModels.brief(field).name
                    try require(
                        shapes.updateValue(shape, forKey: field.name) ?? shape == shape,
                        "\(kind.path).fields.\(field.name).type",
                        "differs from that of an earlier kind, whose records are in the same list")
                }
            }
        }
    }

    /// Whether a root can fill all placeholders of a text.
    private func isFilled(_ text: String) -> Bool {
        let words = Dictionary(uniqueKeysWithValues: (roots?.words ?? []).map { ($0, "") })
        return !TextPattern(text).filled(with: words).contains { "{}".contains($0) }
    }

    /// Checks what a field says about other fields and kinds.
    private func check(_ field: FieldDeclaration, of kind: KindDeclaration) throws {
        func requireKey(_ key: String, _ isValid: Bool, _ fault: @autoclosure () -> String) throws {
            try require(isValid, "\(kind.path).fields.\(field.name).\(key)", fault())
        }
        let target = field.target.flatMap(self.kind)
        if let target {
            let key = field.type.isDerived ? "of" : "to"
            try requireKey(key, target.list != nil, "is \"\(target.name)\", which has no pages")
            let hasRecords = field.type == .roots ? results(of: target.name) === kind : !isRoot(target)
            try requireKey(key, hasRecords, "is \"\(target.name)\", whose answers do not have these records")
        }
        if let target, let name = field.answers {
            let answer = target.field(name)
            try requireKey(
                "answers", answer?.target == kind.name && answer?.type.isDerived == false,
                "is \(name.quoted), which is not a reference of \"\(target.name)\" to \"\(kind.name)\"")
        }
        for note in field.note {
            let isText = target?.field(note)?.type.isText == true
            try requireKey("note", isText, "is \(note.quoted), which is not a text of \"\(field.target ?? "")\"")
        }
        try requireKey(
            "agreesWith", field.agreesWith.map { kind.field($0)?.type.isText == true } ?? true,
            "is \(field.agreesWith?.quoted ?? ""), which is not a field with a text")
        try requireKey(
            "unit", field.unit.map { $0.standard == nil || $0.key.contains("{number}") } ?? true,
            "is \(field.unit?.key.quoted ?? ""), which has no {number}, such as \"{number} kg\"")
        if let address = field.address?.start, field.type != .url {
            try requireKey(
                "address", ([WebLinks.host(of: api)] + (hosts ?? [])).contains { WebLinks.isOn($0, address) },
                "is on the host \(WebLinks.host(of: address).quoted), which is not one of \"hosts\"")
        }
        let source = field.source.flatMap { target?.field($0) }
        let order = field.orderBy.flatMap { target?.field($0) }
        switch field.type {
        case .inverse:
            let refersHere = [.reference, .references].contains(source?.type) && source?.target == kind.name
            try requireKey("of", refersHere, "is not a reference to the kind \"\(kind.name)\"")
            let isSortable = field.orderBy == nil || order?.type.isText == true && order?.type != .list
            try requireKey("orderBy", isSortable, "is not a field of the other kind with one text, number or date")
        case .together:
            try requireKey(
                "of", target === kind && isShared(source, by: kind),
                "is not a field of this kind with references to records that show cards of this kind")
        default:
            let isCounted = field.display == .cards && order?.type == .references && order?.display == .rows
            try requireKey(
                "orderBy", field.orderBy == nil || isCounted,
                "is not a list of references of the other kind, or its records are not cards")
        }
        if let from = field.from {
            let other = kind.field(from.reference)
            let isOwn = other != nil && other?.from == nil
            let isPart = isOwn && other?.target == nil && other?.hasPart(from.field ?? "") == true
            let source = from.field.flatMap { other?.target.flatMap(self.kind)?.field($0) }
            let isSame = field.target == nil ? source?.type.isText == true : source?.target == field.target
            let fits = from.field == nil ? field.type != .reference : isSame && source?.from?.field == nil
            try requireKey(
                "from", isPart && field.target == nil || isOwn && other?.type == .reference && fits,
                "is not a reference of this kind, REFERENCE.FIELD with a field of the other kind, or FIELD.PART with a "
                    + "part of a format; a field of the other kind must fit the type, and must not come from a field "
                    + "of a third record")
        }
        if let function = field.function {
            try requireKey(
                "function", hasExtension && (function != .albums || self.kind(albums(of: kind)) != nil),
                "needs an extension, and albums a kind \"\(albums(of: kind))\"")
        }
        try requireKey(
            "value", field.value.map { isRoot(kind) ? isFilled($0) : !$0.contains { "{}".contains($0) } } ?? true,
            "has a brace that is not that of a parameter's placeholder")
    }

    /// Whether a field has references in rows, to records whose cards refer back.
    private func isShared(_ field: FieldDeclaration?, by kind: KindDeclaration) -> Bool {
        let cards = field?.target.flatMap(self.kind)?.cardsField
        return field?.type == .references && field?.display == .rows && cards?.target == kind.name
    }

    /// The kind of the albums of a kind's artists.
    func albums(of kind: KindDeclaration) -> String {
        "albums-\((parameters[kind.name]?["country"] ?? "").lowercased())"
    }

    /// The kinds, those of lists first. A name such as "song-{country}" has a kind for each combination of parameters.
    /// - Parameter size: the size of the file in bytes.
    static func kinds(_ file: DeclarationObject, size: Int, _ lists: [String], _ parameters: [Parameter]) throws
        -> ([KindDeclaration], [String: [String: String]])
    {
        let declared = try file.object("kinds") ?? DeclarationObject(path: "kinds", members: [])
        try require(
            declared.members.count <= maximumKinds, declared.path, "has more than the \(maximumKinds) kinds allowed")
        // A list needs no declaration of its kind.
        let members =
            lists.map { name in
                let own = declared.value(name) ?? [:]
                let list: [JSON.Member] = own["list"] == nil ? [("list", [:])] : []
                return (key: name, value: own.members.map { .object($0 + list) } ?? own)
            }
            + declared.members.filter { !lists.contains($0.key) }
        var plans: [(name: String, family: String, path: String, value: JSON, words: [String: String])] = []
        for (key, value) in members {
            let path = "kinds.\(key)"
            let parts = key.split(separator: "-{", omittingEmptySubsequences: false).map(String.init)
            let isFree = !plans.contains { $0.family == parts[0] }
            try require(isFree, path, "has the name \(parts[0].quoted), which is already in use")
            var combinations: [[String: String]] = [[:]]
            for part in parts.dropFirst() {
                let parameter = parameters.first { "\($0.name)}" == part }
                guard case .choices(let choices)? = parameter?.values, let parameter else {
                    throw ContentFault(path, "has the placeholder \"{\(part)\", which is not a parameter with values")
                }
                try require(
                    combinations.count * choices.count <= maximumCombinations && combinations[0][parameter.name] == nil,
                    path, "has a parameter twice, or more than the \(maximumCombinations) combinations allowed")
                combinations = combinations.flatMap { words in choices.map { words.merging($0) { $1 } } }
            }
            try require(
                plans.count + combinations.count <= maximumKinds, path,
                "is one of more than the \(maximumKinds) kinds allowed")
            try require(
                combinations.count == 1 || size <= maximumExpandedSize, path,
                "has parameters in a file of more than the \(maximumExpandedSize) bytes allowed")
            let hasOneRule = !key.contains("{") || value["id"]?.text?.contains("{") != true
            try require(hasOneRule, "\(path).id", "has a placeholder; ids have the same rule in all kinds of a name")
            for words in combinations {
                let name = TextPattern(key).filled(with: words.mapValues { $0.lowercased() })
                plans.append((name, parts[0], path, value.filled(with: words), words))
            }
        }
        var ownLists: [String: ListDeclaration] = [:]
        var fields = 0
        let kinds = try plans.map { plan in
            let kind = try KindDeclaration(
                plan.name, family: plan.family, plan.value, at: plan.path, kinds: plans.map(\.name), lists: ownLists,
                isOnly: lists.count == 1, api: file.text("api"))
            ownLists[kind.family] = kind.list
            fields += kind.fields.count
            try require(
                fields <= maximumFieldsInAll, "\(plan.path).fields",
                "are more than \(maximumFieldsInAll) fields of all kinds")
            return kind
        }
        try checkUnique(kinds.map { ($0.path, $0.name) })
        return (kinds, Dictionary(plans.map { ($0.name, $0.words) }) { first, _ in first })
    }
}
