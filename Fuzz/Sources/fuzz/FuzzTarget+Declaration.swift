import Archive
import Catalogue
import Pages
import Platform

@testable import CatalogueEngine

extension FuzzTarget {
    /// The declaration of a catalogue: text, or edits of a declaration in the repository. If it is valid, a catalogue
    /// is made of it, and reads a record and a list page.
    static let declaration = FuzzTarget(name: "declaration") { bytes in
        let text = bytes.first == UInt8(ascii: "{") ? bytes : edited(Script(bytes))
        let declaration: CatalogueDeclaration
        do {
            declaration = try CatalogueDeclaration(text)
        } catch {
            require((error as? ContentFault)?.reason.isEmpty == false, "a fault has a reason")
            return
        }
        let catalogue = DeclaredCatalogue(declaration, bases: ["https://api.example.org"])
        for template in catalogue.pageTemplates {
            require(PortableName.accepts(template.name), "the name of a template is portable: \(template.name)")
        }
        let tables = catalogue.exportTables.map { $0.view(named: catalogue.plural(of: $0.kind)) }
        for view in tables + catalogue.exportRelations {
            require(view.split(separator: "'", omittingEmptySubsequences: false).count % 2 == 1, "quotes: \(view)")
        }
        let source = Source(catalogue: catalogue.name, api: catalogue.declaration.api, origin: .live)
        _ = (catalogue.texts, catalogue.mutualReferences, catalogue.ownFiles(of: source))
        if let list = catalogue.lists.first {
            let body = Array("{\"info\":{\"count\":1,\"pages\":1},\"results\":[\(exampleRecord)]}".utf8)
            // The record may lack what is declared, so an error is correct.
            let page = try? catalogue.page(
                PageAnswer(path: list.firstPath, headers: [], body: body, base: catalogue.declaration.api), of: list)
            require(page?.records.count ?? 1 == 1, "the page has one record")
            require(list.page(of: list.firstPath) == 1, "the first page is found by its path")
        }
        for kind in declaration.kinds {
            for record in [exampleRecord, exampleItem] { read(Array(record.utf8), kind, catalogue) }
        }
        guard let roots = declaration.roots else { return }
        for json in [#"[{"term":"a b&c"}]"#, #"[{"term":"x","media":"movie","country":"RU","limit":7}]"#] {
            // Other parameters than these can be declared. Then the values are refused.
            guard let root = try? roots.roots(Array(json.utf8)).first else { continue }
            require(roots.root(path: root.path) == root, "a root is found again by its path: \(root.path)")
        }
    }

    private static func read(_ record: [UInt8], _ kind: KindDeclaration, _ catalogue: DeclaredCatalogue) {
        let key = RecordKey(kind.name, 1)
        require(!catalogue.title(of: record, key).isBlank, "a title is not blank")
        guard let facts = try? catalogue.facts(of: record[...], requested: [key], base: "http://mirror.example") else {
            return
        }
        guard kind.list != nil, !catalogue.declaration.isRoot(kind) else { return }
        require(facts.id > 0, "an id is positive")
        let archived = try? catalogue.archivedFacts(of: record, key, base: "http://mirror.example")
        require(archived?.card == facts.card && archived?.refused == facts.refused, "the archive has the same facts")
        let table = RecordTable(kind, in: catalogue.declaration, count: 1)
        guard let entry = try? table.entry(of: record, catalogue.links("http://mirror.example")) else {
            return require(false, "a captured record has a row")
        }
        table.append(entry, nil)
        table.finish()
        for isOfFields in [false, true] { table.take(from: [kind.name: table], fields: isOfFields) }
        for inverse in [false, true] { table.resolve([kind.name: table], inverse: inverse) }
        for field in kind.search where field.target == nil { _ = table.values(field)[0] }
        _ = kind.jsonLD(kind.fields.map { table.text($0, 0) })
    }

    /// A declaration in the repository with some of its tokens replaced, removed or added.
    private static func edited(_ edits: Script) -> [UInt8] {
        var edits = edits
        var tokens = shipped[edits.number(below: shipped.count)]
        while !edits.isAtEnd, !tokens.isEmpty {
            let index = edits.number(below: tokens.count)
            let count = edits.number(below: 4)
            let new = (0..<edits.number(below: 4)).map { _ in edits.chosen(from: words) }
            tokens.replaceSubrange(index..<min(index + count, tokens.count), with: new)
        }
        return Array(tokens.joined())
    }

    /// The tokens of edits.
    private static let words: [[UInt8]] = {
        let others = [
            "0", "1", "1001", "20.0", "null", "false", #""""#, #""a.b""#, #""a'b""#, #""figures""#, #""index""#,
            #""hidden""#, #""{""#, #""{term}""#, #""../a""#, #""song""#, "[]", "{}",
        ]
        return shipped.flatMap(\.self) + others.map { Array($0.utf8) }
    }()

    /// Strings, words and punctuation of the declarations.
    private static let shipped = ["rickandmorty", "itunes"].map(tokens)

    private static func tokens(of catalogue: String) -> [[UInt8]] {
        let root = "\(#filePath)".split(separator: "/").dropLast(4).map { "/\($0)" }.joined()
        let file = "\(root)/Catalogues/\(catalogue)/catalogue.json"
        // Without the file there is nothing to edit. The trap names the file.
        guard let bytes = try? File.read(file, limit: CatalogueDeclaration.maximumSize) else {
            preconditionFailure("\(file) cannot be read")
        }
        var tokens: [[UInt8]] = []
        var isInString = false
        for byte in bytes where isInString || byte > 0x20 {
            let isQuote = byte == UInt8(ascii: "\"")
            let isWord = !isQuote && !"{}[]:,".utf8.contains(byte)
            let continues = isInString || isWord && tokens.last?.last.map { !"{}[]:,\"".utf8.contains($0) } ?? false
            if continues { tokens[tokens.count - 1].append(byte) } else { tokens.append([byte]) }
            if isQuote { isInString.toggle() }
        }
        return tokens
    }
}

/// A record that fits the declaration in the repository, and small ones with the members `id`, `name` and `url`.
private let exampleRecord = """
    {"id":1,"name":"One","url":"https://rickandmortyapi.com/api/character/1","status":"Alive","gender":"Male",\
    "species":"Human","type":"","origin":{"name":"Two","url":"https://rickandmortyapi.com/api/location/2"},\
    "location":{"name":"","url":""},"image":"https://rickandmortyapi.com/api/character/avatar/1.jpeg",\
    "episode":["https://rickandmortyapi.com/api/episode/3"],"residents":[],"characters":[],"dimension":"",\
    "air_date":"December 2, 2013","created":"2017-11-04T18:48:46.250Z"}
    """

/// An item that fits the declaration of the iTunes Search API.
private let exampleItem = """
    {"kind":"song","trackId":1,"trackName":"One","trackViewUrl":"https://m.test/1","artistId":2,"artistName":"Two",\
    "releaseDate":"2010-03-05T08:00:00Z","trackTimeMillis":225000,"genres":["a","b"],"genreIds":["1","38"],\
    "averageUserRating":4.5,"userRatingCount":3,"fileSizeBytes":5,"description":"<p>t","longDescription":"a\\nb"}
    """
