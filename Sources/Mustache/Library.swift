/// A set of templates that are compiled together. They include each other by name.
///
/// The templates are Mustache with the optional module inheritance, without lambdas. Source: the Mustache specification
/// 1.4, https://github.com/mustache/spec. But an unknown name is an error with its position, and not empty.
package struct Library: Sendable {
    private(set) var sources: [TemplateFile]

    private(set) var indices: [String: Int]

    /// The range of operations of each template, by the template's index.
    var extents: [Range<Int>] = []

    /// The templates that each template includes directly, by its index.
    var includes: [Set<Int>] = []

    var operations: [Operation] = []
    /// The position of each operation in its source, for messages.
    var origins: [Origin] = []
    /// The literal bytes of all templates, including constants.
    package internal(set) var text: [UInt8] = []
    /// The names of values and blocks.
    var symbols: [String] = []
    /// The parts of all dotted names, as indices of `symbols`. Paths are ranges of this array.
    var steps: [Int] = []
    var overrides: [Override] = []
    /// The names of the constants that templates use.
    package internal(set) var usedConstants: Set<String> = []

    /// Parses templates with different names, and checks that the partials and parents they include exist.
    ///
    /// - Parameters:
    ///   - constants: texts that replace their tags in the templates.
    ///   - usedText: the size of `text` in the site's other libraries together. The limit is for all of them.
    /// - Throws: `TemplateError` for a template that cannot be parsed, for a missing partial, parent or block, and for
    ///   content that a parent tag would not show.
    package init(_ sources: [TemplateFile], constants: Constants? = nil, usedText: Int = 0) throws {
        self.sources = sources
        indices = Dictionary(sources.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
        var compiler = Compiler(library: self, constants: constants, usedText: usedText)
        for index in sources.indices { try compiler.compile(index) }
        self = compiler.library
        try requireKnownBlocks()
    }
}

extension Library {
    typealias Origin = (template: Int, offset: Int)

    /// A tag that includes a template.
    typealias Inclusion = (operation: Int, template: Int)

    /// The content that replaces a block of a parent.
    struct Override: Sendable {
        let block: Int
        let origin: Origin
        let entry: Int
        let startsLine: Bool
        /// The number of operations; 0 for an empty override.
        let length: Int
    }

    /// The maximum depth of nested inclusions and overrides, because the renderer is recursive.
    static let depthLimit = 100
    /// The maximum number of partial, parent and block tags. The time of some checks grows with tags times templates.
    static let inclusionLimit = 100_000
    /// The maximum number of different names. The renderer has a table with all names for each shape.
    static let nameLimit = 50_000
    /// The maximum number of steps to render a page. They take about a second.
    static let stepLimit = 50_000_000
    /// The maximum size of the templates and constants of all libraries of a site in bytes.
    static let textLimit = 1 << 26
    /// The maximum indentation of an included template, in bytes.
    static let indentationLimit = 1 << 16
    /// The maximum size of a page in bytes.
    static let sizeLimit = 1 << 26
}

extension Library {
    /// Checks every name in a template and its partials, parents and blocks against a shape, in all sections.
    ///
    /// - Throws: `TemplateError` for an unknown name, a name whose kind does not fit its tag, and a missing template.
    package func check(_ template: String, against shape: Shape) throws { try check([(template, shape)]) }

    /// Checks the templates of several pages, each against its shape.
    /// - Parameter stepLimit: the maximum number of steps for all of them together. The default takes a few seconds.
    package func check(_ pages: [(template: String, shape: Shape)], stepLimit: Int = 20_000_000) throws {
        var steps = 0
        for (template, shape) in pages {
            guard let index = indices[template] else { throw unknownTemplate(template) }
            var checker = Checker(library: self, frames: [.object(shape)], steps: steps, stepLimit: stepLimit)
            try checker.walk(extents[index].lowerBound)
            steps = checker.steps
        }
    }

    /// The sorted names of the templates that `template` can use: itself, partials and parents; none if it is unknown.
    package func reachableTemplates(from template: String) -> [String] {
        guard let index = indices[template] else { return [] }
        let isReached = reachability(from: index)
        return sources.indices.filter { isReached[$0] }.map { sources[$0].name }.sorted()
    }

    /// For each template, by index, whether `template` can use it when it is rendered.
    private func reachability(from template: Int) -> [Bool] {
        var isReached = [Bool](repeating: false, count: sources.count)
        isReached[template] = true
        var unvisited = [template]
        while let next = unvisited.popLast() {
            for target in includes[next] where !isReached[target] {
                isReached[target] = true
                unvisited.append(target)
            }
        }
        return isReached
    }

    /// - Throws: `TemplateError` for an override of a block that the parent does not have.
    private func requireKnownBlocks() throws {
        // The templates that have each block, by the block's symbol.
        var owners = [[Int]](repeating: [], count: symbols.count)
        for (template, extent) in extents.enumerated() {
            for case .block(let block, _, _, _) in operations[extent] where owners[block].last != template {
                owners[block].append(template)
            }
        }

        var reachabilities: [Int: [Bool]] = [:]
        for case .parent(let target, _, let range, _) in operations where !range.isEmpty {
            let isReached = reachabilities[target] ?? reachability(from: target)
            reachabilities[target] = isReached
            func isKnown(_ block: Int) -> Bool { owners[block].contains { isReached[$0] } }
            for override in overrides[range] where !isKnown(override.block) {
                let name = symbols[override.block]
                let names = symbols.indices.filter(isKnown).map { symbols[$0] }.sorted()
                throw sources[override.origin.template].error(
                    at: override.origin.offset,
                    "\"\(sources[target].name)\" has no block \"\(name)\"" + Spelling.hint(for: name, among: names),
                    note: names.isEmpty ? "it has no blocks" : "its blocks: " + names.joined(separator: ", "))
            }
        }
    }
}

/// An operation of a compiled template. Jumps are indices of operations, and texts are ranges of the library's text.
enum Operation: Sendable {
    /// The parts of a dotted name, as a range of the library's steps. The empty range is `{{.}}`.
    ///
    /// Each step has an entry in the renderer's cache. The step after the range is for the value of the complete name.
    typealias Path = Range<Int>

    /// Text of the template. It can have several lines.
    case literal(Range<Int>, startsLine: Bool)
    /// The start of a line that begins with a tag. The renderer writes the indentation (`Margin`) here.
    case lineStart
    case show(Path, isEscaped: Bool)
    /// `end` is the operation after the section's `sectionEnd`.
    case section(Path, end: Int)
    case sectionEnd
    case inverted(Path, end: Int)
    /// The index of a template. The indentation can be empty. It is nil for a partial that is not alone on its line.
    case partial(Int, indentation: Range<Int>?)
    /// `overrides` is a range of the library's overrides. Their operations are between this one and `end`.
    case parent(Int, indentation: Range<Int>?, overrides: Range<Int>, end: Int)
    /// The default content is between this operation and `end`. The indentation is for an override.
    case block(Int, indentation: Range<Int>, isAlone: Bool, end: Int)
    /// The end of a template or of an override.
    case stop
}
