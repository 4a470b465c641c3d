import Platform

/// Writes the blocks of a text from tags and characters in any order. An element is written only when its first text
/// arrives, so no element in the output is empty, except for the cells of tables.
struct BlockWriter {
    static let mostContainers = 8
    private static let mostFormats = 4
    /// How often the attributes of one element are written.
    private static let mostCopies = 4

    var bytes: [UInt8] = []
    /// The blocks around the next text, outermost first. The first `written` of them are open in the output.
    var stack: [Block] = []
    var written = 0
    /// The number of open containers that have no block.
    var flattened = 0

    /// The heading or preformatted text around the next text; nil for a paragraph, or for text directly in a block.
    private var leaf: String?
    /// The heading, preformatted text or paragraph that is open in the output.
    private var openLeaf: String?
    /// The level of the first heading; 0 if headings become paragraphs.
    private let headings: Int
    /// The levels of the headings around the next heading, as in the input.
    private var outline: [Int] = []

    /// The formatting of the next text. Each kind is in the list once, in the order of the start tags.
    private var formatting: [Format] = []
    /// The formatting elements that are open in the output.
    private var openFormats: [Format] = []

    /// Whether the tags before the next character are written, so that only white space can be missing.
    private var isOpen = false
    /// Whether the block has text. In a list item or cell, only text after its last inner block counts.
    private var hasText = false
    /// The number of line breaks before the next text.
    private var breaks = 0
    private var hasSpace = false
    /// The white space before the next preformatted text.
    private var spaces: [UInt8] = []

    struct Block {
        let name: String
        var attributes = ""
        /// Whether the list was created for an item outside of any list.
        var isImplied = false
        /// Whether the item or figure has ended. The end tag can be written later.
        var hasEnded = false
        /// The name of the last inner block in the output.
        var last = ""

        /// Whether the block contains other blocks anywhere in it.
        var isContainer: Bool { ["ul", "ol", "table", "dl", "blockquote", "figure"].contains(name) }
        /// Whether the block contains only text and formatting.
        var isTextOnly: Bool { ["dt", "th", "caption", "figcaption"].contains(name) }
    }

    private struct Format {
        let name: String
        let attributes: String
        /// The number of open tags of this kind.
        var depth = 1
        var copies = 0
    }

    init(headings: Int) { self.headings = headings }

    /// - Parameter attributes: the attributes in the output; nil if formatting cannot be written without them.
    mutating func start(_ role: HTMLSanitizer.Role, _ attributes: String? = "") {
        isOpen = false
        switch role {
        case .format(let name):
            // A link ends where the next one begins.
            if name == "a" { formatting.removeAll { $0.name == "a" } }
            if let index = formatting.firstIndex(where: { $0.name == name }) {
                formatting[index].depth += 1
            } else if let attributes {
                formatting.append(Format(name: name, attributes: attributes))
            }
        case .lineBreak where leaf == "pre": spaces.append("\n")
        case .lineBreak: breakLine(times: breaks + 1)
        case .container(let name):
            leaveImpliedList()
            endParagraph()
            guard canOpenContainer else {
                flattened += 1
                return
            }
            // A list directly in a list becomes part of the previous item.
            if stack.last?.name != "li" || name != "ul" && name != "ol" { makeRoom() }
            stack.append(Block(name: name, attributes: attributes ?? ""))
        case .part(let name): startPart(name, attributes ?? "")
        case .leaf(let name):
            endParagraph()
            guard stack.last?.isTextOnly != true, headings > 0 || name == "pre" else { return }
            makeRoom()
            leaf = name
        case .rule:
            endParagraph()
            guard stack.last?.isTextOnly != true, !bytes.isEmpty else { return }
            openBlocks()
            endText()
            append("<hr />")
        case .block: endBlock()
        case .media, .dropped, .other: break
        }
    }

    /// A tag is ignored if no element of its kind is open.
    mutating func end(_ role: HTMLSanitizer.Role) {
        isOpen = false
        switch role {
        case .format(let name):
            guard let index = formatting.firstIndex(where: { $0.name == name }) else { return }
            formatting[index].depth -= 1
            if formatting[index].depth == 0 { formatting.remove(at: index) }
        case .container(let name):
            // Only the end of a table closes the blocks in its cells.
            let start = name == "table" ? 0 : owner(of: "table").map { $0 + 1 } ?? 0
            if flattened > 0 {
                flattened -= 1
                endParagraph()
            } else if let index = stack.lastIndex(where: { $0.name == name && !$0.isImplied }), index >= start {
                close(downTo: index)
            }
        case .part(let name):
            guard let owner = owner(of: name), let index = stack.lastIndex(where: { $0.name == name }), index > owner
            else { return endBlock() }
            if name == "li" {
                stack[index].hasEnded = true
                return
            }
            close(downTo: index)
        case .block: endBlock()
        case .leaf: endParagraph()
        case .lineBreak, .rule, .media, .dropped, .other: break
        }
    }

