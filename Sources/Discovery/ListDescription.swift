package import Catalogue
import CatalogueEngine
import HTTP
import Platform

/// A list of an API, as its first pages show it.
package struct ListDescription: Sendable {
    package let name: String
    /// The kind of its records, a name that a declaration can have.
    package internal(set) var kind = ""
    /// The path below the API's address, with its own query.
    var path: String
    /// The place of the records; empty for the whole answer.
    let records: String
    var count: String?
    var pages: String?
    package internal(set) var claimed: Int?
    var paginator: JSON = [:]
    /// Whether only an OpenAPI document names the list.
    package let isDocumented: Bool
    /// The member of a row with the address of its record; nil if pages have records.
    package internal(set) var detail: String?
    /// The place of the addresses of files on the API's host; nil if there are none.
    var file: String?
    /// The place of the record in the answer there; nil for the whole answer.
    var record: String?
    /// The first records.
    package internal(set) var sample: [JSON]
    /// The member with the id of a record, and the ids of the first records.
    package internal(set) var id = ""
    var ids: Set<String> = []
    package var paginatorType: String { paginator["type"]?.text ?? "" }
    package internal(set) var doubts: [String] = []
    /// The doubts about its paginator.
    var pageDoubts: [String] = []
    /// Whether the first page has all records, so that its paginator is a guess.
    package internal(set) var isOnePage = false
    /// Whether the API has an empty page 2, so that the list can get further pages.
    var hasEmptyPage = false
    /// Whether the API answers 404 after the last page.
    var endsWithout = false
    /// The names of the members of the object with the records; empty for an array.
    package internal(set) var memberNames: [String] = []
    /// Whether the ids are those of all its records.
    var isComplete: Bool { ids.count == claimed || claimed == nil && paginatorType == "single_page" }
    /// Whether ids are probably those of its records: most are in the list, one is at its start, or they look similar.
    func has(_ others: Set<String>) -> Bool {
        let known = others.intersection(ids).count
        if detail == nil, isComplete { return known * 2 >= others.count }
        let shapes = Set(ids.map(Self.shape))
        return known > 0 || others.allSatisfy { shapes.contains(Self.shape($0)) }
    }

    /// Whether objects have the ids of its records with their names: {"id": 2, "name": "Bug"}.
    func isNamed(by objects: [JSON]) -> Bool {
        let own = Set(sample.map { [$0.value(id)?.scalar, $0["name"]?.text] })
        let (known, others) = (Set(own.map { $0[0] }), Set(objects.map { [$0["id"]?.scalar, $0["name"]?.text] }))
        return !own.isDisjoint(with: others) && has(Set(others.compactMap { $0[0] }))
            && others.allSatisfy { $0[1] != nil && (own.contains($0) || !known.contains($0[0])) }
    }

    /// "a-0" for "obs-094". The length of a long id, such as a UUID.
    private static func shape(_ id: String) -> String {
        id.utf8.count > 20 ? "\(id.utf8.count)" : id.replacing(/\d+/, with: "0").replacing(/[\p{L}]+/, with: "a")
    }

    /// The start of the addresses of its records, below the API's address.
    var folder: String {
        let path = path.prefix { $0 != "?" }
        return String(path.last == "/" ? path.dropLast() : path)
    }

    /// The name of a record of the list in the names of members: "work" in "work_id".
    var singular: String { kind.replacing("-", with: "_").singularised }

    /// Lists with the same form have the same paginator. The query is left out, because it can have the size of a page.
    var form: [String] {
        let own = path.prefix { $0 != "?" }
        return [String(own.hasPrefix(name) ? own.dropFirst(name.count) : own)]
            + [records.split(separator: ".").dropLast().joined(separator: ".")]
            + [count ?? "", pages ?? "", detail ?? "", record ?? ""]
    }
}

extension APISurvey {
    static let recordNames = [
        "results", "data", "items", "records", "value", "values", "rows", "content", "objects", "entries", "hits",
        "list",
    ]
    /// The maximum number of records that are read for the fields of a kind.
    static let sampleSize = 100

