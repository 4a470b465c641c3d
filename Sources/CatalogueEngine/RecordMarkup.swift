import Catalogue
import HTMLCheck
import Mustache
import Pages
import Platform

/// Writes values of a record as markup. Texts are escaped.
struct RecordMarkup: Sendable {
    let tables: RecordTables
    let texts: Texts
    /// The relative path from the page to the root of its language.
    let home: String
    /// The relative path from the page to the root of the site.
    let root: String
    private(set) var bytes: [UInt8] = []
    /// The labels of names, because a table repeats its names in each row.
    private(set) var labels: [String: String] = [:]
    private(set) var numberForms: [String: NumberForm] = [:]

    static func escaped(_ text: String) -> String { Escaping.escaped(text) }

    func written(_ content: (inout RecordMarkup) -> Void) -> [UInt8] {
        var copy = self
        content(&copy)
        return copy.bytes
    }

    mutating func text(_ text: String) { Escaping.append(text, to: &bytes) }
    mutating func raw(_ markup: some Sequence<UInt8>) { bytes += markup }

    mutating func element(_ name: String, text: String, _ attributes: String = "") {
        bytes += "<\(name)\(attributes)>".utf8
        self.text(text)
        bytes += "</\(name)>".utf8
    }

    /// An element with the markup of a closure, and a line end.
    mutating func element(_ name: String, _ attributes: String = "", _ content: (inout RecordMarkup) -> Void) {
        bytes += "<\(name)\(attributes)>".utf8
        content(&self)
        bytes += "</\(name)>\n".utf8
    }

    /// A name and its value in a list of facts.
    mutating func entry(_ name: String, _ attributes: String = "", _ value: (inout RecordMarkup) -> Void) {
        element("div") { html in
            html.element("dt", text: name, attributes)
            html.element("dd", "", value)
        }
    }

    /// A name in words. A name without words, such as "_", is quoted.
    mutating func label(_ name: String) -> String {
        let label = labels[name] ?? (name.inWords.isBlank ? name.quoted : name.label)
        labels[name] = label
        return label
    }

    mutating func number(_ word: String, _ name: String) -> String {
        let form = numberForms[name] ?? NumberForm(name)
        numberForms[name] = form
        return texts.number(word, form)
    }
}

extension String {
    /// The parts of a text between blank lines, at most 1,000. Line ends and indentation in them are kept.
    var parts: [String] {
        split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
            .split(maxSplits: 999) { $0.allSatisfy(\.isWhitespace) }.map { $0.joined(separator: "\n") }
    }

    /// The paragraphs of a text: its parts, or the lines of its only part.
    var paragraphs: [String] {
        let parts = parts
        guard parts.count == 1 else { return parts }
        return parts[0].split(maxSplits: 999, whereSeparator: \.isNewline).map(String.init)
    }
}

extension RecordMarkup {
    /// A text with HTML elements. Its links to records lead to their pages. Paths begin at the root of the API's host.
    /// - Parameter files: the files of the record, for the pictures in its text.
    func html(_ text: String, headings: Int = 2, _ files: RecordFiles? = nil) -> [UInt8] {
        let origin = WebLinks.origin(of: tables.links.bases.last ?? "")
        func blocks(_ text: String) -> [UInt8] {
            HTMLSanitizer.blocks(text, headings: headings, origin: origin) { address in
                tables.find(address).map { home + $0.path.text }
            } picture: { address in
                files?.picture(at: address).map { (root + $0.path.text, $0.width, $0.height) }
            }
        }
        let whole = blocks(text)
        // A text with formatting, but without blocks, can have blank lines between its paragraphs.
        let isParagraph = whole.starts(with: "<p>".utf8) && whole.firstRange(of: "</p>".utf8)?.upperBound == whole.count
        let parts = isParagraph ? text.parts : []
        return parts.count > 1 ? blocks(parts.joined(separator: "<p>")) : whole
    }

    /// Sections with the long texts and records of the declared fields. Further pages have only continued lists.
    func sections(of record: RecordContent, _ fields: [FieldDeclaration], _ page: Int) -> [UInt8] {
        written { html in
            for field in fields {
                switch (field.type, record.contents[field.index]) {
                case (_, .rows(let related, let numbers)):
                    let rows = related.rows.page(page, perPage: field.most).lazy.map { Int($0) }
                    html.links(rows, Array(numbers.page(page, perPage: field.most)), field)
                case _ where page > 0: continue
                case (.prose, _), (.html, _): html.prose(record.texts[field.index], field, record.files)
                case (.tree, _):
                    let nodes = record.undeclared.fields.objects(at: field.path)
                    guard !nodes.isEmpty else { continue }
                    html.section(field) { html in
                        html.element("ul", " class=\"tree\"") { html in
                            for node in nodes { html.branch(node, field) }
                        }
                    }
                case (.file, _): html.files(record, field)
                default: continue
                }
            }
        }
    }

    /// The attributes for texts in the language of the page; empty if the API's texts have it, or any language.
    var own: String {
        let language = texts.language
        return ["", language].contains(tables.declaration.language)
            ? "" : " lang=\"\(language)\" xml:lang=\"\(language)\""
    }

