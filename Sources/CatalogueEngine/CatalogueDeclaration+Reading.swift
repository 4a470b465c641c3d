package import Catalogue
import Pages

extension CatalogueDeclaration {
    private static let keys = [
        "$schema", "name", "api", "language", "list", "lists", "lookup", "root", "notFound", "card", "navigation",
        "kinds", "figures", "relations",
    ]

    /// The maximum size of a declaration in bytes.
    package static let maximumSize = 1 << 20
    /// The maximum number of kinds, and of fields of a kind.
    static let maximumKinds = 500
    static let maximumFields = 1_000
    /// The charts are on one page.
    static let maximumFigures = 50

    /// Reads a declaration.
    /// - Throws: `ContentFault` for the first error, with its key path.
    package init(_ bytes: [UInt8]) throws(ContentFault) {
        let file = try DeclarationObject(try DeclarationValue(bytes), at: "", keys: Self.keys)
        _ = try file.optionalText("$schema")
        name = try file.text("name")
        guard PortableName.accepts(name) else { throw ContentFault("name", "is not a portable file name") }
        api = try file.text("api")
        let scheme = ["https://", "http://"].first(where: api.hasPrefix)
        let rest = api.utf8.dropFirst(scheme?.utf8.count ?? api.utf8.count)
        guard let first = rest.first, first != "/", rest.last != "/", rest.allSatisfy(DeclarationObject.isPathByte)
        else { throw ContentFault("api", "is not an http or https URL without \"?\", \"#\" and a slash at its end") }
        language = try file.optionalText("language") ?? ""
        guard language.isEmpty || Self.isLanguage(language) else {
            throw ContentFault("language", "is \(language.quoted), which is not a language code such as \"en\"")
        }
        list = try Self.list(file)
        let lookup = try file.object("lookup", keys: ["path", "most"])
        guard try lookup?.text("path") ?? "{kind}/{ids}" == "{kind}/{ids}" else {
            throw ContentFault("lookup.path", "is not \"{kind}/{ids}\", the only path that is supported")
        }
        self.lookup = Lookup(most: try lookup?.integer("most", 1...1_000, default: 1) ?? 1)
        root = file.value("root")
        notFound = file.value("notFound")
        cardKind = try file.optionalText("card")
        let names = try file.texts("lists")
        guard !names.isEmpty, names.count <= Self.maximumKinds else {
            throw ContentFault("lists", "has \(names.count) names; 1 to \(Self.maximumKinds) are allowed")
        }
        guard let declared = try file.object("kinds", keys: names) else { throw ContentFault("kinds", "is missing") }
        var kinds: [KindDeclaration] = []
        for name in names {
            guard let kind = declared.value(name) else { throw ContentFault("kinds.\(name)", "is missing") }
            kinds.append(try KindDeclaration(name, kind, at: "kinds.\(name)", kinds: names))
        }
        self.kinds = kinds
        if let cardKind, !names.contains(cardKind) {
            throw ContentFault("card", "is \(cardKind.quoted), which is not one of the lists")
        }
        navigation = try file.value("navigation") == nil ? names : file.texts("navigation")
        for (index, section) in navigation.enumerated() where section != "figures" && !names.contains(section) {
            throw ContentFault("navigation[\(index)]", "is \(section.quoted), neither a list nor \"figures\"")
        }
        guard try file.elements("figures").count <= Self.maximumFigures else {
            throw ContentFault("figures", "has more than the \(Self.maximumFigures) charts allowed")
        }
        var figures: [FigureDeclaration] = []
        for (index, figure) in try file.elements("figures").enumerated() {
            figures.append(try FigureDeclaration(figure, at: "figures[\(index)]", kinds))
        }
        self.figures = figures
        if let index = navigation.firstIndex(of: "figures"), figures.isEmpty {
            throw ContentFault("navigation[\(index)]", "is \"figures\", but there are none")
        }
        var relations: [(name: String, kind: String, field: FieldDeclaration)] = []
        for (name, value) in try file.pairs("relations", named: true) {
            let (kind, field) = try Self.field(value, at: "relations.\(name)", kinds)
            guard kind.fields[field].type == .references else {
                throw ContentFault("relations.\(name)", "is \(value.quoted), which is not a list of references")
            }
            relations.append((name, kind.name, kind.fields[field]))
        }
        self.relations = relations
        try checkTargets()
        // Templates, and tables in the exported data.
        try Self.checkUnique(
            kinds.map { ("kinds.\($0.name)", $0.name) } + kinds.map { ("kinds.\($0.name).list.page", $0.list.page) }
                + (figures.isEmpty ? [] : [("figures", "figures")]))
        try Self.checkUnique(
            kinds.map { ("kinds.\($0.name).plural", $0.plural) } + relations.map { ("relations.\($0.name)", $0.name) })
        try Self.checkUnique(figures.enumerated().map { ("figures[\($0)].id", $1.id) })
        try checkNames()
    }

