import Catalogue
import HTMLCheck
import Mustache
import Pages
import Platform

/// The values of a record that its declaration does not name, as markup: scalars as facts, objects as nested facts,
/// lists of objects as tables, addresses as links. Null and empty values are left out.
struct RecordRest: Sendable {
    let tables: RecordTables
    let texts: Texts
    /// The relative path from the page to the root of its language.
    let home: String
    /// The relative path from the page to the root of the site.
    let root: String

    /// The names that this page has in words, because a table has a name in each row.
    private let labels = Locked<[String: String]>([:])

    init(tables: RecordTables, texts: Texts, home: String, root: String) {
        self.tables = tables
        self.texts = texts
        self.home = home
        self.root = root
    }

    private typealias Member = JSON.Member

    private func label(_ name: String) -> String {
        labels.withLock { labels in
            if let label = labels[name] { return label }
            let label = name.label
            labels[name] = label
            return label
        }
    }

    /// Facts in one list, and a section for each value that needs more than a line.
    enum Part { case facts, sections }

    /// - Parameter table: the table of the record.
    func html(_ part: Part, of values: UndeclaredValues, _ table: RecordTable, _ row: Int) -> [UInt8] {
        let members = values.members
        // A record that has its own address does not link to itself.
        let others = members.filter {
            $0.value.text.flatMap { tables.find($0) }.map { $0.table !== table || $0.row != row } ?? true
        }
        var html = Markup()
        switch part {
        case .facts:
            let facts = others.filter { isInline($0.value) }
            if !facts.isEmpty { list(facts, into: &html) }
        case .sections:
            for (name, value) in others where !isInline(value) {
                html.open("section")
                html.element("h2", label(name))
                block(value, into: &html)
                html.close("section")
            }
        }
        return html.bytes
    }
}

extension RecordRest {
    /// The long texts and the records of the declared fields, each in a section.
    func sections(_ record: RecordContent, _ table: RecordTable, _ row: Int) -> [UInt8] {
        var html = Markup()
        for (index, field) in table.kind.fields.enumerated() {
            switch field.type {
            case .prose, .html:
                let text = record.texts[index]
                guard !text.isBlank else { continue }
                html.open("section", " class=\"prose\"")
                html.element("h2", texts[field.label])
                if field.type == .html {
                    html.raw(HTMLSanitizer.blocks(text))
                } else {
                    for line in field.paragraphs(text) { html.element("p", line) }
                }
                html.close("section")
            case .references, .inverse, .roots:
                guard let target = field.target.map({ tables[$0] }) else { continue }
                let rows =
                    table.cast(index, row)?.rows.map { Int($0) }
                    ?? (field.type == .roots ? table.roots[row] : record.lists[index].rows)
                links(rows, field, target, into: &html)
            default: continue
            }
        }
        return html.bytes
    }

    private func links(_ rows: [Int], _ field: FieldDeclaration, _ target: RecordTable, into html: inout Markup) {
        guard !rows.isEmpty else { return }
        let hasPictures = target.pictures.count > 0
        html.open("section")
        html.element("h2", texts[field.label])
        html.open("ul", hasPictures ? " class=\"cards small\"" : " class=\"tiles\"")
        for row in rows.prefix(field.most) {
            html.open("li", hasPictures ? " class=\"card\"" : "")
            html.open("a", " href=\"\(Markup.escaped(home + tables.path(target, row).text))\"")
            if hasPictures { picture(target, row, into: &html) }
            html.element("span", target.names[row], " class=\"name\"")
            html.close("a")
            html.close("li")
        }
        html.close("ul")
        if rows.count > field.most { html.element("p", texts.plural(EngineTexts.more, rows.count - field.most)) }
        html.close("section")
    }

    private func picture(_ table: RecordTable, _ row: Int, into html: inout Markup) {
        let found = table.pictures[row]
        let path = tables.picturePath(table, row)?.text ?? "placeholder.svg"
        html.raw(
            Array(
                """
                <img src="\(Markup.escaped(root + path))" alt="" width="\(found?.width ?? 300)" \
                height="\(found?.height ?? 300)" loading="lazy" decoding="async" />
                """.utf8))
    }

    /// Names with their values.
    private func list(_ members: [Member], into html: inout Markup) {
        html.open("dl")
        for (name, value) in members {
            html.open("div")
            html.element("dt", label(name))
            html.open("dd")
            flow(value, into: &html)
            html.close("dd")
            html.close("div")
        }
        html.close("dl")
    }

