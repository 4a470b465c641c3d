import Catalogue
import Mustache
import Pages

/// Reading of the kinds, with their parameters, and of the roots.
extension CatalogueDeclaration {
    static func parameters(_ file: DeclarationObject) throws -> [Parameter] {
        var parameters: [Parameter] = []
        for member in try file.object("parameters", keys: nil)?.members ?? [] {
            parameters.append(try Parameter(member.name, member.value, at: "parameters.\(member.name)"))
        }
        guard parameters.count <= maximumParameters else {
            throw ContentFault("parameters", "are more than the \(maximumParameters) allowed")
        }
        return parameters
    }

    static func roots(_ file: DeclarationObject, _ parameters: [Parameter]) throws -> RootDeclaration? {
        guard let object = try file.object("roots", keys: ["kind", "path"]) else { return nil }
        guard file.value("extension") != nil else {
            throw ContentFault("roots", "need an extension, which finds the results in the answers")
        }
        let roots = try RootDeclaration(object, parameters)
        guard try file.object("kinds", keys: nil)?.value(roots.kind) != nil else {
            throw ContentFault("roots.kind", "is \(roots.kind.quoted), which is not a key of \"kinds\"")
        }
        return roots
    }

    /// Checks that kinds without pages, and the fields of roots, are used as the engine expects.
    func checkRoots() throws {
        var targets: Set<String> = []
        for kind in kinds {
            let isRoot = isRoot(kind)
            let results = kind.fields.filter { $0.type == .results }
            guard results.count == (isRoot ? 1 : 0), results.allSatisfy({ targets.insert($0.target ?? "").inserted })
            else {
                throw ContentFault(
                    "\(kind.path).fields",
                    isRoot
                        ? "need one field of the type results, with a kind that no other root has"
                        : "have the type results, which is only for roots")
            }
            guard (kind.rootTitle != nil) == isRoot, kind.rootTitle.map(isFilled) ?? true else {
                throw ContentFault(
                    "\(kind.path).title",
                    isRoot
                        ? "is not a text with placeholders of parameters, such as \"{term}\""
                        : "has a brace, which only roots have")
            }
            if let page = kind.page, !isRoot || !isFilled(page) {
                throw ContentFault("\(kind.path).page", "is only for roots, and has only placeholders of parameters")
            }
            if kind.isWholeAnswer {
                guard kind.list == nil, !isRoot, hasExtension else {
                    throw ContentFault("\(kind.path).whole", "is only for kinds of an extension without a list")
                }
            } else if kind.list == nil {
                throw ContentFault("\(kind.path).list", "is missing")
            }
            for field in kind.fields { try check(field, of: kind) }
            let first = kind.list.map { kinds(of: $0)[0] }
            for field in kind.fields where field.hasLists {
                let own = first?.fields.first { $0.name == field.name }
                guard first == nil || own?.isFacet == field.isFacet && own?.isListed == field.isListed else {
                    throw ContentFault(
                        "\(kind.path).fields.\(field.name).\(field.isFacet ? "facet" : "lists")",
                        "is not \(field.isFacet ? "a facet" : "set") in the first kind of the same list")
                }
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
                for field in kind[keyPath: fields].map({ kind.fields[$0] }) {
                    let shape = RecordModels.brief(field).name
                    guard shapes.updateValue(shape, forKey: field.name) ?? shape != shape else { continue }
                    throw ContentFault(
                        "\(kind.path).fields.\(field.name).type",
                        "differs from that of an earlier kind, whose records are in the same list")
                }
            }
        }
    }

    /// Whether a root can fill all placeholders of a text.
    private func isFilled(_ text: String) -> Bool {
        let filled = TextPattern(text).filled(
            with: Dictionary((roots?.words ?? []).map { ($0, "") }) { first, _ in first })
        return !filled.contains("{") && !filled.contains("}")
    }

    private func check(_ field: FieldDeclaration, of kind: KindDeclaration) throws {
        let path = "\(kind.path).fields.\(field.name)"
        let key = field.type.isDerived ? "of" : "to"
        if let target = field.target.flatMap(self.kind) {
            guard target.list != nil else {
                throw ContentFault("\(path).\(key)", "is \"\(target.name)\", which has no pages")
            }
            guard field.type == .roots ? results(of: target.name) === kind : !isRoot(target) else {
                throw ContentFault("\(path).\(key)", "is \"\(target.name)\", whose answers do not have these records")
            }
        }
        if let source = field.source, let other = field.target.flatMap(self.kind) {
            let found = other.fields.first { $0.name == source }
            if field.type == .inverse, found?.type != .reference || found?.target != kind.name {
                throw ContentFault("\(path).of", "is not a reference to the kind \"\(kind.name)\"")
            }
            if field.type == .together, other !== kind || !isShared(found, by: kind) {
                throw ContentFault(
                    "\(path).of", "is not a field of this kind with references to records that show cards of this kind")
            }
        }
        if let order = field.orderBy {
            let found = field.target.flatMap(self.kind)?.fields.first { $0.name == order }
            guard field.display == .cards, found?.type == .references, found?.display == .rows else {
                throw ContentFault(
                    "\(path).orderBy", "is not a list of references of the other kind, or its records are not cards")
            }
        }
        if let function = field.function {
            guard hasExtension, function != .albums || self.kind(albums(of: kind)) != nil else {
                throw ContentFault("\(path).function", "needs an extension, and albums a kind \"\(albums(of: kind))\"")
            }
        }
        guard field.value.map({ isRoot(kind) ? isFilled($0) : !$0.contains("{") && !$0.contains("}") }) ?? true else {
            throw ContentFault("\(path).value", "has a brace that is not that of a parameter's placeholder")
        }
    }