    /// Names that the site, its shared templates, the archive's database or SQL use.
    private static let reserved: Set<String> = Set(
        """
        404 about api changes completeness data facets feed figures history icon languages layout missing moment names
        neighbours notfound pager provenance rawrecord references revision scripts search settings sharing told
        body answer asset claim document exchange file gap grown list member record seen source state
        add all alter and as between by case check collate commit constraint create default delete desc distinct drop
        else escape except exists for foreign from full group having if in index inner insert intersect into is join
        key left like limit match natural not null of offset on or order outer position primary right row rows select
        set table then to transaction union unique update using values view when where with
        """.split(whereSeparator: \.isWhitespace).map(String.init))

    /// Checks that the names of folders and files of the site, and of tables and columns, do not collide.
    private func checkNames() throws(ContentFault) {
        var folders: [(path: String, name: String)] = kinds.map { ("kinds.\($0.name)", $0.name) }
        var words = folders + relations.map { ("relations.\($0.name)", $0.name) }
        for kind in kinds {
            let path = "kinds.\(kind.name)"
            words += [("\(path).plural", kind.plural)] + kind.export.map { ("\(path).export.\($0.name)", $0.name) }
            folders.append(("\(path).list.folder", kind.list.folder))
            if kind.fields.contains(where: { $0.type == .image }) {
                folders.append(("\(path).pictures", kind.pictures))
            }
            folders += kind.fields.filter(\.isFacet).map { ("\(path).fields.\($0.name).facet", $0.name) }
            let files = [("page", kind.list.page), ("folder", kind.list.folder)]
            for (key, name) in files
            where name.contains(".") || Self.reserved.contains(name.lowercased()) && name != "index" {
                throw ContentFault("\(path).list.\(key)", "is \(name.quoted), which the site uses, or has a dot")
            }
        }
        try Self.checkUnique(folders)
        for (path, name) in folders + words where Self.reserved.contains(name) || name.hasPrefix("sqlite_") {
            throw ContentFault(path, "has the name \(name.quoted), which the site, the archive or SQL uses")
        }
        for (path, name) in folders where !PortableName.accepts(name) {
            throw ContentFault(path, "has the name \(name.quoted), which Windows reserves")
        }
        guard kinds.filter({ $0.list.page == "index" }).count == 1 else {
            throw ContentFault("kinds", "need exactly one list with the page \"index\", the first page of the site")
        }
    }

    private static func checkUnique(_ names: [(path: String, name: String)]) throws(ContentFault) {
        var known: Set<String> = []
        for (path, name) in names where !known.insert(name).inserted {
            throw ContentFault(path, "has the name \(name.quoted), which is already in use")
        }
    }

    /// Whether a text has the form of a language tag (RFC 5646, section 2.1): a language, and further subtags.
    private static func isLanguage(_ text: String) -> Bool {
        let tags = text.utf8.split(separator: "-", omittingEmptySubsequences: false)
        guard (2...3).contains(tags[0].count), tags[0].allSatisfy({ ("a"..."z").contains($0) }) else { return false }
        return tags.dropFirst().allSatisfy { tag in
            (1...8).contains(tag.count)
                && tag.allSatisfy { $0 != "_" && (DeclarationObject.isNameByte($0) || DeclarationObject.isUpper($0)) }
        }
    }

    private static func list(_ file: DeclarationObject) throws(ContentFault) -> List {
        guard
            let list = try file.object(
                "list", keys: ["path", "paginator", "records", "count", "pages", "error"])
        else { throw ContentFault("list", "is missing") }
        guard let paginator = try list.object("paginator", keys: ["type", "parameter"]) else {
            throw ContentFault("list.paginator", "is missing")
        }
        let type = try paginator.text("type")
        guard type == "page_number" else {
            throw ContentFault("list.paginator.type", "is \(type.quoted); allowed: page_number")
        }
        let parameter =
            try paginator.text(
                "parameter",
                of: { DeclarationObject.isNameByte($0) || DeclarationObject.isUpper($0) || "-.~%".utf8.contains($0) })
            ?? "page"
        guard let path = try list.text("path", of: { DeclarationObject.isPathByte($0) || $0 == "?" }) else {
            throw ContentFault("list.path", "is missing")
        }
        guard path.contains("{list}"), !path.hasPrefix("/") else {
            throw ContentFault("list.path", "is not a path with {list}, and without a slash before it")
        }
        guard let records = try list.fieldPath("records", steps: 1...1) else {
            throw ContentFault("list.records", "is missing")
        }
        guard let count = try list.fieldPath("count", steps: 2...2) else {
            throw ContentFault("list.count", "is missing")
        }
        guard let pages = try list.fieldPath("pages", steps: 2...2) else {
            throw ContentFault("list.pages", "is missing")
        }
        guard count.names[0] == pages.names[0] else {
            throw ContentFault("list.count", "and pages are not members of one object, such as \"info.count\"")
        }
        return List(
            pathBeforePage: "\(path)\(path.contains("?") ? "&" : "?")\(parameter)=", records: records.text,
            count: count, pages: pages, error: try list.fieldPath("error", steps: 1...1)?.text)
    }

