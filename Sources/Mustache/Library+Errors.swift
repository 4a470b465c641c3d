extension Library {
    func error(at operation: Int, _ reason: String, note: String? = nil) -> TemplateError {
        sources[origins[operation].template].error(at: origins[operation].offset, reason, note: note)
    }

    /// A name that none of the shapes around it has; the innermost shape comes first.
    func unknown(_ step: Int, in shapes: [Shape], at operation: Int) -> TemplateError {
        let name = symbols[steps[step]]
        let here = shapes.first.map { $0.fields.map(\.name).sorted() } ?? []
        let around = Set(shapes.dropFirst().flatMap(\.fields).map(\.name)).subtracting(here).sorted()
        var note = here.isEmpty ? "there are no names here" : "names here: " + here.joined(separator: ", ")
        if !around.isEmpty { note += "; around it: " + around.joined(separator: ", ") }
        return error(
            at: operation, "there is no name \"\(name)\" here" + Spelling.hint(for: name, among: here + around),
            note: note)
    }

    /// A dotted name that goes on with what its object does not have.
    func unknown(_ step: Int, of path: Operation.Path, in shape: Shape, at operation: Int) -> TemplateError {
        let name = symbols[steps[step]]
        let names = shape.fields.map(\.name).sorted()
        return error(
            at: operation,
            "there is no name \"\(name)\" in \"\(self.name(of: path.lowerBound..<step))\""
                + Spelling.hint(for: name, among: names),
            note: "names of \(shape.name): " + names.joined(separator: ", "))
    }

    /// A dotted name that goes into a value without names.
    func nameless(_ step: Int, of path: Operation.Path, _ noun: String, at operation: Int) -> TemplateError {
        let owner = name(of: path.lowerBound..<step)
        return error(at: operation, "\"\(owner)\" is \(noun) and has no name \"\(symbols[steps[step]])\"")
    }

    /// A value that cannot be what the tag wants: shown, a section, or a template's name.
    func misused(_ path: Operation.Path, _ noun: String, _ use: String, at operation: Int) -> TemplateError {
        error(at: operation, "\"\(name(of: path))\" is \(noun) and cannot \(use)")
    }

    func tooDeep(at operation: Int, note: String? = nil) -> TemplateError {
        error(at: operation, "templates include one another more than \(Self.depthLimit) deep here", note: note)
    }

    /// A template that comes to itself again with nothing changed around it.
    func endless(_ way: [Inclusion], at last: Inclusion) -> TemplateError {
        error(
            at: last.operation, "\"\(sources[last.template].name)\" includes itself here without end",
            note: cycle(in: way))
    }

    /// The tags that lead from the last template back to itself, with their places; nil where it comes once only.
    func cycle(in way: [Inclusion]) -> String? {
        guard let last = way.last else { return nil }
        let before = way.dropLast().lastIndex { $0.template == last.template }
        guard before != nil || origins[way[0].operation].template == last.template else { return nil }
        let steps = way[(before.map { $0 + 1 } ?? 0)...].map { step in
            let place = error(at: step.operation, "")
            return "\(place.file):\(place.line):\(place.column) includes \"\(sources[step.template].name)\""
        }
        return "the way around: " + steps.joined(separator: ", ")
    }

    /// A template that is not in the library. The error has no place where the caller named it.
    func unknownTemplate(_ name: String, from path: Operation.Path, at operation: Int) -> TemplateError {
        let reason = "\"\(self.name(of: path))\" names the template \"\(name)\", which there is not"
        return error(at: operation, reason + hint(for: name), note: templatesNote)
    }

    func unknownTemplate(_ name: String) -> TemplateError {
        TemplateError("there is no template \"\(name)\"" + hint(for: name), note: templatesNote)
    }

    var templatesNote: String { "templates: " + names.joined(separator: ", ") }

    func hint(for name: String) -> String { Spelling.hint(for: name, among: sources.map(\.name)) }

    /// The dotted name as the template writes it.
    private func name(of path: Operation.Path) -> String {
        path.isEmpty ? "." : steps[path].map { symbols[$0] }.joined(separator: ".")
    }
}
