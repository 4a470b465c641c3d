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

    private let program: Program

    /// Parses every template, and checks that the partials and parents they name are there.
    ///
    /// - Parameters:
    ///   - constants: values that are known now; their tags become part of the template's own text.
    ///   - usedText: the `textSize` of the site's other libraries together. The limit is for all of them.
    /// - Throws: for what cannot be parsed; in strict mode also for a partial, parent or block that is not there, for
    ///   two templates of one name, and for what a parent tag would not show. In spec mode a missing partial is empty.
    public init(
        _ sources: [Source], mode: Mode, constants: Constants? = nil, usedText: Int = 0
    ) throws(TemplateError) {
        var indices: [String: Int] = [:]
        for (index, source) in sources.enumerated() {
            if let other = indices.updateValue(index, forKey: source.name) {
                throw source.error(at: 0, "the name \"\(source.name)\" is taken by \(sources[other].file)")
            }
        }

        program = try Compiler.compile(
            Program(mode: mode, sources: sources, indices: indices), constants, usedText: usedText)
        if mode == .strict {
            try program.requireKnownBlocks()
        }
    }
}

extension Library {
    /// How many bytes of text the compiled templates have, with the constants in them.
    public var textSize: Int { program.text.count }

    /// The names of the templates, sorted.
    public var names: [String] {
        program.byName.map { program.sources[$0].name }
    }

    /// Checks every name that the template, with its partials, parents and blocks, uses against the shape, also in
    /// sections that data may never enter.
    ///
    /// What a dynamic name brings in is not known before it is rendered, and is checked then.
    ///
    /// - Throws: for a name that is not there or is not what its tag wants, and for a template that is not there.
    public func check(_ template: String, against shape: Shape) throws(TemplateError) {
        var checker = Checker(program)
        try checker.check(template, against: shape)
    }

    /// The names of the templates that rendering `template` can reach (itself, partials, parents), sorted; for
    /// incremental builds. A template with a dynamic name can reach all of them, an unknown one none.
    public func reach(of template: String) -> [String] {
        guard let index = program.indices[template] else {
            return []
        }

        let isReached = program.reach(of: index)
        return program.byName.filter { isReached[$0] }.map { program.sources[$0].name }
    }

    /// A renderer for these templates; make one for each worker.
    public func renderer() -> Renderer {
        Renderer(program)
    }
}