    /// The kind and field of a reference such as "character.episode".
    static func field(_ text: String, at path: String, _ kinds: [KindDeclaration]) throws(ContentFault) -> (
        KindDeclaration, Int
    ) {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, let kind = kinds.first(where: { $0.name == names[0] }),
            let field = kind.field(names[1])
        else { throw ContentFault(path, "is \(text.quoted), which is not a kind and a field such as \"kind.field\"") }
        return (kind, field)
    }

    /// Checks the fields that refer to fields of other kinds.
    private func checkTargets() throws(ContentFault) {
        for kind in kinds {
            for field in kind.fields {
                let path = "kinds.\(kind.name).fields.\(field.name)"
                if let name = field.agreesWith, kind.field(name) == nil {
                    throw ContentFault("\(path).agreesWith", "is \(name.quoted), which is not a field")
                }
                guard let target = field.target.flatMap(self.kind) else { continue }
                for (key, name) in [("answers", field.answers), ("note", field.note)] {
                    guard let name else { continue }
                    guard let found = target.field(name).map({ target.fields[$0] }) else {
                        throw ContentFault(
                            "\(path).\(key)", "is \(name.quoted), which \"\(target.name)\" does not have")
                    }
                    guard key == "answers" ? found.target == kind.name : found.type.isText else {
                        throw ContentFault(
                            "\(path).\(key)",
                            "is \(name.quoted), which \(key == "note" ? "is no text" : "does not refer to \"\(kind.name)\"")"
                        )
                    }
                }
            }
        }
    }
}

extension FigureDeclaration {
    private static let placeholders: [String: Set<String>] = [
        "group": ["number"], "equal": ["records", "references"],
        "alternative": ["records", "fewest", "high", "low", "most", "name", "other", "count", "pairs", "none"],
    ]

    private static let textKeys: [FigureType: (texts: [String], plurals: [String])] = [
        .bars: (["caption", "head"], ["rest"]), .most: (["caption", "note", "head", "counted"], []),
        .columns: (["caption", "head", "counted", "group", "noGroup", "alternative", "equal"], []),
        .matrix: (
            [
                "caption", "note", "head", "counted", "partners", "legend", "legendNone", "legendOwn", "alternative",
                "none",
            ],
            []
        ),
    ]

    init(_ value: DeclarationValue, at path: String, _ kinds: [KindDeclaration]) throws(ContentFault) {
        type = try DeclarationObject(value, at: path, keys: nil).choice("type", default: .bars)
        let keys = Self.textKeys[type] ?? ([], [])
        let object = try DeclarationObject(
            value, at: path, keys: ["id", "type", "of", "most"] + keys.texts + keys.plurals)
        id = try object.text("id")
        guard PortableName.accepts(id) else { throw ContentFault(object.path("id"), "is not a portable name") }
        let (kind, field) = try CatalogueDeclaration.field(try object.text("of"), at: object.path("of"), kinds)
        let isList = kind.fields[field].type == .references
        guard isList != (type == .bars) else {
            throw ContentFault(object.path("of"), isList ? "is a list of references" : "is not a list of references")
        }
        guard isList || kind.fields[field].type.isText else {
            throw ContentFault(
                object.path("of"), "has the type \(kind.fields[field].type.rawValue), which bars do not show")
        }
        self.kind = kind.name
        self.field = field
        // Bars without `most` have one for each value.
        // A matrix has a cell for each pair.
        most = try object.integer(
            "most", 1...(type == .matrix ? 100 : 1_000), default: type == .bars ? .max : 20)
        var texts: [String: TextDeclaration] = [:]
        for key in keys.texts {
            texts[key] = TextDeclaration(try object.text(key), filling: Self.placeholders[key] ?? [])
        }
        for key in keys.plurals {
            if let text = try object.optionalText(key) { texts[key] = TextDeclaration(plural: text) }
        }
        self.texts = texts
        if type == .bars, object.value("most") != nil, texts["rest"] == nil {
            throw ContentFault(object.path("rest"), "is missing; \"most\" needs it")
        }
    }
}
