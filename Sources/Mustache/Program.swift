/// All templates of a library, compiled together.
struct Program: Sendable {
    let mode: Library.Mode
    let sources: [Source]

    /// The index of each template by its name.
    let indices: [String: Int]

    /// The indices of the templates, sorted by name.
    let byName: [Int]

    /// The operations of each template, by its index.
    var extents: [Range<Int>] = []

    /// What each template includes itself, by its index.
    var includes: [Includes] = []

    var operations: [Operation] = []

    /// Where each operation comes from; for messages.
    var origins: [Origin] = []

    /// The literal bytes of all templates.
    var text: [UInt8] = []

    /// Names of values as indices of `symbols`; what paths are made of.
    var steps: [Int32] = []
    var symbols: [String] = []

    /// The names of blocks.
    var blocks: [String] = []
    var overrides: [Override] = []

    init(mode: Library.Mode, sources: [Source], indices: [String: Int]) {
        self.mode = mode
        self.sources = sources
        self.indices = indices
        byName = sources.indices.sorted { sources[$0].name < sources[$1].name }
    }
}

extension Program {
    /// A place in a source.
    struct Origin: Sendable {
        let template: Int32
        let offset: Int32
    }

    /// A tag that brings in a template.
    struct Inclusion: Sendable {
        let operation: Int
        let template: Int
    }

    /// The templates that a template includes itself, each once, and whether it includes one by a dynamic name.
    struct Includes: Sendable {
        var templates: [Int] = []
        var isDynamic = false
    }

    /// What a parent tag puts in place of a block.
    struct Override: Sendable {
        let block: Int32
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

    /// The dotted name as the template writes it.
    func name(of path: Operation.Path) -> String {
        path.start == path.end ? "." : name(ofSteps: Int(path.start)..<Int(path.end))
    }

    func name(ofSteps range: Range<Int>) -> String {
        steps[range].map { symbols[Int($0)] }.joined(separator: ".")
    }
}
