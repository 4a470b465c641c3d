extension Library {
    func error(at operation: Int, _ reason: String, note: String? = nil) -> TemplateError {
        sources[origins[operation].template].error(at: origins[operation].offset, reason, note: note)
    }

    /// - Throws: an error at the position of an operation, unless the condition is true.
    func require(_ condition: Bool, at operation: Int, _ reason: @autoclosure () -> String) throws {
        guard condition else { throw error(at: operation, reason()) }
    }

    /// The error for a part of a dotted name that none of these shapes has.
    /// - Parameter shapes: for the first part, the enclosing shapes, innermost first; otherwise that of the object.
    func unknownName(_ step: Int, of path: Operation.Path, in shapes: [Shape], at operation: Int) -> TemplateError {
        let name = symbols[steps[step]]
        let isFirst = step == path.lowerBound
        let place = isFirst ? "here" : "in \"\(self.name(of: path.lowerBound..<step))\""
        let owner = isFirst ? "here" : shapes.first.map { "of \($0.name)" } ?? ""
        let innermost = shapes.first.map { $0.fields.map(\.name).sorted() } ?? []
        let outer = Set(shapes.dropFirst().flatMap(\.fields).map(\.name)).subtracting(innermost).sorted()
        var note =
            innermost.isEmpty ? "there are no names here" : "names \(owner): " + innermost.joined(separator: ", ")
        if !outer.isEmpty { note += "; around it: " + outer.joined(separator: ", ") }
        return error(
            at: operation,
            "there is no name \"\(name)\" \(place)" + Spelling.hint(for: name, among: innermost + outer), note: note)
    }

    /// The error for a dotted name that continues after a value without names, such as a text.
    func valueWithoutNames(_ step: Int, of path: Operation.Path, _ typeName: String, at operation: Int) -> TemplateError
    {
        let owner = name(of: path.lowerBound..<step)
        return error(at: operation, "\"\(owner)\" is \(typeName) and has no name \"\(symbols[steps[step]])\"")
    }

    /// The error for a value of the wrong kind for its tag.
    /// - Parameter use: a verb phrase for the unsupported use, such as "be shown".
    func unsupportedUse(_ path: Operation.Path, _ typeName: String, _ use: String, at operation: Int) -> TemplateError {
        error(at: operation, "\"\(name(of: path))\" is \(typeName) and cannot \(use)")
    }

    func tooDeep(at operation: Int, note: String? = nil) -> TemplateError {
        error(at: operation, "templates include one another more than \(Self.depthLimit) deep here", note: note)
    }

    /// The tags of the cycle from the last template back to itself, with their positions; nil if there is no cycle.
    func cycle(in inclusions: [Inclusion]) -> String? {
        guard let last = inclusions.last else { return nil }
        let before = inclusions.dropLast().lastIndex { $0.template == last.template }
        guard before != nil || origins[inclusions[0].operation].template == last.template else { return nil }
        let steps = inclusions[(before.map { $0 + 1 } ?? 0)...].map { step in
            let (template, offset) = origins[step.operation]
            return "\(sources[template].position(offset)) includes \"\(sources[step.template].name)\""
        }
        return "the cycle: " + steps.joined(separator: ", ")
    }

    func unknownTemplate(_ name: String) -> TemplateError {
        TemplateError(lines: ["there is no template \"\(name)\"" + hint(for: name), templatesNote])
    }

    var templatesNote: String { "templates: " + sources.map(\.name).sorted().joined(separator: ", ") }

    func hint(for name: String) -> String { Spelling.hint(for: name, among: sources.map(\.name)) }

    /// The dotted name as the template writes it.
    private func name(of path: Operation.Path) -> String {
        path.isEmpty ? "." : steps[path].map { symbols[$0] }.joined(separator: ".")
    }
}
