import Archive
import Catalogue
import HTMLCheck
import Pages
import Platform

extension CatalogueDeclaration {
    private static let keys =
        [
            "name", "api", "list", "lists", "lookup", "card", "kinds", "request", "extension", "parameters", "roots",
            "hosts",
        ] + pageKeys
    /// The keys that only pages and exports use.
    static let pageKeys = [
        "$schema", "title", "language", "languages", "root", "notFound", "navigation", "figures", "relations",
        "complete",
    ]

    /// The maximum size of a declaration in bytes.
    package static let maximumSize = 1 << 20
    /// The maximum number of kinds, and of fields of a kind.
    static let maximumKinds = 500
    static let maximumFields = 1_000
    static let maximumFieldsInAll = 10_000
    /// The maximum number of fields of a kind with values of other records. Each is a join in the exported view. SQLite
    /// joins at most 64 tables (https://sqlite.org/limits.html, 5), and the view itself needs some.
    static let maximumJoins = 60
    private static let maximumHosts = 100
    private static let maximumLanguages = 50
    static let maximumParameters = 20
    /// The maximum number of kinds with one key, and the maximum size of a declaration with such kinds in bytes.
    static let maximumCombinations = 50
    static let maximumExpandedSize = 1 << 16
    /// The number of lists in the usual navigation, before the figures. The others are on the first page.
    private static let usualSections = 6
    /// The charts are on one page.
    static let maximumFigures = 50
    /// All sections are on the home page.
    static let maximumHighlights = 50

    /// Reads a declaration.
    /// - Throws: `ContentFault` for the first error, with its key path.
    package init(_ bytes: [UInt8]) throws {
        let value = try JSON(declaration: bytes)
        stored = StoredDeclaration(bytes: bytes, captureDigest: value.captureDigest)
        let file = try DeclarationObject(value, at: "", keys: Self.keys)
        _ = try file.optionalText("$schema")
        name = try file.text("name")
        try require(PortableName.accepts(name), "name", "is not a portable file name")
        api = try file.text("api")
        let isAddress = api.utf8.allSatisfy(DeclarationObject.isPathByte) && api.utf8.last != "/"
        try require(
            isAddress && api.prefixMatch(of: /https?:\/\/[^\/]/) != nil, "api",
            "is not an http or https URL without \"?\", \"#\" and a slash at its end")
        let hosts = try file.texts("hosts", most: Self.maximumHosts) { host in
            let isHost = WebAddress.isValid("https://\(host)/") && !host.contains("/")
            return isHost ? nil : "which is not the name of a host"
        }
        self.hosts = file.value("hosts") == nil ? nil : hosts
        language = try file.optionalText("language") ?? ""
        languages = try file.texts("languages", most: Self.maximumLanguages)
        for (key, code) in [("language", language)] + languages.enumerated().map({ ("languages[\($0)]", $1) }) {
            // A language, and further subtags (RFC 5646, section 2.1).
            let isCode = code.isEmpty || code.wholeMatch(of: /[a-z]{2,3}(-[A-Za-z0-9]{1,8})*/) != nil
            try require(isCode, key, "is \(code.quoted), which is not a language code such as \"en\"")
        }
        request = try RequestDeclaration(file.value("request") ?? [:])
        hasExtension = try file.choice("extension", CatalogueExtension.self) != nil
        complete = TextDeclaration(try file.optionalText("complete") ?? "complete")
        let parameters = try Self.parameters(file)
        roots = try Self.roots(file, parameters)
        (lists, rules) = try Self.lists(file, isRequired: roots == nil)
        try require(hasExtension == (roots != nil), "extension", "is used only with roots")
        lookup = try Self.lookup(file, parameters)
        root = file.value("root")
        notFound = file.value("notFound")
        (kinds, self.parameters) = try Self.kinds(file, size: bytes.count, lists, parameters)
        cardKind = try file.optionalText("card")
        title = try file.optionalText("title") ?? name.label
        try require(
            cardKind.map(lists.contains) ?? true, "card", "is \(cardKind?.quoted ?? ""), which is not one of the lists")
        let listed = kinds.filter { $0.list != nil }.map(\.family)
        let hasFigures = try !file.elements("figures").isEmpty
        let usual = lists.prefix(Self.usualSections) + (hasFigures ? ["figures"] : [])
        let sections = try file.texts("navigation") { section in
            if section == "figures" { return hasFigures ? nil : "but there are none" }
            return listed.contains(section) ? nil : "neither a kind with a list nor \"figures\""
        }
        navigation = file.value("navigation") == nil ? Array(usual) : sections
        let kinds = kinds
        figures = try file.elements("figures", most: Self.maximumFigures).map { figure, path in
            try FigureDeclaration(figure, at: path, kinds)
        }
        relations = try file.pairs("relations", named: true).map { name, value in
            let (kind, field) = try Self.field(value, at: "relations.\(name)", kinds)
            let isList = field.type == .references
            try require(isList, "relations.\(name)", "is \(value.quoted), which is not a list of references")
            return (name, kind, field)
        }
        try Self.checkUnique(
            navigation.enumerated().map { index, name in
                ("navigation[\(index)]", kinds.first { $0.family == name }?.list?.page ?? name)
            })
        try checkRoots()
        try checkNames()
    }