    /// - Parameter lists: other lists. A list with their records is not described again.
    func list(_ name: String, _ url: String, besides lists: [ListDescription]) async -> ListDescription? {
        // A name or an address with a brace would be a placeholder in the declaration.
        guard name.replacing(".", with: "").isPathName, url.utf8.starts(with: "\(api)/".utf8),
            !url.utf8.contains("{"), DeclaredCatalogue.isPlain(String(url.dropFirst(api.count + 1)))
        else { return report(url, "is not below the API, or has a character that a catalogue cannot have") }
        let isDocumented = documented.contains(url)
        var url = url
        var answer = await get(url)
        // Some servers have lists only at addresses that end with a slash, and Redmine with ".json".
        let problem = problems.last?.value ?? ""
        let isOtherFormat = problem == Self.webPage || problem.hasPrefix("answered status 406")
        let end = isOtherFormat ? ".json" : problem == Self.missing ? "/" : ""
        let (own, query) = (Self.withoutQuery(url), url.drop { $0 != "?" })
        if answer == nil, !end.isEmpty, end != "/" || query.isEmpty, !own.hasSuffix("/"), Self.folder(of: own) == own,
            let other = await get("\(own)\(end)\(query)", isOptional: true)
        {
            (url, answer) = (other.url, other)
            problems.removeLast()
        }
        guard let first = answer else { return nil }
        if let arrays = first.json.members?.first(where: { $0.value.elements?.first?.elements != nil })?.key {
            return report(
                url,
                "has \"\(arrays)\", whose rows are arrays; records have to be objects, and many APIs have a parameter "
                    + "for that, such as ?_shape=objects of Datasette")
        }
        guard let (records, sample) = Self.records(of: first.json, named: name) else {
            let ids = first.json.members?.first { $0.value.elements?.first?.scalar != nil }?.key
            guard let ids, !isDocumented else { return nil }
            return report(url, "has no records, but a list of texts or numbers in \"\(ids)\"")
        }
        // A file such as "api.php" is no name, and a query can name the member: "list=allpages" of "query.allpages".
        let member = String(records.split(separator: ".").last ?? "")
        let isNamed = name.contains(".") || Self.query(of: url).values.contains(member)
        let name = member.isEmpty || !isNamed || Self.recordNames.contains(member) ? name : member
        let path = String(url.dropFirst(api.count + 1))
        let count = Self.count(of: first, besides: records, atLeast: sample.count)
        let begin = Self.spread(sample)
        if lists.contains(where: { $0.claimed == count?.number && $0.sample.starts(with: begin) }) {
            repeated.append(name)
            return nil
        }
        var list = ListDescription(
            name: name, path: path, records: records, count: count?.path,
            pages: count.flatMap { Self.pages(of: first, besides: records, count: $0.number, size: sample.count) },
            claimed: count?.number, isDocumented: isDocumented, sample: begin)
        list.isOnePage = count?.number == sample.count
        list.paginator = await paginator(of: &list, first)
        await addDetail(to: &list)
        list.memberNames = (records.isEmpty ? first.json : first.json.value(records))?.members?.map(\.key) ?? []
        let others = list.memberNames.first.map { "the names of the members, such as \"\($0)\", are no values" } ?? ""
        let folder = list.folder
        /// The last word of the address of a record.
        func word(_ link: String) -> String? {
            let parts = absolute(link)?.dropFirst(api.count + 1).split(separator: "/") ?? []
            return parts.dropLast().joined(separator: "/") == folder ? parts.last.map(String.init) : nil
        }
        let names = Set(list.memberNames)
        guard
            let (id, other) = KindDescription.id(of: list.sample, named: name, names, parameter: parameters[url], word)
        else { return report(url, "has records without an id\(others.isEmpty ? "" : "; \(others) of the records")") }
        if let other {
            list.doubts.append("\(name): the id of a record is \(id), but \(other) also differs between records")
        }
        if !others.isEmpty, !list.sample.allSatisfy({ $0.value(id)?.scalar.map(names.contains) ?? false }) {
            list.doubts.append("\(name): \(others) of the records, so the id of a record is \(id)")
        }
        if list.sample.count == 1, !KindDescription.idNames.contains(where: id.hasSuffix) {
            list.doubts.append("\(name): the id of a record is \(id), a guess from one record")
        }
        list.id = id
        // The addresses of rows show more ids than a few records.
        let ids = Set(((list.detail == nil ? sample : []) + list.sample).compactMap { $0.value(id)?.scalar })
        if !ids.isSubset(of: list.ids) { list.ids = ids }
        if let path = KindDescription.file(list.sample, id),
            let url = list.sample.lazy.compactMap({ $0.value(path)?.text }).first.map(onHost),
            WebURL(url)?.origin == WebURL(api)?.origin, await !isMissing(url)
        {
            list.file = path
        }
        return list
    }

