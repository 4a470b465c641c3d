import Catalogue
import HTMLCheck
import Pages
import Platform

/// The values of a record that its declaration does not show elsewhere: scalars as facts, objects as nested facts,
/// lists of objects as tables, addresses as links. Null and empty values are left out.
extension RecordMarkup {
    typealias Member = JSON.Member

    /// The long texts, each in a section, and then the values that fit into a line, in one list of facts.
    /// - Parameter declared: the declared fields that are no facts of the page.
    func facts(_ declared: [RecordFact], _ values: UndeclaredValues) -> [UInt8] {
        let short = declared.filter(isInline)
        let all = values.members.filter { isInline($0.value) }
        let others = all.filter { !isTechnical($0.value) } + all.filter { isTechnical($0.value) }
        return written { html in
            for fact in declared where !isInline(fact) {
                html.element("section") { html in
                    html.element("h2", text: fact.label, html.own)
                    html.block(.text(fact.value.text), "")
                }
            }
            for member in values.members where isLongText(member.value) { html.section(member) }
            guard !short.isEmpty || !others.isEmpty else { return }
            html.element("dl") { html in
                for fact in short { html.fact(fact) }
                html.items(others)
            }
        }
    }

    /// A section for each other value. Those with nothing but addresses of the API that are no records come last.
    /// Further pages have only the continued lists.
    /// - Parameter pages: the number of the record's pages.
    func sections(_ values: UndeclaredValues, _ page: Int, of pages: Int) -> [UInt8] {
        let others = values.members.filter { _, value in
            !isInline(value) && !isLongText(value) && (page == 0 || page < Self.pages(value))
        }
        return written { html in
            for member in others where !isTechnical(member.value) { html.section(member, page, of: pages) }
            for member in others where isTechnical(member.value) { html.section(member, page, of: pages) }
        }
    }

    private mutating func section(_ member: Member, _ page: Int = 0, of pages: Int = 1) {
        element("section") { html in
            html.element("h2", text: html.label(member.key))
            html.block(member.value, member.key, part: (page, pages))
        }
    }

    /// Whether a value is a text of more than a line, or has such a member.
    private func isLongText(_ value: JSON) -> Bool {
        if case .text = value { return !isInline(value) }
        return value.members?.contains { $0.value.text != nil && !isInline($0.value) } == true
    }

    /// Whether a value has only addresses of the API that lead to no record.
    private func isTechnical(_ value: JSON) -> Bool {
        if let inner = value.members?.map(\.value) ?? value.elements { return inner.allSatisfy(isTechnical) }
        return value.text.map { tables.links.path($0) != nil && tables.find($0) == nil } == true
    }

    /// The maximum number of rows of a table, and of entries of another list, on a page.
    static let (rowsPerPage, entriesPerPage) = (100, 500)
    private static let nestedRowsAtOnce = 5

    /// The first element decides how a list is shown, so that a page of a long list does not read all of it.
    private static func perPage(_ elements: [JSON]) -> Int {
        elements.first?.members.map(isLink) == false ? rowsPerPage : entriesPerPage
    }

    static func pages(_ value: JSON) -> Int {
        guard case .list(let elements) = value else { return 1 }
        return Paging(count: elements.count, perPage: perPage(elements)).pages
    }

    /// The elements of a list on a page. The last page has all the others, because the pages were counted before it was
    /// known which references lead to records.
    private static func elements(_ elements: [JSON], on page: Int, of pages: Int) -> ArraySlice<JSON> {
        let perPage = perPage(elements)
        return page == pages - 1 ? elements.dropFirst(page * perPage) : elements.page(page, perPage: perPage)
    }

    mutating func list(_ members: [Member]) { element("dl") { $0.items(members) } }

    private mutating func items(_ members: [Member]) {
        for (name, value) in members {
            // The unit of a number is part of its value, not of its name.
            let unit = value.isNumber ? NumberUnit(name) : nil
            entry(label(unit?.name ?? name)) { html in
                html.flow(value, name)
                if let unit { html.text(unit.text) }
            }
        }
    }

    /// - Parameter name: the name of the value, or of the list that has it.
    mutating func flow(_ value: JSON, _ name: String) {
        if isInline(value) { inline(value, name) } else { block(value, name) }
    }

    /// - Parameter part: the page that shows a part of a list, and the number of pages; nil in a table or a list.
    private mutating func block(_ value: JSON, _ name: String, part: (page: Int, pages: Int)? = nil) {
        switch value {
        case .text(let text) where Self.isMarkup(text):
            let blocks = html(text, headings: 3)
            if blocks.isEmpty { element("p", text: text) } else { raw(blocks) }
        case .text(let text):
            // One line end is only a break of the text, often after a soft hyphen.
            for paragraph in text.replacing("\u{AD}\n", with: "\u{AD}").parts { element("p", text: paragraph) }
        case .word, .each: inline(value, name)
        case .object(let members): list(members)
        case .list(let elements):
            if let part {
                return entries(Self.elements(elements, on: part.page, of: part.pages), name, isNested: false)
            }
            entries(elements.prefix(Self.nestedRowsAtOnce), name, isNested: true)
            let rest = elements.dropFirst(Self.nestedRowsAtOnce)
            guard !rest.isEmpty else { return }
            element("details") { html in
                html.element("summary", text: html.texts.plural(PageFrame.more, rest.count))
                html.entries(rest, name, isNested: true)
            }
        }
    }
}

