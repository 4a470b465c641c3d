/// Walks a template as the renderer would, with kinds for values, and into every section.
struct Checker {
    private let program: Program
    private var frames: [Shape.Kind] = []
    private var scopes = Scopes()
    private var visits: Set<Visit> = []

    /// What is being walked now: to meet it again is to go on for ever, since the things around are the very same.
    private var underway: Set<Visit> = []

    /// How many includes and overrides lead to what is being walked.
    private var depth = 0

    /// How many ways through the templates are walked: each is remembered with the things around it.
    private static let visitLimit = 20_000

    /// How deep sections may be nested, through all templates.
    private static let frameLimit = 200

    /// The tags that include what is being walked, the outermost first.
    private var way: [Program.Inclusion] = []

    init(_ program: Program) {
        self.program = program
    }
}

extension Checker {
    /// A template within the same things is checked once.
    private struct Visit: Hashable {
        let entry: Int
        let frames: [Shape.Kind]
        let scopes: [Range<Int>]
    }

    mutating func check(_ template: String, against shape: Shape) throws(TemplateError) {
        guard let index = program.indices[template] else {
            throw program.unknownTemplate(template)
        }

        frames = [.object(shape)]
        try walk(program.extents[index].lowerBound)
    }

    private mutating func walk(_ entry: Int) throws(TemplateError) {
        let visit = Visit(entry: entry, frames: frames, scopes: scopes.key)
        guard visits.insert(visit).inserted else {
            if underway.contains(visit), let last = way.last {
                throw program.endless(way, at: last)
            }

            return
        }

        guard visits.count <= Self.visitLimit else {
            throw program.error(at: entry, "there are more than \(Self.visitLimit) ways through the templates to here")
        }

        underway.insert(visit)
        defer { underway.remove(visit) }

        var next = entry
        while true {
            let here = next
            next += 1

            switch program.operations[here] {
            case .literal, .lineStart: break
            case .stop: return
            case .skip(let end): next = Int(end)
            case .show(let path), .showRaw(let path): try checkShown(path, at: here)
            case .section(let path, _):
                guard frames.count < Self.frameLimit else {
                    throw program.error(at: here, "sections are nested more than \(Self.frameLimit) deep here")
                }

                frames.append(try content(of: path, at: here))
            case .sectionEnd: frames.removeLast()
            case .inverted(let path, _): _ = try content(of: path, at: here)
            case .partial(let target, _): try include(target, at: here)
            case .parent(let target, _, let overrides, let end):
                let before = scopes.enter(overrides.range)
                try include(target, at: here)
                scopes.leave(to: before)
                next = Int(end)
            case .block(let block, _, _, let end):
                if let (override, outer) = scopes.override(of: block, in: program.overrides) {
                    guard depth < Program.depthLimit else { throw program.tooDeep(at: here) }

                    let before = scopes.move(to: outer)
                    depth += 1
                    try walk(override.entry)
                    depth -= 1
                    _ = scopes.move(to: before)
                    next = Int(end)
                }
            }
        }
    }

    private mutating func include(_ target: Operation.Target, at operation: Int) throws(TemplateError) {
        switch target {
        case .named(let path):
            let kind = try resolve(path, at: operation)
            guard kind.unwrapped == .text else {
                throw program.misused(path, kind.noun, "name a template", at: operation)
            }
        case .template(let index):
            guard depth < Program.depthLimit else {
                throw program.tooDeep(at: operation, note: program.cycle(in: way).map { "the way around: \($0)" })
            }

            way.append(Program.Inclusion(operation: operation, template: Int(index)))
            depth += 1
            try walk(program.extents[Int(index)].lowerBound)
            depth -= 1
            way.removeLast()
        }
    }
}

extension Checker {
    private func checkShown(_ path: Operation.Path, at operation: Int) throws(TemplateError) {
        let kind = try resolve(path, at: operation)
        switch kind.unwrapped {
        case .object, .list: throw program.misused(path, kind.noun, "be shown", at: operation)
        case .text, .number, .flag, .html, .optional: break
        }
    }

    /// What a section has in it: the item of a list, or the value itself.
    private func content(of path: Operation.Path, at operation: Int) throws(TemplateError) -> Shape.Kind {
        let kind = try resolve(path, at: operation)
        switch kind {
        case .number: throw program.misused(path, kind.noun, "open a section, for it is never empty", at: operation)
        default: break
        }

        if case .list(let item) = kind.unwrapped {
            return item.unwrapped
        }

        return kind.unwrapped
    }

    private func resolve(_ path: Operation.Path, at operation: Int) throws(TemplateError) -> Shape.Kind {
        var kind = frames[frames.count - 1]
        for step in Int(path.start)..<Int(path.end) {
            let name = program.symbols[Int(program.steps[step])]

            if step == Int(path.start) {
                guard let field = field(name) else {
                    throw program.unknown(step, in: shapes, at: operation)
                }

                kind = field.kind
            } else if case .object(let shape) = kind.unwrapped {
                guard let field = shape.field(name) else {
                    throw program.unknown(step, of: path, in: shape, at: operation)
                }

                kind = field.kind
            } else {
                throw program.nameless(step, of: path, kind.noun, at: operation)
            }
        }

        return kind
    }

    /// What the innermost of the objects around calls so.
    private func field(_ name: String) -> Shape.Field? {
        for case .object(let shape) in frames.reversed() {
            if let field = shape.field(name) { return field }
        }

        return nil
    }

    /// The shapes of the objects around, the innermost first.
    private var shapes: [Shape] {
        frames.reversed().compactMap { if case .object(let shape) = $0 { shape } else { nil } }
    }
}
