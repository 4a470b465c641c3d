import Catalogue
import Pages

/// A field of a kind's records. catalogue.schema.json describes its keys.
final class FieldDeclaration: Sendable {
    enum FieldType: String, CaseIterable, Sendable {
        case string
        /// A text of a few values, which the texts of a language can translate.
        case `enum`
        /// A day such as "December 2, 2013", as served.
        case date
        /// A moment such as "2010-03-05T08:00:00Z". Pages show its day, and its time if `showsTime` is set.
        case datetime
        case number
        /// An amount, which is shown with the currency in another member.
        case money
        /// A number of milliseconds.
        case duration
        case bytes
        /// An average from 0 to 5. Another member has the number of ratings.
        case rating
        case url
        /// A text of several paragraphs.
        case prose
        /// A text with HTML elements, which pages show without scripts and styles.
        case html
        /// An array of strings, numbers and Booleans.
        case list
        /// Links to other sites, which an extension finds.
        case links
        /// The records in the answer of a root, such as the results of a search.
        case results
        /// The roots whose answers have the record.
        case roots
        /// The address of a record of another kind.
        case reference
        /// An array of addresses of records of another kind.
        case references
        /// The records of another kind that refer to this record.
        case inverse
        /// The records of the same kind that share the most references with this record.
        case together
        /// Nested objects, each with the address of a record.
        case tree
        case image
        /// The address of a file that is captured, such as a PDF, or an array of addresses.
        case file
        /// A value that is only in the history and in exports.
        case hidden

        /// Whether pages show the value as a text.
        var isText: Bool {
            switch self {
            case .string, .enum, .date, .datetime, .number, .money, .duration, .bytes, .rating, .list, .url: true
            default: false
            }
        }

        var isLongText: Bool { self == .prose || self == .html }

        /// The types of fields whose declaration names the kind of the records that they refer to.
        static let referring: [FieldType] = [.results, .roots, .reference, .references, .tree]

        /// Whether the value is computed from other records.
        var isDerived: Bool { self == .inverse || self == .together }
    }

    enum Display: String, CaseIterable, Sendable {
        case rows, cards, bars
    }

    /// The position among the fields of the kind.
    let index: Int
    let name: String
    let type: FieldType
    let path: FieldPath
    /// The path of the value of records that have none at `path`.
    let fallbackPath: FieldPath?
    let address: AddressPattern?
    let value: String?
    /// The reference to the other record, and the other record's field that has the value. Without a field, the value
    /// is the other record's name. It can also be a field of this record with a format, and a part of this format.
    let from: (reference: String, field: String?)?
    let unit: TextDeclaration?
    let divisor: Int
    let decimals: Int?
    let numbers: FieldPath?
    let full: Int?
    let link, children: FieldPath?
    let notes: [(label: TextDeclaration, path: FieldPath)]
    let function: CatalogueExtension.Function?
    let isInHistory: Bool
    let showsHours: Bool
    let showsTime: Bool
    let votes, currency: FieldPath?
    let label: TextDeclaration
    let capturesPictures: Bool
    /// The kind of the records that it refers to.
    let target: String?
    /// The field of the kind `target` from which a derived field is computed.
    let source: String?
    let orderBy: String?
    let answers: String?
    let none: [String]
    let text: FieldPath?
    /// The fields of the other record that are shown with a reference.
    let note: [String]
    let isPrimary: Bool
    let display: Display
    let most: Int
    let count: TextDeclaration?
    /// Whether lists can be filtered by it.
    let isFacet: Bool
    /// Whether each of its values has a list, but no filter.
    let isListed: Bool
    let isInResults: Bool
    let tones: [(name: String, value: String)]
    let agreesWith: String?
    let facetValues: [(name: String, value: String)]
    let leftOut: TextDeclaration?
    let format: ValueFormat?

    private static let keys =
        [
            "type", "path", "or", "none", "label", "facet", "facetAs", "lists", "result", "tone", "agreesWith",
            "format", "function", "history",
        ] + keyTypes.flatMap(\.keys)
    /// The keys that only pages and exports use.
    static let pageKeys = [
        "label", "note", "display", "most", "count", "facet", "result", "tone", "agreesWith", "format", "history",
        "hours", "facetAs", "leftOut", "orderBy", "lists", "primary", "unit", "divisor", "decimals", "numbers", "full",
        "time",
    ]

