/// Writes paragraphs and lists from tags and characters in any order. An element is written only when its first text
/// arrives, so no element in the output is empty.
struct BlockWriter {
    private static let maximumDepth = 8

    private var bytes: [UInt8] = []
    /// The lists around the next text, outermost first.
    private var lists: [OpenList] = []
    /// The number of open lists beyond the maximum depth.
    private var flattened = 0
    /// The blocks that are open in the output: a paragraph, or list and item of each list.
    private var blocks: [String] = []

    /// The formatting of the next text. Each kind is in the list once, with the number of its open tags. The kinds have
    /// the order of their first open tags.
    private var formatting: [(name: String, depth: Int)] = []
    /// The formatting elements that are open in the output.
    private var written: [String] = []

    /// Whether the block has text. In a list item, only text after its last inner list counts.
    private var hasText = false
    /// The number of line breaks before the next text.
    private var breaks = 0
    private var hasSpace = false

    private struct OpenList {
        let name: String
        /// Whether the list was created for an item outside of any list.
        var isImplied = false
        /// Whether its item has ended. The end tag can be written later.
        var hasItemEnded = false
    }

    mutating func start(_ role: HTMLSanitizer.Role) {
        switch role {
        case .format(let name):
            if let index = formatting.firstIndex(where: { $0.name == name }) {
                formatting[index].depth += 1
            } else {
                formatting.append((name, 1))
            }
        case .lineBreak: breakLine(times: breaks + 1)
        case .list(let name):
            leaveImpliedList()
            endParagraph()
            if lists.count == Self.maximumDepth { flattened += 1 } else { lists.append(OpenList(name: name)) }
        case .item:
            if lists.isEmpty {
                endParagraph()
                lists.append(OpenList(name: "ul", isImplied: true))
            }
            closeItem()
        case .block: endParagraph()
        case .dropped, .other: break
        }
    }

    /// A tag is ignored if no element of its kind is open.
    mutating func end(_ role: HTMLSanitizer.Role) {
        switch role {
        case .format(let name):
            guard let index = formatting.firstIndex(where: { $0.name == name }) else { return }
            formatting[index].depth -= 1
            if formatting[index].depth == 0 { formatting.remove(at: index) }
        case .list(let name):
            if flattened > 0 {
                flattened -= 1
                endParagraph()
            } else if let index = lists.lastIndex(where: { $0.name == name && !$0.isImplied }) {
                while lists.count > index { closeList() }
            }
        case .item: if let last = lists.indices.last { lists[last].hasItemEnded = true }
        case .block: endParagraph()
        case .lineBreak, .dropped, .other: break
        }
    }

    mutating func write(_ character: Unicode.Scalar) {
        if character.isBlank {
            hasSpace = hasText && breaks == 0
            return
        }
        openBlocks()
        openFormatting()
        hasText = true
        switch character {
        case "&": append("&amp;")
        case "<": append("&lt;")
        case ">": append("&gt;")
        default: bytes.append(contentsOf: character.utf8)
        }
    }

    /// Closes all open elements.
    consuming func finish() -> [UInt8] {
        close(downTo: 0)
        return bytes
    }
}

extension BlockWriter {
    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Ends the paragraph. In a list item, ends the line.
    private mutating func endParagraph() {
        if lists.isEmpty { close(downTo: 0) } else { breakLine(times: max(breaks, 1)) }
    }

    private mutating func breakLine(times: Int) {
        guard hasText else { return }
        breaks = min(times, 2)
        hasSpace = false
    }

    /// Closes the item of the innermost list in the output.
    private mutating func closeItem() {
        close(downTo: 2 * lists.count - 1)
        lists[lists.count - 1].hasItemEnded = false
    }

    private mutating func closeList() {
        lists.removeLast()
        if blocks.count > 2 * lists.count { close(downTo: 2 * lists.count) } else { endParagraph() }
    }

    /// Closes an implied list if its item has ended.
    private mutating func leaveImpliedList() {
        if lists.count == 1, lists[0].isImplied, lists[0].hasItemEnded { closeList() }
    }

    /// Writes the tags of the blocks around the next text.
    private mutating func openBlocks() {
        leaveImpliedList()
        // A list directly in a list becomes part of the previous item. Text starts a new item.
        if lists.last?.hasItemEnded == true { closeItem() }
        guard blocks.count < max(1, 2 * lists.count) else { return }
        let around = lists.isEmpty ? ["p"] : lists.flatMap { [$0.name, "li"] }
        endText()
        for name in around.dropFirst(blocks.count) {
            append("<\(name)>")
            blocks.append(name)
        }
    }

    /// Closes blocks, until this number is open.
    private mutating func close(downTo count: Int) {
        guard blocks.count > count else { return }
        endText()
        while blocks.count > count { append("</\(blocks.removeLast())>") }
    }

    /// Ends the text of a block.
    private mutating func endText() {
        closeFormatting(downTo: 0)
        hasText = false
        breaks = 0
        hasSpace = false
    }

    /// Writes the changes in formatting since the last text, and the line breaks or the space before the next text.
    private mutating func openFormatting() {
        closeFormatting(downTo: zip(written, formatting).prefix { $0 == $1.name }.count)
        if breaks > 0 {
            append(String(repeating: "<br />", count: breaks))
        } else if hasSpace {
            append(" ")
        }
        breaks = 0
        hasSpace = false
        for (name, _) in formatting[written.count...] {
            append("<\(name)>")
            written.append(name)
        }
    }

    private mutating func closeFormatting(downTo count: Int) {
        while written.count > count { append("</\(written.removeLast())>") }
    }
}
