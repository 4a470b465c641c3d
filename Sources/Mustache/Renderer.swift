/// Renders templates of one library; keeps its caches and stacks between pages, so one worker makes one and keeps it.
///
/// It cannot be copied: a copy made unawares, of all that it keeps, would cost more than the rendering.
public struct Renderer: ~Copyable {
    let program: Program
    let escaping: Escaping
    var rows: Rows
    var margin = Margin()

    var scopes = Scopes()
    var depth = 0
    /// How many steps the last page took: those of partials, their margins, blocks, overrides and further items of
    /// lists.
    public internal(set) var steps = 0
    /// How many steps a page may take; tests set fewer.
    var stepLimit = Program.stepLimit

    /// The length of the output that the page may reach.
    var sizeLimit = 0

    /// The values whose sections are open, the innermost last.
    var frames: [Frame] = []
    var loops: [Loop] = []

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
    struct Loop {
        let items: [Value]
        let body: Int
        let site: Int32
        var next = 1
    }
}

extension Renderer {
    /// Appends the page of an object to the output.
    ///
    /// - Throws: for what only shows when it is rendered, such as an unknown name in a library that was not checked;
    ///   the output is then as it was.
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
        sizeLimit = before + Program.sizeLimit
        let frame = frame(model, at: nil)
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
        steps = 0
    }

    mutating func run(_ entry: Int, _ output: inout [UInt8]) throws(TemplateError) {
        var next = entry
        while true {
            let here = next
            next += 1

            switch program.operations[here] {
            case .literal(let text, let startsLine):
                margin.append(program.text, text.range, startsLine: startsLine, to: &output, limit: sizeLimit)
                try requireSize(output.count, at: here)
            case .lineStart:
                margin.append(to: &output)
                try requireSize(output.count, at: here)
            case .show(let path):
                let value = try resolve(path, at: here)
                try show(value, path, at: here, &output)
                try requireSize(output.count, at: here)
            case .showRaw(let path):
                let value = try resolve(path, at: here)
                try showRaw(value, path, at: here, &output)
                try requireSize(output.count, at: here)
            case .section(let path, let end):
                let value = try resolve(path, at: here)
                if !open(value, body: next, site: path.end) { next = Int(end) }
            case .sectionEnd:
                if let body = repeatSection() {
                    try spend(here - body, at: here, output.count)
                    next = body
                }
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
                try spend(scopes.depth, at: here, output.count)
                if let (override, outer) = scopes.override(of: block, in: program.overrides) {
                    try replace(override, outer, indentation, isAlone, at: here, &output)
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