    init(_ index: Int, _ name: String, _ declared: JSON, at path: String, kinds: [String], api: String) throws {
        let object = try DeclarationObject(declared, at: path, keys: Self.keys)
        try DeclarationObject.checkName(name, at: path)
        self.index = index
        self.name = name
        let type = try object.choice("type", FieldType.self) ?? .string
        self.type = type
        try Self.checkKeys(object, type)
        self.path = try object.valuePath("path") ?? FieldPath(name)
        fallbackPath = try object.valuePath("or")
        address = try object.optionalText("address").map {
            try AddressPattern($0, at: object.path("address"), api: api)
        }
        from = try object.optionalText("from").map { ($0.atDot.start, $0.atDot.rest) }
        unit = try object.optionalText("unit").map { TextDeclaration($0, filling: ["number"]) }
        divisor = try object.integer("divisor", 1...1_000_000, default: type == .duration ? 1_000 : 1)
        decimals = try object.optionalInteger("decimals", 0...15)
        numbers = try object.valuePath("numbers")
        full = try object.optionalInteger("full", 1...1_000_000)
        link = try object.valuePath("link")
        children = try object.valuePath("children")
        let declared = try object.object("notes")
        notes = try (declared?.members ?? []).compactMap { key, _ in
            try declared?.valuePath(key).map { (TextDeclaration(key, standard: key.label), $0) }
        }
        value = object.value("value")?.text == "" ? "" : try object.optionalText("value")
        function = try object.choice("function", CatalogueExtension.Function.self)
        if let function {
            let fits = function.type == type && value == nil
            try require(fits, object.path("function"), "is only for the type \(function.type.rawValue)")
        }
        isInHistory = try object.flag(
            "history", default: value == nil && function == nil && from == nil && type != .roots && !type.isDerived)
        showsHours = try object.flag("hours")
        showsTime = try object.flag("time")
        votes = try object.fieldPath("votes")
        currency = try object.fieldPath("currency")
        capturesPictures = try object.flag("capture")
        // Only the name of a kind is known to be a noun in the singular.
        let isKind = type == .references && object.value("to")?.text == name
        label = TextDeclaration(
            try object.optionalText("label") ?? name,
            standard: object.value("label") == nil ? (isKind ? name.pluralised : name).label : nil)
        let of = type.isDerived ? try object.text("of").atDot : nil
        let isField = of.map { kinds.contains($0.start) && $0.rest != nil } ?? true
        try require(isField, object.path("of"), "is not a kind and one of its fields, such as \"character.origin\"")
        source = of?.rest
        target = try of?.start ?? object.optionalText("to")
        let hasTarget = target.map(kinds.contains) ?? true
        try require(hasTarget, object.path("to"), "is \(target?.quoted ?? ""), which is not one of the kinds")
        display = try object.choice("display", Display.self) ?? .rows
        for (key, isMissing) in [
            ("votes", type == .rating && votes == nil), ("function", type == .links && function == nil),
            ("to", FieldType.referring.contains(type) && target == nil), ("link", type == .tree && link == nil),
            ("children", type == .tree && children == nil), ("numbers", display == .bars && numbers == nil),
        ] {
            try require(!isMissing, object.path(key), "is missing")
        }
        orderBy = try object.optionalText("orderBy")
        answers = try object.optionalText("answers")
        none = try object.elements("none").map { value, path in
            try require(value.text ?? value.integer.map { "\($0)" }, path, "is not a string or an integer")
        }
        text = try object.fieldPath("text")
        note = try object.value("note")?.text == nil ? object.texts("note") : [object.text("note")]
        isPrimary = try object.flag("primary")
        most = try object.integer("most", 1...1_000, default: type == .together ? 10 : 500)
        let isCounted = type == .references || type == .results
        let standard = TextDeclaration(
            plural: "\(name)References", standard: "{count} \(name.pluralised.inWords)",
            one: "{count} \(name.singularised.inWords)")
        count = try object.optionalText("count").map { TextDeclaration(plural: $0) } ?? (isCounted ? standard : nil)
        leftOut = try object.optionalText("leftOut").map { TextDeclaration(plural: $0) }
        isFacet = try object.flag("facet")
        isListed = try object.flag("lists")
        facetValues = try object.pairs("facetAs")
        isInResults = try object.flag("result", default: true)
        tones = try object.pairs("tone")
        agreesWith = try object.optionalText("agreesWith")
        format = try object.optionalText("format").map {
            try require(ValueFormat($0), object.path("format"), "is not a format such as \"S{season}E{number}\"")
        }
    }

