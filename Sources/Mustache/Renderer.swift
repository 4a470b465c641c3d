/// Renders templates of one library. Its caches and stacks are kept between pages, so each thread reuses its own.
///
/// It cannot be copied, because copying its caches would take longer than rendering a page.
package struct Renderer: ~Copyable {
    let library: Library
    var rows: ShapeRows
    var margin = Margin()
    var scopes = Scopes()
    var depth = 0

    /// The number of steps of the last page. It counts operations, bytes of margins in units of 64, and the sections
    /// and scopes that were searched for names and blocks.
    package internal(set) var steps = 0
    /// The maximum number of steps of a page. Tests set a lower limit.
    var stepLimit = Library.stepLimit
    /// The output while a page is rendered, and its maximum length.
    var output: [UInt8] = []
    var sizeLimit = 0
    /// The current operation, for errors.
    var currentOperation = 0
    /// The page's model and the values of the open sections, the innermost last.
    var frames: [Frame] = []

    package init(_ library: Library) {
        self.library = library
        rows = ShapeRows(library)
    }

    /// The value of an open section.
    struct Frame {
        /// The value; null for an object.
        var value: Value
        var object: Object?
        /// The row of the object's shape.
        var row = ShapeRows.none

        /// For a list: its items, the index of the next one, the section's first operation, and the step of the name.
        var items: [Value] = []
        var next = 1
        var body = 0
        var site = 0
    }
}

@available(*, unavailable)
extension Renderer: Sendable {}

extension Renderer {
    /// Renders a template with a value, which is `{{.}}`, and appends the page to the output.
    ///
    /// - Throws: `TemplateError`, such as for an unknown name. The output is then unchanged.
    package mutating func render(_ template: String, _ model: Value, into output: inout [UInt8]) throws {
        guard let index = library.indices[template] else { throw library.unknownTemplate(template) }

        let before = output.count
        frames.removeAll(keepingCapacity: true)
        scopes.removeAll()
        margin.removeAll()
        depth = 0
        steps = 0
        sizeLimit = before + Library.sizeLimit
        swap(&self.output, &output)
        defer { swap(&self.output, &output) }
        frames.append(Frame(value: .null, site: library.steps.count))
        setValue(model)
        do {
            try countSteps(library.extents[index].count)
            try run(library.extents[index].lowerBound)
        } catch {
            self.output.removeLast(self.output.count - before)
            throw error
        }
    }

    mutating func run(_ entry: Int) throws {
        let (operations, text) = (library.operations, library.text)
        var next = entry
        while true {
            let current = next
            currentOperation = current
            next += 1
            switch operations[current] {
            case .literal(let range, let startsLine):
                margin.append(text, range, startsLine: startsLine, to: &output, limit: sizeLimit)
                try requireSize()
            case .lineStart:
                margin.append(to: &output)
                try requireSize()
            case .show(let path, let isEscaped):
                try write(try resolve(path), path, isEscaped: isEscaped)
                try requireSize()
            case .section(let path, let end):
                let value = try resolve(path)
                if value.isEmpty { next = end } else { openSection(value, body: next, site: path.upperBound) }
            case .sectionEnd:
                if let body = repeatSection() {
                    try countSteps(current + 1 - body)
                    next = body
                }
            case .inverted(let path, let end): if try !resolve(path).isEmpty { next = end }
            case .partial(let target, let indentation): try include(target, indentation)
            case .parent(let target, let indentation, let overrides, let end):
                scopes.enter(overrides)
                try include(target, indentation)
                scopes.leave()
                next = end
            case .block(let block, let indentation, let isAlone, let end):
                try countSteps(scopes.depth)
                if let (override, outer) = scopes.override(of: block, in: library.overrides) {
                    try replace(override, outer, indentation, isAlone)
                    next = end
                }
            case .stop: return
            }
        }
    }
}

// MARK: - Sections

extension Renderer {
    private mutating func openSection(_ value: consuming Value, body: Int, site: Int) {
        switch value {
        case .list(let items):
            frames.append(Frame(value: .null, items: items, body: body, site: site))
            setValue(items[0])
        case let value:
            frames.append(Frame(value: .null, body: body, site: site))
            setValue(value)
        }
    }

    /// Begins the next item of the innermost section, or closes the section.
    /// - Returns: the first operation of the section; nil if there is no further item.
    private mutating func repeatSection() -> Int? {
        let last = frames.count - 1
        let next = frames[last].next
        guard next < frames[last].items.count else {
            frames.removeLast()
            return nil
        }
        frames[last].next = next + 1
        setValue(frames[last].items[next])
        return frames[last].body
    }

    private mutating func setValue(_ value: consuming Value) {
        let last = frames.count - 1
        switch value {
        case .deferred(let deferred): setValue(deferred.value)
        case .object(let object):
            frames[last].value = .null
            frames[last].object = object
            frames[last].row = rows.row(of: object.shape, at: frames[last].site)
        case let value:
            frames[last].value = value
            frames[last].object = nil
            frames[last].row = ShapeRows.none
        }
    }
}

// MARK: - Values as bytes

extension Renderer {
    private mutating func write(_ value: consuming Value, _ path: Operation.Path, isEscaped: Bool) throws {
        switch value {
        case .null: break
        case .flag(let flag): output.append(contentsOf: (flag ? "true" : "false").utf8)
        case .integer(let number): output.append(contentsOf: "\(number)".utf8)
        case .decimal(let number):
            let digits = number.description
            output.append(contentsOf: (digits.hasSuffix(".0") ? digits.dropLast(2) : digits[...]).utf8)
        case .text(let text):
            if isEscaped { Escaping.append(text, to: &output) } else { output.append(contentsOf: text.utf8) }
        case .html(let bytes): output.append(contentsOf: bytes)
        case .deferred(let deferred): try write(deferred.value, path, isEscaped: isEscaped)
        case .list, .object:
            let type = value.typeName
            throw library.unsupportedUse(path, type, "be shown", at: currentOperation)
        }
    }
}
