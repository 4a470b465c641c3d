/// Checks a template against a shape. It walks the operations like the renderer, but with kinds in place of values, and
/// enters every section.
struct Checker {
    private let library: Library
    private var frames: [Shape.Kind] = []
    private var scopes = Scopes()
    private var visits: Set<Visit> = []
    /// The visits that have not ended. Meeting one of them again means endless recursion, because frames and scopes are
    /// the same.
    private var underway: Set<Visit> = []
    /// The current operation, for errors.
    private var here = 0
    /// The number of nested inclusions and overrides around the current operation.
    private var depth = 0
    /// The tags that lead to the current template, the outermost first.
    private var inclusions: [Library.Inclusion] = []
    /// The maximum number of visits, because all of them are kept in memory.
    private static let visitLimit = 20_000
    /// The maximum depth of nested sections, across templates.
    private static let frameLimit = 200
    /// A template or override with its context. Equal visits are checked once.
    private struct Visit: Hashable {
        let entry: Int
        let frames: [Shape.Kind]
        let scopes: [Range<Int>]
    }

    init(_ library: Library) { self.library = library }

    mutating func check(_ template: String, against shape: Shape) throws {
        guard let index = library.indices[template] else { throw library.unknownTemplate(template) }
        frames = [.object(shape)]
        try walk(library.extents[index].lowerBound)
    }

    private mutating func walk(_ entry: Int) throws {
        let visit = Visit(entry: entry, frames: frames, scopes: scopes.key)
        guard visits.insert(visit).inserted else {
            if underway.contains(visit), let last = inclusions.last { throw library.endless(inclusions, at: last) }
            return
        }
        guard visits.count <= Self.visitLimit else {
            throw library.error(at: entry, "more than \(Self.visitLimit) combinations of sections and blocks lead here")
        }
        underway.insert(visit)
        depth += 1
        try walkOperations(from: entry)
        depth -= 1
        underway.remove(visit)
    }

    private mutating func walkOperations(from entry: Int) throws {
        var next = entry
        while true {
            here = next
            next += 1
            switch library.operations[here] {
            case .literal, .lineStart: break
            case .stop: return
            case .skip(let end): next = end
            case .show(let path), .showRaw(let path):
                let kind = try resolve(path)
                switch kind.unwrapped {
                case .object, .list: throw library.misused(path, kind.noun, "be shown", at: here)
                default: break
                }
            case .section(let path, _):
                guard frames.count < Self.frameLimit else {
                    throw library.error(at: here, "sections are nested more than \(Self.frameLimit) deep here")
                }
                frames.append(try content(of: path))
            case .sectionEnd: frames.removeLast()
            case .inverted(let path, _): _ = try content(of: path)
            case .partial(let target, _): try include(target)
            case .parent(let target, _, let overrides, let end):
                let before = scopes.enter(overrides)
                try include(target)
                scopes.leave(to: before)
                next = end
            case .block(let block, _, _, let end):
                guard let (override, outer) = scopes.override(of: block, in: library.overrides) else { continue }
                guard depth <= Library.depthLimit else { throw library.tooDeep(at: here) }
                let before = scopes.current
                scopes.current = outer
                try walk(override.entry)
                scopes.current = before
                next = end
            }
        }
    }

    private mutating func include(_ target: Operation.Target) throws {
        switch target {
        case .named(let path):
            let kind = try resolve(path)
            guard kind.unwrapped == .text else {
                throw library.misused(path, kind.noun, "name a template", at: here)
            }
        case .template(let index):
            guard depth <= Library.depthLimit else {
                throw library.tooDeep(at: here, note: library.cycle(in: inclusions))
            }
            inclusions.append((here, index))
            try walk(library.extents[index].lowerBound)
            inclusions.removeLast()
        }
    }

    /// The kind of a section's content: that of a list's items, or of the value itself.
    private func content(of path: Operation.Path) throws -> Shape.Kind {
        let kind = try resolve(path)
        if kind == .number {
            throw library.misused(path, kind.noun, "open a section, because it is never empty", at: here)
        }
        if case .list(let item) = kind.unwrapped { return item.unwrapped }
        return kind.unwrapped
    }

    private func resolve(_ path: Operation.Path) throws -> Shape.Kind {
        guard let first = path.first else { return frames[frames.count - 1] }
        let shapes = frames.reversed().compactMap { if case .object(let shape) = $0 { shape } else { nil } }
        let name = library.symbols[library.steps[first]]
        guard var kind = shapes.lazy.compactMap({ $0.field(name)?.kind }).first else {
            throw library.unknown(first, in: shapes, at: here)
        }
        for step in path.dropFirst() {
            guard case .object(let shape) = kind.unwrapped else {
                throw library.nameless(step, of: path, kind.noun, at: here)
            }
            guard let field = shape.field(library.symbols[library.steps[step]]) else {
                throw library.unknown(step, of: path, in: shape, at: here)
            }
            kind = field.kind
        }
        return kind
    }
}
