extension Program {
    /// Whether rendering a template can reach each template, by index: itself, and all where a name is dynamic.
    func reach(of template: Int) -> [Bool] {
        var isReached = [Bool](repeating: false, count: sources.count)
        isReached[template] = true
        var waiting = [template]

        while let next = waiting.popLast() {
            guard !includes[next].isDynamic else { return [Bool](repeating: true, count: sources.count) }

            for target in includes[next].templates where !isReached[target] {
                isReached[target] = true
                waiting.append(target)
            }
        }

        return isReached
    }

    /// What the template with these operations includes.
    func includes(in extent: Range<Int>) -> Includes {
        var includes = Includes()
        var templates: Set<Int32> = []
        for operation in operations[extent] {
            switch operation {
            case .partial(.template(let target), _), .parent(.template(let target), _, _, _):
                if templates.insert(target).inserted { includes.templates.append(Int(target)) }
            case .partial(.named, _), .parent(.named, _, _, _):
                includes.isDynamic = true
            default:
                continue
            }
        }

        return includes
    }

    /// - Throws: where a parent tag gives a block that its parent does not have.
    func requireKnownBlocks() throws(TemplateError) {
        let owners = blockOwners
        var reaches: [Int32: [Bool]] = [:]
        for operation in operations {
            guard case .parent(.template(let target), _, let given, _) = operation, given.start < given.end else {
                continue
            }

            let isReached = reaches[target] ?? reach(of: Int(target))
            reaches[target] = isReached
            for override in overrides[given.range] where !owners[Int(override.block)].contains(where: { isReached[$0] })
            {
                let known = blocks.indices.filter { owners[$0].contains { isReached[$0] } }
                throw unknownBlock(override, of: Int(target), known: known.map { blocks[$0] }.sorted())
            }
        }
    }

    /// The templates that have each block, by the block's index.
    private var blockOwners: [[Int]] {
        var owners = [[Int]](repeating: [], count: blocks.count)
        for (template, extent) in extents.enumerated() {
            for case .block(let block, _, _, _) in operations[extent] where owners[Int(block)].last != template {
                owners[Int(block)].append(template)
            }
        }

        return owners
    }

    private func unknownBlock(_ override: Override, of template: Int, known names: [String]) -> TemplateError {
        let name = blocks[Int(override.block)]

        return sources[Int(override.origin.template)].error(
            at: Int(override.origin.offset),
            "\"\(sources[template].name)\" has no block \"\(name)\"" + Spelling.hint(for: name, among: names),
            note: names.isEmpty ? "it has no blocks" : "its blocks: " + names.joined(separator: ", "))
    }
}
