package import Archive
package import Catalogue
import Pages

/// A catalogue that a declaration describes. The records of its lists refer to one another by absolute URLs.
package struct DeclaredCatalogue: SiteCatalogue {
    let declaration: CatalogueDeclaration
    let models: RecordModels
    /// The base addresses of links in the data: that of the API, whatever host was requested, and those of the caller.
    let bases: [String]

    /// - Parameter bases: further base addresses of links in the data, such as the sample's.
    package init(_ declaration: CatalogueDeclaration, bases: [String] = []) {
        self.declaration = declaration
        self.bases = [declaration.api] + bases
        models = RecordModels(declaration)
    }

    package var name: String { declaration.name }
    package var canonicalAPI: String { declaration.api }
    package var recordsPerRequest: Int { declaration.lookup.most }

    package var lists: [ListEndpoint] {
        declaration.kinds.map { kind in
            ListEndpoint(
                kind: kind.name,
                pathBeforePage: TextPattern(declaration.list.pathBeforePage).filled(["list": kind.name]))
        }
    }

    /// In the order in which the navigation has the kinds that answer.
    package var mutualReferences: [MutualReference] {
        declaration.navigation.compactMap(declaration.kind).flatMap { target in
            declaration.kinds.flatMap { kind in
                kind.fields.filter { $0.target == target.name }.compactMap { field -> MutualReference? in
                    guard let answer = field.answers.flatMap(target.field) else { return nil }
                    return MutualReference(
                        .init(kind.name, field.path.names[0]),
                        .init(target.name, target.fields[answer].path.names[0]))
                }
            }
        }
    }

    package func rootAnswer(of source: Source) -> [UInt8]? {
        let base = source.origin == .sample ? bases.last ?? canonicalAPI : canonicalAPI
        return declaration.root.map { $0.json { TextPattern($0).filled(["api": base]) }.bytes }
    }

    package var notFoundBody: [UInt8]? { declaration.notFound.map { $0.json { $0 }.bytes } }

    package func path(for keys: [RecordKey]) -> String? {
        "\(keys.first?.kind ?? "")/\(keys.map { "\($0.id)" }.joined(separator: ","))"
    }

    package var cardKind: String? { declaration.cardKind }

    package func plural(of kind: String) -> String { declaration.kind(kind)?.plural ?? "\(kind)s" }

    func links(_ base: String) -> LinkReader { LinkReader(bases: bases + [base], kinds: declaration.kinds.map(\.name)) }
}

extension DeclarationValue {
    /// The value as JSON.
    /// - Parameter text: changes the strings.
    func json(_ text: (String) -> String) -> JSON {
        switch self {
        case .object(let members): .object(members.map { (key: $0.name, value: $0.value.json(text)) })
        case .array(let elements): .list(elements.map { $0.json(text) })
        case .text(let source): .text(text(source))
        case .integer(let number): .integer(number)
        case .flag(let flag): .flag(flag)
        }
    }
}

extension DeclaredCatalogue {
    package func title(of record: [UInt8], _ key: RecordKey) -> String {
        guard let kind = declaration.kind(key.kind) else { return "\(key)" }
        let title: String
        do throws(ContentFault) {
            title = try JSONFields(record).scalar(kind.title).shortened
        } catch {
            // Without a valid record there is no title, so the number is used.
            title = ""
        }
        return kind.heading(title, key.id)
    }

