/// Partials, parents and blocks.
extension Renderer {
    mutating func include(
        _ target: Operation.Target, _ indentation: Operation.Stretch?, at operation: Int, _ output: inout [UInt8]
    ) throws(TemplateError) {
        guard let index = try template(target, at: operation) else {
            return
        }

        try descend(program.extents[index].count, at: operation, output.count)
        let before = margin.state
        if let indentation {
            try widen(by: indentation.range, at: operation, output.count)
        } else {
            margin.begin()
        }

        try run(program.extents[index].lowerBound, &output)
        margin.restore(before)
        depth -= 1
    }

    mutating func replace(
        _ override: Program.Override, _ outer: Int, _ indentation: Operation.Stretch, _ isAlone: Bool,
        at operation: Int,
        _ output: inout [UInt8]
    ) throws(TemplateError) {
        if override.length == 0 { return }

        try descend(override.length, at: operation, output.count)
        let scope = scopes.move(to: outer)
        let before = margin.state
        try widen(by: indentation.range, at: operation, output.count)

        if !isAlone {
            margin.isGiven(at: output.count)
        } else if !override.startsLine {
            margin.append(to: &output)
        }

        try run(override.entry, &output)
        margin.restore(before)
        _ = scopes.move(to: scope)
        depth -= 1
    }

    /// Widens the margin, and counts a step for each 64 bytes that are copied.
    private mutating func widen(
        by indentation: Range<Int>, at operation: Int, _ size: Int
    ) throws(TemplateError) {
        guard margin.size + indentation.count <= Program.marginLimit else {
            throw program.error(
                at: operation,
                "lines are indented by more than \(Program.marginLimit) bytes here; remove blanks before it")
        }

        try spend(indentation.count / 64, at: operation, size)
        margin.widen(program.text[indentation])
    }

    /// Goes one level deeper, and counts the operations that it takes.
    private mutating func descend(_ operations: Int, at operation: Int, _ size: Int) throws(TemplateError) {
        guard depth < Program.depthLimit else {
            throw program.tooDeep(at: operation)
        }

        depth += 1
        try spend(operations, at: operation, size)
    }

    /// Counts work that is about to be done, beside the operations that run in order: those of partials, overrides and
    /// further items of lists, bytes of margins, scopes of blocks.
    mutating func spend(_ operations: Int, at operation: Int, _ size: Int) throws(TemplateError) {
        steps += operations
        guard steps <= stepLimit else {
            throw program.error(at: operation, "the page takes more than \(stepLimit) steps here")
        }
        try requireSize(size, at: operation)
    }

    @inline(__always)
    func requireSize(_ size: Int, at operation: Int) throws(TemplateError) {
        guard size <= sizeLimit else {
            throw program.error(at: operation, "the page has more than \(Program.sizeLimit) bytes here")
        }
    }
}
