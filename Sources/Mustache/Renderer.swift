/// Renders templates of one library; keeps its caches and stacks between pages, so one worker makes one and keeps it.
///
/// It cannot be copied: a copy made unawares, of all that it keeps, would cost more than the rendering.
public struct Renderer: ~Copyable {
    let program: Program
    let escaping: Escaping
    var rows: Rows
    var margin = Margin()

    private var scopes = Scopes()
    private var depth = 0

    /// The values whose sections are open, the innermost last.
    var frames: [Frame] = []
    private var loops: [Loop] = []

    init(_ program: Program) {
        self.program = program
        escaping = Escaping(program.mode)
        rows = Rows(program)
    }
}

@available(*, unavailable)
extension Renderer: Sendable {}

extension Renderer {
    /// A value whose section is open.
    struct Frame {
        let value: Value

        /// The value's own, where it is an object.
        let values: [Value]
        let row: Int
    }

    /// A section that is being rendered; the items are empty where it is not a list's.
    private struct Loop {
        let items: [Value]
        let body: Int
        let site: Int32
        var next = 1
    }
}

extension Renderer {
    /// Appends the page of an object to the output.
    ///
    /// - Throws: for what only shows when it is rendered, such as an unknown name in a library that was not checked; the
    ///   output is then as it was.
    public mutating func render(_ template: String, _ model: Object, into output: inout [UInt8]) throws(TemplateError) {
        try render(template, .object(model), into: &output)
    }

    /// Appends the page of any value to the output, as above; `{{.}}` is the value.
    public mutating func render(_ template: String, _ model: Value, into output: inout [UInt8]) throws(TemplateError) {
        guard let index = program.indices[template] else {
            throw program.unknownTemplate(template)
        }

        let before = output.count
        reset()
        let frame = frame(model)
        frames.append(frame)

        do {
            try run(program.extents[index].lowerBound, &output)
        } catch {
            output.removeLast(output.count - before)
            throw error
        }
    }

    private mutating func reset() {
        frames.removeAll(keepingCapacity: true)
        loops.removeAll(keepingCapacity: true)
        scopes.removeAll()
        margin.removeAll()
        depth = 0
    }

    private mutating func run(_ entry: Int, _ output: inout [UInt8]) throws(TemplateError) {
        var next = entry
        while true {
            let here = next
            next += 1

            switch program.operations[here] {
            case .literal(let text, let startsLine):
                margin.append(program.text, text.range, startsLine: startsLine, to: &output)
            case .lineStart:
                margin.append(to: &output)
            case .show(let path):
                let value = try resolve(path, at: here)
                try show(value, path, at: here, &output)
            case .showRaw(let path):
                let value = try resolve(path, at: here)
                try showRaw(value, path, at: here, &output)
            case .section(let path, let end):
                let value = try resolve(path, at: here)
                if !open(value, body: next, site: path.end) { next = Int(end) }
            case .sectionEnd:
                next = repeatSection() ?? next
            case .inverted(let path, let end):
                let value = try resolve(path, at: here)
                if !value.isEmpty { next = Int(end) }
            case .partial(let target, let indentation):
                try include(target, indentation, at: here, &output)
            case .parent(let target, let indentation, let overrides, let end):
                let before = scopes.enter(overrides.range)
                try include(target, indentation, at: here, &output)
                scopes.leave(to: before)
                next = Int(end)
            case .block(let block, let indentation, let isAlone, let end):
                if let (override, outer) = scopes.override(of: block, in: program.overrides) {
                    try replace(override, outer, indentation, isAlone, &output)
                    next = Int(end)
                }
            case .skip(let end):
                next = Int(end)
            case .stop:
                return
            }
        }
    }
}

/// Sections.
extension Renderer {
    /// - Returns: false where the section is left out.
    private mutating func open(_ value: Value, body: Int, site: Int32) -> Bool {
        if value.isEmpty { return false }

        if case .list(let items) = value {
            let frame = frame(items[0], at: site)
            frames.append(frame)
            loops.append(Loop(items: items, body: body, site: site))
        } else {
            let frame = frame(value, at: site)
            frames.append(frame)
            loops.append(Loop(items: [], body: body, site: site))
        }

        return true
    }

    /// - Returns: where to go on, if there is another item.
    private mutating func repeatSection() -> Int? {
        let last = loops.count - 1
        let next = loops[last].next

        if next < loops[last].items.count {
            let frame = frame(loops[last].items[next], at: loops[last].site)
            frames[frames.count - 1] = frame
            loops[last].next = next + 1

            return loops[last].body
        }

        loops.removeLast()
        frames.removeLast()

        return nil
    }

    private mutating func frame(_ value: Value, at site: Int32) -> Frame {
        if case .object(let object) = value {
            return Frame(value: value, values: object.values, row: rows.row(of: object.shape, at: site))
        }

        return Frame(value: value, values: [], row: Rows.none)
    }

    private mutating func frame(_ model: Value) -> Frame {
        if case .object(let object) = model {
            return Frame(value: model, values: object.values, row: rows.row(of: object.shape))
        }

        return Frame(value: model, values: [], row: Rows.none)
    }
}

/// Partials, parents and blocks.
extension Renderer {
    private mutating func include(
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

    private mutating func replace(
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