    static func names(_ types: some Sequence<FieldType>) -> String { types.map(\.rawValue).joined(separator: ", ") }

    /// Whether the value is not one at a path of the record.
    var isComputed: Bool { value != nil || address != nil || from != nil || type.isDerived }

    /// The only types that can have certain keys.
    private static let keyTypes: [(keys: [String], types: [FieldType])] = [
        (["to"], FieldType.referring), (["text"], FieldType.referring + [.hidden]),
        (["count"], FieldType.referring + [.inverse]), (["most"], FieldType.referring + [.inverse, .together]),
        (["answers", "note", "display"], [.reference, .references]), (["numbers", "full"], [.references]),
        (["orderBy"], [.references, .inverse]), (["unit", "decimals"], [.number]), (["divisor"], [.number, .duration]),
        (["link", "children", "notes"], [.tree]), (["from"], [.string, .enum, .number, .reference]),
        (["of"], [.inverse, .together]), (["primary"], [.reference]), (["leftOut"], [.results]),
        (["time"], [.datetime]), (["hours"], [.duration]), (["votes"], [.rating]), (["capture"], [.html]),
        (["value"], [.string, .enum]), (["address"], [.url, .image, .file]), (["currency"], [.money]),
    ]

    /// Checks that the field has only the keys of its type.
    private static func checkKeys(_ object: DeclarationObject, _ type: FieldType) throws {
        func check(_ keys: [String], _ isAllowed: Bool, _ owners: @autoclosure () -> String) throws {
            for key in keys {
                try require(isAllowed || object.value(key) == nil, object.path(key), "is only for \(owners())")
            }
        }
        for (keys, types) in keyTypes {
            let last = types[types.count - 1].rawValue
            try check(
                keys, types.contains(type),
                types.count == 1 ? "the type \(last)" : "the types \(names(types.dropLast())) and \(last)")
        }
        let isOneText = type.isText && type != .list
        let canBeNone = type == .reference || type.isLongText || isOneText
        let canFallBack = type.isLongText || [.datetime, .url, .image, .file].contains(type)
        let hasPath = object.value("value") == nil && object.value("address") == nil
        let isFacet = try object.flag("facet")
        let isFacetOfWords = isFacet && [.string, .enum, .list].contains(type)
        try check(["path", "value", "function"], object.value("from") == nil, "fields without the key \"from\"")
        try check(["path", "or", "history"], !type.isDerived, "values of the record itself")
        try check(["none"], canBeNone, "the type reference and fields with one text")
        try check(["facet"], type.isText, "fields with a text")
        try check(["format"], isOneText, "fields with one text")
        try check(["path", "or"], hasPath, "fields without a value of their own")
        try check(["or"], canFallBack, "dates, addresses and long texts")
        try check(["lists"], type == .string && !isFacet, "texts that are no facet")
        try check(["facetAs"], isFacetOfWords, "facets of the types string, enum and list")
    }
}

extension FieldDeclaration {
    /// Whether the records that it refers to are shown as cards, in the declared order.
    var showsCards: Bool { type == .references && display == .cards }

    var hasLists: Bool { isFacet || isListed }
    var isDate: Bool { type == .date || type == .datetime }
    /// Whether a column shows a number.
    var isNumber: Bool { [.number, .duration, .bytes, .references, .inverse].contains(type) }

    /// Whether it has a format with this part.
    func hasPart(_ part: String) -> Bool { format?.parts.contains(part) == true }

    func tone(_ value: String) -> String {
        (tones.first { $0.name == value } ?? tones.first { $0.name == "*" })?.value ?? ""
    }
}
