import Mustache
import Pages
import Platform

/// The shapes of the models of a declared catalogue's pages. Fields of records are in a namespace of their own,
/// `field`, so that no name of a field collides with a name of the page.
struct RecordModels: Sendable {
    /// The shapes for one kind. It is a class, because copying a structure copies all its references.
    final class Kind: Sendable {
        /// A record in lists and on the pages of other records, with the fields for that purpose.
        let card: Brief
        let row: Brief
        let listRow: Brief
        let group: Shape
        /// The shape of the list with the kind's records, and of a record's page.
        let list: Shape
        let page: Shape
        let fields: Shape
        /// The fields of `fields`, in the same order.
        let shown: [FieldDeclaration]
        /// The shapes of references, by field; nil for other fields.
        let references: [References?]

        init(_ kind: KindDeclaration, _ card: Brief, _ row: Brief, _ references: [References?]) {
            self.card = card
            self.row = row
            self.references = references
            shown = kind.fields.filter { ![.image, .file, .hidden, .tree].contains($0.type) }
            let shapes = shown.map { field -> Shape.Field in
                if let links = references[field.index] {
                    return .init(field.name, .object(links.shape), "links to other records")
                }
                return field.type == .reference
                    ? .init(field.name, .optional(.object(reference)), "a link to another record")
                    : .init(field.name, .object(value(field)), "the value")
            }
            fields = Shape("\(kind.name) fields", shapes)
            listRow = RecordModels.brief(kind, "entry", [kind], \.columns, false, hasCells: true)
            group = Shape(
                "\(kind.name) group",
                .init("label", .text, "the name of the group"),
                .init("anchor", .text, "the id of its section"),
                .init("path", .optional(.text), "the list of its records, relative to the language's root; or nothing"),
                .init("items", .list(.object(listRow.shape)), "its records"))
            list = Shape(
                page: kind.list?.page ?? "list", isList: true,
                .init("listTitle", .text, "the title of the list"),
                .init("hasFacets", .flag, "whether there are lists by value"),
                .init("hasCards", .flag, "whether the records are cards"),
                .init("hasColumns", .flag, "whether the rows have columns besides the name"),
                .init("columns", .list(.object(column)), "the names of the columns"),
                .init("value", .text, "the value that all records share; empty for the list of all records"),
                .init("asServed", .flag, "whether that value is shown as served"),
                .init("card", .text, "the names of the fields of a card, with spaces between them"),
                .init("tones", .text, "the classes for the colours of values, by facet and value, for scripts"),
                .init("cards", .list(.object(card.shape)), "the records on this page, in the layout of cards"),
                .init("rows", .list(.object(listRow.shape)), "the records on this page, in the layout of rows"),
                .init("groups", .list(.object(group)), "the same rows in groups; empty without groups"),
                .init("facets", .list(.object(Facets.facet)), "the lists by value"),
                .init("all", .text, "the path of the list of all records, relative to the language's root"),
                .init("kinds", .text, "the kinds in the search index, with spaces; empty if scripts cannot filter"),
                .init("highlights", .list(.object(Highlights.section)), "the home page's sections; else empty"),
                .init("asOf", .text, "the day of the capture in words, on the first page of all records"),
                .init("others", .text, "the numbers of records in other lists, in words, on the home page"),
                .init("gaps", .text, "the number of the capture's gaps, as text, on the home page; empty for none"))
            page = Shape(
                kind.template,
                PageFrame.fields + [
                    .init("name", .text, "the record's name"),
                    .init("alternative", .text, "the picture in words"),
                    .init("picture", .object(PageParts.picture), "the picture"),
                    .init("field", .object(fields), "the fields, by their names"),
                    .init("hasFacts", .flag, "whether one of the facts has a value"),
                    .init("facts", .list(.object(fact)), "the facts with a value, in the order of the declaration"),
                    .init("restFacts", .html, "the long texts and the short values that the declaration does not name"),
                    .init("restSections", .html, "the other values that the declaration does not name, as sections"),
                    .init("sections", .html, "the long texts and the references of declared fields, as markup"),
                    .init("longTexts", .html, "the part of `sections` with texts"),
                    .init("otherSections", .html, "the part of `sections` without texts"),
                    .init("paging", .object(Paging.brief), "the pages of a record with long lists"),
                    .init("hasPicture", .flag, "whether there is a picture"),
                    .init("listTitle", .text, "the title of the list with the record"),
                ] + HistoryShapes.fields + [
                    .init("list", .object(Paging.pageNumber), "the list page that shows this record"),
                    .init("previous", .optional(.object(PageParts.link)), "the previous record"),
                    .init("next", .optional(.object(PageParts.link)), "the next record"),
                ])
        }
    }

