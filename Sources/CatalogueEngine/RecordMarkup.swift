import Catalogue
import HTMLCheck
import Mustache
import Pages

/// Writes values of a record as markup. Texts are escaped.
struct RecordMarkup: Sendable {
    let tables: RecordTables
    let texts: Texts
    /// The relative path from the page to the root of its language.
    let home: String
    /// The relative path from the page to the root of the site.
    let root: String
    private var bytes: [UInt8] = []
    /// The labels of names, because a table repeats its names in each row.
    private var labels: [String: String] = [:]

    init(tables: RecordTables, texts: Texts, home: String, root: String) {
        self.tables = tables
        self.texts = texts
        self.home = home
        self.root = root
    }

    private static let escaping = Escaping(.strict)

    static func escaped(_ text: String) -> String { escaping.escaped(text) }

    /// The markup that a closure writes.
    func written(_ content: (inout RecordMarkup) -> Void) -> [UInt8] {
        var copy = self
        content(&copy)
        return copy.bytes
    }

    mutating func text(_ text: String) { Self.escaping.append(text, to: &bytes) }
    mutating func raw(_ markup: [UInt8]) { bytes += markup }

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

    /// A name in words.
    mutating func label(_ name: String) -> String {
        let label = labels[name] ?? name.label
        labels[name] = label
        return label
    }
}

extension RecordMarkup {
    /// A text with HTML elements. Its links to records lead to their pages. Paths begin at the root of the API's host.
    /// - Parameter files: the files of the record, for the pictures in its text.
    func html(_ text: String, headings: Int = 2, _ files: RecordFiles? = nil) -> [UInt8] {
        let origin = (tables.links.bases.last ?? "").split(separator: "/", maxSplits: 2).prefix(2)
        return HTMLSanitizer.blocks(text, headings: headings) { address in
            let isPath = address.hasPrefix("/") && !address.hasPrefix("//")
            let whole = isPath ? origin.joined(separator: "//") + address : address
            return tables.find(whole).map { home + tables.path($0.table, $0.row).text } ?? (isPath ? whole : nil)
        } picture: { address in
            files?.picture(at: address).map { (root + $0.path.text, $0.width, $0.height) }
        }
    }

    /// The long texts and the records of the declared fields, each in a section.
    func sections(of record: RecordContent, _ kind: KindDeclaration) -> [UInt8] {
        written { html in
            for (index, field) in kind.fields.enumerated() {
                switch (field.type, record.contents[index]) {
                case (.prose, _), (.html, _): html.prose(record.texts[index], field, record.files)
                case (_, .rows(let rows, _)): html.links(rows, field)
                case (.file, _): html.files(record.files.addresses[index] ?? [], record.files, field)
                case (_, .cards(let cast)): html.links(cast.rows.map { Int($0) }, field)
                default: continue
                }
            }
        }
    }

    private mutating func prose(_ text: String, _ field: FieldDeclaration, _ files: RecordFiles) {
        guard !text.isBlank else { return }
        let label = texts[field.label]
        element("section", " class=\"prose\"") { html in
            html.element("h2", text: label)
            if field.type == .html {
                html.raw(html.html(text, headings: 3, files))
            } else {
                for line in field.paragraphs(text) { html.element("p", text: line) }
            }
        }
    }

    private mutating func links(_ rows: [Int], _ field: FieldDeclaration) {
        guard !rows.isEmpty, let target = field.target.map({ tables[$0] }) else { return }
        let hasPictures = target.pictures.count > 0 || target.kind.primary != nil
        element("section") { html in
            html.element("h2", text: html.texts[field.label])
            html.element("ul", hasPictures ? " class=\"cards small\"" : " class=\"tiles\"") { html in
                for row in rows.prefix(field.most) {
                    let path = Self.escaped(html.home + html.tables.path(target, row).text)
                    html.element("li", hasPictures ? " class=\"card\"" : "") { html in
                        html.element("a", " href=\"\(path)\"") { html in
                            if hasPictures { html.picture(target, row) }
                            html.element("span", text: target.names[row], " class=\"name\"")
                        }
                    }
                }
            }
            let others = rows.count - field.most
            if others > 0 { html.element("p", text: html.texts.plural(EngineTexts.more, others)) }
        }
    }

    private mutating func picture(_ table: RecordTable, _ row: Int) {
        let (table, row) = tables.portrayed(table, row)
        let found = table.pictures[row]
        let path = tables.picturePath(table, row)?.text ?? "placeholder.svg"
        bytes +=
            """
            <img src="\(Self.escaped(root + path))" alt="" width="\(found?.width ?? 300)" \
            height="\(found?.height ?? 300)" loading="lazy" decoding="async" />
            """.utf8
    }
}
