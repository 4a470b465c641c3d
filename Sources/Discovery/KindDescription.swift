import Catalogue
import CatalogueEngine
import HTMLCheck

/// The fields of a kind's records, as the first records show them.
package struct KindDescription: Sendable {
    package let name: String
    package let id: String
    let hasTextIDs: Bool
    package let title: String?
    let hasHTMLTitle: Bool
    /// The member with the record's own address.
    let selfLink: String?
    /// The template of a record's page, with a name in the singular; nil for the default.
    let template: String?
    package internal(set) var fields: [(name: String, keys: DeclarationKeys)] = []
    /// The fields with a short value, in their order.
    private(set) var facts: [String] = []
    private(set) var columns: [String] = []
    /// The fields that are shown with a record on the pages of others, if it has no title.
    private(set) var row: [String] = []
    /// The fields of cards, which show their values without names.
    private(set) var card: [String] = []
    /// The fields with a chart: those with a few values.
    private(set) var charts: [String] = []
    package let hasPictures: Bool
    /// The hosts of its pictures, except the host of the API.
    let hosts: Set<String>

    static func isReserved(_ name: String) -> Bool {
        !CatalogueDeclaration.reserved.isDisjoint(with: [name, name.replacing("-", with: "_")])
            || name.hasPrefix("sqlite") || !PortableName.accepts(name) || ["page", "index", "home"].contains(name)
    }

    /// Names of fields. "KIND" is the kind in the singular.
    private static let titleNames = [
        "name", "title", "KIND", "full_name", "display_name", "headline", "subject", "company", "organisation",
        "organization", "username", "login", "question", "summary", "slug", "author_name", "label",
    ]
    /// If facets have values in equally many records, those with these names come first.
    private static let facetNames = ["status", "state", "type", "category", "kind"]
    /// A thumbnail is taken only if there is no larger picture.
    private static let pictureNames = [
        "image", "picture", "photo", "avatar", "poster", "cover", "artwork", "sprite", "logo", "icon", "flag",
        "original", "download", "large", "thumb",
    ]
    /// The number of members of a record that are searched.
    private static let maximumMembers = 200
    private static let maximumFacets = 8
    private static let maximumCharts = 2
    private static let pictureEndings = [".png", ".jpg", ".jpeg", ".gif", ".webp"]
    private static let fileEndings = [
        ".pdf", ".mp3", ".m4a", ".ogg", ".flac", ".wav", ".mp4", ".webm", ".zip", ".gz", ".7z", ".tar", ".epub", ".odt",
        ".ods", ".odp", ".docx", ".xlsx", ".pptx",
    ]

    init(of list: ListDescription, among lists: [ListDescription], api: String) {
        let records = list.sample
        (name, id) = (list.kind, list.id)
        let ids = records.map { $0.value(list.id)?.scalar }
        hasTextIDs = list.ids.contains { Int64($0).map { $0 < 1 || $0 >= 1 << 53 } ?? true }
        let members = Self.members(of: records)
        let names = members.filter { APISurvey.isPathName($0.name) }.map { (Self.fieldName($0.name), $0.path) }
        let paths = Self.titleNames.flatMap { name in
            let own = name == "KIND" ? list.kind.replacing("-", with: "_").singularised : name
            let found = names.filter { $0.0 == own }.map(\.1)
            // A title can be in an array, or be one of several names in an object.
            let inner = ["name", "title"].contains(name) ? ["[0]", ".rendered", ".common", ".en"] : []
            return found + found.flatMap { path in inner.map { path + $0 } }
        }
        func text(_ path: String, _ record: JSON) -> String? {
            record.value(path)?.text ?? record.values(at: FieldPath(path)).first?.text
        }
        /// Whether a path has short texts. They are no good titles if many are the same, missing or blank.
        func isTitle(_ path: String, isGood: Bool = false) -> Bool {
            let texts = records.compactMap { text(path, $0) }
            guard texts.allSatisfy({ $0.utf8.count <= 300 && !$0.contains("://") }) else { return false }
            guard isGood else { return texts.count == records.count }
            return Set(texts).count * 2 > texts.count && texts.count { !$0.isBlank } * 10 >= records.count * 9
        }
        // Then a name such as "scientific_name", and a short one last. Without a better title, it is the text that is
        // the id.
        let long = names.filter { $0.0.contains(/_(name|title)$/) && !$0.0.contains(/(^|_)(short|abbr)/) }
        let short = names.filter { $0.0.contains(/(^|_)(short|abbr).*_(name|title)$/) }
        let others = (long + names.filter { $0.0 == "email" } + short).map(\.1)
        title =
            (paths + others).first { isTitle($0, isGood: true) }
            ?? (paths + [list.id]).first { isTitle($0) }
        hasHTMLTitle = records.contains { [title] record in
            title.flatMap { text($0, record) }?.contains(/&#?[a-zA-Z0-9]+;/) == true
        }
        // A list and a record cannot have the same template.
        let singular = list.kind.singularised
        let isUsed = lists.contains { other in
            [other.kind, other.kind.pluralised].contains(singular)
                || other.kind != list.kind && other.kind.singularised == singular
        }
        let isShared = CatalogueDeclaration.ownPages.union(["home", "list", "record"]).contains(singular)
        template = isUsed || isShared || !PortableName.accepts(singular) ? nil : singular
        let picture = Self.media(records, id, Self.pictureEndings, named: Self.pictureNames)
        hasPictures = picture != nil
        hosts = (picture?.hosts ?? []).filter { !api.contains("://\($0)") }
        if let picture { fields.append(("picture", [("type", .text("image")), ("path", .text(picture.path))])) }
        let file = list.file.map { ($0, Self.fieldName(String($0.split(separator: ".").last ?? ""))) }
        if let (path, name) = file, name != "picture", Self.isFieldName(name) {
            fields.append((name, [("type", .text("file"))] + (path == name ? [] : [("path", .text(path))])))
        }
        var selfLink: String?
        let folders = Dictionary(lists.map { ($0.folder, $0.kind) }) { first, _ in first }
        // The values of such records are in a member, and all have the same type, such as "Feature".
        let types = Set(records.map { $0["type"]?.text ?? "" })
        if members.contains(where: { $0.path != $0.name }), types.count == 1, !types.contains("") {
            fields.append(("type", [("type", .text("hidden"))]))
        }
        var times: [String: [String]] = [:]
        // Lists have a filter for a reference to one of a few records.
        var choices: [(name: String, keys: DeclarationKeys)] = []
        var facets: [(name: String, keys: DeclarationKeys, rank: Int, values: Int)] = []
        for (member, outer) in members where APISurvey.isPathName(member) {
            let name = Self.fieldName(member)
            // Crossref has its dates in objects.
            let hasParts = records.contains { $0.value(outer)?["date-parts"] != nil }
            let path = hasParts ? "\(outer).date-parts" : outer
            let known = fields.map(\.name) + facets.map(\.name)
            guard Self.isFieldName(name), !known.contains(name),
                ![id, title].contains(path), fields.count < 40
            else { continue }
            let values = records.compactMap { $0.value(path)?.pruned { _, _ in false } }
            let place: DeclarationKeys = path == name ? [] : [("path", .text(path))]
            if Self.isOwnAddress(records, member, id) {
                // An address elsewhere is that of a page for people.
                let link = records[0][member]?.text ?? ""
                let isHere = link.hasPrefix("/") || APISurvey.secure(link, like: api).hasPrefix("\(api)/")
                selfLink = selfLink ?? (isHere ? member : nil)
            } else if Self.repeatsID(name, of: list), zip(records, ids).allSatisfy({ $0.value(path)?.scalar == $1 }) {
                // A second member with the id, which is no reference.
                fields.append((name, [("type", .text("hidden"))] + place))
            } else if let (keys, path, plain) = Self.reference(name, at: path, values, folders, lists, api) {
                // The field "artist" of the member "artist_id".
                let isFree = !known.contains(plain) && !Self.isReserved(plain) && !members.contains { $0.name == plain }
                let own = isFree ? plain : name
                let place: DeclarationKeys = path == own ? [] : [("path", .text(path))]
                let label: DeclarationKeys = isFree || plain == name ? [] : [("label", .text(plain.label))]
                fields.append((own, keys + place + label))
                if keys[0].value == .text("reference") {
                    facts.append(own)
                    let choice = "\(own)_name"
                    let target = lists.first { .text($0.kind) == keys[1].value }
                    if let target, target.isComplete, (2...20).contains(target.ids.count), target.kind != list.kind,
                        records.count >= 8, Self.isFieldName(choice), !names.contains(where: { $0.0 == choice })
                    {
                        let text = label.first?.value ?? .text(own.label)
                        let from: DeclarationKeys = [("type", .text("enum")), ("from", .text(own))]
                        choices.append((choice, from + [("facet", .flag(true)), ("label", text)]))
                    }
                }
            } else if let keys = Self.markup(path, values) {
                fields.append((name, keys))
            } else if Self.isReserved(name), !CatalogueDeclaration.reserved.contains(name) {
                // A list of values cannot have a name that Windows reserves.
                continue
            } else if name.wholeMatch(of: /.*_ids?/) == nil,
                let facet = Self.facet(values.map { $0["name"] ?? $0 }, of: records.count)
            {
                // An object such as {"id": 2, "name": "Ada"}, whose record is in no list, has a name.
                let place = values[0]["name"] == nil ? place : [("path", .text("\(path).name"))]
                let keys = [("type", .text(facet.type))] + place + [("facet", .flag(true))]
                facets.append((name, keys, facet.rank, facet.type == "enum" ? facet.values : 0))
            } else if let (type, keys) = Self.time(name, values) {
                fields.append((name, [("type", .text(type))] + place + keys))
                let isCopy = Self.repeats(name, names.map(\.0))
                if values.count * 2 > records.count, !isCopy { times[type, default: []].append(name) }
            } else if let keys = Self.unit(name, values) {
                fields.append((name, [("type", .text("number"))] + place + keys))
            }
        }
        // With equal ranks the name decides, because some APIs change the order of members.
        let best = facets.map { ($0, Self.facetNames.firstIndex(of: $0.name) ?? .max) }
            .sorted { (-$0.0.rank, $0.1, $0.0.name) < (-$1.0.rank, $1.1, $1.0.name) }
            .prefix(Self.maximumFacets).map(\.0)
        for facet in best { fields.append((facet.name, facet.keys)) }
        fields += choices.prefix(Self.maximumFacets - best.count)
        facts += best.map(\.name) + (times["date"] ?? [])
        card = Array(best.filter { $0.values > 1 }.prefix(2).map(\.name))
        if card.count < 2, let day = times["date"]?.first { card.append(day) }
        // Records without a title differ in numbers and times more than in values that many of them share.
        let most = title == nil ? 5 : 4
        columns = Array(facts.prefix(title == nil ? 3 : 4))
        // A moment, such as the time of the last change, is a column, but no fact. Moments are the last columns.
        let moments = times["datetime"] ?? []
        let room = hasPictures ? 0 : moments.isEmpty ? most : most - 1
        let isTaken = Set(fields.map(\.name) + [id, title ?? ""])
        // Names say more than codes.
        let ordered = members.filter { $0.name.hasSuffix("_name") } + members.filter { !$0.name.hasSuffix("_name") }
        for (member, path) in ordered where columns.count < room && member == path {
            let name = Self.fieldName(member)
            guard !isTaken.contains(name), !columns.contains(name),
                let type = Self.columnType(name, records.compactMap { $0[member] }, of: records.count),
                type.isEmpty || !Self.namesRecord(name, lists), !Self.repeats(name, columns)
            else { continue }
            let place: DeclarationKeys = name == member ? [] : [("path", .text(member))]
            let label: DeclarationKeys =
                type == "duration" ? [("label", .text(NumberUnit(name)?.name.label ?? name.label))] : []
            fields.append((name, (type.isEmpty ? [] : [("type", .text(type))]) + place + label))
            columns.append(name)
        }
        columns = Array((columns + moments).prefix(most))
        let isReference = Set(fields.filter { $0.keys.first?.value == .text("reference") }.map(\.name))
        if title == nil { row = Array(columns.filter { !isReference.contains($0) }.suffix(3)) }
        if title == nil, card.isEmpty { card = Array(facts.prefix(1)) }
        charts = best.filter { $0.values > 2 }.prefix(Self.maximumCharts).map(\.name)
        self.selfLink = selfLink
    }

    /// The members of records with their paths. Records of GeoJSON and JSON:API have their values in a member.
    static func members(of records: [JSON]) -> [(name: String, path: String)] {
        func members(_ json: JSON?) -> [String] { (json?.members ?? []).prefix(maximumMembers).map(\.key) }
        let inner = ["properties", "attributes"].first { records.first?[$0]?.members != nil }
        let within = inner.map { inner in members(records[0][inner]).map { ($0, "\(inner).\($0)") } }
        return members(records.first).map { ($0, $0) } + (within ?? [])
    }

    static func isFieldName(_ name: String) -> Bool { name.wholeMatch(of: /[a-z][a-z0-9_]{0,39}/) != nil }

    /// A name that a field of a declaration can have: "gallery_id" for "galleryID".
    static func fieldName(_ member: String) -> String {
        member.replacing("-", with: "_").replacing(/([a-z0-9])([A-Z])/) { "\($0.1)_\($0.2)" }.lowercased()
    }

    /// The path of the addresses of files in many records; nil if there is none.
    static func file(_ records: [JSON], _ id: String) -> String? { media(records, id, fileEndings, named: [])?.path }

    /// The path of a picture or file that many records have, with its hosts. A record's own address is neither.
    /// - Parameter names: words in the names of members, the best first. A name with the last word has its rank.
    private static func media(_ records: [JSON], _ id: String, _ endings: [String], named names: [String])
        -> (path: String, hosts: Set<String>)?
    {
        var found: [String: (count: Int, rank: Int, hosts: Set<String>)] = [:]
        func search(_ value: JSON, _ path: [String], isPicture: Bool = false) {
            guard path.count <= 4 else { return }
            if let text = value.text {
                let end = text.prefix { $0 != "?" }.lowercased()
                guard text.hasPrefix("http") ? WebAddress.isValid(text) : text.contains(/^\/[^\/]/),
                    isPicture || endings.contains(where: end.hasSuffix)
                else { return }
                let host = text.hasPrefix("/") ? [] : text.split(separator: "/").dropFirst().prefix(1).map(String.init)
                let ranks = names.indices.filter { index in path.contains { $0.lowercased().contains(names[index]) } }
                let rank = ranks.last == names.count - 1 ? ranks.last : ranks.first
                let known = found[path.joined(separator: ".")] ?? (0, rank ?? names.count - 1, [])
                found[path.joined(separator: ".")] = (known.count + 1, known.rank, known.hosts.union(host))
            }
            let type = ["content-type", "content_type", "contentType", "mime_type", "mimeType"].lazy
                .compactMap { value[$0]?.text }.first
            let isPicture = !path.isEmpty && endings == pictureEndings && type?.hasPrefix("image/") == true
            for (name, inner) in value.members ?? []
            where APISurvey.isPathName(name) && !(path.isEmpty && [id, "@id"].contains(name)) {
                search(inner, path + [name], isPicture: isPicture)
            }
        }
        for record in records { search(record, []) }
        // Among equally good names the shortest path is the usual picture.
        let usable = found.filter { $1.count * 3 >= records.count && !isOwnAddress(records, $0, id) }
        return usable.min { ($0.value.rank, $0.key.count, $0.key) < ($1.value.rank, $1.key.count, $1.key) }
            .map { ($0, $1.hosts) }
    }

    /// Whether a member has addresses that end with the ids of their records.
    private static func isOwnAddress(_ records: [JSON], _ member: String, _ id: String) -> Bool {
        records.allSatisfy { record in
            guard let link = record[member]?.text, let id = record[id]?.scalar else { return false }
            return (link.contains("://") || link.hasPrefix("/")) && link.split(separator: "/").last == id[...]
        }
    }
}