    /// Reads the claims and finds the records.
    package func listPage(_ body: [UInt8]) throws(ContentFault) -> ListPage {
        let list = declaration.list
        let members = try JSONSlices.members(of: body)
        let claimed = list.count.names[0]
        guard let claims = members[claimed], let results = members[list.records] else {
            throw notAPage(body, members)
        }
        let (count, pages) = try ContentFault.inside(claimed) { () throws(ContentFault) in
            let fields = try JSONFields(Array(body[claims]))
            let count = try Self.claim(list.count.names[1], in: fields)
            let pages = try Self.claim(list.pages.names[1], in: fields)
            guard pages <= max(count, 1) else {
                throw ContentFault(list.pages.names[1], "is \(pages), more pages than the \(count) records")
            }
            return (Int(count), Int(pages))
        }
        let records = try ContentFault.inside(list.records) { () throws(ContentFault) in
            try JSONSlices.elements(of: body, at: results)
        }
        return ListPage(count: count, pages: pages, records: records, in: list.records)
    }

    /// Some APIs answer an error with the status 200.
    private func notAPage(_ body: [UInt8], _ members: [String: Range<Int>]) -> ContentFault {
        let list = declaration.list
        if let name = list.error, let error = members[name] {
            return ContentFault(name, "says \(JSONDecoding.quotedError(body[error])) where a list page belongs")
        }
        let claimed = list.count.names[0]
        return ContentFault(members[claimed] == nil ? claimed : list.records, "is missing")
    }

    private static func claim(_ name: String, in claims: JSONFields) throws(ContentFault) -> Int64 {
        let claim = try claims.integer(name)
        guard claim >= 0 else { throw ContentFault(name, "is \(claim), less than nothing") }
        guard claim <= maximumClaim else { throw ContentFault(name, "is \(claim), more than a list can hold") }
        return claim
    }

    /// Larger than any list, and small enough that sums do not overflow.
    private static let maximumClaim = 1_000_000_000

    /// One record answers as an object, several as an array.
    package func records(in body: [UInt8], requested keys: [RecordKey]) throws(ContentFault) -> [Range<Int>] {
        if keys.count > 1 { return try JSONSlices.elements(of: body) }
        _ = try JSONSlices.members(of: body)
        // White space is removed, so that a record has the same bytes in a list and on its own.
        guard let first = body.firstIndex(of: "{"), let last = body.lastIndex(of: "}") else { return [] }
        return [first..<last + 1]
    }
}

extension DeclaredCatalogue {
    package func facts(of record: ArraySlice<UInt8>, kind: String, base: String) throws(ContentFault) -> RecordFacts {
        let fields = try JSONFields(Array(record))
        let facts = try facts(fields, kind, base)
        try fields.check()
        // Scripts represent numbers up to 2^53 - 1 exactly (ECMA-262, Number.MAX_SAFE_INTEGER).
        guard facts.id > 0, facts.id < 1 << 53 else {
            throw ContentFault(declaration.kind(kind)?.id.text ?? "id", "is \(facts.id), not 1 to 9007199254740991")
        }
        return facts
    }

    package func archivedFacts(of record: [UInt8], _ key: RecordKey, base: String) throws(ContentFault) -> RecordFacts {
        try facts(try JSONFields(record), key.kind, base)
    }

    private func facts(_ record: JSONFields, _ name: String, _ base: String) throws(ContentFault) -> RecordFacts {
        guard let kind = declaration.kind(name) else {
            throw ContentFault("", "is a record of the kind \(name.quoted), which the catalogue does not have")
        }
        let id = try record.integer(kind.id)
        try kind.checkRequired(record)
        var sorter = LinkSorter(links(base))
        var pictures: [String] = []
        for (index, field) in kind.fields.enumerated() {
            let isRequired = kind.required.contains(index)
            switch field.type {
            case .reference:
                // An unknown record has a name and an empty address.
                let link = record.scalar(field.path)
                if !link.isEmpty { sorter.add(link, kind: field.target ?? "", at: field.path.text) }
            case .references where isRequired || record.has(field.path):
                sorter.add(try record.texts(field.path), kind: field.target ?? "", in: field.path.text)
            case .image:
                let link = record.scalar(field.path)
                if !link.isEmpty, let path = sorter.picture(link, at: field.path.text) { pictures.append(path) }
            case .string, .enum, .date, .references, .hidden: break
            }
        }
        if let link = kind.selfLink {
            sorter.check(record.optionalText(link) ?? "", is: RecordKey(name, id), at: link.text)
        }
        let isCard = name == cardKind
        return RecordFacts(
            id: id, card: isCard ? sorter.references : [], references: isCard ? [] : sorter.references,
            pictures: pictures, refused: sorter.refused)
    }
}

