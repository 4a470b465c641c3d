import Archive
import Catalogue
import HTMLCheck
import Pages
import Platform

/// The records of one kind. catalogue.schema.json describes its keys.
final class KindDeclaration: Sendable {
    let name: String
    /// The name without parameters, such as "song" of the kind "song-us".
    let family: String
    /// The key path of the kind in the declaration.
    let path: String
    let plural: String
    let id: FieldPath
    /// The paths of the values that form the id. Most kinds have one.
    let idParts: [FieldPath]
    let hasTextIDs: Bool
    let selfLink: FieldPath?
    let title: FieldPath
    /// Whether the declaration names the title.
    let hasTitle: Bool
    let hasHTMLTitle: Bool
    let slug: FieldPath?
    let showsRest: Bool
    /// The title of a root, with placeholders for its parameters.
    let rootTitle: String?
    /// The path of a root's page without ".html", with placeholders; nil for "KIND/ID".
    let page: String?
    let permalink: FieldPath?
    let template: String
    /// Whether a record is a whole answer.
    let isWholeAnswer: Bool
    let count: TextDeclaration
    let fields: [FieldDeclaration]
    let required: [FieldDeclaration]
    let pictures: String
    /// Whether the kind declares its list, and does not share that of another kind.
    let ownsList: Bool
    /// Nil for a kind without pages.
    let list: ListDeclaration?
    let card, row: [FieldDeclaration]
    let facts: [FieldDeclaration]
    let summary: [FieldDeclaration]
    let description: TextDeclaration
    /// The text for the page's title; nil for the record's name.
    let pageTitle: TextDeclaration?
    let about: FieldDeclaration?
    /// The date by which the kind's feed has its newest records; nil without a feed.
    let feed: FieldDeclaration?
    let alternative: TextDeclaration?
    let search: [FieldDeclaration]
    /// The fields that can need several pages, and whose references are counted after all records are read.
    let pagedFields: [FieldDeclaration]
    /// The members of the page's JSON-LD; the type is "@type".
    let jsonLD: [(key: String, value: JSON)]
    /// The declared columns of the exported table, each with a path or the value of all records.
    let export: [ExportTable.Column]

    private static let keys =
        ["plural", "id", "self", "title", "fields", "required", "whole", "textIds", "slug"] + pageKeys
    /// The keys that only pages and exports use.
    static let pageKeys = [
        "count", "pictures", "list", "card", "row", "facts", "summary", "description", "alternative", "search",
        "jsonld", "export", "page", "template", "pageTitle", "about", "feed", "htmlTitle", "rest",
    ]