    /// The shape of a field that refers to records, and that of its groups or items.
    typealias References = (shape: Shape, item: Shape)

    /// A short form of a record. It is a class, because each deferred value keeps it.
    final class Brief: Sendable {
        let shape: Shape
        let fieldShape: Shape
        /// Its fields; nil for those that the kind does not have.
        let fields: [FieldDeclaration?]
        /// Whether the fields are also columns of a table.
        let hasCells: Bool
        /// Whether one of the fields is a long text, so that models are large, or depend on the page.
        let hasLongText: Bool

        init(_ shape: Shape, _ fieldShape: Shape, _ fields: [FieldDeclaration?], hasCells: Bool) {
            (self.shape, self.fieldShape, self.fields, self.hasCells) = (shape, fieldShape, fields, hasCells)
            hasLongText = fields.contains { $0?.type.isLongText == true }
        }
    }

    private let kinds: [String: Kind]

    init(_ declaration: CatalogueDeclaration) {
        var briefs: [String: (card: Brief, row: Brief)] = [:]
        for kind in declaration.kinds {
            // Records in one list have the same shape, which has the fields of all their kinds.
            let kinds = kind.list.map(declaration.kinds) ?? [kind]
            let isOptional = declaration.roots != nil
            briefs[kind.name] = (
                Self.brief(kind, "card", kinds, \.card, isOptional, hasCells: true),
                Self.brief(kind, "row", kinds, \.row, isOptional)
            )
        }
        var kinds: [String: Kind] = [:]
        for kind in declaration.kinds {
            let references = kind.fields.map { field -> References? in
                guard let brief = field.target.flatMap({ briefs[$0] }) else { return nil }
                switch field.type {
                case .references: return field.showsCards ? Self.cards(field, brief.card) : Self.rows(field, brief.row)
                case .results, .roots: return Self.rows(field, brief.row)
                case .inverse: return Self.rows(field, brief.card)
                case .together: return Self.together(field, brief.card)
                default: return nil
                }
            }
            kinds[kind.name] = briefs[kind.name].map { Kind(kind, $0.card, $0.row, references) }
        }
        self.kinds = kinds
    }

    subscript(kind: KindDeclaration) -> Kind {
        guard let models = kinds[kind.name] else { preconditionFailure("\(kind.name) is not of this catalogue") }
        return models
    }

    /// - Parameters:
    ///   - kinds: the kinds of the list with the kind's records.
    ///   - isOptional: whether a record can lack every field, because it cannot be shown.
    private static func brief(
        _ kind: KindDeclaration, _ use: String, _ kinds: [KindDeclaration],
        _ declared: (KindDeclaration) -> [FieldDeclaration], _ isOptional: Bool, hasCells: Bool = false
    ) -> Brief {
        let fields = kinds.flatMap(declared).unique(by: \.name)
        let shapes = fields.map { field -> Shape.Field in
            let shape = Shape.Kind.object(brief(field))
            let canLack = field.type == .reference || isOptional
            return .init(field.name, canLack ? .optional(shape) : shape, "the value")
        }
        let fieldShape = Shape("\(kind.family) \(use) fields", shapes)
        let own = fields.map { field in declared(kind).first { $0.name == field.name } }
        var shown: [Shape.Field] = [
            .init("path", .text, "the record's page, relative to the language's root; empty if it cannot be shown"),
            .init("name", .text, "the name"),
            .init("picture", .object(PageParts.picture), "the picture, or a placeholder"),
            .init("field", .object(fieldShape), "the fields, by their names"),
            .init("fault", .text, "why the record cannot be shown, in English; empty for others"),
        ]
        if hasCells { shown.append(.init("cells", .list(.object(cell)), "the fields, whatever their types")) }
        return Brief(Shape("\(kind.family) \(use)", shown), fieldShape, own, hasCells: hasCells)
    }