    mutating func write(_ character: Unicode.Scalar) {
        if character.isBlank {
            if leaf != "pre" {
                hasSpace = hasText && breaks == 0
            } else if character != "\r" {
                spaces.append(character == "\n" || character == "\t" ? UInt8(character.value) : " ")
            }
            return
        }
        if !isOpen || hasSpace || !spaces.isEmpty { openText() }
        switch character {
        case "&": append("&amp;")
        case "<": append("&lt;")
        case ">": append("&gt;")
        default: bytes.append(contentsOf: character.utf8)
        }
    }

    /// - Parameter name: the text of a picture without an alternative, where a text is required.
    mutating func write(_ picture: HTMLSanitizer.Picture, _ alternative: String, name: String) {
        openText()
        let needsText =
            openFormats.contains { $0.name == "a" } || openLeaf?.first == "h" || stack.last?.name == "caption"
        let text = alternative.isEmpty && needsText ? (name.isEmpty ? picture.path : name) : alternative
        append(
            """
            <img src="\(HTMLSanitizer.escaped(picture.path))" alt="\(HTMLSanitizer.escaped(text))" \
            width="\(picture.width)" height="\(picture.height)" loading="lazy" />
            """)
    }

    /// Writes a text as a link. In another link, or without attributes, only the text is written.
    mutating func write(link attributes: String?, _ text: String) {
        let isLinked = attributes == nil || formatting.contains { $0.name == "a" }
        write(" ")
        if !isLinked { start(.format("a"), attributes) }
        for character in text.unicodeScalars { write(character) }
        if !isLinked { end(.format("a")) }
        write(" ")
    }

    consuming func finish() -> [UInt8] {
        endParagraph()
        close(downTo: 0)
        return bytes
    }

    mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Ends the paragraph, heading or preformatted text. In a list item or cell, ends the line.
    mutating func endParagraph() {
        leaf = nil
        spaces = []
        if openLeaf != nil { endText() } else { breakLine(times: max(breaks, 1)) }
    }

    /// Ends the paragraph, or the line of a heading or of preformatted text.
    private mutating func endBlock() {
        switch leaf {
        case nil: endParagraph()
        case "pre": if hasText { spaces.append("\n") }
        default: breakLine(times: max(breaks, 1))
        }
    }

    private mutating func breakLine(times: Int) {
        guard hasText else { return }
        breaks = min(times, 2)
        hasSpace = false
    }

    /// Writes the tags around the next text, and the line breaks or white space before it.
    private mutating func openText() {
        if !isOpen { openTextBlocks() }
        isOpen = true
        let same = zip(openFormats, formatting.prefix(Self.mostFormats)).prefix {
            $0.name == $1.name && $0.attributes == $1.attributes
        }
        closeFormatting(downTo: same.count)
        append(hasSpace ? " " : String(repeating: "<br />", count: breaks))
        bytes += spaces
        spaces = []
        breaks = 0
        hasSpace = false
        hasText = true
        for index in formatting.indices.prefix(Self.mostFormats).dropFirst(openFormats.count) {
            formatting[index].copies += 1
            openFormats.append(formatting[index])
            append("<\(formatting[index].name)\(formatting[index].attributes)>")
        }
    }

    /// Writes the start tags of the blocks around the next text, and of its heading, preformatted text or paragraph.
    private mutating func openTextBlocks() {
        let (leaf, spaces) = (leaf, spaces)
        openBlocks()
        guard openLeaf == nil else { return }
        // A heading can follow text directly in a block.
        if leaf != nil { endText() }
        (self.leaf, self.spaces, openLeaf) = (leaf, spaces, leaf)
        if leaf == "pre" {
            // Browsers ignore a line end at the beginning.
            self.spaces = spaces.split(separator: "\n", omittingEmptySubsequences: false).last.map(Array.init) ?? []
        } else if let level = leaf?.last?.wholeNumberValue {
            outline.removeAll { $0 >= level }
            openLeaf = "h\(min(headings + outline.count, 6))"
            outline.append(level)
        } else if stack.last.map({ $0.name == "blockquote" }) ?? true {
            openLeaf = "p"
        }
        // Long lines scroll, also with the keyboard.
        if let openLeaf { append(openLeaf == "pre" ? "<pre tabindex=\"0\">" : "<\(openLeaf)>") }
    }

    mutating func endText() {
        closeFormatting(downTo: 0)
        if let openLeaf { append("</\(openLeaf)>") }
        openLeaf = nil
        leaf = nil
        hasText = false
        breaks = 0
        hasSpace = false
        spaces = []
    }

    private mutating func closeFormatting(downTo count: Int) {
        while openFormats.count > count {
            append("</\(openFormats.removeLast().name)>")
            formatting.removeAll { !$0.attributes.isEmpty && $0.copies >= Self.mostCopies }
        }
    }
}
