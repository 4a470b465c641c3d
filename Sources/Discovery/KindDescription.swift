package import Catalogue
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
    var selfLink: String?
    /// The template of a record's page, with a name in the singular; nil for the default.
    let template: String?
    package internal(set) var fields: [(name: String, keys: JSON)] = []
    /// The fields with a short value, in their order.
    var facts: [String] = []
    var columns: [String] = []
    /// The fields that are shown with a record on the pages of others, if it has no title.
    var row: [String] = []
    /// The fields of cards, which show their values without names.
    var card: [String] = []
    /// The fields with a chart: those with a few values.
    var charts: [String] = []
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
    /// A thumbnail is taken only if there is no larger picture.
    private static let pictureNames = [
        "image", "picture", "photo", "avatar", "poster", "cover", "artwork", "sprite", "logo", "icon", "flag",
        "original", "download", "large", "thumb",
    ]
    /// The number of members of a record, and of each object in it, that are searched.
    static let maximumMembers = 200
    /// The maximum length of their names in bytes. The time of some searches in a name is quadratic.
    private static let maximumNameLength = 100
    private static let pictureEndings = [".png", ".jpg", ".jpeg", ".gif", ".webp"]
    private static let fileEndings = [
        ".pdf", ".mp3", ".m4a", ".ogg", ".flac", ".wav", ".mp4", ".webm", ".zip", ".gz", ".7z", ".tar", ".epub", ".odt",
        ".ods", ".odp", ".docx", ".xlsx", ".pptx",
    ]

    init(of list: ListDescription, among lists: [ListDescription], api: String) {
        let records = list.sample
        (name, id) = (list.kind, list.id)
        hasTextIDs = list.ids.contains { Int64($0).map { $0 < 1 || $0 >= 1 << 53 } ?? true }
        let members = Self.members(of: records)
        title = Self.title(of: list, members)
        hasHTMLTitle = records.contains { [title] record in
            title.flatMap { Self.text($0, record) }?.contains(/&#?[a-zA-Z0-9]+;/) == true
        }
        template = Self.template(of: list, among: lists)
        let picture = Self.media(records, id, Self.pictureEndings, named: Self.pictureNames)
        hasPictures = picture != nil
        hosts = (picture?.hosts ?? []).filter { !api.contains("://\($0)") }
        if let picture { add("picture", "image", at: picture.path) }
        let file = list.file.map { ($0, Self.fieldName(String($0.split(separator: ".").last ?? ""))) }
        if let (path, name) = file, name != "picture", name.isFieldName { add(name, "file", at: path) }
        // The values of such records are in a member, and all have the same type, such as "Feature".
        let types = Set(records.map { $0["type"]?.text ?? "" })
        if members.contains(where: { $0.path != $0.name }), types.count == 1, !types.contains("") {
            add("type", "hidden", at: "type")
        }
        let candidates = addFields(of: list, members, among: lists, api)
        chooseFacets(candidates)
        chooseColumns(candidates, of: list, members, among: lists)
    }

    /// Adds a field. Its path is left out if it is the name.
    mutating func add(_ name: String, _ type: String?, at path: String, _ keys: JSON = [:]) {
        let own: JSON = ["type": type.map { .text($0) }, "path": path == name ? nil : .text(path)]
        fields.append((name, .object((own.members ?? []) + (keys.members ?? []))))
    }

    private static func text(_ path: String, _ record: JSON) -> String? {
        record.value(path)?.text ?? record.values(at: FieldPath(path)).first?.text
    }

    /// The path of the titles; nil if no member has good ones.
    private static func title(of list: ListDescription, _ members: [Member]) -> String? {
        let names = members.map { (fieldName($0.name), $0.path) }
        let paths = titleNames.flatMap { name in
            let own = name == "KIND" ? list.singular : name
            let found = names.filter { $0.0 == own }.map(\.1)
            // A title can be in an array, or be one of several names in an object.
            let inner = ["name", "title"].contains(name) ? ["[0]", ".rendered", ".common", ".en"] : []
            return found + found.flatMap { path in inner.map { path + $0 } }
        }
        /// Whether a path has short texts. They are no good titles if many are the same, missing or blank.
        func isTitle(_ path: String, isGood: Bool = false) -> Bool {
            let texts = list.sample.compactMap { text(path, $0) }
            guard texts.allSatisfy({ $0.utf8.count <= 300 && !$0.contains("://") }) else { return false }
            guard isGood else { return texts.count == list.sample.count }
            return Set(texts).count * 2 > texts.count && texts.count { !$0.isBlank } * 10 >= list.sample.count * 9
        }
        // Then a name such as "scientific_name", a short one last. Without a better title, it is an id that is a text.
        let long = names.filter { $0.0.contains(/_(name|title)$/) && !$0.0.contains(/(^|_)(short|abbr)/) }
        let short = names.filter { $0.0.contains(/(^|_)(short|abbr).*_(name|title)$/) }
        let others = (long + names.filter { $0.0 == "email" } + short).map(\.1)
        return (paths + others).first { isTitle($0, isGood: true) } ?? (paths + [list.id]).first { isTitle($0) }
    }

    private static func template(of list: ListDescription, among lists: [ListDescription]) -> String? {
        // A list and a record cannot have the same template.
        let singular = list.kind.singularised
        let isUsed = lists.contains { other in
            [other.kind, other.kind.pluralised].contains(singular)
                || other.kind != list.kind && other.kind.singularised == singular
        }
        let isShared = CatalogueDeclaration.ownPages.union(["home", "list", "record"]).contains(singular)
        return isUsed || isShared || !PortableName.accepts(singular) ? nil : singular
    }

    typealias Member = (name: String, path: String)

    /// The members of records with their paths. Records of GeoJSON and JSON:API have their values in a member.
    static func members(of records: [JSON]) -> [Member] {
        func members(_ json: JSON?) -> [String] {
            (json?.members ?? []).prefix(maximumMembers).map(\.key)
                .filter { $0.utf8.count <= maximumNameLength && $0.isPathName }
        }
        let inner = ["properties", "attributes"].first { records.first?[$0]?.members != nil }
        let within = inner.map { inner in members(records[0][inner]).map { ($0, "\(inner).\($0)") } }
        return members(records.first).map { ($0, $0) } + (within ?? [])
    }

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
            for (name, inner) in (value.members ?? []).prefix(maximumMembers)
            where name.isPathName && !(path.isEmpty && [id, "@id"].contains(name)) {
                search(inner, path + [name], isPicture: isPicture)
            }
        }
        for record in records { search(record, []) }
        // Among equally good names the shortest path is the usual picture. A path with a dot is not that of a member.
        let usable = found.filter { path, uses in
            uses.count * 3 >= records.count && (path.contains(".") || !isOwnAddress(records, path, id))
        }
        return usable.min { ($0.value.rank, $0.key.count, $0.key) < ($1.value.rank, $1.key.count, $1.key) }
            .map { ($0, $1.hosts) }
    }

    /// Whether a member has addresses that end with the ids of their records.
    static func isOwnAddress(_ records: [JSON], _ member: String, _ id: String) -> Bool {
        records.allSatisfy { record in
            guard let link = record[member]?.text, let id = record[id]?.scalar else { return false }
            return (link.contains("://") || link.hasPrefix("/")) && link.split(separator: "/").last == id[...]
        }
    }
}

