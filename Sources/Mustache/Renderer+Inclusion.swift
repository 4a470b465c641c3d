/// Partials, parents and blocks.
extension Renderer {
    mutating func include(
        _ target: Operation.Target, _ indentation: Operation.Stretch?, at operation: Int, _ output: inout [UInt8]
    ) throws(TemplateError) {
        guard let index = try template(target, at: operation) else {
            return
        }

        guard depth < Program.depthLimit else {
            throw program.tooDeep(at: operation)
        }

        depth += 1
        let before = margin.state
        if let indentation {
            margin.widen(program.text[indentation.range])
        } else {
            margin.begin()
        }

        try run(program.extents[index].lowerBound, &output)
        margin.restore(before)
        depth -= 1
    }

    mutating func replace(
        _ override: Program.Override, _ outer: Int, _ indentation: Operation.Stretch, _ isAlone: Bool, _ output: inout [UInt8]
    ) throws(TemplateError) {
        if override.isEmpty { return }

        let scope = scopes.move(to: outer)
        let before = margin.state
        margin.widen(program.text[indentation.range])

        if !isAlone {
            margin.isGiven(at: output.count)
        } else if !override.startsLine {
            margin.append(to: &output)
        }

        try run(override.entry, &output)
        margin.restore(before)
        _ = scopes.move(to: scope)
    }
}