    /// - Parameters:
    ///   - kinds: the names of all kinds.
    ///   - lists: the lists of the kinds before this one, by family.
    ///   - isOnly: whether the API has one list, which is then the first page of the site.
    init(
        _ name: String, family: String, _ value: JSON, at path: String, kinds: [String],
        lists: [String: ListDeclaration], isOnly: Bool, api: String
    ) throws {
        let object = try DeclarationObject(value, at: path, keys: Self.keys)
        try DeclarationObject.checkName(family.replacing("-", with: "_"), at: path)
        self.name = name
        self.family = family
        self.path = path
        let usual = name == family ? name.pluralised.replacing("-", with: "_") : "\(name)s".lowercased()
        let isUsed = CatalogueDeclaration.reserved.contains(usual)
        plural = try object.optionalText("plural") ?? (isUsed ? "\(name)_records" : usual)
        if object.value("plural") != nil {
            try DeclarationObject.checkName(plural.replacing("-", with: "_"), at: object.path("plural"))
        }
        isWholeAnswer = try object.flag("whole")
        let address = object.value("page")?.members == nil ? nil : try object.object("page", keys: ["permalink"])
        permalink = try address.map { address in try address.required("permalink") { try address.fieldPath($0) } }
        page = try address == nil ? object.optionalText("page") : nil
        (id, idParts) = try Self.id(object)
        hasTextIDs = try object.flag("textIds") || idParts.count > 1
        selfLink = try object.fieldPath("self")
        let titleText = try object.optionalText("title")
        rootTitle = titleText.flatMap { $0.contains("{") ? $0 : nil }
        slug = try object.valuePath("slug")
        showsRest = try object.flag("rest", default: true)
        title = try rootTitle == nil ? object.valuePath("title") ?? slug ?? FieldPath("name") : FieldPath("name")
        hasTitle = titleText != nil
        hasHTMLTitle = try object.flag("htmlTitle")
        // A kind such as "status" has no other plural for its pages.
        let noun = ["ss", "us"].contains(where: plural.hasSuffix) ? "\(plural)es" : plural
        count = TextDeclaration(
            plural: try object.optionalText("count") ?? "\(family)Count", standard: "{count} \(noun.inWords)",
            one: "{count} \(family.singularised.inWords)")
        let declared = try object.object("fields") ?? DeclarationObject(path: object.path("fields"), members: [])
        try require(
            declared.members.count <= CatalogueDeclaration.maximumFields, declared.path,
            "has more than the \(CatalogueDeclaration.maximumFields) fields allowed")
        let fields = try declared.members.enumerated().map { index, field in
            try FieldDeclaration(index, field.key, field.value, at: declared.path(field.key), kinds: kinds, api: api)
        }
        self.fields = fields

        func named(_ key: String, besides others: FieldDeclaration.FieldType...) throws -> [FieldDeclaration] {
            let types = FieldDeclaration.FieldType.allCases.filter { $0.isText || others.contains($0) }
            return try fields.named(object, key) { field in
                guard !types.contains(field.type) else { return nil }
                return "which is of the type \(field.type.rawValue); allowed: \(FieldDeclaration.names(types))"
            }
        }
        required = try fields.named(object, "required") { field in
            field.isComputed || [.links, .results, .roots].contains(field.type) ? "which records do not have" : nil
        }.sorted { $0.index < $1.index }
        pictures = try object.optionalText("pictures") ?? "\(name)-pictures"
        card = try named("card", besides: .reference, .references, .results, .html, .prose)
        row = try named("row", besides: .reference, .references, .results, .html, .prose)
        facts = try named("facts", besides: .reference)
        summary = try named("summary")
        description = TextDeclaration(
            object.value("list") == nil ? "" : try object.optionalText("description") ?? "\(family)Description",
            filling: ["name", "facts", "summary", "count"], standard: "{summary}")
        let words = Set(["name"] + fields.filter(\.type.isText).map(\.name))
        pageTitle = try object.optionalText("pageTitle").map { TextDeclaration($0, filling: words) }
        func field(_ key: String, _ what: String, _ isRight: (FieldDeclaration) -> Bool) throws -> FieldDeclaration? {
            try object.optionalText(key).map { name in
                let field = fields.first { $0.name == name && isRight($0) }
                return try require(field, object.path(key), "is \(name.quoted), which is not \(what)")
            }
        }
        about = try field("about", "a long text", \.type.isLongText)
        feed = try field("feed", "a date", \.isDate)
        alternative = try object.optionalText("alternative").map {
            TextDeclaration($0, filling: $0.contains("{") ? words : ["name"])
        }
        let searched = try named("search", besides: .reference, .references)
        search = object.value("search") == nil ? fields.filter(\.isFacet) : searched
        pagedFields = fields.filter { [.inverse, .roots].contains($0.type) || $0.showsCards }
        jsonLD = try object.object("jsonld")?.members ?? []
        export = try object.object("export").map(Self.columns) ?? []
        ownsList = object.value("list")?.members != nil
        switch object.value("list") {
        case nil: list = nil
        case .text(let family)?:
            let other = lists[family]
            let isPlain = other?.layout == .cards && other?.columns.isEmpty == true && other?.group == nil
            list = try require(
                isPlain ? other : nil, "\(path).list",
                "is \(family.quoted), which is not an earlier kind with a list of cards without columns")
        case let value?:
            list = try ListDeclaration(
                try DeclarationObject(value, at: "\(path).list", keys: ListDeclaration.keys),
                page: isOnly && kinds.first == name ? "index" : plural, of: name,
                title: TextDeclaration("\(family)List", standard: plural.label), count: count, fields, kinds: kinds)
        }
        try require(feed == nil || list != nil, object.path("feed"), "is only for kinds with a list")
        // The template of a list has the name of its page.
        template = try object.optionalText("template") ?? (list?.page == family ? "\(family)-record" : family)
        try checkFields()
        try checkJSONLD(object)
        try checkPaths()
    }
}