    /// - Parameter isNested: whether the value is in a table or a list.
    private func block(_ value: JSON, isNested: Bool = false, into html: inout Markup) {
        switch value {
        case .text(let text) where Self.isMarkup(text):
            let blocks = HTMLSanitizer.blocks(text)
            if blocks.isEmpty { html.element("p", text) } else { html.raw(blocks) }
        case .text(let text):
            // One line end is only a break of the text, often after a soft hyphen.
            let joined = text.replacing("\r\n", with: "\n").replacing("\u{AD}\n", with: "\u{AD}")
            let lines = joined.split(separator: "\n", omittingEmptySubsequences: false)
            for paragraph in lines.split(whereSeparator: { $0.allSatisfy(\.isWhitespace) }) {
                html.element("p", paragraph.joined(separator: "\n"))
            }
        case .word, .each: inline(value, into: &html)
        case .object(let members): list(members, into: &html)
        case .list(let elements):
            let rows = elements.map(Self.columns)
            var names: [String] = []
            var known: Set<String> = []
            for row in rows { for column in row where known.insert(column.key).inserted { names.append(column.key) } }
            var rest = rows[...]
            var isFirst = true
            while !rest.isEmpty {
                let part = isFirst ? rest.prefix(isNested ? Self.nestedRowsAtOnce : Self.rowsAtOnce) : rest
                rest = rest.dropFirst(part.count)
                if !isFirst {
                    html.open("details")
                    html.element("summary", texts.plural(EngineTexts.more, part.count))
                }
                // A table in a table is hard to read.
                if !isNested, (2...Self.mostColumns).contains(names.count) {
                    table(part, names, into: &html)
                } else {
                    items(part, into: &html)
                }
                if !isFirst { html.close("details") }
                isFirst = false
            }
        }
    }

    /// Longer lists continue in a part that the reader opens.
    private static let rowsAtOnce = 100
    private static let nestedRowsAtOnce = 5
    /// A list of objects with more members has no table.
    private static let mostColumns = 6
    /// On small screens, a row of a table with more columns becomes lines.
    private static let fewColumns = 3

    private func table(_ rows: ArraySlice<[Member]>, _ names: [String], into html: inout Markup) {
        html.open("table", names.count > Self.fewColumns ? " class=\"wide\"" : "")
        html.open("thead")
        html.open("tr")
        for name in names { html.element("th", label(name), " scope=\"col\"") }
        html.close("tr")
        html.close("thead")
        html.open("tbody")
        for row in rows {
            html.open("tr")
            for name in names {
                html.open("td", " data-label=\"\(Markup.escaped(label(name)))\"")
                if let value = row.first(where: { $0.key == name })?.value { flow(value, into: &html) }
                html.close("td")
            }
            html.close("tr")
        }
        html.close("tbody")
        html.close("table")
    }

    private func items(_ rows: ArraySlice<[Member]>, into html: inout Markup) {
        html.open("ul", " class=\"entries\"")
        for row in rows {
            html.open("li")
            if row.count == 1 { flow(row[0].value, into: &html) } else { list(row, into: &html) }
            html.close("li")
        }
        html.close("ul")
    }

    private func flow(_ value: JSON, into html: inout Markup) {
        if isInline(value) { inline(value, into: &html) } else { block(value, isNested: true, into: &html) }
    }

    /// The members of an element of a list. An object that is not a link adds its members, with its name before theirs.
    private static func columns(_ element: JSON) -> [Member] {
        guard case .object(let members) = element, !isLink(members) else { return [("", element)] }
        return members.flatMap { name, value -> [Member] in
            guard case .object(let inner) = value, !isLink(inner) else { return [(name, value)] }
            return inner.map { ("\(name) \($0.key)", $0.value) }
        }
    }
}

extension RecordRest {
    private static let longestLine = 160

    /// Whether a value fits into a line.
    private func isInline(_ value: JSON) -> Bool {
        switch value {
        case .word, .each: true
        case .text(let text):
            Self.isAddress(text)
                || text.utf8.count <= Self.longestLine && !text.contains(where: \.isNewline) && !Self.isMarkup(text)
        case .object(let members): Self.isLink(members)
        case .list(let elements):
            elements.count <= 8
                && elements.allSatisfy { element in
                    if case .list = element { false } else { isInline(element) }
                }
        }
    }