    private static func lookup(_ file: DeclarationObject, _ parameters: [Parameter]) throws -> (
        path: String, most: Int
    ) {
        if case .word("false")? = file.value("lookup") { return ("", 0) }
        let lookup = try file.object("lookup", keys: ["path", "most"])
        let path = try lookup?.optionalText("path") ?? "{kind}/{ids}"
        let placeholders = TextPattern(path).placeholders.filter { !$0.hasPrefix("env:") }
        let names = Set(parameters.flatMap(\.words)).union(["kind", "ids"])
        try require(
            placeholders.contains("ids") && placeholders.isSubset(of: names) && DeclarationObject.isPlainPath(path),
            "lookup.path", "is not a path with {ids}, without other placeholders than {kind} and parameters")
        return (path, try lookup?.integer("most", 1...1_000, default: 1) ?? 1)
    }

    /// Whether no list is the first page of the site, so that it has a page with all lists.
    var hasHome: Bool { !ownLists.contains { $0.list.page == "index" } }

    /// The lists, each with its first kind.
    var ownLists: [(kind: KindDeclaration, list: ListDeclaration)] {
        kinds.compactMap { kind in kind.list.map { (kind: kind, list: $0) } }.unique { $0.list.page }
    }

    /// Names that the site or its shared templates use.
    package static let ownPages = names(
        """
        404 about api change-groups change-name change-value changes completeness data facets fact feed figure-bars
        figure-columns figure-matrix figure-name figure-shade figures gaps head highlights history icon languages layout
        missing moment moved names neighbours notfound pager provenance rawrecord references revision scripts search
        settings sharing
        """)

    /// Names that the site, the archive's database or SQL use.
    package static let reserved = ownPages.union(
        names(
            """
            body answer asset claim declaration document exchange file gap grown list member record seen source state
            add all alter and as autoincrement between by case check collate commit constraint create default deferrable
            delete desc distinct drop else escape except exists for foreign from full group having if in index inner
            insert intersect into is isnull join key left like limit match natural not nothing notnull null of offset on
            or order outer position primary returning right row rows select set table then to transaction union unique
            update using values view when where with
            """))

    /// A similar name that is not reserved: "documents" for "document".
    package static func free(_ name: String) -> String {
        reserved.contains(name.pluralised) ? "\(name)_records" : name.pluralised
    }