    /// At most `sampleSize` records at equal distances, because neighbouring records are often similar.
    static func spread(_ records: [JSON]) -> [JSON] {
        let count = min(records.count, sampleSize)
        return (0..<count).map { records[$0 * records.count / count] }
    }

    /// The place of the records: the array of objects with the best name, or an object whose members are all records.
    static func records(of json: JSON, named list: String) -> (path: String, records: [JSON])? {
        func objects(_ value: JSON) -> [JSON]? {
            let elements = value.elements ?? []
            // Links are no records (RFC 8288).
            let isOfLinks = elements.allSatisfy { $0["rel"] != nil && ($0["href"] ?? $0["uri"]) != nil }
            return !isOfLinks && elements.allSatisfy { $0.members != nil } ? elements : nil
        }
        if let found = objects(json) { return ("", found) }
        guard let members = json.members else { return nil }
        var found: [(path: String, rank: Int, records: [JSON])] = []
        func add(_ path: String, _ name: String, _ value: JSON) {
            guard name.isPathName, !["errors", "warnings"].contains(name), let records = objects(value) else { return }
            let rank = name == list ? 0 : recordNames.firstIndex(of: name) ?? recordNames.count
            found.append((path, rank, records))
        }
        for (name, value) in members {
            add(name, name, value)
            for (inner, value) in value.members ?? [] where name.isPathName { add("\(name).\(inner)", inner, value) }
        }
        if let best = found.min(by: { ($0.rank, -$0.records.count) < ($1.rank, -$1.records.count) }) {
            return (best.path, best.records)
        }
        /// The members of an object, if they are records: objects that have at least two names in common.
        func records(in object: JSON, atLeast least: Int) -> [JSON]? {
            let values = object.members?.map(\.value) ?? []
            let names = values.map { Set($0.members?.map(\.key) ?? []) }
            let shared = names.dropFirst().reduce(names.first ?? []) { $0.intersection($1) }
            return values.count >= least && shared.count > 1 ? values : nil
        }
        if let records = records(in: json, atLeast: 2) { return ("", records) }
        return members.lazy.filter { $0.key.isPathName }
            .compactMap { name, value in records(in: value, atLeast: 5).map { (name, $0) } }.first
    }

    /// The numbers of an answer in fields of its header and in members with usual names.
    static func numbers(_ fields: [String], _ names: Set<String>, in answer: Answer, besides records: String)
        -> [(path: String, number: Int)]
    {
        fields.compactMap { name in
            answer.headers[name].flatMap { Int($0) }.map { ("header:\(name)", $0) }
        } + answer.json.numbers(names, besides: records).filter { $0.path.replacing(".", with: "").isPathName }
    }

    /// The number of records that an answer claims: the largest one, because an answer can also count its own records.
    private static func count(of answer: Answer, besides records: String, atLeast size: Int)
        -> (path: String, number: Int)?
    {
        let fields = ["X-WP-Total", "X-Total-Count", "X-Total", "Total-Count", "Total-Records"]
        let possible = numbers(fields, JSON.countNames, in: answer, besides: records).filter {
            $0.number >= size && $0.number <= 1_000_000_000
        }
        return possible.max { $0.number < $1.number }
    }

    private static func pages(of answer: Answer, besides records: String, count: Int, size: Int) -> String? {
        let expected = (count + size - 1) / max(1, size)
        let names: Set = ["pages", "totalpages", "lastpage", "pagecount"]
        return numbers(["X-WP-TotalPages"], names, in: answer, besides: records).first { $0.number == expected }?.path
    }
}
