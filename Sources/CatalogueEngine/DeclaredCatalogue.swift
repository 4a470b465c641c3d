package import Archive
package import Catalogue
import Pages
import Platform

/// A catalogue that a declaration describes. The records of its lists refer to one another by absolute URLs.
package struct DeclaredCatalogue: SiteCatalogue {
    package let declaration: CatalogueDeclaration
    let models: RecordModels
    package let lists: [ListEndpoint]
    let rules: [String: CatalogueDeclaration.List]
    /// The lists of children by the kind of their parents.
    let childLists: [String: [(index: Int, path: TextPattern)]]
    /// No card waits for records of these kinds, because their lists wait for open cards, or begin after those of their
    /// parents.
    private let kindsOutsideCards: Set<String>
    private let reader: LinkReader
    package let roots: [RecordKey]
    private let rootsByKey: [RecordKey: Root]

    /// - Parameters:
    ///   - roots: the roots from which a capture starts.
    ///   - bases: further base addresses of links in the data, such as the sample's.
    package init(_ declaration: CatalogueDeclaration, roots: [Root] = [], bases: [String] = []) {
        self.declaration = declaration
        self.roots = roots.map(\.key)
        rootsByKey = Dictionary(roots.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
        reader = LinkReader(declaration, bases: [declaration.api] + bases)
        models = RecordModels(declaration)
        lists = declaration.rules.map(\.endpoint)
        rules = Dictionary(declaration.rules.map { ($0.endpoint.name, $0) }) { first, _ in first }
        let children = lists.enumerated().filter { $1.parent != nil }
        let withCards = Set(declaration.kinds.filter { $0.name == declaration.cardKind || $0.hasFiles }.map(\.name))
        kindsOutsideCards = lists.filter { $0.parent != nil || !withCards.isDisjoint(with: $0.kinds) }
            .reduce(into: withCards) { $0.formUnion($1.kinds) }
        childLists = Dictionary(grouping: children) { $1.parent ?? "" }
            .mapValues { $0.map { (index: $0, path: TextPattern($1.path)) } }
    }

    package var name: String { declaration.name }
    package func catalogue(of reader: RevisionReader) throws -> any Catalogue {
        let own = declaration.stored.captureDigest
        let isOwn = reader.revision.captureDigest ?? own == own
        guard !isOwn || declaration.roots != nil else { return self }
        do {
            let stored = isOwn ? declaration : try CatalogueDeclaration(reader.declaration())
            return DeclaredCatalogue(
                stored, roots: try stored.roots(of: reader), bases: Array(self.reader.bases.dropFirst()))
        } catch let fault as ContentFault {
            throw ArchiveError.damaged("the declaration of revision \(reader.revision.number): \(fault)")
        }
    }

    package var recordsPerRequest: Int { declaration.lookup.most }

    /// True for all values of parameters, because a revision can have roots that are no longer configured.
    package func has(kind: String) -> Bool { declaration.kind(kind) != nil }

    /// Sorted by the kinds that refer back, in the order of the navigation.
    package var mutualReferences: [MutualReference] {
        declaration.navigation.compactMap(declaration.kind).flatMap { target in
            declaration.kinds.flatMap { kind in
                kind.fields.filter { $0.target == target.name }.compactMap { field -> MutualReference? in
                    guard let answer = field.answers.flatMap(target.field) else { return nil }
                    return ((kind.name, field.path.names[0]), (target.name, answer.path.names[0]))
                }
            }
        }
    }

    package func ownFiles(of source: Source) -> [SiteFile] {
        let base = source.origin == .sample ? reader.bases.last ?? declaration.api : declaration.api
        let root = declaration.root.map { (MirrorPath.root, $0.filled(with: ["api": base]).bytes) }
        return [root, declaration.notFound.map { (MirrorPath.notFound, $0.bytes) }].compactMap(\.self)
    }

    package func path(for keys: [RecordKey]) -> String? {
        guard let first = keys.first, let kind = declaration.kind(first.kind) else { return nil }
        if declaration.isRoot(kind) { return rootsByKey[first]?.path }
        // The id of a key that was read without its record can be unknown.
        let lacksID = keys.contains { $0.id < 0 && $0.text == nil }
        guard !kind.isWholeAnswer, recordsPerRequest > 0, !lacksID else { return nil }
        var words = declaration.parameters[kind.name] ?? [:]
        words["kind"] = kind.name
        words["ids"] = keys.map { percentEncoded($0.text ?? "\($0.id)") }.joined(separator: ",")
        return TextPattern(declaration.lookup.path).filled(with: words)
    }

    package func plural(of kind: String) -> String { declaration.kind(kind)?.plural ?? "\(kind)s" }

    /// A reader of links in the data of an API that was requested at an address.
    func links(_ base: String) -> LinkReader {
        let base = WebLinks.normalised(base)
        return reader.bases.last == base ? reader : LinkReader(reader, adding: base)
    }
}

extension DeclaredCatalogue {
    package func key(of record: [UInt8], _ key: RecordKey) -> RecordKey {
        guard key.id < 0, let kind = declaration.kind(key.kind) else { return key }
        // `try?`, because a record that cannot be read keeps its key.
        let named = try? kind.key(of: JSONFields(record))
        return named.flatMap { $0 == key ? $0 : nil } ?? key
    }

    package func title(of record: [UInt8], _ key: RecordKey) -> String {
        guard let kind = declaration.kind(key.kind), !kind.isWholeAnswer else { return "\(key)" }
        if declaration.isRoot(kind) { return rootsByKey[key].map { $0.fill(kind.rootTitle ?? "") } ?? "\(key)" }
        // Without a valid record there is no title, so the number is used.
        return kind.heading((try? JSONFields(record)).map { kind.title(of: $0).shortened } ?? "", key)
    }

    /// One record answers as an object, several as an array.
    package func records(in body: [UInt8], requested keys: [RecordKey]) throws -> [Range<Int>] {
        if declaration.hasExtension {
            let answer = try SearchAnswer(body)
            return keys.first.flatMap { isWhole($0.kind) } == false ? answer.rows : [answer.place]
        }
        if keys.count > 1 { return try JSONSlices.elements(of: body) }
        if let kind = keys.first?.kind,
            let place = declaration.rules.first(where: { $0.endpoint.kinds.contains(kind) && $0.record != nil })?.record
        {
            let values = AnswerValues(PageAnswer(path: "", headers: [], body: body, base: ""))
            guard let range = try values.range(of: place) else { throw try values.missing(place, "a record") }
            return [range]
        }
        _ = try JSONSlices.members(of: body)
        // White space is removed, so that a record has the same bytes in a list and on its own.
        return [JSONSlices.whole(body)]
    }
}

extension DeclaredCatalogue {
    package func facts(of record: ArraySlice<UInt8>, kind: String, base: String) throws -> RecordFacts {
        let fields = try JSONFields(Array(record))
        var facts = try facts(fields, kind, base)
        try fields.check()
        if childLists[kind] == nil, let kind = declaration.kind(kind) {
            let hidden = kind.fields.filter { $0.type == .hidden }.map { $0.path.names[0] }
            facts.refused += fields.partialLists(besides: hidden)
        }
        return facts
    }

    package func archivedFacts(of record: [UInt8], _ key: RecordKey, base: String) throws -> RecordFacts {
        if isWhole(key.kind) == true { return try facts(of: record[...], requested: [key], base: base) }
        return try facts(try JSONFields(record), key.kind, base)
    }

    private func facts(_ record: JSONFields, _ name: String, _ base: String) throws -> RecordFacts {
        let known = declaration.kind(name)
        let kind = try require(known, "", "is a record of the kind \(name.quoted), which the catalogue does not have")
        var facts = RecordFacts(try kind.checkedKey(record, hasExtension: declaration.hasExtension))
        if kind.hasTitle, kind.slug == nil, !kind.canShow(titleOf: record) {
            facts.refused.append(ContentFault(kind.title.text, "is not a string"))
        }
        let links = links(base)
        var sorter = LinkSorter(links)
        for field in kind.fields {
            switch field.type {
            case .reference where field.from == nil:
                // An unknown record has a name and an empty address.
                let link = record.scalar(field.path)
                if !link.isEmpty, !field.none.contains(link) {
                    sorter.add(link, kind: field.target ?? "", at: field.path.text)
                }
            case .references:
                let isRequired = kind.required.contains { $0 === field }
                guard isRequired || record.has(field.path) else { break }
                do {
                    for (index, link) in try record.links(field.path).enumerated() {
                        sorter.add(link, kind: field.target ?? "", at: "\(field.path.text)[\(index)]")
                    }
                } catch let fault as ContentFault where !isRequired {
                    facts.refused.append(fault)
                }
            case .image where declaration.hasExtension:
                let link = field.shown(record)
                if let path = CatalogueExtension.picturePath(of: link, bases: links.bases) {
                    facts.pictures.append(path)
                } else if !link.isEmpty {
                    facts.refused.append(
                        ContentFault(field.path.text, "is \(link.quoted), which is not on the service's picture hosts"))
                }
            case .image:
                let link = field.shown(record)
                guard !link.isEmpty else { break }
                let found = field.address == nil ? links.picture(at: link) : links.file(at: link)
                if let path = sorter.asset(link, found, at: field.path.text) {
                    facts.pictures.append(path)
                    if field.address != nil { facts.derived.insert(path) }
                }
            case .datetime, .number, .money, .duration, .bytes, .rating, .url, .prose, .html, .list, .file:
                do {
                    _ = try field.read(record)
                    let (files, fault) = try field.fileLinks(of: record)
                    for link in files {
                        if let path = sorter.asset(link, links.file(at: link), at: field.path.text) {
                            facts.files.append((path, field.type != .file))
                            if field.address != nil { facts.derived.insert(path) }
                        }
                    }
                    if let fault { throw fault }
                } catch let fault as ContentFault {
                    facts.refused.append(fault)
                }
            case .string, .enum, .date, .links, .results, .roots, .reference, .inverse, .together, .tree, .hidden:
                break
            }
        }
        if let link = kind.selfLink { sorter.check(record.optionalText(link) ?? "", is: facts.key, at: link.text) }
        for list in childLists[name] ?? [] {
            do {
                facts.children.append((list.index, try path(list.path, of: record, links, ofList: lists[list.index])))
            } catch let fault as ContentFault {
                facts.refused.append(fault)
            }
        }
        let isCard = name == declaration.cardKind
        func canWait(_ reference: Reference) -> Bool { !isCard || kindsOutsideCards.contains(reference.key.kind) }
        facts.card = sorter.references.filter { !canWait($0) }
        facts.references = sorter.references.filter(canWait)
        facts.changed = rules[name]?.endpoint.updated.map { record.scalar($0.from) } ?? ""
        facts.refused += sorter.refused
        return facts
    }

    /// The path, with members of a record instead of its placeholders. If the path is only a placeholder, which can
    /// have a query after it, the member is an address.
    /// - Parameter list: the list whose placeholders begin with the record's kind; nil for the path of a record.
    func path(
        _ pattern: TextPattern, of record: JSONFields, _ links: LinkReader, ofList list: ListEndpoint? = nil
    ) throws -> String {
        var words: [String: String] = [:]
        var members: [String] = []
        for name in pattern.placeholders.sorted() where !name.hasPrefix("env:") {
            let member = list != nil ? String(name.drop { $0 != "." }.dropFirst()) : name
            words[name] = record.scalar(FieldPath(member))
            try require(words[name] != "", member, "is missing")
            members.append(member)
        }
        var values = words.mapValues(percentEncoded)
        if let name = pattern.address { values[name] = words[name].flatMap(links.path) ?? "" }
        let path = pattern.filled(with: values)
        let isRecord = list != nil && !links.keys("\(links.bases[0])/\(path)").isEmpty
        // The address of the first page has the paginator's parameters too. It must not be a page of another list.
        let requested = list?.at(path).firstPath ?? path
        // A slash in "AC/DC" is a part of the name. Servers decode it, so "../" would lead to another folder.
        let areNames = words.values.allSatisfy { value in
            !value.contains("://") && !value.split(separator: "/").contains { $0 == "." || $0 == ".." }
        }
        try require(
            Self.isPlain(areNames ? path.replacing("%2F", with: "-") : path) && !isRecord
                && !lists.contains { $0.page(of: path) ?? $0.page(of: requested) != nil },
            members.joined(separator: ", "),
            "is \(words.values.sorted().joined(separator: ", ").quoted), which does not lead to a valid address of a "
                + (list != nil ? "list of children" : "record of this API"))
        return path
    }

    /// Whether a record of a kind is a whole answer; nil for an unknown kind.
    func isWhole(_ kind: String) -> Bool? { declaration.kind(kind).map { $0.isWholeAnswer || declaration.isRoot($0) } }

    /// The facts of a record, or of an answer that is a record as a whole.
    package func facts(of record: ArraySlice<UInt8>, requested keys: [RecordKey], base: String) throws -> RecordFacts {
        guard let key = keys.first, isWhole(key.kind) == true else {
            return try facts(of: record, kind: keys.first?.kind ?? "", base: base)
        }
        let bytes = Array(record)
        try JSONSlices.check(bytes)
        if declaration.kind(key.kind)?.isWholeAnswer == true {
            let refused = try ArtistAlbums(bytes).faults
            return RecordFacts(key, refused: refused)
        }
        let limit = rootsByKey[key]?.values["limit"].flatMap { Int($0) } ?? CatalogueExtension.mostResults
        return try CatalogueExtension.facts(of: bytes, key, limit: limit, declaration)
    }
}