    /// Whether a field has references in rows, to records whose cards refer back.
    private func isShared(_ field: FieldDeclaration?, by kind: KindDeclaration) -> Bool {
        guard let field, field.type == .references, field.display == .rows,
            let other = field.target.flatMap(self.kind), let cast = other.cast
        else { return false }
        return other.fields[cast].target == kind.name
    }

    /// The kind of the albums of a kind's artists.
    func albums(of kind: KindDeclaration) -> String {
        "albums-\((parameters[kind.name]?["country"] ?? "").lowercased())"
    }

    /// The kinds, those of lists first, with a kind for each combination of the parameters in a name such as
    /// "song-{country}".
    /// - Parameter size: the size of the file in bytes.
    static func kinds(_ file: DeclarationObject, size: Int, _ lists: [String], _ parameters: [Parameter])
        throws -> ([KindDeclaration], [String: [String: String]])
    {
        let declared = try file.object("kinds", keys: nil) ?? DeclarationObject(path: "kinds", members: [])
        // A list needs no declaration of its kind.
        let members =
            lists.map { name in (name, (declared.value(name) ?? .object([])).adding(.object([]), at: "list")) }
            + declared.members.filter { !lists.contains($0.name) }
        var plans: [(name: String, family: String, path: String, value: DeclarationValue, words: [String: String])] = []
        for member in members {
            let path = "kinds.\(member.name)"
            let parts = member.name.split(separator: "-{", omittingEmptySubsequences: false).map(String.init)
            guard !plans.contains(where: { $0.family == parts[0] }) else {
                throw ContentFault(path, "has the name \(parts[0].quoted), which is already in use")
            }
            var combinations: [[String: String]] = [[:]]
            for part in parts.dropFirst() {
                let parameter = parameters.first { "\($0.name)}" == part }
                guard case .choices(let choices)? = parameter?.values, let parameter else {
                    throw ContentFault(path, "has the placeholder \"{\(part)\", which is not a parameter with values")
                }
                guard combinations.count * choices.count <= maximumCombinations, combinations[0][parameter.name] == nil
                else {
                    throw ContentFault(
                        path, "has a parameter twice, or more than the \(maximumCombinations) combinations allowed")
                }
                combinations = combinations.flatMap { words in
                    choices.map { words.merging(Parameter.words(parameter.name, $0)) { $1 } }
                }
            }
            guard plans.count + combinations.count <= maximumKinds else {
                throw ContentFault(path, "is one of more than the \(maximumKinds) kinds allowed")
            }
            guard combinations.count == 1 || size <= maximumExpandedSize else {
                throw ContentFault(
                    path, "has parameters in a file of more than the \(maximumExpandedSize) bytes allowed")
            }
            if case .object(let keys) = member.value,
                case .text(let id)? = keys.first(where: { $0.name == "id" })?.value,
                id.contains("{")
            {
                throw ContentFault("\(path).id", "has a placeholder; ids have the same rule in all kinds of a name")
            }
            for words in combinations {
                let name = TextPattern(member.name).filled(with: words.mapValues { $0.lowercased() })
                plans.append((name, parts[0], path, member.value.filled(with: words), words))
            }
        }
        var kinds: [KindDeclaration] = []
        var ownLists: [String: ListDeclaration] = [:]
        var fields = 0
        for plan in plans {
            let kind = try KindDeclaration(
                plan.name, family: plan.family, plan.value, at: plan.path, kinds: plans.map(\.name), lists: ownLists,
                isOnly: lists.count == 1)
            ownLists[kind.family] = kind.list
            fields += kind.fields.count
            guard fields <= maximumFieldsInAll else {
                throw ContentFault("\(plan.path).fields", "are more than \(maximumFieldsInAll) fields of all kinds")
            }
            kinds.append(kind)
        }
        try checkUnique(kinds.map { ($0.path, $0.name) })
        return (kinds, Dictionary(plans.map { ($0.name, $0.words) }) { first, _ in first })
    }
}
