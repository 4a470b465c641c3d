import Catalogue
import CatalogueEngine
import Platform

/// References from the records of a kind to the records of lists.
extension KindDescription {
    /// A reference to records of a list: an address, an object with one, or ids in a member with the name of the list.
    /// - Parameters:
    ///   - name: the name of the field, such as "artist_ids".
    ///   - values: the values that are not empty.
    ///   - folders: the kinds by the start of the addresses of their records.
    /// - Returns: the kind, and the name without "id"; nil if it is no reference.
    static func reference(
        _ name: String, at path: String, _ values: [JSON], _ folders: [String: String], _ lists: [ListDescription],
        _ api: String
    ) -> (type: String, to: String, path: String, plain: String, canBeZero: Bool)? {
        func kind(_ address: String?) -> String? {
            guard let address else { return nil }
            let secure = APISurvey.secure(WebLinks.absolute(address, on: api), like: api)
            guard secure.utf8.starts(with: "\(api)/".utf8) else { return nil }
            let path = secure.dropFirst(api.count + 1).prefix { $0 != "?" }
            let plain = path.last == "/" ? path.dropLast() : path
            guard let slash = plain.lastIndex(of: "/") else { return nil }
            return folders[String(plain[..<slash])]
        }
        let elements = values.flatMap { $0.elements ?? [] }
        for (type, step, all) in [("reference", "", values), ("references", "[]", elements)] {
            for inner in [nil, "url", "href", "link", "uri", "@id"] {
                let addresses = all.compactMap { (inner.map($0.value) ?? $0)?.text }
                if type == "reference" || addresses.count == all.count, let target = kind(addresses.first),
                    addresses.allSatisfy({ kind($0) == target })
                {
                    return (type, target, inner.map { "\(path)\(step).\($0)" } ?? path, name, false)
                }
            }
        }
        let all = elements.isEmpty ? values : elements
        // Objects with an id, such as {"id": 2, "name": "Bug"}. Links instead of a list would hide other members.
        let areBare = all.allSatisfy { $0.members?.contains { !["id", "name"].contains($0.key) } == false }
        let areObjects = (elements.isEmpty || areBare) && all.allSatisfy { $0["id"]?.scalar != nil }
        // Other ids are only references if the name of the member is that of a list.
        let plain = areObjects ? name : name.replacing(/(_?id|_key|_uuid)s?$/, with: "")
        let ids = Set(all.compactMap { (areObjects ? $0["id"] : $0)?.scalar })
        guard elements.isEmpty || values.allSatisfy({ $0.elements != nil }),
            areObjects || all.allSatisfy({ $0.scalar != nil }),
            let list = list(named: plain, isID: areObjects || plain != name, ids, lists)
                ?? lists.first(where: { areObjects && $0.isNamed(by: all) })
        else { return nil }
        let inner = areObjects ? "\(path)\(elements.isEmpty ? "" : "[]").id" : path
        if !elements.isEmpty { return ("references", list.kind, inner, plain.pluralised, false) }
        // One number with a name in the plural is a count.
        if plain == name, plain.singularised != plain, all.contains(where: { $0.integer != nil }) { return nil }
        return ("reference", list.kind, inner, plain, ids.contains("0") && !list.ids.contains("0"))
    }

    /// The list with this name. If the list has one of the ids, "start_place_id" can also refer to the list of places.
    private static func list(named name: String, isID: Bool, _ ids: Set<String>, _ lists: [ListDescription])
        -> ListDescription?
    {
        let ids = ids.subtracting(["0"])
        guard !ids.isEmpty else { return nil }
        // A text in a member without "id" in its name is often not an id.
        let isCertain = isID || ids.allSatisfy { Int($0) != nil }
        func has(_ list: ListDescription, _ isCertain: Bool) -> Bool {
            (isCertain || !list.ids.isDisjoint(with: ids)) && list.has(ids)
        }
        return lists.first { $0.singular == name.singularised && has($0, isCertain) }
            ?? lists.first { isID && name.hasSuffix("_\($0.singular)") && has($0, false) }
    }

    /// Adds to each kind the records that refer to it, unless the kind refers to these records itself.
    static func withInverses(_ kinds: [KindDescription]) -> [KindDescription] {
        func target(_ keys: JSON) -> String? { keys["to"]?.text }
        func isList(_ keys: JSON) -> Bool { keys["type"]?.text == "references" }
        var result = kinds
        for (index, kind) in kinds.enumerated() {
            for other in kinds {
                let own = kind.fields.filter { target($0.keys) == other.name }
                guard !own.contains(where: { isList($0.keys) }) else { continue }
                let fields = other.fields.filter { target($0.keys) == kind.name && (own.isEmpty || !isList($0.keys)) }
                // A reference is often one of the references in a list with the same name in the plural.
                let sorted = fields.filter { isList($0.keys) } + fields.filter { !isList($0.keys) }
                for (number, field) in sorted.unique(by: \.name.singularised).enumerated() {
                    let own = String(other.name.replacing("-", with: "_").prefix(36)).pluralised
                    let isFree = number == 0 && !isReserved(own) && !result[index].fields.contains { $0.name == own }
                    let name = isFree ? own : String("\(own)_\(field.name)".prefix(40))
                    guard !result[index].fields.contains(where: { $0.name == name }), result[index].fields.count < 60
                    else { continue }
                    let keys: JSON = [
                        "type": .text("inverse"), "of": .text("\(other.name).\(field.name)"),
                        "label": isFree ? nil : .text("\(own.label): \(field.name.inWords)"),
                    ]
                    result[index].fields.append((name, keys))
                }
            }
        }
        return result
    }
}
