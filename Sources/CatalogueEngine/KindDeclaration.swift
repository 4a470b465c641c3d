import Catalogue
import Pages

/// The records of one kind.
final class KindDeclaration: Sendable {
    /// A list of all records of the kind.
    struct List: Sendable {
        enum Layout: String, CaseIterable, Sendable {
            /// Cards with pictures, with lists for the values of facets.
            case cards
            /// Rows with the columns.
            case rows
        }

        let layout: Layout
        /// The name of the first page, such as "index".
        let page: String
        /// The folder of the other pages, such as "page".
        let folder: String
        let perPage: Int
        /// The text for the title, and for the description of pages with rows.
        let title: TextDeclaration
        let description: TextDeclaration?
        /// The fields of a row.
        let columns: [Int]
        let group: GroupRule?
    }

    let name: String
    let plural: String
    let id: FieldPath
    /// The field with the record's own address.
    let selfLink: FieldPath?
    let title: FieldPath
    /// The plural text for a number of records, such as "{count} characters".
    let count: TextDeclaration
    let fields: [FieldDeclaration]
    /// The fields that a record must have, besides id and title.
    let required: Set<Int>
    /// The folder of the pictures, such as "avatar".
    let pictures: String
    let list: List
    /// The fields of a card, and of a row on the pages of other records.
    let card: [Int]
    let row: [Int]
    /// The fields in the table of facts on a record's page.
    let facts: [Int]
    /// The fields that the page's description lists.
    let summary: [Int]
    let description: TextDeclaration
    /// The text for the alternative text of the picture.
    let alternative: TextDeclaration?
    /// The columns of the search index.
    let search: [Int]
    /// The members of the page's JSON-LD; the type is "@type".
    let jsonLD: [(name: String, value: DeclarationValue)]
    /// The columns of the exported table: a name and a path.
    let export: [(name: String, path: String)]

    private static let keys = [
        "plural", "id", "self", "title", "count", "fields", "required", "pictures", "list", "card", "row", "facts",
        "summary", "description", "alternative", "search", "jsonld", "export",
    ]

    init(_ name: String, _ value: DeclarationValue, at path: String, kinds: [String]) throws(ContentFault) {
        let object = try DeclarationObject(value, at: path, keys: Self.keys)
        try DeclarationObject.checkName(name, at: path)
        self.name = name
        plural = try object.optionalText("plural") ?? "\(name)s"
        if object.value("plural") != nil { try DeclarationObject.checkName(plural, at: object.path("plural")) }
        id = try object.fieldPath("id") ?? FieldPath("id")
        selfLink = try object.fieldPath("self")
        title = try object.fieldPath("title") ?? FieldPath("name")
        count = TextDeclaration(plural: try object.text("count"))
        let declared = try DeclarationObject(object.value("fields") ?? .object([]), at: "\(path).fields", keys: nil)
        guard declared.members.count <= CatalogueDeclaration.maximumFields else {
            throw ContentFault(declared.path, "has more than the \(CatalogueDeclaration.maximumFields) fields allowed")
        }
        var fields: [FieldDeclaration] = []
        for member in declared.members {
            fields.append(try FieldDeclaration(member.name, member.value, at: declared.path(member.name), kinds: kinds))
        }
        self.fields = fields

        func indexes(_ object: DeclarationObject, _ key: String) throws(ContentFault) -> [Int] {
            var indexes: [Int] = []
            for (position, name) in try object.texts(key).enumerated() {
                guard let index = fields.firstIndex(where: { $0.name == name }) else {
                    throw ContentFault("\(object.path(key))[\(position)]", "is \(name.quoted), which is not a field")
                }
                indexes.append(index)
            }
            return indexes
        }
        required = Set(try indexes(object, "required"))
        pictures = try object.optionalText("pictures") ?? "\(name)-pictures"
        card = try indexes(object, "card")
        row = try indexes(object, "row")
        facts = try indexes(object, "facts")
        summary = try indexes(object, "summary")
        description = TextDeclaration(
            try object.text("description"), filling: ["name", "facts", "summary", "count"])
        alternative = try object.optionalText("alternative").map { TextDeclaration($0, filling: ["name"]) }
        search = try indexes(object, "search")
        for (key, indexes) in [("search", search), ("facts", facts)] {
            for index in indexes where !fields[index].type.isText && fields[index].type != .reference {
                let type = fields[index].type.rawValue
                throw ContentFault(object.path(key), "has \"\(fields[index].name)\" of the type \(type)")
            }
        }
        for (key, indexes) in [("card", card), ("row", row)] {
            for index in indexes where fields[index].type == .hidden || fields[index].type == .image {
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
        let columns = try object.pairs("export", named: true).map { (name: $0.name, path: $0.value) }
        export = columns.isEmpty ? [("id", id.text)] : columns
        for column in columns {
            _ = try DeclarationObject.fieldPath(column.path, at: "\(path).export.\(column.name)")
        }
        guard
            let list = try object.object(
                "list",
                keys: ["layout", "page", "folder", "perPage", "title", "description", "columns", "group"])
        else { throw ContentFault("\(path).list", "is missing") }
        let page = try list.optionalText("page") ?? (name == kinds.first ? "index" : plural)
        let group = try list.object("group", keys: ["by", "label", "others"])
        var grouping: GroupRule?
        if let group {
            let names = try group.text("by").split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard names.count == 2, let index = fields.firstIndex(where: { $0.name == names[0] }),
                fields[index].format?.parts.contains(names[1]) == true
            else {
                throw ContentFault(group.path("by"), "is not a field and a part of its format, such as \"code.season\"")
            }
            grouping = GroupRule(
                field: index, part: names[1], label: TextDeclaration(try group.text("label"), filling: ["number"]),
                others: TextDeclaration(try group.text("others")))
        }
        self.list = List(
            layout: try list.choice("layout", default: .rows), page: page,
            folder: try list.optionalText("folder") ?? (page == "index" ? "page" : page),
            perPage: try list.integer("perPage", 1...1_000, default: 100),
            title: TextDeclaration(try list.text("title")),
            description: try list.optionalText("description").map { TextDeclaration($0, filling: ["count"]) },
            columns: try indexes(list, "columns"), group: grouping)
        for (key, name) in [("pictures", pictures), ("list.page", page), ("list.folder", self.list.folder)] {
            guard PortableName.accepts(name) else {
                throw ContentFault("\(path).\(key)", "is \(name.quoted), which is not a portable file name")
            }
        }
    }
}

extension KindDeclaration {
    /// Checks that texts such as "{code.season}" name fields that pages show, and parts of their formats.
    private static func checkPlaceholders(_ value: DeclarationValue, at path: String, _ fields: [FieldDeclaration])
        throws(ContentFault)
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

    /// The text for headings and links. It is not blank, although the title can be.
    func heading(_ title: String, _ id: Int64) -> String {
        title.isBlank ? "\(name.prefix(1).uppercased())\(name.dropFirst()) \(id)" : title
    }
}
