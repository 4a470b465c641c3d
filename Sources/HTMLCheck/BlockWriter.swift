/// Writes paragraphs and lists from tags and characters in any order.
///
/// Nothing is written before the text that stands in it, so nothing empty is.
struct BlockWriter {
    private static let deepest = 8

    private var bytes: [UInt8] = []
    private var isParagraphOpen = false
    /// The lists we are in, the outermost first.
    private var lists: [OpenList] = []
    /// The lists we are in beyond the deepest.
    private var flattened = 0

    private var formatting = OpenFormatting()
    /// The formatting that is open in what is written.
    private var written: [MarkupRole.Format] = []

    /// Whether there is text in the block, or in the item behind its last list.
    private var hasText = false
    /// What the next text of the block has before it.
    private var breaks = 0
    private var hasSpace = false

    mutating func start(_ role: MarkupRole) {
        switch role {
        case .format(let format): formatting.start(format)
        case .lineBreak: breakLine(times: breaks + 1)
        case .list(let isOrdered): startList(isOrdered: isOrdered)
        case .item: startItem()
        case .block: endParagraph()
        case .dropped, .other: break
        }
    }

    mutating func end(_ role: MarkupRole) {
        switch role {
        case .format(let format): formatting.end(format)
        case .list(let isOrdered): endList(isOrdered: isOrdered)
        case .item: endItem()
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

    /// Closes what is open.
    consuming func finished() -> [UInt8] {
        while !lists.isEmpty { closeList() }
        endParagraph()
        return bytes
    }

    private mutating func append(_ text: String) { bytes.append(contentsOf: text.utf8) }
}

// MARK: - Blocks

extension BlockWriter {
    /// Ends the paragraph, or, in an item, the line.
    private mutating func endParagraph() {
        if lists.isEmpty {
            if isParagraphOpen { endText("</p>") }
            isParagraphOpen = false
        } else {
            breakLine(times: max(breaks, 1))
        }
    }

    private mutating func breakLine(times: Int) {
        guard hasText else { return }
        breaks = min(times, 2)
        hasSpace = false
    }

    /// Closes the formatting and writes a tag, which new text follows.
    private mutating func endText(_ tag: String) {
        closeFormatting(downTo: 0)
        append(tag)
        hasText = false
        breaks = 0
        hasSpace = false
    }

    /// Writes what the next text stands in.
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
            // A list right in a list goes with the item before it; text does not.
            if index == last, lists[index].hasItemEnded { closeItem() }
            if !lists[index].isItemWritten { append("<li>") }
            lists[index].isItemWritten = true
        }
    }
}

// MARK: - Lists

extension BlockWriter {
    private struct OpenList {
        let isOrdered: Bool
        /// Whether it was made for an item outside of any list.
        var isImplied = false
        var isWritten = false
        /// Whether an item is open in what is written.
        var isItemWritten = false
        /// Whether its item has ended, though that may not be written yet.
        var hasItemEnded = false
    }

    private mutating func startList(isOrdered: Bool) {
        leaveImpliedList()
        endParagraph()
        if lists.count == Self.deepest {
            flattened += 1
        } else {
            lists.append(OpenList(isOrdered: isOrdered))
        }
    }

    /// An end tag also ends the lists of another kind within it, and nothing where none of its kind is open.
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

    private mutating func endItem() {
        if let last = lists.indices.last { lists[last].hasItemEnded = true }
    }

    /// Closes the item of the innermost list in what is written.
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

    /// A list made for items ends with them.
    private mutating func leaveImpliedList() {
        if lists.count == 1, lists[0].isImplied, lists[0].hasItemEnded { closeList() }
    }
}

// MARK: - Formatting

extension BlockWriter {
    /// Writes what changed in formatting since the last text, and what parts the next text from it.
    private mutating func openFormatting() {
        closeFormatting(downTo: zip(written, formatting.order).prefix { $0 == $1 }.count)
        if breaks > 0 {
            for _ in 0..<breaks { append("<br />") }
        } else if hasSpace {
            append(" ")
        }
        breaks = 0
        hasSpace = false
        for format in formatting.order[written.count...] {
            append("<\(format.rawValue)>")
            written.append(format)
        }
    }

    private mutating func closeFormatting(downTo count: Int) {
        while written.count > count { append("</\(written.removeLast().rawValue)>") }
    }
}