    private static func names(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// The folders of the site, and the names of its pages that are in no folder, in lower case.
    var usedNames: (folders: Set<String>, pages: Set<String>) {
        let own = ["api", "data", "scripts", "revision", "changes"]
        let folders = own + folders.map { String($0.name.prefix { $0 != "/" }) }
        let pages = ["index", "home"] + ownLists.map(\.list.page)
        return (Set(folders.map { $0.lowercased() }), Self.ownPages.union(pages.map { $0.lowercased() }))
    }

    /// The folders of records, pictures and lists, with their key paths.
    private var folders: [(path: String, name: String)] {
        kinds.map { ($0.path, $0.name) }
            + kinds.filter { $0.fields.contains { $0.type == .image } }.map { ("\($0.path).pictures", $0.pictures) }
            + ownLists.flatMap { kind, list in
                [("\(kind.path).list.folder", list.folder)]
                    + kind.fields.filter(\.hasLists).map { field in
                        let key = "\(kind.path).fields.\(field.name).\(field.isFacet ? "facet" : "lists")"
                        return (key, facetFolder(field, of: kind))
                    }
            }
    }

    /// Checks that the names of folders and files of the site, and of tables and columns, do not collide.
    private func checkNames() throws {
        try checkTemplates()
        // Kinds can share the first folder of their pictures, and of the pages of roots.
        let shared =
            kinds.map { (key: "\($0.path).pictures", path: $0.pictures) }
            + kinds.compactMap { kind in kind.page.map { (key: "\(kind.path).page", path: $0) } }
        for (key, path) in shared where path.contains("/") {
            let first = String(path.prefix { $0 != "/" }).lowercased()
            let isUsed = kinds.contains { $0.name == first || $0.list?.folder == first }
            let isFree = !isUsed && !Self.reserved.contains(first)
            try require(isFree, key, "begins with \(first.quoted), a folder that the site uses")
        }
        let folders = folders
        let words =
            relations.map { ("relations.\($0.name)", $0.name) }
            + kinds.flatMap { kind in
                [("\(kind.path).plural", kind.plural)] + kind.export.map { ("\(kind.path).export.\($0.name)", $0.name) }
            }
        for (kind, list) in ownLists {
            for (key, name) in [("page", list.page), ("folder", list.folder)] {
                let isUsed = name == "home" || Self.reserved.contains(name.lowercased()) && name != "index"
                try require(
                    !isUsed && !name.contains("."), "\(kind.path).list.\(key)",
                    "is \(name.quoted), which the site uses, or has a dot")
            }
        }
        // Some file systems do not distinguish capital letters.
        try Self.checkUnique(folders.map { ($0.path, $0.name.lowercased()) })
        for (path, name) in folders + words {
            try require(
                !Self.reserved.contains(name) && !name.hasPrefix("sqlite"), path,
                "has the name \(name.quoted), which the site, the archive or SQL uses; use another one, such as "
                    + Self.free(name).quoted)
        }
        for (path, name) in folders {
            let isPortable = name.split(separator: "/").allSatisfy { PortableName.accepts($0) }
            try require(isPortable, path, "has the name \(name.quoted), which Windows reserves")
        }
    }

    /// Checks the names of templates, of tables in the exported data, and of charts.
    private func checkTemplates() throws {
        let families = kinds.unique(by: \.family)
        try Self.checkUnique(
            families.map { ("\($0.path).template", $0.template) }
                + families.filter(\.ownsList).map { ("\($0.path).list.page", $0.list?.page ?? "") }
                + (figures.isEmpty ? [] : [("figures", "figures")]))
        // Hyphens become underscores in names of views.
        try Self.checkUnique(
            kinds.map { ("\($0.path).plural", $0.plural.replacing("-", with: "_")) }
                + relations.map { ("relations.\($0.name)", $0.name) })
        try Self.checkUnique(figures.enumerated().map { ("figures[\($0)].id", $1.id) })
        for kind in kinds {
            let isOwn = !Self.ownPages.contains(kind.template.lowercased()) && kind.template != "home"
            try require(
                isOwn && PortableName.accepts(kind.template), "\(kind.path).template",
                "is \(kind.template.quoted), which is not the name of a template of its own")
        }
    }

    static func checkUnique(_ names: [(path: String, name: String)]) throws {
        var known: Set<String> = []
        for (path, name) in names {
            try require(known.insert(name).inserted, path, "has the name \(name.quoted), which is already in use")
        }
    }

    /// The kind and field of a reference such as "character.episode".
    static func field(_ text: String, at path: String, _ kinds: [KindDeclaration]) throws
        -> (KindDeclaration, FieldDeclaration)
    {
        let (name, rest) = text.atDot
        guard let kind = kinds.first(where: { $0.name == name }), let field = rest.flatMap(kind.field)
        else { throw ContentFault(path, "is \(text.quoted), which is not a kind and a field such as \"kind.field\"") }
        return (kind, field)
    }
}