extension RecordMarkup {
    private static let longestLine = 160

    private func isInline(_ fact: RecordFact) -> Bool {
        fact.value.path != nil || fact.value.link != nil || !fact.elements.isEmpty || isInline(.text(fact.value.text))
    }

    /// Whether a value fits into a line.
    func isInline(_ value: JSON) -> Bool {
        switch value {
        case .word, .each: true
        case .text(let text):
            Self.isAddress(text) || Self.fileType(text) != nil
                || text.utf8.count <= Self.longestLine && !text.contains(where: \.isNewline) && !Self.isMarkup(text)
        case .object(let members): Self.isLink(members) || value.nameAndID != nil || value.quantity != nil
        case .list(let elements): elements.count <= 8 && elements.allSatisfy { $0.elements == nil && isInline($0) }
        }
    }

    /// The beginning of a text with the bytes of a file, such as "data:image/gif;base64,"; nil for other texts.
    private static func fileType(_ text: String) -> Substring? {
        guard text.utf8.starts(with: "data:".utf8) else { return nil }
        return text.prefix(100).firstRange(of: ";base64,").map { text[..<$0.upperBound] }
    }

    /// Whether a text looks like an address. Only addresses that become links are checked.
    static func isAddress(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count <= LinkReader.longest
            && (bytes.starts(with: "https://".utf8) || bytes.starts(with: "http://".utf8))
            && bytes.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// Whether an object is only an address, and the name of its target.
    static func isLink(_ members: [Member]) -> Bool {
        let texts = members.compactMap(\.value.text)
        return (1...2).contains(members.count) && texts.count == members.count && texts.count(where: isAddress) == 1
    }

    /// Whether a text has HTML for people. A text such as "Array<string>" or "<script>" is shown as it is.
    static func isMarkup(_ text: String) -> Bool {
        guard text.utf8.contains("<") else { return false }
        let lower = text.lowercased()
        return markup.contains(where: lower.contains)
    }

    private static let markup =
        [
            "p", "a", "b", "i", "em", "strong", "ul", "ol", "li", "div", "span", "blockquote", "h1", "h2", "h3", "h4",
            "table",
        ].map { "</\($0)>" } + ["<br>", "<br/>", "<br />"]

    /// A value as text without markup.
    func plain(_ value: JSON, _ name: String) -> String {
        switch value {
        case .object(let members) where !isInline(value):
            members.map { ($0.key.label, plain($0.value, $0.key)) }.filter { !$1.isBlank }.map { "\($0): \($1)" }
                .joined(separator: ", ")
        case .list(let elements): elements.map { plain($0, name) }.filter { !$0.isBlank }.joined(separator: ", ")
        default: HTMLSanitizer.text(String(decoding: written { $0.flow(value, name) }, as: UTF8.self))
        }
    }

    /// Texts and links in a line.
    mutating func line(_ texts: [String]) { inline(.list(texts.map { .text($0) }), "") }

    private mutating func inline(_ value: JSON, _ name: String) {
        switch value {
        case .word("null"), .each: break
        case .word("true"): text(texts[EngineTexts.yes])
        case .word("false"): text(texts[EngineTexts.no])
        case .word(let word): text(number(word, name))
        case .text(let content):
            if Self.isAddress(content) {
                link(content, name: nil)
            } else if let day = Day(moment: content) {
                element("time", text: texts.date(day), " datetime=\"\(day.machineReadable)\"")
                // Midnight is usually the time of a day without one.
                let time = Day.time(of: content)
                if !time.hasPrefix(", 00:00") { text(time) }
            } else if let type = Self.fileType(content) {
                text("\(type)…")
            } else {
                text(content)
            }
        case .object(let members):
            if let (name, id) = value.nameAndID { return text("\(name) (\(id))") }
            if let quantity = value.quantity {
                inline(quantity.number.value, quantity.number.key)
                return text(" \(quantity.unit)")
            }
            let address = members.compactMap(\.value.text).first(where: Self.isAddress) ?? ""
            let other = members.first { $0.value.text.map(Self.isAddress) == false }
            if let other, let record = tables.find(address), !record.isRepeated(by: other) {
                text("\(other.value.text ?? ""): ")
            }
            link(address, name: other?.value.text)
        case .list(let elements):
            for (index, element) in elements.enumerated() {
                if index > 0 { text(", ") }
                inline(element, name)
            }
        }
    }

    /// A link to the page of a record, or to another site.
    mutating func link(_ address: String, name: String?) {
        if let record = tables.find(address) { return element("a", text: record.name, href(record)) }
        guard let target = WebAddress.encoded(address) else { return text(name.map { "\($0) \(address)" } ?? address) }
        element("a", text: name ?? Self.name(of: address), " href=\"\(Self.escaped(target))\" rel=\"nofollow\"")
    }

    /// The text of a link to another site. The name of a file says more than the start of its address.
    static func name(of address: String) -> String {
        let plain = address.utf8.last == "/" ? address.dropLast() : address[...]
        let parts = plain.split(separator: "/")
        let last = parts.last ?? ""
        let ending = last.utf8.reversed().prefix { $0.isDigit || $0.isSmallLetter }.count
        let isFile = parts.count > 2 && (2...4).contains(ending) && last.utf8.dropLast(ending).last == "."
        return String(isFile ? last : plain.drop { $0 != "/" }.dropFirst(2)).shortened
    }
}
