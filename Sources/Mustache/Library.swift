/// A named set of templates compiled together; partials and parents are found in it by name.
///
/// The templates are Mustache with the optional modules inheritance and dynamic names, without lambdas. Source: the
/// Mustache specification 1.4, https://github.com/mustache/spec.
public struct Library: Sendable {
    /// What happens to a name that is not there.
    public enum Mode: Sendable {
        /// An error, with its place. Characters that HTML or XML forbid are written as U+FFFD.
        case strict
        /// Nothing is shown, as the specification has it.
        case spec
    }

    private(set) var mode: Mode
    private(set) var sources: [Source]

    /// The index of each template by its name.
    private(set) var indices: [String: Int]

    /// The operations of each template, by its index.
    var extents: [Range<Int>] = []

    /// The templates that each template includes itself, by its index; nil where it includes one by a dynamic name.
    var includes: [Set<Int>?] = []

    var operations: [Operation] = []
    /// Where each operation comes from; for messages.
    var origins: [Origin] = []
    /// The literal bytes of all templates.
    var text: [UInt8] = []
    /// The names of values and blocks.
    var symbols: [String] = []
    /// Names of values as indices of `symbols`; what paths are made of.
    var steps: [Int] = []
    var overrides: [Override] = []
    /// Parses every template, and checks that the partials and parents they name are there.
    ///
    /// - Parameters:
    ///   - constants: values that are known now; their tags become part of the template's own text.
    ///   - usedText: the `textSize` of the site's other libraries together. The limit is for all of them.
    /// - Throws: a `TemplateError` for what cannot be parsed; in strict mode also for a partial, parent or block that
    ///   is not there, for two templates of one name, and for what a parent tag would not show. In spec mode a missing
    ///   partial is empty.
    public init(_ sources: [Source], mode: Mode, constants: Constants? = nil, usedText: Int = 0) throws {
        var indices: [String: Int] = [:]
        for (index, source) in sources.enumerated() {
            if let other = indices.updateValue(index, forKey: source.name) {
                throw source.error(at: 0, "the name \"\(source.name)\" is taken by \(sources[other].file)")
            }
        }
        self.mode = mode
        self.sources = sources
        self.indices = indices

        var compiler = Compiler(self, constants, usedText: usedText)
        for index in sources.indices { try compiler.compile(index) }
        self = compiler.library
        if mode == .strict { try requireKnownBlocks() }
    }
}

extension Library {
    /// A place in a source.
    typealias Origin = (template: Int, offset: Int)

    /// A tag that brings in a template.
    typealias Inclusion = (operation: Int, template: Int)

    /// What a parent tag puts in place of a block.
    struct Override: Sendable {
        let block: Int
        let origin: Origin
        let entry: Int
        let startsLine: Bool
        /// How many operations it has; none where the block stays empty.
        let length: Int
    }

    /// How deep templates may include one another, and blocks be replaced: each is a call of the renderer.
    static let depthLimit = 100
    /// How many partial, parent and block tags all templates may have: some work is done for each with each template.
    static let inclusionLimit = 100_000
    /// How many operations a page may take: a second's work.
    static let stepLimit = 50_000_000
    /// How many bytes the templates of all libraries of a site may have together, with the constants in them. A library
    /// for each language has its own copy of them in memory.
    static let textLimit = 1 << 26
    /// How many bytes may be put before each line of a template that is included.
    static let marginLimit = 1 << 16
    /// How many bytes a page may have.
    static let sizeLimit = 1 << 26
}

extension Library {
    /// How many bytes of text the compiled templates have, with the constants in them.
    public var textSize: Int { text.count }

    /// The names of the templates, sorted.
    public var names: [String] { sources.map(\.name).sorted() }

