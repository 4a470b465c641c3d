/// Writes paragraphs and lists from tags and characters in any order. An element is written only when its first text
/// arrives, so no element in the output is empty.
struct BlockWriter {
    private static let maximumDepth = 8

    private var bytes: [UInt8] = []
    private var isParagraphOpen = false
    /// The open lists, outermost first.
    private var lists: [OpenList] = []
    /// The number of open lists beyond the maximum depth.
    private var flattened = 0

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
        let isOrdered: Bool
        /// Whether the list was created for an item outside of any list.
        var isImplied = false
        var isWritten = false
        /// Whether an item is open in the output.
        var isItemWritten = false
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
        case .list(let isOrdered): startList(isOrdered: isOrdered)
        case .item: startItem()
        case .block: endParagraph()
        case .dropped, .other: break
        }
    }

    mutating func end(_ role: HTMLSanitizer.Role) {
        switch role {
        case .format(let name):
            guard let index = formatting.firstIndex(where: { $0.name == name }) else { return }
            formatting[index].depth -= 1
            if formatting[index].depth == 0 { formatting.remove(at: index) }
        case .list(let isOrdered): endList(isOrdered: isOrdered)
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
        openBlock()
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
        while !lists.isEmpty { closeList() }
        endParagraph()
        return bytes
    }
}

// MARK: - Blocks and lists

extension BlockWriter {
    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }

    /// Ends the paragraph. In a list item, ends the line.
    private mutating func endParagraph() {
        if !lists.isEmpty { return breakLine(times: max(breaks, 1)) }
        if isParagraphOpen { endText("</p>") }
        isParagraphOpen = false
    }

    private mutating func breakLine(times: Int) {
        guard hasText else { return }
        breaks = min(times, 2)
        hasSpace = false
    }

    /// Closes the formatting, writes a tag, and resets the state of the text.
    private mutating func endText(_ tag: String) {
        closeFormatting(downTo: 0)
        append(tag)
        hasText = false
        breaks = 0
        hasSpace = false
    }

    /// Writes the tags around the next text.
    private mutating func openBlock() {
        leaveImpliedList()
        guard let last = lists.indices.last else {
            if !isParagraphOpen { append("<p>") }
            isParagraphOpen = true
            return
        }
        for index in lists.indices {
            if !lists[index].isWritten { endText(lists[index].isOrdered ? "<ol>" : "<ul>") }
            lists[index].isWritten = true
            // A list directly in a list becomes part of the previous item. Text starts a new item.
            if index == last, lists[index].hasItemEnded { closeItem() }
            if !lists[index].isItemWritten { append("<li>") }
            lists[index].isItemWritten = true
        }
    }

    private mutating func startList(isOrdered: Bool) {
        leaveImpliedList()
        endParagraph()
        if lists.count == Self.maximumDepth {
            flattened += 1
        } else {
            lists.append(OpenList(isOrdered: isOrdered))
        }
    }

    /// Ends the innermost list of this kind and the lists inside it. The tag is ignored if no list of its kind is open.
    private mutating func endList(isOrdered: Bool) {
        if flattened > 0 {
            flattened -= 1
            endParagraph()
        } else if let index = lists.lastIndex(where: { $0.isOrdered == isOrdered && !$0.isImplied }) {
            while lists.count > index { closeList() }
        }
    }

    private mutating func startItem() {
        if lists.isEmpty {
            endParagraph()
            lists.append(OpenList(isOrdered: false, isImplied: true))
        }
        closeItem()
    }

    /// Closes the item of the innermost list in the output.
    private mutating func closeItem() {
        guard let last = lists.indices.last else { return }
        if lists[last].isItemWritten { endText("</li>") }
        lists[last].isItemWritten = false
        lists[last].hasItemEnded = false
    }

    private mutating func closeList() {
        closeItem()
        let list = lists.removeLast()
        if list.isWritten { endText(list.isOrdered ? "</ol>" : "</ul>") } else { endParagraph() }
    }

    /// Closes an implied list if its item has ended.
    private mutating func leaveImpliedList() {
        if lists.count == 1, lists[0].isImplied, lists[0].hasItemEnded { closeList() }
    }
}

// MARK: - Formatting

extension BlockWriter {
    /// Writes the changes in formatting since the last text, and the line breaks or the space before the next text.
    private mutating func openFormatting() {
        closeFormatting(downTo: zip(written, formatting).prefix { $0 == $1.name }.count)
        if breaks > 0 {
            for _ in 0..<breaks { append("<br />") }
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
