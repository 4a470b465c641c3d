import Catalogue
import Pages

/// A chart on the page of figures.
struct FigureDeclaration: Sendable {
    enum FigureType: String, CaseIterable, Sendable {
        /// The values of a field as parts of all records.
        case bars
        /// The records with the most references.
        case most
        /// A column for each record, in groups.
        case columns
        /// The pairs of records that share references.
        case matrix
    }

    /// The texts of the chart, by the key of the declaration.
    let texts: [String: TextDeclaration]
    let id: String
    let type: FigureType
    let kind: KindDeclaration
    let field: FieldDeclaration
    let most: Int

    func text(_ key: String) -> TextDeclaration { texts[key] ?? TextDeclaration(key) }

    /// The plural text for the number of records that a record refers to.
    var counted: TextDeclaration { field.count ?? TextDeclaration(plural: field.name) }
}

extension FigureDeclaration {
    private static let placeholders: [String: Set<String>] = [
        "group": ["number"], "equal": ["records", "references"],
        "alternative": ["records", "fewest", "high", "low", "most", "name", "other", "count", "pairs", "none"],
    ]

    private static let texts: [FigureType: [String]] = [
        .bars: ["caption"], .most: ["caption", "note"],
        .columns: ["caption", "head", "counted", "group", "noGroup", "alternative", "equal"],
        .matrix: [
            "caption", "note", "head", "counted", "partners", "legend", "legendNone", "legendOwn", "alternative",
            "none",
        ],
    ]

    init(_ value: JSON, at path: String, _ kinds: [KindDeclaration]) throws {
        type = try DeclarationObject(value, at: path).choice("type", FigureType.self) ?? .bars
        let keys = Self.texts[type] ?? []
        let object = try DeclarationObject(
            value, at: path, keys: ["id", "type", "of", "most"] + keys + (type == .bars ? ["rest"] : []))
        id = try object.text("id")
        try require(PortableName.accepts(id), object.path("id"), "is not a portable name")
        let (kind, field) = try CatalogueDeclaration.field(try object.text("of"), at: object.path("of"), kinds)
        let isList = field.type == .references || field.type == .inverse
        try require(
            kind.list != nil && isList != (type == .bars), object.path("of"),
            isList ? "is a list of references" : "is not a list of references, or an inverse")
        try require(
            isList || field.type.isText, object.path("of"),
            "has the type \(field.type.rawValue), which bars do not show")
        self.kind = kind
        self.field = field
        // Bars without `most` have one for each value.
        // A matrix has a cell for each pair.
        most = try object.integer("most", 1...(type == .matrix ? 100 : 1_000), default: type == .bars ? .max : 20)
        var texts: [String: TextDeclaration] = [:]
        for key in keys { texts[key] = TextDeclaration(try object.text(key), filling: Self.placeholders[key] ?? []) }
        texts["rest"] = try object.optionalText("rest").map { TextDeclaration(plural: $0) }
        self.texts = texts
        try require(
            type != .bars || object.value("most") == nil || texts["rest"] != nil, object.path("rest"),
            "is missing; \"most\" needs it")
    }
}
