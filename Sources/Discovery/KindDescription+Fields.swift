import Catalogue
import CatalogueEngine

/// The fields that members of the records become.
extension KindDescription {
    /// Values that can become filters and columns.
    struct Candidates {
        /// `rank` is the number of records with a value, `values` that of different texts.
        var facets: [(name: String, type: String, path: String, rank: Int, values: Int)] = []
        /// Filters for references to one of a few records.
        var choices: [(name: String, keys: JSON)] = []
        var days: [String] = []
        var moments: [String] = []
        /// The numbers with a unit.
        var measures: [String] = []
    }

    /// If facets have values in equally many records, those with these names come first.
    private static let facetNames = ["status", "state", "type", "category", "kind"]
    private static let (maximumFields, maximumFacets, maximumCharts) = (40, 8, 2)

    /// Adds the fields with a type, and references to the facts.
    mutating func addFields(
        of list: ListDescription, _ members: [Member], among lists: [ListDescription], _ api: String
    ) -> Candidates {
        let records = list.sample
        let names = members.map { Self.fieldName($0.name) }
        let ids = records.map { $0.value(list.id)?.scalar }
        // The values of other members, such as an index, can be equal to the ids of the first records only.
        let ownIDNames = ["id", "uid", "guid", "uuid", "\(list.singular)_id"]
        let folders = Dictionary(lists.map { ($0.folder, $0.kind) }) { first, _ in first }
        var candidates = Candidates()
        for (member, outer) in members {
            let name = Self.fieldName(member)
            // Crossref has its dates in objects.
            let hasParts = records.contains { $0.value(outer)?["date-parts"] != nil }
            let path = hasParts ? "\(outer).date-parts" : outer
            let known = fields.map(\.name) + candidates.facets.map(\.name)
            guard name.isFieldName, !known.contains(name), ![id, title].contains(path),
                fields.count < Self.maximumFields
            else { continue }
            let values = records.compactMap { $0.value(path)?.pruned { _, _ in false } }
            if Self.isOwnAddress(records, member, id) {
                // An address elsewhere is that of a page for people.
                let link = records[0][member]?.text ?? ""
                let isHere = link.hasPrefix("/") || APISurvey.secure(link, like: api).hasPrefix("\(api)/")
                selfLink = selfLink ?? (isHere ? member : nil)
            } else if ownIDNames.contains(name), zip(records, ids).allSatisfy({ $0.value(path)?.scalar == $1 }) {
                // A second member with the id, which is no reference.
                add(name, "hidden", at: path)
            } else if let found = Self.reference(name, at: path, values, folders, lists, api) {
                // The field "artist" of the member "artist_id".
                let plain = found.plain
                let isFree = !known.contains(plain) && !Self.isReserved(plain) && !members.contains { $0.name == plain }
                let own = isFree ? plain : name
                let label = isFree || plain == name ? nil : plain.label
                let keys: JSON = [
                    "type": .text(found.type), "to": .text(found.to),
                    "none": found.canBeZero ? .list([.integer(0)]) : nil,
                    "path": found.path == own ? nil : .text(found.path), "label": label.map { .text($0) },
                ]
                fields.append((own, keys))
                guard found.type == "reference" else { continue }
                facts.append(own)
                let target = lists.first { $0.kind == found.to && $0.kind != list.kind }
                if let target, target.isComplete, (2...20).contains(target.ids.count), records.count >= 8,
                    "\(own)_name".isFieldName, !names.contains("\(own)_name")
                {
                    let label = JSON.text(label ?? own.label)
                    let keys: JSON = ["type": .text("enum"), "from": .text(own), "facet": .flag(true), "label": label]
                    candidates.choices.append(("\(own)_name", keys))
                }
            } else if let path = Self.markup(path, values) {
                add(name, "html", at: path)
            } else if Self.isReserved(name), !CatalogueDeclaration.reserved.contains(name) {
                // A list of values cannot have a name that Windows reserves.
                continue
            } else if name.wholeMatch(of: /.*_ids?/) == nil,
                let facet = Self.facet(values.map { $0["name"] ?? $0 }, of: records.count)
            {
                // An object such as {"id": 2, "name": "Ada"}, whose record is in no list, has a name.
                let path = values[0]["name"] == nil ? path : "\(path).name"
                let count = facet.type == "enum" ? facet.values : 0
                candidates.facets.append((name, facet.type, path, facet.rank, count))
            } else if let (type, keys) = Self.time(name, values) {
                add(name, type, at: path, keys)
                guard values.count * 2 > records.count, !Self.repeats(name, names) else { continue }
                if type == "date" { candidates.days.append(name) } else { candidates.moments.append(name) }
            } else if let keys = Self.unit(name, values) {
                add(name, "number", at: path, keys)
                candidates.measures.append(name)
            }
        }
        return candidates
    }

    /// Adds the best facets, and makes them facts, parts of cards, and charts.
    mutating func chooseFacets(_ candidates: Candidates) {
        // With equal ranks the name decides, because some APIs change the order of members.
        let best = candidates.facets.map { ($0, Self.facetNames.firstIndex(of: $0.name) ?? .max) }
            .sorted { (-$0.0.rank, $0.1, $0.0.name) < (-$1.0.rank, $1.1, $1.0.name) }
            .prefix(Self.maximumFacets).map(\.0)
        for facet in best { add(facet.name, facet.type, at: facet.path, ["facet": .flag(true)]) }
        fields += candidates.choices.prefix(Self.maximumFacets - best.count)
        facts += best.map(\.name) + candidates.days
        card = Array(best.filter { $0.values > 1 }.prefix(2).map(\.name))
        if card.count < 2, let day = candidates.days.first { card.append(day) }
        if title == nil, card.isEmpty { card = Array(facts.prefix(1)) }
        charts = best.filter { $0.values > 2 }.prefix(Self.maximumCharts).map(\.name)
    }

    /// Chooses the columns of the list: facts, other short values, and moments, such as the time of the last change.
    mutating func chooseColumns(
        _ candidates: Candidates, of list: ListDescription, _ members: [Member], among lists: [ListDescription]
    ) {
        // Records without a title differ in numbers and times more than in values that many of them share.
        let (most, mostFacts) = title == nil ? (5, 3) : (4, 4)
        columns = Array(facts.prefix(mostFacts))
        let room = hasPictures ? 0 : candidates.moments.isEmpty ? most : most - 1
        let isTaken = Set(fields.map(\.name) + [id, title ?? ""]).subtracting(candidates.measures)
        // Names say more than codes.
        let ordered = members.filter { $0.name.hasSuffix("_name") } + members.filter { !$0.name.hasSuffix("_name") }
        for (member, path) in ordered where columns.count < room && member == path {
            let name = Self.fieldName(member)
            guard !isTaken.contains(name), !columns.contains(name),
                let type = Self.columnType(name, list.sample.compactMap { $0[member] }, of: list.sample.count),
                type.isEmpty || !Self.namesRecord(name, lists), !Self.repeats(name, columns)
            else { continue }
            columns.append(name)
            if candidates.measures.contains(name) { continue }
            let label = type == "duration" ? NumberUnit(name)?.name.label ?? name.label : nil
            add(name, type.isEmpty ? nil : type, at: member, ["label": label.map { .text($0) }])
        }
        columns = Array((columns + candidates.moments).prefix(most))
        guard title == nil else { return }
        let references = Set(fields.filter { $0.keys["type"]?.text == "reference" }.map(\.name))
        row = Array(columns.filter { !references.contains($0) }.suffix(3))
    }
}
