/// Partials, parents and blocks.
///
/// What replaces a block loses the indentation it is written with and takes on the block's. Source: the Mustache
/// specification, optional module inheritance, the tests from "Standalone parent" on.
extension Compiler {
    mutating func partial(_ tag: Tag) throws(TemplateError) {
        let target = try target(tag)
        var indentation: Operation.Stretch?
        if tag.isAlone, let lineStart = tag.lineStart {
            indentation = self.indentation(lineStart..<tag.extent.lowerBound)
        }

        place(tag)
        if let target {
            emit(.partial(target, indentation: indentation), at: tag.name.lowerBound)
        }
    }

    mutating func openParent(_ tag: Tag, closing: Tag) throws(TemplateError) {
        let target = try target(tag)
        var indentation: Operation.Stretch?

        if let lineStart = tag.lineStart, closing.lineEnd != nil {
            indentation = self.indentation(lineStart..<tag.extent.lowerBound)
            literal(upTo: lineStart)
        } else {
            placeInline(tag)
        }

        open.append(.parent(OpenParent(operation: program.operations.count, target: target, indentation: indentation)))
        emit(.stop, at: tag.name.lowerBound)
        cursor = tag.extent.upperBound
    }

    /// Within a parent tag only blocks count.
    ///
    /// - Returns: the index of the tag to go on with.
    mutating func compileTagInParent(_ index: Int) throws(TemplateError) -> Int {
        let tag = tags[index]
        try requireNothing(upTo: tag.extent.lowerBound)
        cursor = tag.extent.upperBound

        switch tag.kind {
        case .block:
            openOverride(tag, closing: tags[partners[index]])
        case .close:
            try closeParent(tag)
        case .comment, .delimiters:
            break
        default:
            guard program.mode == .spec else {
                throw source.error(
                    at: tag.extent.lowerBound, "only blocks, as in {{$title}}, may stand within a parent")
            }

            guard tag.opens else { break }
            let end = partners[index]
            cursor = tags[end].extent.upperBound
            return end + 1
        }

        return index + 1
    }

    private func requireNothing(upTo end: Int) throws(TemplateError) {
        guard program.mode == .strict, let place = source.bytes[cursor..<end].firstIndex(where: { !$0.isSpace }) else {
            return
        }

        throw source.error(
            at: place, "this text would not be shown: only blocks, as in {{$title}}, count within a parent")
    }

    private mutating func openOverride(_ tag: Tag, closing: Tag) {
        let content = tag.lineEnd ?? tag.extent.upperBound
        let override = OpenOverride(
            block: block(source.text(tag.name)), offset: tag.name.lowerBound, entry: program.operations.count,
            startsLine: tag.lineEnd != nil, outerDedent: dedent)

        if tag.lineEnd != nil {
            dedent = intrinsicIndentation(content..<closing.extent.lowerBound) ?? 0..<0
        } else {
            dedent = tag.lineStart.map { $0..<tag.extent.lowerBound } ?? 0..<0
        }

        open.append(.override(override))
        cursor = content
        atLineStart = override.startsLine
        literalMayGrow = false
    }

    mutating func closeOverride(_ override: OpenOverride, _ tag: Tag) {
        literal(upTo: tag.lineStart ?? tag.extent.lowerBound)
        let length = program.operations.count - override.entry
        emit(.stop, at: tag.name.lowerBound)
        cursor = tag.extent.upperBound
        dedent = override.outerDedent

        guard case .parent(var parent) = open.popLast() else { return }

        parent.overrides.append(
            .init(
                block: override.block, origin: .init(template: template, offset: Int32(override.offset)),
                entry: override.entry,
                startsLine: override.startsLine, length: length))
        open.append(.parent(parent))
    }

    private mutating func closeParent(_ tag: Tag) throws(TemplateError) {
        guard case .parent(let parent) = open.popLast() else { return }

        let start = program.overrides.count
        program.overrides += try sorted(parent.overrides)
        let end = Int32(program.operations.count)
        literalMayGrow = false

        if let target = parent.target {
            program.operations[parent.operation] = .parent(
                target, indentation: parent.indentation, overrides: .init(start..<program.overrides.count), end: end)
        } else {
            program.operations[parent.operation] = .skip(to: end)
        }

        atLineStart = parent.indentation != nil
        if atLineStart, let next = tag.lineEnd {
            cursor = next
        }
    }

    /// The overrides sorted by block, to be found by binary search. Of two for one block the first counts.
    /// - Throws: in strict mode for a block that is given twice.
    private func sorted(_ overrides: [Program.Override]) throws(TemplateError) -> [Program.Override] {
        let sorted = overrides.sorted { ($0.block, $0.entry) < ($1.block, $1.entry) }
        guard program.mode == .strict else { return sorted }

        for (first, second) in zip(sorted, sorted.dropFirst()) where first.block == second.block {
            let (name, line) = (program.blocks[Int(second.block)], source.line(at: Int(first.origin.offset)))
            throw source.error(
                at: Int(second.origin.offset),
                "the block \"\(name)\" is given twice in this parent, first on line \(line); remove one")
        }

        return sorted
    }

    mutating func openBlock(_ tag: Tag, closing: Tag) {
        place(tag)
        let own = tag.lineStart.map { $0..<tag.extent.lowerBound } ?? 0..<0
        let inner = tag.isAlone ? intrinsicIndentation(cursor..<closing.extent.lowerBound) : nil
        let indentation = indentation(inner ?? own)

        open.append(
            .block(
                program.operations.count, block(source.text(tag.name)), indentation: indentation, isAlone: tag.isAlone))
        emit(.stop, at: tag.name.lowerBound)
    }

    private mutating func target(_ tag: Tag) throws(TemplateError) -> Operation.Target? {
        if tag.isDynamic {
            return .named(path(tag.name))
        }

        let name = source.text(tag.name)
        if let index = program.indices[name] {
            return .template(Int32(index))
        }

        guard program.mode == .spec else {
            throw source.error(
                at: tag.name.lowerBound, "there is no template \"\(name)\"" + program.hint(for: name),
                note: program.templatesNote)
        }

        return nil
    }
}