    /// Checks every name that the template, with its partials, parents and blocks, uses against the shape, also in
    /// sections that data may never enter.
    ///
    /// What a dynamic name brings in is not known before it is rendered, and is checked then.
    ///
    /// - Throws: a `TemplateError` for a name that is not there or is not what its tag wants, and for a template that
    ///   is not there.
    public func check(_ template: String, against shape: Shape) throws {
        var checker = Checker(self)
        try checker.check(template, against: shape)
    }

    /// The names of the templates that rendering `template` can reach (itself, partials, parents), sorted; for
    /// incremental builds. A template with a dynamic name can reach all of them, an unknown one none.
    public func reach(of template: String) -> [String] {
        guard let index = indices[template] else { return [] }
        let isReached = reach(of: index)
        return sources.indices.filter { isReached[$0] }.map { sources[$0].name }.sorted()
    }

    /// A renderer for these templates; make one for each worker.
    public func renderer() -> Renderer { Renderer(self) }

    /// Whether rendering a template can reach each template, by index: itself, and all where a name is dynamic.
    private func reach(of template: Int) -> [Bool] {
        var isReached = [Bool](repeating: false, count: sources.count)
        isReached[template] = true
        var waiting = [template]
        while let next = waiting.popLast() {
            guard let targets = includes[next] else { return [Bool](repeating: true, count: sources.count) }
            for target in targets where !isReached[target] {
                isReached[target] = true
                waiting.append(target)
            }
        }
        return isReached
    }

    /// - Throws: where a parent tag gives a block that its parent does not have.
    private func requireKnownBlocks() throws {
        // The templates that have each block, by the block's symbol.
        var owners = [[Int]](repeating: [], count: symbols.count)
        for (template, extent) in extents.enumerated() {
            for case .block(let block, _, _, _) in operations[extent] where owners[block].last != template {
                owners[block].append(template)
            }
        }

        var reaches: [Int: [Bool]] = [:]
        for case .parent(.template(let target), _, let given, _) in operations where !given.isEmpty {
            let isReached = reaches[target] ?? reach(of: target)
            reaches[target] = isReached
            func isKnown(_ block: Int) -> Bool { owners[block].contains { isReached[$0] } }
            for override in overrides[given] where !isKnown(override.block) {
                let (name, names) = (
                    symbols[override.block], symbols.indices.filter(isKnown).map { symbols[$0] }.sorted()
                )
                throw sources[override.origin.template].error(
                    at: override.origin.offset,
                    "\"\(sources[target].name)\" has no block \"\(name)\"" + Spelling.hint(for: name, among: names),
                    note: names.isEmpty ? "it has no blocks" : "its blocks: " + names.joined(separator: ", "))
            }
        }
    }
}

/// One step of a compiled template; jumps are indices of operations, texts are ranges of the library's text.
enum Operation: Sendable {
    /// The names of a dotted name, as a range of the library's steps; no step at all is `{{.}}`.
    ///
    /// Each step has a place in the renderer's caches. One more, at the end, is for what the last one gives.
    typealias Path = Range<Int>

    /// The template that is included.
    enum Target: Sendable {
        case template(Int)
        case named(Path)
    }

    /// A stretch of the template itself, with as many lines as it has.
    case literal(Range<Int>, startsLine: Bool)
    /// A line begins with a tag: what the including template wants before each line goes here.
    case lineStart
    case show(Path)
    case showRaw(Path)
    /// `end` is the operation after the section's `sectionEnd`.
    case section(Path, end: Int)
    case sectionEnd
    case inverted(Path, end: Int)
    /// A partial that is alone on its line has an indentation, which may be empty; one within a line has none.
    case partial(Target, indentation: Range<Int>?)
    /// The bodies of the overrides, which are a range of the library's, lie between the operation and `end`.
    case parent(Target, indentation: Range<Int>?, overrides: Range<Int>, end: Int)
    /// The default content lies between the operation and `end`; the indentation is for what replaces it.
    case block(Int, indentation: Range<Int>, isAlone: Bool, end: Int)
    /// Replaces a parent that is not there.
    case skip(to: Int)
    /// The end of a template or of an override.
    case stop
}
