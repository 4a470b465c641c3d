import Archive
import Catalogue
import HTMLCheck
import Pages

/// The records of one kind.
final class KindDeclaration: Sendable {
    let name: String
    /// The name without parameters, such as "song" of the kind "song-us".
    let family: String
    /// The key path of the kind in the declaration.
    let path: String
    let plural: String
    let id: FieldPath
    /// Whether ids can be any text, and not only numbers.
    let hasTextIDs: Bool
    /// The field with the record's own address.
    let selfLink: FieldPath?
    let title: FieldPath
    /// Whether the declaration names the title. Then each record must have one.
    let hasTitle: Bool
    /// Whether the title has elements or characters of HTML.
    let hasHTMLTitle: Bool
    /// The title of a root, with placeholders for its parameters.
    let rootTitle: String?
    /// The path of a root's page without ".html", with placeholders; nil for "KIND/ID".
    let page: String?
    /// The name of the template of a record's page.
    let template: String
    /// Whether a record is a whole answer.
    let isWholeAnswer: Bool
    /// The plural text for a number of records, such as "{count} characters".
    let count: TextDeclaration
    let fields: [FieldDeclaration]
    /// The fields that a record must have, besides id and title.
    let required: Set<Int>
    /// The folder of the pictures, such as "avatar".
    let pictures: String
    /// Whether the kind declares its list, and does not share that of another kind.
    let ownsList: Bool
    /// Nil for a kind without pages.
    let list: ListDeclaration?
    /// The fields of a card, and of a row on the pages of other records.
    let card: [Int]
    let row: [Int]
    /// The fields in the table of facts on a record's page.
    let facts: [Int]
    /// The fields that the page's description lists.
    let summary: [Int]
    let description: TextDeclaration
    /// The text for the page's title; nil for the record's name.
    let pageTitle: TextDeclaration?
    /// The field whose text is the page's description, where a record has one.
    let about: Int?
    /// The text for the alternative text of the picture.
    let alternative: TextDeclaration?
    /// The columns of the search index.
    let search: [Int]
    /// The members of the page's JSON-LD; the type is "@type".
    let jsonLD: [(name: String, value: DeclarationValue)]
    /// The columns of the exported table: a name, and a path or the value of all records.
    let export: [(name: String, path: String, value: String?)]

    private static let keys = [
        "plural", "id", "self", "title", "count", "fields", "required", "pictures", "list", "card", "row", "facts",
        "summary", "description", "alternative", "search", "jsonld", "export", "page",
        "template", "whole", "pageTitle", "about", "textIds", "htmlTitle",
    ]