extension KindDeclaration {
    /// Checks that the title and the required fields exist and have the right type.
    fileprivate func checkRequired(_ record: JSONFields) throws(ContentFault) {
        _ = try record.text(title)
        for (index, field) in fields.enumerated() where required.contains(index) {
            if let text = field.text { _ = try record.text(text) }
            // The references are checked when they are read.
            if field.type != .references { _ = try record.text(field.path) }
        }
    }
}

extension DeclaredCatalogue {
    /// A record's fields as lines for a terminal.
    package func cardLines(for record: StoredRecord, from reader: RevisionReader) throws -> [String] {
        guard let kind = declaration.kind(record.key.kind) else { return [] }
        let fields = try JSONFields(record.bytes)
        let links = links(reader.revision.source.api)
        var lines = [("name", kind.heading(fields.scalar(kind.title), record.key.id))]
        for field in kind.fields {
            guard let target = field.target.flatMap(declaration.kind) else {
                if field.type == .string || field.type == .enum {
                    lines.append((field.name, fields.scalar(field.path)))
                }
                continue
            }
            let names = field.type == .reference ? [fields.scalar(field.path)] : try fields.texts(field.path)
            let wanted = Set(names.compactMap { links.key($0, kind: target.name)?.id })
            // Only lines are kept, because records can be large.
            let found = try reader.records(of: target.name, at: 0..<Int.max) { record in
                wanted.contains(record.key.id) ? (record.key.id, try Self.line(of: record, target, field)) : nil
            }
            let lineOfID = Dictionary(found.compactMap(\.self), uniquingKeysWith: { first, _ in first })
            for name in names {
                let line = links.key(name, kind: target.name).flatMap { lineOfID[$0.id] }
                lines.append((field.name, line ?? field.text.map { fields.scalar($0) } ?? ""))
            }
        }
        if let asset = record.picture {
            lines.append(("picture", "\(asset.format.rawValue), \(asset.width) x \(asset.height), \(asset.size) bytes"))
        }
        return lines.filter { !$0.1.isEmpty }.map { label, value in
            label + String(repeating: " ", count: max(1, 10 - label.count)) + value.singleLine
        }
    }
}

extension DeclaredCatalogue {
    /// The record that a field refers to: its name, and what the field shows with it.
    private static func line(of record: StoredRecord, _ kind: KindDeclaration, _ field: FieldDeclaration) throws
        -> String
    {
        let fields = try JSONFields(record.bytes)
        let name = kind.heading(fields.scalar(kind.title), record.key.id)
        guard field.type == .reference else {
            let values = kind.row.map { fields.scalar(kind.fields[$0].path) }
            return ([name] + values.filter { !$0.isBlank }).joined(separator: ", ")
        }
        let note = field.note.flatMap(kind.field).map { fields.scalar(kind.fields[$0].path) } ?? ""
        return note.isBlank ? name : "\(name) (\(note))"
    }

    package var exportTables: [ExportTable] {
        declaration.kinds.map { kind in
            ExportTable(
                kind.name,
                kind.export.map { column in
                    let isList = kind.fields.contains { $0.type == .references && $0.path.text == column.path }
                    let names = FieldPath(column.path).names
                    return (column.name, column.path == kind.id.text ? .id : isList ? .links(names) : .value(names))
                })
        }
    }

    package var exportRelations: [ExportRelation] {
        declaration.relations.map {
            ExportRelation($0.name, from: $0.kind, $0.field.path.text, to: $0.field.target ?? "")
        }
    }
}
