extension Program {
    /// The templates that rendering this one can reach, itself included; all there are where a name is dynamic.
    func reach(of template: Int) -> Set<Int> {
        var reached: Set = [template]
        var waiting = [template]

        while let next = waiting.popLast() {
            for operation in operations[extents[next]] {
                switch operation {
                case .partial(.template(let target), _), .parent(.template(let target), _, _, _):
                    if reached.insert(Int(target)).inserted {
                        waiting.append(Int(target))
                    }
                case .partial(.named, _), .parent(.named, _, _, _):
                    return Set(sources.indices)
                default:
                    continue
                }
            }
        }

        return reached
    }

    /// - Throws: where a parent tag gives a block that its parent does not have.
    func requireKnownBlocks() throws(TemplateError) {
        var blocks: [Int32: Set<Int32>] = [:]
        for operation in operations {
            guard case .parent(.template(let target), _, let given, _) = operation, given.start < given.end else {
                continue
            }

            let known = blocks[target] ?? self.blocks(of: Int(target))
            blocks[target] = known
            for override in overrides[given.range] where !known.contains(override.block) {
                throw unknownBlock(override, of: Int(target), known: known)
            }
        }
    }

    private func blocks(of template: Int) -> Set<Int32> {
        var found: Set<Int32> = []
        for reached in reach(of: template) {
            for case .block(let block, _, _, _) in operations[extents[reached]] {
                found.insert(block)
            }
        }

        return found
    }

    private func unknownBlock(_ override: Override, of template: Int, known: Set<Int32>) -> TemplateError {
        let name = blocks[Int(override.block)]
        let names = known.map { blocks[Int($0)] }.sorted()

        return sources[Int(override.origin.template)].error(
            at: Int(override.origin.offset),
            "\"\(sources[template].name)\" has no block \"\(name)\"" + Spelling.hint(for: name, among: names),
            note: names.isEmpty ? "it has no blocks" : "its blocks: " + names.joined(separator: ", "))
    }
}
