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
    let kind: String
    let field: Int
    let most: Int

    func text(_ key: String) -> TextDeclaration { texts[key] ?? TextDeclaration(key) }
}

extension FigureDeclaration {
    private static let placeholders: [String: Set<String>] = [
        "group": ["number"], "equal": ["records", "references"],
        "alternative": ["records", "fewest", "high", "low", "most", "name", "other", "count", "pairs", "none"],
    ]

    private static let textKeys: [FigureType: (texts: [String], plurals: [String])] = [
        .bars: (["caption"], ["rest"]), .most: (["caption", "note"], []),
        .columns: (["caption", "head", "counted", "group", "noGroup", "alternative", "equal"], []),
        .matrix: (
            [
                "caption", "note", "head", "counted", "partners", "legend", "legendNone", "legendOwn", "alternative",
                "none",
            ],
            []
        ),
    ]

    init(_ value: DeclarationValue, at path: String, _ kinds: [KindDeclaration]) throws {
        type = try DeclarationObject(value, at: path, keys: nil).choice("type", default: .bars)
        let keys = Self.textKeys[type] ?? ([], [])
        let object = try DeclarationObject(
            value, at: path, keys: ["id", "type", "of", "most"] + keys.texts + keys.plurals)
        id = try object.text("id")
        guard PortableName.accepts(id) else { throw ContentFault(object.path("id"), "is not a portable name") }
        let (kind, field) = try CatalogueDeclaration.field(try object.text("of"), at: object.path("of"), kinds)
        let isList = kind.fields[field].type == .references
        guard kind.list != nil, isList != (type == .bars) else {
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
