/// Partials, parents and blocks, and the limits for them.
extension Renderer {
    mutating func include(_ template: Int, _ indentation: Range<Int>?) throws {
        try enterTemplate(library.extents[template].count)
        let before = margin.state
        if let indentation { try widenMargin(by: indentation) } else { margin.begin() }
        try run(library.extents[template].lowerBound)
        margin.restore(before)
        depth -= 1
    }

    mutating func replace(
        _ override: Library.Override, _ outerScope: Int, _ indentation: Range<Int>, _ isAlone: Bool
    ) throws {
        if override.length == 0 { return }
        try enterTemplate(override.length)
        let scope = scopes.current
        scopes.current = outerScope
        let before = margin.state
        try widenMargin(by: indentation)
        if !isAlone {
            margin.markWritten(at: output.count)
        } else if !override.startsLine {
            margin.append(to: &output)
        }
        try run(override.entry)
        margin.restore(before)
        scopes.current = scope
        depth -= 1
    }

    /// Widens the margin, and counts a step for each 64 copied bytes.
    private mutating func widenMargin(by indentation: Range<Int>) throws {
        try library.require(
            margin.state.count + indentation.count <= Library.indentationLimit, at: currentOperation,
            "lines are indented by more than \(Library.indentationLimit) bytes here; indent this tag less")
        try countSteps(indentation.count / 64)
        margin.widen(library.text[indentation])
    }

    /// Enters a partial or an override, and counts its operations.
    private mutating func enterTemplate(_ operations: Int) throws {
        guard depth < Library.depthLimit else { throw library.tooDeep(at: currentOperation) }
        depth += 1
        try countSteps(operations)
    }

    /// Counts steps before they are run: the operations of partials, overrides and further items of lists, the bytes of
    /// margins, and the scopes that are searched for a block.
    mutating func countSteps(_ operations: Int) throws {
        steps += operations
        guard steps <= stepLimit else {
            throw library.error(at: currentOperation, "rendering the page takes more than \(stepLimit) steps here")
        }
        try requireSize()
    }

    @inline(__always)
    func requireSize() throws {
        guard output.count <= sizeLimit else {
            throw library.error(at: currentOperation, "the page has more than \(Library.sizeLimit) bytes here")
        }
    }
}
