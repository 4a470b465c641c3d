import Archive
import Catalogue
import HTMLCheck
import Pages

extension CatalogueDeclaration {
    private static let keys = [
        "$schema", "name", "api", "language", "list", "lists", "lookup", "root", "notFound", "card", "navigation",
        "kinds", "figures", "relations", "request", "extension", "parameters", "roots", "complete", "title",
        "hosts",
    ]

    /// The maximum size of a declaration in bytes.
    package static let maximumSize = 1 << 20
    /// The maximum number of kinds, and of fields of a kind.
    static let maximumKinds = 500
    static let maximumFields = 1_000
    static let maximumFieldsInAll = 10_000
    private static let maximumHosts = 100
    static let maximumParameters = 20
    /// The maximum number of kinds with one key, and the maximum size of a declaration with such kinds in bytes.
    static let maximumCombinations = 50
    static let maximumExpandedSize = 1 << 16
    /// The number of lists in the navigation, unless the declaration has one. The others are on the first page.
    private static let usualSections = 6
    /// The charts are on one page.
    static let maximumFigures = 50
    /// All sections are on the home page.
    static let maximumHighlights = 50

    /// Reads a declaration.
    /// - Throws: `ContentFault` for the first error, with its key path.
    package init(_ bytes: [UInt8]) throws {
        let value = try DeclarationValue(bytes)
        stored = StoredDeclaration(bytes: bytes, captureDigest: value.captureDigest)
        let file = try DeclarationObject(value, at: "", keys: Self.keys)
        _ = try file.optionalText("$schema")
        name = try file.text("name")
        guard PortableName.accepts(name) else { throw ContentFault("name", "is not a portable file name") }
        api = try file.text("api")
        let scheme = ["https://", "http://"].first(where: api.hasPrefix)
        let rest = api.utf8.dropFirst(scheme?.utf8.count ?? api.utf8.count)
        guard let first = rest.first, first != "/", rest.last != "/", rest.allSatisfy(DeclarationObject.isPathByte)
        else { throw ContentFault("api", "is not an http or https URL without \"?\", \"#\" and a slash at its end") }
        hosts = try file.value("hosts") == nil ? nil : file.texts("hosts")
        guard hosts.map({ $0.count <= Self.maximumHosts }) ?? true else {
            throw ContentFault("hosts", "has more than the \(Self.maximumHosts) hosts allowed")
        }
        for (index, host) in (hosts ?? []).enumerated()
        where !WebAddress.isValid("https://\(host)/") || host.contains("/") {
            throw ContentFault("hosts[\(index)]", "is \(host.quoted), which is not the name of a host")
        }
        language = try file.optionalText("language") ?? ""
        guard language.isEmpty || Self.isLanguage(language) else {
            throw ContentFault("language", "is \(language.quoted), which is not a language code such as \"en\"")
        }
        let request = try file.object("request", keys: RequestDeclaration.keys)
        self.request = try RequestDeclaration(request ?? DeclarationObject(path: "request", members: []))
        hasExtension = try file.optionalChoice("extension", CatalogueExtension.self) != nil
        complete = TextDeclaration(try file.optionalText("complete") ?? "complete")
        let parameters = try Self.parameters(file)
        roots = try Self.roots(file, parameters)
        guard try !file.elements("lists").isEmpty || roots != nil else {
            throw ContentFault("lists", "has 0 names; 1 to \(Self.maximumKinds) are allowed")
        }
        (lists, rules) = try Self.lists(file)
        guard hasExtension == (roots != nil) else { throw ContentFault("extension", "is used only with roots") }
        let lookup = try file.object("lookup", keys: ["path", "most"])
        let path = try lookup?.optionalText("path") ?? "{kind}/{ids}"
        let placeholders = TextPattern(path).placeholders.filter { !$0.hasPrefix("env:") }
        let names = Parameter.words(of: parameters).union(["kind", "ids"])
        guard placeholders.contains("ids"), placeholders.isSubset(of: names), DeclarationObject.isPlainPath(path) else {
            throw ContentFault(
                "lookup.path", "is not a path with {ids}, without other placeholders than {kind} and parameters")
        }
        self.lookup = Lookup(path: path, most: try lookup?.integer("most", 1...1_000, default: 1) ?? 1)
        root = file.value("root")
        notFound = file.value("notFound")
        (kinds, self.parameters) = try Self.kinds(file, size: bytes.count, lists, parameters)
        cardKind = try file.optionalText("card")
        title = try file.optionalText("title") ?? name.label
        if let cardKind, !lists.contains(cardKind) {
            throw ContentFault("card", "is \(cardKind.quoted), which is not one of the lists")
        }
        let listed = kinds.filter { $0.list != nil }.map(\.family)
        navigation =
            try file.value("navigation") == nil ? Array(lists.prefix(Self.usualSections)) : file.texts("navigation")
        for (index, section) in navigation.enumerated() where section != "figures" && !listed.contains(section) {
            throw ContentFault(
                "navigation[\(index)]", "is \(section.quoted), neither a kind with a list nor \"figures\"")
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
        try Self.checkUnique(
            navigation.enumerated().map { index, name in
                ("navigation[\(index)]", kinds.first { $0.family == name }?.list?.page ?? name)
            })
        try checkRoots()
        // Templates, and tables in the exported data.
        let families = kinds.enumerated().filter { index, kind in !kinds[..<index].contains { $0.family == kind.family }
        }
        try Self.checkUnique(
            families.map { ("\($1.path).template", $1.template) }
                + families.filter { $1.ownsList }.map { ("\($1.path).list.page", $1.list?.page ?? "") }
                + (figures.isEmpty ? [] : [("figures", "figures")]))
        try Self.checkUnique(
            kinds.map { ("\($0.path).plural", $0.plural) } + relations.map { ("relations.\($0.name)", $0.name) })
        try Self.checkUnique(figures.enumerated().map { ("figures[\($0)].id", $1.id) })
        try checkNames()
    }

    /// Whether no list is the first page of the site, so that it has a page with all lists.
    var hasHome: Bool { !ownLists.contains { $0.list.page == "index" } }

    /// The lists, each with its first kind.
    var ownLists: [(kind: KindDeclaration, list: ListDeclaration)] {
        var pages: Set<String> = []
        return kinds.compactMap { kind in
            kind.list.flatMap { list in pages.insert(list.page).inserted ? (kind, list) : nil }
        }
    }

    /// Names that the site or its shared templates use.
    private static let ownPages = names(
        """
        404 about api changes completeness data facets feed figures head highlights history icon languages layout
        missing moment moved names neighbours notfound pager provenance rawrecord references revision scripts search
        settings sharing told
        """)

    /// Names that the site, the archive's database or SQL use.
    private static let reserved = ownPages.union(
        names(
            """
            body answer asset claim declaration document exchange file gap grown list member record seen source state
            add all alter and as between by case check collate commit constraint create default delete desc distinct
            drop else escape except exists for foreign from full group having if in index inner insert intersect into
            is join key left like limit match natural not null of offset on or order outer position primary right row
            rows select set table then to transaction union unique update using values view when where with
            """))

    /// Whether the site, the archive or SQL uses a name.
    package static func isReserved(_ name: String) -> Bool { reserved.contains(name) }

    private static func names(_ text: String) -> Set<String> {
        Set(text.split(whereSeparator: \.isWhitespace).map(String.init))
    }

    /// Checks that the names of folders and files of the site, and of tables and columns, do not collide.
    private func checkNames() throws {
        var folders: [(path: String, name: String)] = kinds.map { ($0.path, $0.name) }
        var words = folders + relations.map { ("relations.\($0.name)", $0.name) }
        for kind in kinds {
            let path = kind.path
            words += [("\(path).plural", kind.plural)] + kind.export.map { ("\(path).export.\($0.name)", $0.name) }
            if kind.fields.contains(where: { $0.type == .image }) {
                folders.append(("\(path).pictures", kind.pictures))
            }
            if Self.ownPages.contains(kind.template.lowercased()) || kind.template == "home"
                || !PortableName.accepts(kind.template)
            {
                throw ContentFault(
                    "\(path).template", "is \(kind.template.quoted), which is not the name of a template of its own")
            }
        }
        // Kinds can share the first folder of their pictures, and of the pages of roots.
        let shared =
            kinds.map { (key: "\($0.path).pictures", path: $0.pictures) }
            + kinds.compactMap { kind in kind.page.map { (key: "\(kind.path).page", path: $0) } }
        for (key, path) in shared where path.contains("/") {
            let first = String(path.prefix { $0 != "/" }).lowercased()
            if Self.reserved.contains(first) || kinds.contains(where: { $0.name == first || $0.list?.folder == first })
            {
                throw ContentFault(key, "begins with \(first.quoted), a folder that the site uses")
            }
        }
        for (kind, list) in ownLists {
            let path = kind.path
            folders.append(("\(path).list.folder", list.folder))
            folders += kind.fields.filter(\.hasLists).map {
                ("\(path).fields.\($0.name).\($0.isFacet ? "facet" : "lists")", facetFolder($0, of: kind))
            }
            let files = [("page", list.page), ("folder", list.folder)]
            for (key, name) in files
            where name.contains(".") || name == "home" || Self.reserved.contains(name.lowercased()) && name != "index" {
                throw ContentFault("\(path).list.\(key)", "is \(name.quoted), which the site uses, or has a dot")
            }
        }
        // Some file systems do not distinguish capital letters.
        try Self.checkUnique(folders.map { ($0.path, $0.name.lowercased()) })
        for (path, name) in folders + words where Self.reserved.contains(name) || name.hasPrefix("sqlite") {
            throw ContentFault(path, "has the name \(name.quoted), which the site, the archive or SQL uses")
        }
        for (path, name) in folders
        where !name.split(separator: "/").allSatisfy({ PortableName.accepts(String($0)) }) {
            throw ContentFault(path, "has the name \(name.quoted), which Windows reserves")
        }
    }

    static func checkUnique(_ names: [(path: String, name: String)]) throws {
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

    /// The kind and field of a reference such as "character.episode".
    static func field(_ text: String, at path: String, _ kinds: [KindDeclaration]) throws -> (
        KindDeclaration, Int
    ) {
        let names = text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
        guard names.count == 2, let kind = kinds.first(where: { $0.name == names[0] }),
            let field = kind.field(names[1])
        else { throw ContentFault(path, "is \(text.quoted), which is not a kind and a field such as \"kind.field\"") }
        return (kind, field)
    }

    /// Checks the fields that refer to fields of other kinds.
    private func checkTargets() throws {
        for kind in kinds {
            for field in kind.fields {
                let path = "\(kind.path).fields.\(field.name)"
                if let name = field.agreesWith, kind.field(name).map({ kind.fields[$0].type.isText }) != true {
                    throw ContentFault("\(path).agreesWith", "is \(name.quoted), which is not a field with a text")
                }
                guard let target = field.target.flatMap(self.kind) else { continue }
                for (key, name) in [("answers", field.answers), ("note", field.note)] {
                    guard let name else { continue }
                    guard let found = target.field(name).map({ target.fields[$0] }) else {
                        throw ContentFault(
                            "\(path).\(key)", "is \(name.quoted), which \"\(target.name)\" does not have")
                    }
                    guard key == "answers" ? found.target == kind.name && !found.type.isDerived : found.type.isText
                    else {
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