    static let column = Shape(
        "column",
        .init("label", .text, "the name of the column"), .init("number", .flag, "whether its values are numbers"))
    static let cell = Shape(
        "cell",
        .init("label", .text, "the name of the column"), .init("text", .text, "the value; may be empty"),
        .init("tone", .text, "the class for the colour of the value; may be empty"),
        .init("path", .optional(.text), "the page of a record that is the value, relative to the language's root"),
        .init("number", .flag, "whether the values of the column are numbers"),
        .init("value", .text, "the value by which rows are sorted, if it is not the text; otherwise empty"))

    /// The shape of a value in a card or row.
    static func brief(_ field: FieldDeclaration) -> Shape {
        switch field.type {
        case .reference: reference
        case .references where field.display != .cards, .inverse: number
        case .references, .results: mosaic
        case .list, .string, .number: text
        case .enum: word
        default: value(field)
        }
    }

    /// The shape of a value, by the type of its field.
    static func value(_ field: FieldDeclaration) -> Shape {
        switch field.type {
        case .enum: field.isFacet ? listedWord : word
        case .date, .datetime, .duration, .rating: date
        case .list: texts
        case .prose: prose
        case .html: html
        case .links: links
        case .string where field.hasLists, .number where field.hasLists: listed
        default: text
        }
    }

    static let text = Shape(
        "text",
        .init("text", .text, "the value in the page's language, or as served; may be empty"),
        .init("asServed", .flag, "whether the text is as served"))
    /// A text whose value has a list of its own.
    static let listed = Shape(
        "listed text",
        .init("text", .text, "the text in the page's language, or as served; may be empty"),
        .init("list", .optional(.text), "the list of records with this value, relative to the language's root"))
    static let word = Shape(
        "word",
        .init("text", .text, "the value in the page's language, or as served"),
        .init("tone", .text, "the class for its colour"))
    static let listedWord = Shape("listed word", word.fields + listed.fields.suffix(1))
    static let date = Shape(
        "date",
        .init("text", .text, "the date, duration or rating; may be empty"),
        .init("machine", .text, "the same as 2013-12-02, 2013-12-02T17:30Z, PT0H3M45S or 4.5; empty if unknown"))
    static let texts = Shape(
        "texts",
        .init("any", .flag, "whether there are any"),
        .init("items", .list(.text), "the texts"),
        .init("links", .list(.object(listed)), "the same in the page's language, with the lists of their values"))
    static let prose = Shape(
        "prose",
        .init("any", .flag, "whether there is a text"),
        .init("paragraphs", .list(.text), "its paragraphs, as served"))
    static let html = Shape(
        "html",
        .init("any", .flag, "whether there is a text"),
        .init("html", .html, "the text, without scripts, styles and classes; may be empty"))
    static let link = Shape(
        "external link",
        .init("name", .text, "its text, as served"),
        .init("link", .text, "the address; empty for none"),
        .init("note", .text, "what is shown with it, such as a year; may be empty"),
        .init("list", .optional(.text), "the list of this site's records with this name, if there is one"),
        .init("picture", .optional(.object(PageParts.picture)), "the picture of one of these records"))
    static let links = Shape(
        "external links",
        [.init("any", .flag, "whether there are any"), .init("items", .list(.object(link)), "the links")])
    static let number = Shape(
        "number", .init("number", .number, "the number of records"), .init("text", .text, "the same in words"))
    static let mosaic = Shape(
        "results",
        number.fields + [
            .init("pictures", .list(.object(PageParts.picture)), "the pictures of the first four records with one")
        ])
    static let referenceFields: [Shape.Field] = [
        .init("name", .text, "the record's name; for a fact that is no reference, its text"),
        .init("path", .optional(.text), "its page, relative to the language's root; nothing if it is not captured"),
        .init("asServed", .flag, "whether the name is as served"),
        .init("notes", .list(.object(text)), "what is shown with the name"),
    ]
    static let reference = Shape("reference", referenceFields)

    static func note(_ note: ShownValue) -> Value {
        text.value(["text": .text(note.text), "asServed": .flag(note.isServed)])
    }
}
