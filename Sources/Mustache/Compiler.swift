/// Compiles templates into the operations of a library.
///
/// If a tag is alone on its lines, the lines are removed from the output. The text before the tag then ends at the
/// start of its line, and the text after it begins at the next line (Mustache specification, "standalone" tags).
struct Compiler {
    /// At first it has its sources, but no operations yet.
    var library: Library
    let constants: Constants?
    /// The size in bytes of the text of the site's other libraries.
    let usedText: Int

    /// The template that is being compiled.
    var source = TemplateFile(name: "", file: "", bytes: [])
    private(set) var template = 0
    var tags: [TemplateTag] = []

    /// The offset up to which the template is compiled.
    var cursor = 0
    /// Whether the next operation begins a line of the template.
    var atLineStart = true
    /// The indentation of the enclosing override. It is removed from each line.
    var dedent: Range<Int> = 0..<0
    /// Whether the last operation is a literal that can be extended, because no jump targets its end.
    var canExtendLiteral = false
    /// The number of partial, parent and block tags so far.
    var inclusions = 0
    var symbols: [String: Int] = [:]

    mutating func compile(_ index: Int) throws {
        source = library.sources[index]
        template = index
        tags = try TagScanner.tags(of: source)
        for tag in tags where [.partial, .parent, .block].contains(tag.kind) {
            inclusions += 1
            try source.require(
                inclusions <= Library.inclusionLimit, at: tag.extent.lowerBound,
                "the templates have more than \(Library.inclusionLimit) partial, parent and block tags; use fewer")
        }
        cursor = 0
        atLineStart = true
        canExtendLiteral = false

        library.includes.append([])
        let entry = library.operations.count
        try compile(tags.indices)
        literal(upTo: source.bytes.count)
        emit(.stop, at: source.bytes.count)
        library.extents.append(entry..<library.operations.count)
    }

    /// Compiles a range of tags. The recursion is at most `TagScanner.depthLimit` deep.
    mutating func compile(_ range: Range<Int>) throws {
        var index = range.lowerBound
        while index < range.upperBound {
            let tag = tags[index]
            switch tag.kind {
            case .name, .raw:
                if try constant(tag) { break }
                emitTextInline(before: tag)
                emit(.show(path(tag.name), isEscaped: tag.kind == .name), at: tag.name.lowerBound)
            case .section, .inverted: try section(tag, index)
            case .block: try block(tag, index)
            case .parent: try parent(tag, index)
            case .partial: try partial(tag)
            case .comment, .delimiters, .close: emitText(before: tag)
            }
            try source.require(
                symbols.count <= Library.nameLimit, at: tag.name.lowerBound,
                "the templates have more than \(Library.nameLimit) different names; use fewer")
            index = tag.closing + 1
        }
    }

    private mutating func section(_ tag: TemplateTag, _ index: Int) throws {
        emitText(before: tag)
        let path = path(tag.name)
        let isInverted = tag.kind == .inverted
        try content(of: tag, index) { isInverted ? .inverted(path, end: $0) : .section(path, end: $0) }
    }

    private mutating func block(_ tag: TemplateTag, _ index: Int) throws {
        emitText(before: tag)
        let inner = tag.isAlone ? intrinsicIndentation(cursor..<tags[tag.closing].extent.lowerBound) : nil
        let indentation = indentation(inner ?? tag.margin ?? 0..<0)
        let block = symbol(source.text(tag.name))
        try content(of: tag, index) { .block(block, indentation: indentation, isAlone: tag.isAlone, end: $0) }
    }

    /// Compiles the content up to the closing tag, after the tag's own operation, which needs the end of the content.
    private mutating func content(of tag: TemplateTag, _ index: Int, _ operation: (_ end: Int) -> Operation) throws {
        let start = library.operations.count
        emit(.stop, at: tag.name.lowerBound)
        try compile(index + 1..<tag.closing)
        let closing = tags[tag.closing]
        emitText(before: closing)
        if tag.kind == .section { emit(.sectionEnd, at: closing.name.lowerBound) }
        canExtendLiteral = false
        library.operations[start] = operation(library.operations.count)
    }

    /// Compiles a tag that names a constant. Returns false for another tag.
    private mutating func constant(_ tag: TemplateTag) throws -> Bool {
        guard let constants else { return false }
        let parts = source.text(tag.name).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == "t" else { return false }
        guard let text = constants.texts[String(parts[1])] else {
            throw source.error(
                at: tag.name.lowerBound,
                "there is no text \"\(parts[1])\""
                    + Spelling.hint(for: String(parts[1]), among: constants.texts.keys.sorted()),
                note: "add a new text to every file in \(constants.folder)")
        }
        library.usedConstants.insert(String(parts[1]))
        emitTextInline(before: tag)
        literal(text, isEscaped: tag.kind == .name)
        try source.require(
            usedText + library.text.count <= Library.textLimit, at: tag.name.lowerBound,
            "the templates with their texts, in all languages together, have more than \(Library.textLimit) bytes; "
                + "use shorter texts")
        return true
    }
}

extension Compiler {
    mutating func emit(_ operation: Operation, at offset: Int) {
        library.operations.append(operation)
        library.origins.append((template, offset))
        canExtendLiteral = false
    }

    mutating func path(_ range: Range<Int>) -> Operation.Path {
        let text = source.text(range)
        let names = text == "." ? [] : text.split(separator: ".", omittingEmptySubsequences: false)
        let start = library.steps.count
        library.steps += names.map { symbol(String($0)) } + [-1]
        return start..<library.steps.count - 1
    }

    mutating func symbol(_ name: String) -> Int {
        if let known = symbols[name] { return known }
        symbols[name] = library.symbols.count
        library.symbols.append(name)
        return library.symbols.count - 1
    }
}

/// Texts that are known when templates are compiled, such as those of one language, by name. The folder has a file of
/// texts for each language. It is used only for messages.
///
/// `{{t.search}}` is the constant "search". It becomes part of the template's own text, so rendering does not look it
/// up. An unknown name is an error with its position.
package typealias Constants = (texts: [String: String], folder: String)
