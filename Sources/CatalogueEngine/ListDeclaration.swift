import Catalogue
import Mustache
import Pages

/// The pages that list the records of one or several kinds. catalogue.schema.json describes its keys.
struct ListDeclaration: Sendable {
    enum Layout: String, CaseIterable, Sendable {
        /// Cards with pictures, with lists for the values of facets.
        case cards
        /// Rows with the columns.
        case rows
    }

    /// Groups rows by the value of a field, or by a part of a formatted value, such as the season of an episode.
    struct Group: Sendable {
        let field: FieldDeclaration
        let part: String?
        /// The name of a group with a part, with the placeholder "number".
        let label: TextDeclaration?
        /// The name of the group of all other rows.
        let others: TextDeclaration?
    }

    let layout: Layout
    let page: String
    let folder: String
    let perPage: Int
    let onHome: Int
    let title: TextDeclaration
    let description: TextDeclaration?
    let count: TextDeclaration
    let columns: [FieldDeclaration]
    let group: Group?
    let highlights: [HighlightDeclaration]

    static let keys = [
        "layout", "page", "folder", "perPage", "title", "description", "count", "columns", "group", "highlights",
        "onHome",
    ]

    /// `page`, `title` and `count` are used if the declaration has no others.
    init(
        _ list: DeclarationObject, page: String, of kind: String, title: TextDeclaration, count: TextDeclaration,
        _ fields: [FieldDeclaration], kinds: [String]
    ) throws {
        layout = try list.choice("layout", Layout.self) ?? .rows
        self.page = try list.optionalText("page") ?? page
        // The folder of the records has the name of the kind.
        let usual = self.page == "index" ? "page" : self.page
        folder = try list.optionalText("folder") ?? (usual == kind ? "\(kind)-pages" : usual)
        for (key, name) in [("page", self.page), ("folder", folder)] {
            let isPortable = PortableName.accepts(name)
            try require(isPortable, list.path(key), "is \(name.quoted), which is not a portable file name")
        }
        perPage = try list.integer("perPage", 1...1_000, default: 100)
        onHome = try list.integer("onHome", 0...100, default: 6)
        self.title = try list.optionalText("title").map { TextDeclaration($0) } ?? title
        description = try list.optionalText("description").map { TextDeclaration($0, filling: ["count", "others"]) }
        self.count = try list.optionalText("count").map { TextDeclaration(plural: $0) } ?? count
        columns = try fields.named(list, "columns") { field in
            field.type == .together ? "which is of the type together, and has no column" : nil
        }
        group = try list.object("group", keys: ["by", "label", "others"]).map { try Self.group($0, fields) }
        highlights = try list.elements("highlights", most: CatalogueDeclaration.maximumHighlights).map {
            try HighlightDeclaration($0, at: $1, kinds: kinds)
        }
    }

    private static func group(_ group: DeclarationObject, _ fields: [FieldDeclaration]) throws -> Group {
        let (name, part) = try group.text("by").atDot
        let field = try require(
            fields.first { $0.name == name && (part.map($0.hasPart) ?? ($0.type == .enum)) }, group.path("by"),
            "is not an enum, or a field and a part of its format, such as \"code.season\"")
        guard let part else {
            _ = try DeclarationObject(.object(group.members), at: group.path, keys: ["by"])
            return Group(field: field, part: nil, label: nil, others: nil)
        }
        return Group(
            field: field, part: part, label: TextDeclaration(try group.text("label"), filling: ["number"]),
            others: TextDeclaration(try group.text("others")))
    }
}

extension [FieldDeclaration] {
    /// The fields that an array names.
    /// - Parameter fault: why a field cannot be in the array, after its name; nil if it can.
    func named(_ object: DeclarationObject, _ key: String, unless fault: (FieldDeclaration) -> String?) throws
        -> [FieldDeclaration]
    {
        func field(_ name: String) -> FieldDeclaration? { first { $0.name == name } }
        return try object.texts(key) { name in
            field(name).map(fault) ?? "which is not a field\(Spelling.hint(for: name, among: map(\.name)))"
        }.compactMap(field)
    }
}