/// The choice of the member with the ids of records.
extension KindDescription {
    static let idNames = ["id", "ID", "Id", "_id", "uuid", "guid", "slug", "key", "code", "url"]

    /// The path of the member with the id of each record; nil if there is none.
    /// - Parameters:
    ///   - list: the name of the list: "exhibitions" can have "exhibitionID" or "exhibitionid".
    ///   - names: the names of the members of an object with the records. A member with the same values is the best id.
    ///   - parameter: the name of the parameter of a record's address, as an OpenAPI document has it.
    ///   - word: the last word of an address below that of the list; nil for other texts.
    /// - Returns: also a member such as "uid", if the id is another text, which may be a short name.
    static func id(
        of records: [JSON], named list: String, _ names: Set<String> = [], parameter: String? = nil,
        _ word: (String) -> String? = { _ in nil }
    ) -> (path: String, other: String?)? {
        let members = members(of: records).filter { member in
            let values = records.compactMap { $0.value(member.path)?.scalar }.map(JSONFields.id)
            return values.count == records.count && Set(values).count == values.count
        }
        func path(_ isID: (Member) -> Bool) -> String? { members.first(where: isID)?.path }
        let singular = fieldName(list).singularised
        let own = ["\(singular)_id", "\(singular)id"]
        let other = path { ["uid", "uuid", "guid"].contains($0.name.lowercased()) }
        let words = members.map { member in records.map { $0.value(member.path)?.text.flatMap(word) } }
            .first { !$0.contains(nil) }
        let addressed = path { member in records.map { $0.value(member.path)?.scalar } == words }
        let named = path { member in records.allSatisfy { $0.value(member.path)?.scalar.map(names.contains) ?? false } }
        /// Codes are better ids than other texts, and these are better than numbers and times, which can change.
        func rank(_ member: Member) -> Int {
            if fieldName(member.name).contains(/(^|_)(id|key|code|no|nr|num|number|index)$/) { return 0 }
            let texts = records.compactMap { $0.value(member.path)?.text }
            let isText = texts.count == records.count && !texts.contains { $0.contains(/^\d{4}-\d\d|:\/\//) }
            return isText ? (texts.contains { $0.contains(" ") } ? 1 : 0) : 2
        }
        let documented = path { fieldName($0.name) == parameter.map(fieldName) }
        let known = addressed ?? named ?? documented ?? idNames.first { name in members.contains { $0.path == name } }
        let id =
            known ?? path { own.contains(fieldName($0.name)) } ?? other
            ?? members.filter { records.count > 1 || rank($0) == 0 }.min { rank($0) < rank($1) }?.path
        return id.map { ($0, $0 != other && records[0].value($0)?.text.flatMap(Int.init) == nil ? other : nil) }
    }
}