    private mutating func section(_ field: FieldDeclaration, _ content: (inout RecordMarkup) -> Void) {
        element("section", " class=\"of-\(field.name)\(field.type.isLongText ? " prose" : "")\"") { html in
            html.element("h2", text: html.texts[field.label], html.own)
            content(&html)
        }
    }

    private mutating func prose(_ text: String, _ field: FieldDeclaration, _ files: RecordFiles) {
        guard !text.isBlank else { return }
        section(field) { html in
            if field.type == .html {
                html.raw(html.html(text, headings: 3, files))
            } else {
                for line in text.paragraphs { html.element("p", text: line) }
            }
        }
    }

    private mutating func links(_ rows: some Collection<Int>, _ numbers: [String], _ field: FieldDeclaration) {
        guard !rows.isEmpty, let target = field.target.map({ tables[$0] }) else { return }
        let areBars = field.display == .bars && numbers.count == rows.count
        let areCards = !areBars && (tables.hasPictures(target) || !target.kind.row.isEmpty)
        let full = field.full.map(Double.init) ?? max(numbers.compactMap(\.number).max() ?? 0, 1)
        let list = areBars ? "bars" : areCards ? "cards small" : "tiles"
        section(field) { html in
            html.element(areBars ? "ol" : "ul", " class=\"\(list)\"") { html in
                for (index, row) in rows.enumerated() {
                    let number = numbers.isEmpty ? "" : numbers[index]
                    html.element("li", areCards ? " class=\"card\"" : "") { html in
                        if areBars {
                            html.bar(target[row], field, number, of: full)
                        } else {
                            html.card(target[row], field, number)
                        }
                    }
                }
            }
        }
    }

    private mutating func card(_ record: RecordRow, _ field: FieldDeclaration, _ number: String = "") {
        element("a", href(record)) { html in
            if html.tables.hasPictures(record.table) { html.picture(record) }
            let name = html.name(record, field)
            html.element("span", text: name.text, " class=\"name\"\(name.attributes)")
            if !number.isBlank { html.element("span", text: number, " class=\"amount\"") }
            let facts = html.tables.row(of: record, html.texts)
            guard !facts.isEmpty else { return }
            html.element("span", " class=\"facts\"\(html.own)") { html in
                for fact in facts {
                    html.element("span", text: fact)
                    html.text(" ")
                }
            }
        }
    }

    /// The attribute of a link to a record's page.
    func href(_ record: RecordRow) -> String { " href=\"\(Self.escaped(home + record.path.text))\"" }

    /// The record's name, translated if the language has a text for this value of the field.
    private func name(_ record: RecordRow, _ field: FieldDeclaration) -> (text: String, attributes: String) {
        texts.value(field.name, record.name).map { ($0, own) } ?? (record.name, "")
    }

    /// - Parameter full: the number of a bar with full width.
    private mutating func bar(_ record: RecordRow, _ field: FieldDeclaration, _ number: String, of full: Double) {
        let name = name(record, field)
        element("a", text: name.text, href(record) + name.attributes)
        element("span", text: number, " class=\"count\"")
        let width = Int((min(max(0, number.number ?? 0) / full, 1) * 100).rounded())
        raw(
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="100%" height="10">\
            <rect class="bar" width="\(width)%" height="10" rx="3" /></svg>
            """.utf8)
    }

    private static let deepest = 20

    /// A record of a tree with its values, and the records below it.
    private mutating func branch(_ node: JSONFields, _ field: FieldDeclaration, depth: Int = 0) {
        guard depth < Self.deepest, let link = field.link, let children = field.children else { return }
        element("li") { html in
            let address = node.scalar(link)
            if let record = field.target.flatMap({ html.tables.find(address, $0) }) {
                html.card(record, field)
            } else {
                html.element("p", text: address)
            }
            html.notes(of: node, field)
            let below = node.objects(at: children)
            guard !below.isEmpty else { return }
            html.element("ul") { html in for child in below { html.branch(child, field, depth: depth + 1) } }
        }
    }

    private mutating func notes(of object: JSONFields, _ field: FieldDeclaration) {
        let notes = field.notes.map { note in
            (note.label, object.scalars(note.path).filter { !$0.isBlank }.unique())
        }.filter { !$0.1.isEmpty }
        guard !notes.isEmpty else { return }
        element("dl") { html in
            for (label, values) in notes { html.entry(html.texts[label], html.own) { $0.line(values) } }
        }
    }

    private mutating func picture(_ record: RecordRow) {
        let found = tables.shownPicture(record)
        image(found?.path.text ?? "placeholder.svg", found?.width ?? 300, found?.height ?? 300)
    }

    /// - Parameter path: relative to the root of the site.
    mutating func image(_ path: String, _ width: Int, _ height: Int) {
        raw(
            """
            <img src="\(Self.escaped(root + path))" alt="" width="\(width)" height="\(height)" loading="lazy" />
            """.utf8)
    }
}
