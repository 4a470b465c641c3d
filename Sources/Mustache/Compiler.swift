/// Turns templates into the operations of one program.
///
/// A tag that is alone on its lines takes them with it, so the text before such a tag ends where its line begins, and
/// the text after it starts where the next line does. Source: the Mustache specification, "standalone" tags.
struct Compiler {
    var program: Program

    /// The template that is being compiled.
    var source: Source
    var template: Int32 = 0
    var tags: [Tag] = []
    var partners: [Int] = []

    /// The tags that wait for their closing tag, the innermost last.
    var open: [Opening] = []

    /// How far the template is compiled, in bytes.
    var cursor = 0

    /// Whether the next thing in the output begins a line of the template.
    var atLineStart = true

    /// What is taken from the beginning of each line, because an override is written with it.
    var dedent: Range<Int> = 0..<0

    /// Whether the last operation is a literal that nothing jumps behind.
    var literalMayGrow = false

    /// How many partial, parent and block tags there were so far.
    private var inclusions = 0

    let constants: Constants?

    /// How many bytes of text the site's other libraries have.
    let usedText: Int
    private var symbols: [String: Int32] = [:]
    private var blocks: [String: Int32] = [:]

    private init(_ program: Program, first: Source, _ constants: Constants?, usedText: Int) {
        self.program = program
        self.constants = constants
        self.usedText = usedText
        source = first
    }
}

extension Compiler {
    /// - Parameter program: knows its sources, and has no operations yet.
    static func compile(
        _ program: Program, _ constants: Constants?, usedText: Int
    ) throws(TemplateError) -> Program {
        guard let first = program.sources.first else {
            return program
        }

        var compiler = Compiler(program, first: first, constants, usedText: usedText)
        for index in program.sources.indices {
            try compiler.compile(index)
        }

        return compiler.program
    }

    private mutating func compile(_ index: Int) throws(TemplateError) {
        source = program.sources[index]
        template = Int32(index)
        tags = try TagScanner.tags(of: source, mode: program.mode)
        try countInclusions()
        partners = try Nesting(tags, of: source).partners()
        cursor = 0
        atLineStart = true
        literalMayGrow = false

        let entry = program.operations.count
        var next = 0
        while next < tags.count {
            next = try compileTag(next)
        }

        literal(upTo: source.bytes.count)
        emit(.stop, at: source.bytes.count)
        let extent = entry..<program.operations.count
        program.extents.append(extent)
        program.includes.append(program.includes(in: extent))
    }

    /// Counts the tags whose number is limited.
    private mutating func countInclusions() throws(TemplateError) {
        for tag in tags where [.partial, .parent, .block].contains(tag.kind) {
            inclusions += 1
            guard inclusions <= Program.inclusionLimit else {
                throw source.error(
                    at: tag.extent.lowerBound,
                    "all templates have more than \(Program.inclusionLimit) partial, parent and block tags here; use "
                        + "fewer"
                )
            }
        }
    }

    /// - Returns: the index of the tag to go on with.
    private mutating func compileTag(_ index: Int) throws(TemplateError) -> Int {
        if case .parent = open.last {
            return try compileTagInParent(index)
        }

        let tag = tags[index]
        switch tag.kind {
        case .name, .raw:
            if try constant(tag) { break }
            placeInline(tag)
            let path = path(tag.name)
            emit(tag.kind == .name ? .show(path) : .showRaw(path), at: tag.name.lowerBound)
        case .section, .inverted:
            place(tag)
            let path = path(tag.name)
            open.append(
                tag.kind == .section
                    ? .section(program.operations.count, path) : .inverted(program.operations.count, path))
            emit(.stop, at: tag.name.lowerBound)
        case .block:
            openBlock(tag, closing: tags[partners[index]])
        case .parent:
            try openParent(tag, closing: tags[partners[index]])
        case .partial:
            try partial(tag)
        case .comment, .delimiters:
            place(tag)
        case .close:
            close(tag)
        }

        return index + 1
    }

    private mutating func close(_ tag: Tag) {
        guard let opening = open.popLast() else {
            return
        }

        if case .override(let override) = opening {
            return closeOverride(override, tag)
        }

        place(tag)
        if case .section = opening {
            emit(.sectionEnd, at: tag.name.lowerBound)
        }

        let end = Int32(program.operations.count)
        literalMayGrow = false

        switch opening {
        case .section(let index, let path): program.operations[index] = .section(path, end: end)
        case .inverted(let index, let path): program.operations[index] = .inverted(path, end: end)
        case .block(let index, let block, let indentation, let isAlone):
            program.operations[index] = .block(block, indentation: indentation, isAlone: isAlone, end: end)
        case .parent, .override: break
        }
    }
}

extension Compiler {
    mutating func emit(_ operation: Operation, at offset: Int) {
        program.operations.append(operation)
        program.origins.append(.init(template: template, offset: Int32(offset)))
        literalMayGrow = false
    }

    mutating func path(_ range: Range<Int>) -> Operation.Path {
        let text = source.text(range)
        let names = text == "." ? [] : text.split(separator: ".", omittingEmptySubsequences: false)
        let start = Int32(program.steps.count)

        for name in names {
            program.steps.append(symbol(String(name)))
        }

        program.steps.append(-1)

        return .init(start: start, end: Int32(program.steps.count - 1))
    }

    private mutating func symbol(_ name: String) -> Int32 {
        if let known = symbols[name] { return known }

        let new = Int32(program.symbols.count)
        symbols[name] = new
        program.symbols.append(name)

        return new
    }

    mutating func block(_ name: String) -> Int32 {
        if let known = blocks[name] { return known }

        let new = Int32(program.blocks.count)
        blocks[name] = new
        program.blocks.append(name)

        return new
    }
}
