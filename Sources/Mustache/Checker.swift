/// Checks a template against a shape. It follows the operations like the renderer, and enters every section.
struct Checker {
    let library: Library
    /// The kinds of the page's model and of the open sections, the innermost last.
    var frames: [Shape.Kind]
    var scopes = Scopes()
    /// The visits so far, each true until it ends. If a visit begins again before its end, the recursion is endless.
    var visits: [Visit: Bool] = [:]
    /// The current operation, for errors.
    var currentOperation = 0
    /// The number of nested inclusions and overrides around the current operation.
    var depth = 0
    /// The tags that lead to the current template, the outermost first.
    var inclusions: [Library.Inclusion] = []
    /// The steps so far, and their maximum. An operation counts one step for each open section and parent, because
    /// its name is searched in all of them.
    var steps = 0
    let stepLimit: Int
    /// The maximum number of visits, because all visits are kept in memory.
    private static let visitLimit = 20_000
    /// The maximum depth of nested sections, across templates.
    private static let frameLimit = 200
    /// A template or override with its context. Equal visits are checked once.
    struct Visit: Hashable {
        let entry: Int
        let frames: [Shape.Kind]
        let scopes: [Range<Int>]
    }

    /// Checks the operations from an entry to its end.
    mutating func walk(_ entry: Int) throws {
        let visit = Visit(entry: entry, frames: frames, scopes: scopes.key)
        if let isOpen = visits[visit] {
            guard isOpen, let last = inclusions.last else { return }
            throw library.error(
                at: last.operation, "\"\(library.sources[last.template].name)\" includes itself here without end",
                note: library.cycle(in: inclusions))
        }
        visits[visit] = true
        try library.require(
            visits.count <= Self.visitLimit, at: entry,
            "more than \(Self.visitLimit) combinations of sections and blocks lead here")
        depth += 1
        try walkOperations(from: entry)
        depth -= 1
        visits[visit] = false
    }

    private mutating func walkOperations(from entry: Int) throws {
        var next = entry
        while true {
            currentOperation = next
            next += 1
            steps += frames.count + scopes.depth
            try library.require(
                steps <= stepLimit, at: currentOperation,
                "checking the templates takes more than \(stepLimit) steps here; include long templates less often")
            switch library.operations[currentOperation] {
            case .literal, .lineStart: break
            case .stop: return
            case .show(let path, _):
                let kind = try resolve(path)
                switch kind.unwrapped {
                case .object, .list: throw library.unsupportedUse(path, kind.typeName, "be shown", at: currentOperation)
                default: break
                }
            case .section(let path, _):
                try library.require(
                    frames.count < Self.frameLimit, at: currentOperation,
                    "sections are nested more than \(Self.frameLimit) deep here")
                frames.append(try content(of: path))
            case .sectionEnd: frames.removeLast()
            case .inverted(let path, _): _ = try content(of: path)
            case .partial(let target, _): try include(target)
            case .parent(let target, _, let overrides, let end):
                scopes.enter(overrides)
                try include(target)
                scopes.leave()
                next = end
            case .block(let block, _, _, let end):
                guard let (override, outer) = scopes.override(of: block, in: library.overrides) else { continue }
                guard depth <= Library.depthLimit else { throw library.tooDeep(at: currentOperation) }
                let before = scopes.current
                scopes.current = outer
                try walk(override.entry)
                scopes.current = before
                next = end
            }
        }
    }

    private mutating func include(_ template: Int) throws {
        guard depth <= Library.depthLimit else {
            throw library.tooDeep(at: currentOperation, note: library.cycle(in: inclusions))
        }
        inclusions.append((currentOperation, template))
        try walk(library.extents[template].lowerBound)
        inclusions.removeLast()
    }

    /// The kind of a section's content: for a list, the kind of its items; otherwise the kind of the value.
    private func content(of path: Operation.Path) throws -> Shape.Kind {
        let kind = try resolve(path)
        if kind == .number {
            throw library.unsupportedUse(
                path, kind.typeName, "open a section, because it is never empty", at: currentOperation)
        }
        return if case .list(let item) = kind.unwrapped { item.unwrapped } else { kind.unwrapped }
    }

    private func resolve(_ path: Operation.Path) throws -> Shape.Kind {
        guard let first = path.first else { return frames[frames.count - 1] }
        let shapes = frames.reversed().compactMap { if case .object(let shape) = $0 { shape } else { nil } }
        let name = library.symbols[library.steps[first]]
        guard var kind = shapes.lazy.compactMap({ $0.field(name)?.kind }).first else {
            let error = library.unknownName(first, of: path, in: shapes, at: currentOperation)
            // Another template that includes this one can have the name.
            guard let tag = inclusions.last, library.origins[currentOperation].template == tag.template else {
                throw error
            }
            let (template, offset) = library.origins[tag.operation]
            let place = library.sources[template].position(offset)
            throw TemplateError(lines: error.lines + ["included at \(place)"])
        }
        for step in path.dropFirst() {
            guard case .object(let shape) = kind.unwrapped else {
                throw library.valueWithoutNames(step, of: path, kind.typeName, at: currentOperation)
            }
            guard let field = shape.field(library.symbols[library.steps[step]]) else {
                throw library.unknownName(step, of: path, in: [shape], at: currentOperation)
            }
            kind = field.kind
        }
        return kind
    }
}
