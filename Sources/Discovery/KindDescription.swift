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
    let fields: [(name: String, keys: DeclarationKeys)]
    /// The fields with a short value, in their order.
    let facts: [String]
    package let hasPictures: Bool
    package var fieldNames: [String] { fields.map(\.name) }
    /// The hosts of its pictures, unless they are on the host of the API.
    let hosts: [String]
    let doubts: [String]

    static func isReserved(_ name: String) -> Bool {
        CatalogueDeclaration.isReserved(name) || CatalogueDeclaration.isReserved(name.replacing("-", with: "_"))
            || name.hasPrefix("sqlite") || !PortableName.accepts(name) || ["page", "index", "home"].contains(name)
    }

    private static let idNames = ["id", "ID", "Id", "_id", "uuid", "guid", "slug", "key", "code", "url"]
    private static let titleNames = [
        "name", "title", "title.rendered", "label", "full_name", "fullName", "display_name", "displayName", "headline",
        "subject", "username", "login", "question", "attributes.name", "attributes.title", "properties.name",
        "properties.title", "slug", "author_name", "email",
    ]
    private static let pictureNames = [
        "image", "picture", "photo", "avatar", "thumbnail", "poster", "cover", "artwork", "sprite", "logo", "icon",
        "flag",
    ]
    /// The number of members of a record that are searched.
    private static let maximumMembers = 200
    private static let pictureEndings = [".png", ".jpg", ".jpeg", ".gif", ".webp"]

    init(of list: ListDescription, among lists: [ListDescription], api: String) {
        let records = list.sample
        name = list.kind
        func isID(_ name: String, of records: [JSON]) -> Bool {
            let values = records.compactMap { $0[name]?.scalar }
            return values.count == records.count && Set(values).count == values.count
        }
        let members = (records.first?.members ?? []).prefix(Self.maximumMembers).map(\.key)
        let id =
            Self.idNames.first { isID($0, of: records) }
            ?? members.first { APISurvey.isPathName($0) && isID($0, of: records.count > 1 ? records : []) } ?? "id"
        self.id = id
        let ids = records.compactMap { $0[id]?.scalar }
        doubts = records.contains { $0[id] != nil } ? [] : ["\(list.name): no id was found in its records"]
        // Two details are too few to know that all ids are numbers, but a text is certain.
        hasTextIDs = ids.contains { Int64($0).map { $0 < 1 || $0 >= 1 << 53 } ?? true }
        title = Self.titleNames.first { path in
            let texts = records.compactMap { $0.value(path)?.text }
            return texts.count == records.count && texts.allSatisfy { $0.utf8.count <= 300 && !$0.contains("://") }
        }
        let titles = records.compactMap { [title] in title.flatMap($0.value)?.text }
        hasHTMLTitle = titles.contains { $0.contains(/&#?[a-zA-Z0-9]+;/) }
        let picture = Self.picture(records)
        hasPictures = picture != nil
        hosts = [picture?.host].compactMap { $0.flatMap { api.contains("://\($0)") ? nil : $0 } }
        var fields: [(name: String, keys: DeclarationKeys)] = []
        if let picture { fields.append(("picture", [("type", .text("image")), ("path", .text(picture.path))])) }
        var facts: [String] = []
        var selfLink: String?
        let folders = Dictionary(lists.map { ($0.folder, $0.kind) }) { first, _ in first }
        // Records of GeoJSON and JSON:API have their values in a member.
        let inner = ["properties", "attributes"].first { records.first?[$0]?.members != nil }
        let innerPaths = inner.map { inner in
            (records[0][inner]?.members ?? []).prefix(Self.maximumMembers).map { ($0.key, "\(inner).\($0.key)") }
        }
        for (member, path) in members.map({ ($0, $0) }) + (innerPaths ?? []) {
            let known = fields.map(\.name) + [id, title ?? ""]
            guard Self.isFieldName(member), APISurvey.isPathName(member), !known.contains(member), path != title,
                fields.count < 40
            else { continue }
            let values = records.compactMap { $0.value(path) }
            let place: DeclarationKeys = path == member ? [] : [("path", .text(path))]
            if Self.isOwnAddress(records, member, id) {
                selfLink = selfLink ?? member
            } else if let (keys, isFact) = Self.reference(member, at: path, values, folders, lists, api) {
                fields.append((member, keys))
                if isFact { facts.append(member) }
            } else if let keys = Self.markup(path, values) {
                fields.append((member, keys))
            } else if !Self.isReserved(member), Self.isEnum(values, of: records.count) {
                // A list of values cannot have a name that the site or SQL uses.
                fields.append((member, [("type", .text("enum"))] + place + [("facet", .flag(true))]))
                facts.append(member)
            }
        }
        self.fields = fields
        self.facts = facts
        self.selfLink = selfLink
    }

    /// Whether a field of a declaration can have the name.
    private static func isFieldName(_ name: String) -> Bool { name.wholeMatch(of: /[a-z][a-z0-9_]{0,39}/) != nil }

    /// The path of a picture that many records have, with its host.
    private static func picture(_ records: [JSON]) -> (path: String, host: String?)? {
        var found: [(path: String, rank: Int, count: Int, host: String?)] = []
        func search(_ value: JSON, _ path: [String]) {
            guard path.count <= 4 else { return }
            if let text = value.text {
                let end = text.prefix { $0 != "?" }.lowercased()
                guard text.hasPrefix("http"), WebAddress.isValid(text), !text.contains("@"),
                    pictureEndings.contains(where: end.hasSuffix)
                else { return }
                let joined = path.joined(separator: ".")
                if let index = found.firstIndex(where: { $0.path == joined }) {
                    found[index].count += 1
                } else {
                    let rank = pictureNames.firstIndex { name in path.contains { $0.lowercased().contains(name) } }
                    let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
                    found.append((joined, rank ?? pictureNames.count, 1, parts.count > 2 ? String(parts[2]) : nil))
                }
            }
            for (name, inner) in value.members ?? [] where APISurvey.isPathName(name) { search(inner, path + [name]) }
        }
        for record in records { search(record, []) }
        // Among equally good names the shortest path is the usual picture.
        let usable = found.filter { $0.count * 3 >= records.count }
        return usable.min { ($0.rank, $0.path.count, $0.path) < ($1.rank, $1.path.count, $1.path) }
            .map { ($0.path, $0.host) }
    }

    /// Whether a member has addresses that end with the ids of their records.
    private static func isOwnAddress(_ records: [JSON], _ member: String, _ id: String) -> Bool {
        records.allSatisfy { record in
            guard let link = record[member]?.text, link.contains("://"), let id = record[id]?.scalar else {
                return false
            }
            return link.split(separator: "/").last.map { $0 == id } ?? false
        }
    }

    /// A reference to records of a list: an address, an object with one, or an id in a member with the name of the list.
    private static func reference(
        _ member: String, at path: String, _ values: [JSON], _ folders: [String: String], _ lists: [ListDescription],
        _ api: String
    ) -> (keys: DeclarationKeys, isFact: Bool)? {
        let place: DeclarationKeys = path == member ? [] : [("path", .text(path))]
        func kind(_ address: String?) -> String? {
            guard let address else { return nil }
            let secure =
                api.hasPrefix("https:") ? address.replacing("http://", with: "https://", maxReplacements: 1) : address
            guard secure.utf8.starts(with: "\(api)/".utf8) else { return nil }
            let path = secure.dropFirst(api.count + 1).prefix { $0 != "?" }
            let plain = path.last == "/" ? path.dropLast() : path
            guard let slash = plain.lastIndex(of: "/") else { return nil }
            return folders[String(plain[..<slash])]
        }
        /// The keys of a reference if all addresses lead to one list.
        func keys(_ type: String, _ addresses: [String], path: String? = nil) -> DeclarationKeys? {
            guard let target = kind(addresses.first), addresses.allSatisfy({ kind($0) == target }) else { return nil }
            return [("type", .text(type)), ("to", .text(target))] + (path.map { [("path", .text($0))] } ?? place)
        }
        let texts = values.compactMap(\.text).filter { !$0.isEmpty }
        if let keys = keys("reference", texts) { return (keys, true) }
        for name in ["url", "href"] {
            let inner = values.compactMap { $0[name]?.text }.filter { !$0.isEmpty }
            if let keys = keys("reference", inner, path: "\(path).\(name)") { return (keys, true) }
        }
        let elements = values.flatMap { $0.elements ?? [] }
        let addresses = elements.compactMap(\.text)
        if addresses.count == elements.count, let keys = keys("references", addresses) { return (keys, false) }
        // Ids are only references if the name of the member is that of a list.
        let plain = member.hasSuffix("_id") ? String(member.dropLast(3)) : member
        guard let list = lists.first(where: { [plain, "\(plain)s", "\(plain)es"].contains($0.kind) }) else {
            return nil
        }
        let one: DeclarationKeys = [("type", .text("reference")), ("to", .text(list.kind))] + place
        let ids = values.compactMap(\.integer)
        if ids.count == values.count, ids.contains(where: { $0 > 0 }) {
            return (one + (ids.contains(0) ? [("none", .list([.integer(0)]))] : []), true)
        }
        let listed = Set(list.sample.flatMap { $0.members ?? [] }.filter { $0.key != member }.compactMap(\.value.text))
        if texts.count == values.count, texts.contains(where: listed.contains) { return (one, true) }
        if !elements.isEmpty, elements.allSatisfy({ ($0.integer ?? 0) > 0 }) {
            return ([("type", .text("references")), ("to", .text(list.kind))] + place, false)
        }
        return nil
    }

    /// A text with HTML elements.
    private static func markup(_ path: String, _ values: [JSON]) -> DeclarationKeys? {
        for inner in ["", "rendered"] {
            let texts = values.compactMap { inner.isEmpty ? $0.text : $0[inner]?.text }.filter { !$0.isEmpty }
            let marked = texts.count { $0.contains("</") || $0.contains("<br") }
            guard !texts.isEmpty, marked * 3 >= texts.count else { continue }
            let place = inner.isEmpty ? path : "\(path).\(inner)"
            return [("type", .text("html"))] + (place.contains(".") ? [("path", .text(place))] : [])
        }
        return nil
    }

    /// Whether a member has one of a few short texts.
    private static func isEnum(_ values: [JSON], of count: Int) -> Bool {
        let texts = values.compactMap(\.text)
        let distinct = Set(texts)
        return count >= 8 && texts.count * 2 > count && (2...12).contains(distinct.count)
            && distinct.count * 3 <= texts.count && !distinct.contains { $0.contains(/^\d{4}-\d\d/) }
            && distinct.allSatisfy { $0.utf8.count <= 40 && !$0.contains("://") && !$0.contains(where: \.isNewline) }
            && values.allSatisfy { $0.text != nil || $0.scalar == nil && $0.elements == nil && $0.members == nil }
    }
}

extension ListDescription {
    /// The start of the addresses of its records, below the API's address.
    fileprivate var folder: String {
        let path = path.prefix { $0 != "?" }
        return String(path.last == "/" ? path.dropLast() : path)
    }
}
