package import Catalogue
import Platform

/// What the answer of an unknown API says about its list besides the records: the next page, and the number of records.
extension JSON {
    /// The members of an answer besides its records, those of the outermost object first. `isUsual` is true in objects
    /// in which APIs usually describe a list. Other objects can be ordinary values.
    private func envelope(besides records: String) -> [(path: String, name: String, value: JSON, isUsual: Bool)] {
        // Without a path, the members of the answer are records.
        var objects = records.isEmpty ? [] : [(path: "", object: self, isUsual: true)]
        var found: [(path: String, name: String, value: JSON, isUsual: Bool)] = []
        var next = 0
        while next < objects.count {
            let (folder, object, isUsual) = objects[next]
            for (name, value) in object.members ?? [] {
                let path = folder.isEmpty ? name : "\(folder).\(name)"
                guard path != records else { continue }
                found.append((path, name, value, isUsual))
                guard value.members != nil, path.count(where: { $0 == "." }) < 3, objects.count < Self.maximumObjects
                else { continue }
                let isWithin = Self.usualObjects.contains(name) || records.utf8.starts(with: "\(path).".utf8)
                objects.append((path, value, isUsual && isWithin))
            }
            next += 1
        }
        return found
    }

    /// The places with the address, cursor or number of the next page, or with a flag; empty after the last page.
    package func nextPages(besides records: String) -> [(path: String, value: JSON)] {
        envelope(besides: records).flatMap { path, name, value, isUsual -> [(path: String, value: JSON)] in
            let isNext = Self.nextNames.contains(name.letters)
            guard isNext || name.letters.hasPrefix("link") else { return [] }
            let links = (value.elements ?? [value]).enumerated().flatMap { index, link in
                // In an array, each link can have a relation (RFC 8288).
                let relation = ["rel", "relation"].first { link[$0]?.text == "next" }
                guard isNext || value.elements != nil && relation != nil else { return [(path: String, value: JSON)]() }
                let step = value.elements == nil ? "" : relation.map { "[\($0)=next]" } ?? "[\(index)]"
                return ["href", "uri", "url"].compactMap { name in link[name].map { ("\(path)\(step).\(name)", $0) } }
            }
            guard links.isEmpty, isNext, value.elements == nil else { return links }
            // In other objects "next" can be anything, so there only an address counts.
            let isAddress = value.text.map { $0.contains("://") || ["/", "?"].contains($0.first) } ?? false
            return isUsual || isAddress ? [(path, value)] : []
        }
    }

    /// The first of these places that is not empty, with its value in JSON.
    func nextPage(besides records: String) -> (path: String, value: String)? {
        let none = ["null", "false", "\"\"", "{}", "0", "-1"]
        return nextPages(besides: records).lazy.map { ($0, "\($1)") }.first { !none.contains($0.1) }
    }

    /// The numbers in usual places of an answer whose names are like these, without capitals and signs.
    package func numbers(_ names: Set<String>, besides records: String) -> [(path: String, number: Int)] {
        envelope(besides: records).compactMap { path, name, value, isUsual in
            guard isUsual, names.contains(name.letters) else { return nil }
            return value.scalar.flatMap { Int($0) }.map { (path, $0) }
        }
    }

    /// The names of the number of all records, for `numbers`.
    package static let countNames: Set<String> = [
        "count", "total", "totalcount", "totalitems", "itemstotal", "totalelements", "totalresults", "totalrecords",
        "totalrows", "totalsize", "totalhits", "odatacount", "found", "numfound", "numbermatched",
        "filteredtablerowscount",
    ]

    private static let nextNames: Set<String> = [
        "continue", "next", "nextpage", "nextpagetoken", "nextcursor", "nexttoken", "nexturl", "nextpageurl",
        "nextlink", "nextpagelink", "odatanextlink", "hasmore", "hasnext", "hasnextpage", "exceededtransferlimit",
    ]
    private static let usualObjects: Set<String> = [
        "links", "_links", "@links", "meta", "info", "pagination", "paging", "page", "pageInfo", "response_metadata",
        "batching", "data", "result",
    ]
    private static let maximumObjects = 100
}

/// Finds lists in a record that are only a part of the API's lists.
extension JSONFields {
    /// A fault for each incomplete list. The record can state a larger number of its elements, such as `items` and
    /// `items_total`, or announce another page, such as `{ "data": […], "has_more": true }`.
    func partialLists(besides hidden: [String] = []) -> [ContentFault] {
        let members = starts.filter { !hidden.contains($0.name) }
        let cure = "declare a list of children for the others, or the member as a field of the type hidden"
        let arrays = Dictionary(members.filter { $0.byte == "[" }.map { ($0.name.nameWords.joined(), $0.name) }) { $1 }
        // Each array is counted once, because a record can have many numbers with similar names.
        var counts: [String: Int] = [:]
        let counted = members.compactMap { name, byte -> ContentFault? in
            let words = byte.isDigit && !arrays.isEmpty ? name.nameWords : []
            let isAfter = words.last == "total" || words.last == "count"
            guard words.count > 1, isAfter || words.first == "total" else { return nil }
            let list = (isAfter ? words.dropLast() : words.dropFirst()).joined()
            guard let array = arrays[list] ?? (isAfter ? arrays["\(list)s"] : nil),
                // `try?`, because a value that is no whole number is no count.
                let stated = try? integer(FieldPath(member: name))
            else { return nil }
            let own = counts[array] ?? count(FieldPath(member: array))
            counts[array] = own
            guard stated > own else { return nil }
            return ContentFault(array, "has only \(own) of the \(stated) elements that \(name.quoted) states; \(cure)")
        }
        let paged = members.compactMap { name, byte -> ContentFault? in
            guard byte == "{", let object = objects(at: FieldPath(member: name)).first?.starts,
                let list = object.first(where: { $0.byte == "[" && ($0.name == name || Self.lists.contains($0.name)) }),
                let next = value(at: FieldPath(member: name))?.nextPage(besides: list.name)?.path
            else { return nil }
            return ContentFault("\(name).\(list.name)", "announces another page at \(next.quoted); \(cure)")
        }
        return counted + paged
    }

    private static let lists: Set = ["data", "items", "results", "records", "values", "entries", "edges", "nodes"]
}

extension String {
    /// The words of a name, such as "total" and "items" for "totalItems".
    fileprivate var nameWords: [Substring] { inWords.lowercased().split(separator: " ") }

    /// "totalsize" for "@total_size".
    fileprivate var letters: String {
        String(decoding: utf8.lazy.filter { $0.isLetter || $0 >= 0x80 }.map(\.lowercased), as: UTF8.self)
    }
}