    /// - Parameters:
    ///   - kinds: the names of all kinds.
    ///   - lists: the lists of the kinds before this one, by family.
    ///   - isOnly: whether the API has one list, which is then the first page of the site.
    init(
        _ name: String, family: String, _ value: DeclarationValue, at path: String, kinds: [String],
        lists: [String: ListDeclaration], isOnly: Bool
    ) throws {
        let object = try DeclarationObject(value, at: path, keys: Self.keys)
        try DeclarationObject.checkName(family.replacing("-", with: "_"), at: path)
        self.name = name
        self.family = family
        self.path = path
        let usual = name == family ? name.pluralised.replacing("-", with: "_") : "\(name)s".lowercased()
        plural =
            try object.optionalText("plural") ?? (CatalogueDeclaration.isReserved(usual) ? "\(name)_records" : usual)
        if object.value("plural") != nil {
            try DeclarationObject.checkName(plural.replacing("-", with: "_"), at: object.path("plural"))
        }
        isWholeAnswer = try object.flag("whole")
        page = try object.optionalText("page")
        id = try object.fieldPath("id") ?? FieldPath("id")
        hasTextIDs = try object.flag("textIds")
        selfLink = try object.fieldPath("self")
        if let text = try object.optionalText("title"), text.contains("{") {
            rootTitle = text
            title = FieldPath("name")
        } else {
            rootTitle = nil
            title = try object.fieldPath("title") ?? FieldPath("name")
        }
        hasTitle = object.value("title") != nil
        hasHTMLTitle = try object.flag("htmlTitle")
        count = TextDeclaration(
            plural: try object.optionalText("count") ?? "\(family)Count", standard: "{count} \(plural.inWords)")
        let declared = try DeclarationObject(object.value("fields") ?? .object([]), at: "\(path).fields", keys: nil)
        guard declared.members.count <= CatalogueDeclaration.maximumFields else {
            throw ContentFault(declared.path, "has more than the \(CatalogueDeclaration.maximumFields) fields allowed")
        }
        var fields: [FieldDeclaration] = []
        for member in declared.members {
            fields.append(try FieldDeclaration(member.name, member.value, at: declared.path(member.name), kinds: kinds))
        }
        self.fields = fields

        func indexes(_ object: DeclarationObject, _ key: String) throws -> [Int] {
            try FieldDeclaration.indexes(object, key, fields)
        }
        required = Set(try indexes(object, "required"))
        pictures = try object.optionalText("pictures") ?? "\(name)-pictures"
        card = try indexes(object, "card")
        row = try indexes(object, "row")
        facts = try indexes(object, "facts")
        summary = try indexes(object, "summary")
        let hasPages = object.value("list") != nil
        description = TextDeclaration(
            hasPages ? try object.optionalText("description") ?? "\(family)Description" : "",
            filling: ["name", "facts", "summary", "count"], standard: "{summary}")
        pageTitle = try object.optionalText("pageTitle").map {
            TextDeclaration($0, filling: Set(["name"] + fields.filter(\.type.isText).map(\.name)))
        }
        about = try object.optionalText("about").map { name in
            guard let index = fields.firstIndex(where: { $0.name == name && ($0.type == .prose || $0.type == .html) })
            else { throw ContentFault(object.path("about"), "is \(name.quoted), which is not a long text") }
            return index
        }
        alternative = try object.optionalText("alternative").map { TextDeclaration($0, filling: ["name"]) }
        search = try indexes(object, "search")
        for (key, indexes) in [("search", search), ("facts", facts)] {
            for index in indexes where !fields[index].type.isText && fields[index].type != .reference {
                let type = fields[index].type.rawValue
                throw ContentFault(object.path(key), "has \"\(fields[index].name)\" of the type \(type)")
            }
        }
        let values: Set<FieldDeclaration.FieldType> = [.links, .results, .roots]
        for index in required
        where fields[index].value != nil || fields[index].type.isDerived || values.contains(fields[index].type) {
            throw ContentFault(object.path("required"), "has \"\(fields[index].name)\", which records do not have")
        }
        for index in summary where !fields[index].type.isText {
            throw ContentFault(object.path("summary"), "has \"\(fields[index].name)\", which is not a text")
        }
        for (key, indexes) in [("card", card), ("row", row)] {
            let others: [FieldDeclaration.FieldType] = [.reference, .references, .results]
            for index in indexes where !fields[index].type.isText && !others.contains(fields[index].type) {
                let type = fields[index].type.rawValue
                throw ContentFault(object.path(key), "has \"\(fields[index].name)\" of the type \(type)")
            }
        }
        let answering = fields.filter { $0.answers != nil }
        for (index, field) in answering.enumerated()
        where answering[..<index].contains(where: { $0.path.names[0] == field.path.names[0] }) {
            throw ContentFault("\(path).fields.\(field.name).answers", "is in the same object as another reference")
        }
        let cards = fields.filter { $0.type == .references && $0.display == .cards }
        guard cards.count < 2 else {
            throw ContentFault("\(path).fields.\(cards[1].name).display", "is \"cards\" for a second field")
        }
        let jsonLD = try object.object("jsonld", keys: nil)
        _ = try jsonLD?.optionalText("@type")
        self.jsonLD = jsonLD?.members ?? []
        for member in self.jsonLD where ["@context", "name", "url", "image"].contains(member.name) {
            throw ContentFault("\(path).jsonld.\(member.name)", "is a member that every page has")
        }
        for member in self.jsonLD {
            try Self.checkPlaceholders(member.value, at: "\(path).jsonld.\(member.name)", fields)
        }
        let columns = try object.object("export", keys: nil).map(Self.columns) ?? []
        export = columns.isEmpty ? [("id", id.text, nil)] : columns
        if case .object? = object.value("list") { ownsList = true } else { ownsList = false }
        switch object.value("list") {
        case nil: list = nil
        case .text(let family)?:
            guard let other = lists[family], other.layout == .cards, other.columns.isEmpty, other.group == nil else {
                throw ContentFault(
                    "\(path).list",
                    "is \(family.quoted), which is not an earlier kind with a list of cards without columns")
            }
            list = other
        case let value?:
            let page = isOnly && kinds.first == name ? "index" : plural
            list = try ListDeclaration(
                try DeclarationObject(value, at: "\(path).list", keys: ListDeclaration.keys), page: page, of: name,
                title: TextDeclaration("\(family)List", standard: plural.label), count: count, fields,
                kinds: kinds)
        }
        // The template of a list has the name of its page.
        template = try object.optionalText("template") ?? (list?.page == family ? "\(family)-record" : family)
        for (key, name) in [("list.page", list?.page), ("list.folder", list?.folder)] {
            guard name.map(PortableName.accepts) ?? true else {
                throw ContentFault("\(path).\(key)", "is \(name?.quoted ?? ""), which is not a portable file name")
            }
        }
        let names = pictures.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard names.allSatisfy(PortableName.accepts), names.count == 1 || pictures == pictures.lowercased() else {
            throw ContentFault(
                "\(path).pictures", "is \(pictures.quoted), which is not a portable file name, or several in lower case"
            )
        }
        if let page {
            let parts = page.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, PortableName.accepts(parts[0]),
                parts[0].utf8.allSatisfy(DeclarationObject.isNameByte),
                parts[1].utf8.allSatisfy({ DeclarationObject.isNameByte($0) || "-.{}".utf8.contains($0) }),
                parts[1].contains("{")
            else {
                throw ContentFault(
                    "\(path).page",
                    "is not the name of a folder, a slash and a name with placeholders, such as \"found/{term}\"")
            }
        }
    }
}

