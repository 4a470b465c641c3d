import Platform

/// Partials, parents and blocks.
///
/// The indentation of an override is replaced by that of the block that it replaces. Source: the Mustache
/// specification, optional module inheritance, the tests from "Standalone parent" on.
extension Compiler {
    mutating func partial(_ tag: TemplateTag) throws {
        let target = try target(tag)
        let indentation = tag.isAlone ? tag.margin.map { self.indentation($0) } : nil
        emitText(before: tag)
        emit(.partial(target, indentation: indentation), at: tag.name.lowerBound)
    }

    mutating func parent(_ tag: TemplateTag, _ index: Int) throws {
        let target = try target(tag)
        let closing = tags[tag.closing]
        var indentation: Range<Int>?
        if let margin = tag.margin, closing.lineEnd != nil {
            indentation = self.indentation(margin)
            literal(upTo: margin.lowerBound)
        } else {
            emitTextInline(before: tag)
        }

        let operation = library.operations.count
        emit(.stop, at: tag.name.lowerBound)
        cursor = tag.extent.upperBound
        let overrides = try overrides(index + 1..<tag.closing)
        try requireNoText(upTo: closing.extent.lowerBound)
        cursor = closing.extent.upperBound

        let start = library.overrides.count
        library.overrides += try sorted(overrides)
        let end = library.operations.count
        canExtendLiteral = false
        library.operations[operation] = .parent(
            target, indentation: indentation, overrides: start..<library.overrides.count, end: end)
        atLineStart = indentation != nil
        if atLineStart, let next = closing.lineEnd { cursor = next }
    }

    /// Compiles the blocks inside a parent tag. Other content is an error.
    private mutating func overrides(_ range: Range<Int>) throws -> [Library.Override] {
        var overrides: [Library.Override] = []
        var index = range.lowerBound
        while index < range.upperBound {
            let tag = tags[index]
            try requireNoText(upTo: tag.extent.lowerBound)
            switch tag.kind {
            case .block: overrides.append(try override(tag, index))
            case .comment, .delimiters: cursor = tag.extent.upperBound
            default:
                throw source.error(
                    at: tag.extent.lowerBound, "a parent tag can contain only blocks, such as {{$title}}")
            }
            index = tag.closing + 1
        }
        return overrides
    }

    private func requireNoText(upTo end: Int) throws {
        guard let offset = source.bytes[cursor..<end].firstIndex(where: { !$0.isSpace }) else { return }
        throw source.error(
            at: offset, "this text would not be shown: a parent tag can contain only blocks, such as {{$title}}")
    }

    private mutating func override(_ tag: TemplateTag, _ index: Int) throws -> Library.Override {
        let closing = tags[tag.closing]
        let block = symbol(source.text(tag.name))
        let entry = library.operations.count
        let outerDedent = dedent

        cursor = tag.lineEnd ?? tag.extent.upperBound
        atLineStart = tag.lineEnd != nil
        canExtendLiteral = false
        dedent = (atLineStart ? intrinsicIndentation(cursor..<closing.extent.lowerBound) : tag.margin) ?? 0..<0
        try compile(index + 1..<tag.closing)
        literal(upTo: closing.lineStart ?? closing.extent.lowerBound)
        let length = library.operations.count - entry
        emit(.stop, at: closing.name.lowerBound)
        cursor = closing.extent.upperBound
        dedent = outerDedent
        return .init(
            block: block, origin: (template, tag.name.lowerBound), entry: entry, startsLine: tag.lineEnd != nil,
            length: length)
    }

    /// The overrides sorted by block, for binary search.
    /// - Throws: `TemplateError` for two overrides of one block.
    private func sorted(_ overrides: [Library.Override]) throws -> [Library.Override] {
        let sorted = overrides.sorted { ($0.block, $0.entry) < ($1.block, $1.entry) }
        for (first, second) in zip(sorted, sorted.dropFirst()) where first.block == second.block {
            let (name, line) = (library.symbols[second.block], source.line(at: first.origin.offset))
            throw source.error(
                at: second.origin.offset,
                "the block \"\(name)\" is replaced twice in this parent tag, first on line \(line); remove one")
        }
        return sorted
    }

    /// The index of the template that a tag includes.
    private mutating func target(_ tag: TemplateTag) throws -> Int {
        let name = source.text(tag.name)
        if let index = library.indices[name] {
            library.includes[template].insert(index)
            return index
        }
        throw source.error(
            at: tag.name.lowerBound, "there is no template \"\(name)\"" + library.hint(for: name),
            note: library.templatesNote)
    }
}