extension KindDeclaration {
    private static func columns(_ export: DeclarationObject) throws -> [ExportTable.Column] {
        try export.members.map { name, column in
            let path = export.path(name)
            try DeclarationObject.checkName(name, at: path)
            guard case .object = column else {
                return (name, .value(try export.required(name) { try export.fieldPath($0) }))
            }
            let value = try DeclarationObject(column, at: path, keys: ["value"]).text("value")
            try require(value.utf8.allSatisfy { $0 >= 0x20 && $0 != 0x7F }, "\(path).value", "has a control character")
            try require(
                !value.utf8.contains { $0 == "{" || $0 == "}" }, "\(path).value",
                "has a brace that does not belong to the placeholder of a parameter")
            return (name, .constant(value))
        }
    }

    /// Checks that one reference with the key "answers" is in an object, and that one field is shown as cards.
    private func checkFields() throws {
        var answering: Set<String> = []
        for field in fields where field.answers != nil {
            let isFirst = answering.insert(field.path.names[0]).inserted
            try require(isFirst, "\(path).fields.\(field.name).answers", "is in the same object as another reference")
        }
        let pictured = fields.filter { $0.isPrimary || $0.type == .image }
        let isOnly = pictured.count < 2 || !pictured.contains(where: \.isPrimary)
        try require(isOnly, "\(path).fields.\(pictured[1].name)", "is a second picture of the record")
        let most = CatalogueDeclaration.maximumJoins
        let joined = fields.filter { $0.from.flatMap { field($0.reference)?.target } != nil }
        try require(
            joined.count <= most, "\(path).fields.\(joined[most].name).from",
            "is one of more than the \(most) values of other records that a kind can have")
        let cards = fields.filter(\.showsCards)
        try require(cards.count < 2, "\(path).fields.\(cards[1].name).display", "is \"cards\" for a second field")
    }

    /// Checks the names of folders and files.
    private func checkPaths() throws {
        let names = pictures.split(separator: "/", omittingEmptySubsequences: false)
        try require(
            names.allSatisfy { PortableName.accepts($0) } && (names.count == 1 || pictures == pictures.lowercased()),
            "\(path).pictures", "is \(pictures.quoted), which is not a portable file name, or several in lower case")
        guard let page else { return }
        let isPath =
            page.contains("{") && page.wholeMatch(of: /[a-z0-9_]+\/[a-z0-9_.{}-]+/) != nil
            && PortableName.accepts(page.prefix { $0 != "/" })
        try require(
            isPath, "\(path).page",
            "is not the name of a folder, a slash and a name with placeholders, such as \"found/{term}\"")
    }
}

extension KindDeclaration {
    func field(_ name: String) -> FieldDeclaration? { fields.first { $0.name == name } }

    /// The field whose records are shown as cards, on several pages if there are many.
    var cardsField: FieldDeclaration? { fields.first(where: \.showsCards) }

    /// The field with the key `primary`. The picture of its record is also the picture of this record.
    var primary: FieldDeclaration? { fields.first(where: \.isPrimary) }

    /// Whether records can have pictures.
    var hasPictures: Bool { fields.contains { $0.type == .image || $0.isPrimary } }

    /// Whether a capture fetches pictures or files of records.
    var hasFiles: Bool { fields.contains { [.image, .file].contains($0.type) || $0.capturesPictures } }

    /// The columns of the rows in the kind's list. They are the fields of cards if the cards would have no pictures.
    var columns: [FieldDeclaration] {
        guard let list else { return [] }
        return list.layout == .cards && !hasPictures && list.columns.isEmpty ? card : list.columns
    }

    /// The title of a record; empty if it has none.
    func title(of record: JSONFields) -> String {
        let text = hasTitle || slug == nil ? record.scalar(title) : ""
        if text.isBlank, let slug { return record.scalar(slug).slugInWords }
        return hasHTMLTitle ? HTMLSanitizer.text(text) : text
    }

    /// Whether the title is missing, null, or a text, number or Boolean.
    func canShow(titleOf record: JSONFields) -> Bool {
        !record.scalar(title).isEmpty || record.value(at: title).map { $0.members == nil && $0.elements == nil } ?? true
    }

    /// The text for headings and links. It is not blank, although the title can be.
    func heading(_ title: String, _ key: RecordKey) -> String {
        title.isBlank ? "\(name == family ? name.singularised.label : name) \(key.text ?? key.fileName)" : title
    }
}