    /// Whether a text looks like an address. Only addresses that become links are checked.
    private static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count <= LinkReader.longest
            && (bytes.starts(with: "https://".utf8) || bytes.starts(with: "http://".utf8))
            && bytes.allSatisfy { $0 > 0x20 && $0 < 0x7F }
    }

    /// Whether an object is only an address, and the name of its target.
    private static func isLink(_ members: [Member]) -> Bool {
        guard (1...2).contains(members.count) else { return false }
        let texts = members.compactMap { if case .text(let text) = $0.value { text } else { nil } }
        return texts.count == members.count && texts.count(where: isAddress) == 1
    }

    /// Whether a text has HTML for people. A text such as "Array<string>" or "<script>" is shown as it is.
    private static func isMarkup(_ text: String) -> Bool {
        guard text.utf8.contains("<") else { return false }
        let lower = text.lowercased()
        return markup.contains(where: lower.contains)
    }

    private static let markup =
        [
            "p", "a", "b", "i", "em", "strong", "ul", "ol", "li", "div", "span", "blockquote", "h1", "h2", "h3", "h4",
            "table",
        ]
        .map { "</\($0)>" } + ["<br>", "<br/>", "<br />"]

    private func inline(_ value: JSON, into html: inout Markup) {
        switch value {
        case .word("null"), .each: break
        case .word("true"): html.text(texts[EngineTexts.yes])
        case .word("false"): html.text(texts[EngineTexts.no])
        case .word(let word): html.text(word)
        case .text(let text):
            if Self.isAddress(text) {
                link(text, name: nil, into: &html)
            } else if let day = Self.day(text) {
                html.element("time", texts.date(day), " datetime=\"\(day.machineReadable)\"")
                let time = text.dropFirst(11).prefix(5)
                if !time.isEmpty, time != "00:00" { html.text(", \(time)") }
            } else {
                html.text(text)
            }
        case .object(let members):
            let found = members.compactMap { if case .text(let text) = $0.value { text } else { nil } }
            let address = found.first(where: Self.isAddress) ?? ""
            link(address, name: found.first { !Self.isAddress($0) }, into: &html)
        case .list(let elements):
            for (index, element) in elements.enumerated() {
                if index > 0 { html.text(", ") }
                inline(element, into: &html)
            }
        }
    }

    /// The day of a text such as "2010-03-05" or "2010-03-05T08:00:00+01:00", in the time zone of the text.
    private static func day(_ text: String) -> Day? {
        let bytes = text.utf8
        guard bytes.count == 10 || (16...35).contains(bytes.count) else { return nil }
        let time = bytes.dropFirst(10)
        guard time.first.map({ $0 == "T" || $0 == " " }) ?? true,
            time.dropFirst().allSatisfy({ $0.isDigit || ":.+-Z".utf8.contains($0) })
        else { return nil }
        return Day(bytes.prefix(10))
    }

    /// A link to the page of a record, or to another site.
    private func link(_ address: String, name: String?, into html: inout Markup) {
        if let (table, row) = tables.find(address) {
            let path = home + tables.path(table, row).text
            return html.element("a", table.names[row], " href=\"\(Markup.escaped(path))\"")
        }
        guard WebAddress.isValid(address) else { return html.text(name.map { "\($0) \(address)" } ?? address) }
        // The name of a file says more than the start of its address.
        let plain = address.utf8.last == "/" ? address.dropLast() : address[...]
        let parts = plain.split(separator: "/")
        let last = parts.last ?? ""
        let ending = last.utf8.reversed().prefix { $0.isDigit || $0.isSmallLetter }.count
        let isFile = parts.count > 2 && (2...4).contains(ending) && last.utf8.dropLast(ending).last == "."
        html.element(
            "a", name ?? String(isFile ? last : plain.drop { $0 != "/" }.dropFirst(2)).shortened,
            " href=\"\(Markup.escaped(address))\" rel=\"nofollow\"")
    }
}

/// The values of a record that its declaration does not name. They are read at the first use.
final class UndeclaredValues: Sendable {
    private let record: [UInt8]
    private let kind: KindDeclaration
    private let read = Locked<[JSON.Member]?>(nil)

    init(of record: [UInt8], _ kind: KindDeclaration) {
        self.record = record
        self.kind = kind
    }

    var members: [JSON.Member] {
        read.withLock { read in
            if let read { return read }
            let members = readMembers()
            read = members
            return members
        }
    }

    private func readMembers() -> [JSON.Member] {
        let shown = kind.fields.enumerated().filter { index, field in
            kind.facts.contains(index) || [.prose, .html, .references, .image, .hidden].contains(field.type)
        }.map(\.element)
        let known = [kind.id, kind.title] + [kind.selfLink].compactMap(\.self)
        let paths = Set(
            (known + shown.flatMap { [$0.path, $0.text].compactMap(\.self) }).map(\.text)
                // The name in an object with the address of a reference is that of the other record.
                + shown.filter { $0.type == .reference && $0.path.names.count > 1 }.map {
                    "\($0.path.names.dropLast().joined(separator: ".")).name"
                })
        do {
            return try JSON(record).pruned(except: paths)?.members ?? []
        } catch {
            // The capture checked the record. A damaged archive is reported by its digests.
            return []
        }
    }
}

/// Markup that is written piece by piece. Texts are escaped.
private struct Markup {
    private(set) var bytes: [UInt8] = []

    private static let escaping = Escaping(.strict)

    mutating func open(_ name: String, _ attributes: String = "") { bytes += "<\(name)\(attributes)>".utf8 }
    mutating func close(_ name: String) { bytes += "</\(name)>\n".utf8 }
    mutating func text(_ text: String) { Self.escaping.append(text, to: &bytes) }
    mutating func raw(_ markup: [UInt8]) { bytes += markup }

    mutating func element(_ name: String, _ content: String, _ attributes: String = "") {
        open(name, attributes)
        text(content)
        bytes += "</\(name)>".utf8
    }

    static func escaped(_ text: String) -> String { escaping.escaped(text) }
}
