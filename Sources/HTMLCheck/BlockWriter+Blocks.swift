extension BlockWriter {
    var canOpenContainer: Bool {
        stack.last?.isTextOnly != true && stack.count(where: \.isContainer) < Self.mostContainers
    }

    /// The containers of each part. The others are parts of a table.
    private static let containers = ["li": ["ul", "ol"], "dt": ["dl"], "dd": ["dl"], "figcaption": ["figure"]]

    /// The container that a part belongs to; nil if there is none, and the part is only a block of text.
    func owner(of part: String) -> Int? {
        guard let containers = Self.containers[part] else { return stack.lastIndex { $0.name == "table" } }
        return stack.lastIndex { $0.isContainer }.flatMap { containers.contains(stack[$0].name) ? $0 : nil }
    }

    /// Starts a part of a list, table or figure. Missing parts around it are added, and the previous part ends.
    mutating func startPart(_ name: String, _ attributes: String) {
        guard let owner = owner(of: name) else {
            endParagraph()
            guard name == "li", canOpenContainer else { return }
            makeRoom()
            stack += [Block(name: "ul", isImplied: true), Block(name: "li")]
            return
        }
        var depth = owner + 1
        var part = name
        switch name {
        case "figcaption", "caption":
            let isFirst = name == "caption" ? owner >= written : stack[owner].last != "figcaption"
            guard isFirst, !stack[depth...].contains(where: { $0.isTextOnly }) else { return endParagraph() }
            // A caption is the first or the last part of its figure.
            if owner < written { stack[owner].hasEnded = true }
        case "thead": if !["", "caption"].contains(stack[owner].last) { part = "tbody" }
        case "tr", "td", "th":
            if stack.count == depth || !["thead", "tbody"].contains(stack[depth].name) { startPart("tbody", "") }
            depth += 1
            if name == "tr" { break }
            if stack.count == depth || stack[depth].name != "tr" { startPart("tr", "") }
            depth += 1
        default: break
        }
        if stack.count > depth { close(downTo: depth) }
        if name != "li" {
            flattened = 0
            endParagraph()
        }
        stack.append(Block(name: part, attributes: attributes))
        if name == "td" || name == "th" { openBlocks() }
    }

    /// Opens the part of a list or table that can contain text or blocks.
    mutating func makeRoom() {
        leaveImpliedList()
        while let last = stack.last, last.hasEnded {
            if last.name == "figure" { flattened += 1 }
            close(downTo: stack.count - 1)
        }
        switch stack.last?.name {
        case "ul", "ol": stack.append(Block(name: "li"))
        case "dl": stack.append(Block(name: "dd"))
        case "table", "thead", "tbody", "tr": startPart("td", "")
        default: break
        }
    }

    /// Closes an implied list if its item has ended.
    mutating func leaveImpliedList() {
        guard stack.last?.hasEnded == true, stack.dropLast().last?.isImplied == true else { return }
        close(downTo: stack.count - 2)
    }

    /// Writes the tags of the blocks around the next text.
    mutating func openBlocks() {
        makeRoom()
        guard written < stack.count else { return }
        endText()
        while written < stack.count {
            let block = stack[written]
            if block.name == "dd", written > 0, stack[written - 1].last.isEmpty { append("<dt></dt>") }
            // A wide table scrolls in a box.
            if block.name == "table" { append("<div class=\"scroll\" tabindex=\"0\">") }
            append("<\(block.name)\(block.attributes)>")
            if written > 0 { stack[written - 1].last = block.name }
            written += 1
        }
    }

    mutating func close(downTo count: Int) {
        guard stack.count > count else { return }
        if written > count { endText() } else { endParagraph() }
        while written > count {
            written -= 1
            let block = stack[written]
            if block.name == "dl", block.last == "dt" { append("<dd></dd>") }
            append("</\(block.name)>")
            if block.name == "table" { append("</div>") }
        }
        stack.removeSubrange(count...)
    }
}