extension KindDeclaration {
    private static func columns(_ export: DeclarationObject) throws
        -> [(name: String, path: String, value: String?)]
    {
        var columns: [(name: String, path: String, value: String?)] = []
        for member in export.members {
            let path = export.path(member.name)
            try DeclarationObject.checkName(member.name, at: path)
            guard case .object = member.value else {
                let text = try export.text(member.name)
                _ = try DeclarationObject.fieldPath(text, at: path)
                columns.append((member.name, text, nil))
                continue
            }
            let value = try DeclarationObject(member.value, at: path, keys: ["value"]).text("value")
            guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
                throw ContentFault("\(path).value", "has a control character")
            }
            guard !value.utf8.contains(UInt8(ascii: "{")), !value.utf8.contains(UInt8(ascii: "}")) else {
                throw ContentFault(
                    "\(path).value", "has a brace that does not belong to the placeholder of a parameter")
            }
            columns.append((member.name, "", value))
        }
        return columns
    }

    /// Checks that texts such as "{code.season}" name fields that pages show, and parts of their formats.
    private static func checkPlaceholders(_ value: DeclarationValue, at path: String, _ fields: [FieldDeclaration])
        throws
    {
        switch value {
        case .object(let members):
            for member in members { try checkPlaceholders(member.value, at: "\(path).\(member.name)", fields) }
        case .text(let text) where text.hasPrefix("{") && text.hasSuffix("}"):
            let names = text.dropFirst().dropLast().split(separator: ".").map(String.init)
            let field = fields.first { $0.name == names.first && $0.type.isText }
            guard let field, names.count == 1 || names.count == 2 && field.format?.parts.contains(names[1]) == true
            else {
                throw ContentFault(path, "is \(text.quoted), which is not a field of a page or a part of its format")
            }
        case .text(let text) where text.contains("{"):
            throw ContentFault(path, "is \(text.quoted); a placeholder is a whole text")
        case .array(let elements):
            for (index, element) in elements.enumerated() {
                guard case .text(let text) = element, text.contains("{") else { continue }
                throw ContentFault("\(path)[\(index)]", "is \(text.quoted); an array has no placeholders")
            }
        default: break
        }
    }
}

extension KindDeclaration {
    func field(_ name: String) -> Int? { fields.firstIndex { $0.name == name } }

    /// The field whose records are shown as cards, on several pages if there are many.
    var cast: Int? { fields.firstIndex { $0.type == .references && $0.display == .cards } }

    /// The title of a record; empty if it has none.
    func title(of record: JSONFields) -> String {
        let text = record.scalar(title)
        return hasHTMLTitle ? HTMLSanitizer.text(text) : text
    }

    /// The text for headings and links. It is not blank, although the title can be.
    func heading(_ title: String, _ key: RecordKey) -> String {
        title.isBlank ? "\(name == family ? name.label : name) \(key.text ?? key.fileName)" : title
    }
}
