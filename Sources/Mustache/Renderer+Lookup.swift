/// Names.
extension Renderer {
    /// The value of a name, looked for in the innermost frame first.
    ///
    /// - Throws: in strict mode where there is no such name.
    mutating func resolve(_ path: Operation.Path, at operation: Int) throws(TemplateError) -> Value {
        guard path.start < path.end else {
            return frames[frames.count - 1].value
        }

        let symbol = program.steps[Int(path.start)]
        var index = frames.count
        repeat {
            index -= 1
            let slot = rows.slot(of: symbol, in: frames[index].row)
            if slot >= 0 {
                let value = frames[index].values[slot]

                return path.start + 1 == path.end ? value : try resolve(path, in: value, at: operation)
            }
        } while index > 0

        guard program.mode == .strict else {
            return .null
        }

        throw program.unknown(Int(path.start), in: shapes, at: operation)
    }

    /// The rest of a dotted name, from its second part.
    private mutating func resolve(_ path: Operation.Path, in first: Value, at operation: Int) throws(TemplateError)
        -> Value
    {
        var value = first
        for step in path.start + 1..<path.end {
            switch value {
            case .null:
                return .null
            case .object(let object):
                let row = rows.row(of: object.shape, at: step)
                let slot = rows.slot(of: program.steps[Int(step)], in: row)
                guard slot >= 0 else {
                    guard program.mode == .strict else { return .null }

                    throw program.unknown(Int(step), of: path, in: object.shape, at: operation)
                }

                value = object.values[slot]
            default:
                guard program.mode == .strict else { return .null }

                throw program.nameless(Int(step), of: path, value.noun, at: operation)
            }
        }

        return value
    }

    /// The template that a partial or parent tag includes; nil where a dynamic name is null.
    mutating func template(_ target: Operation.Target, at operation: Int) throws(TemplateError) -> Int? {
        switch target {
        case .template(let index):
            return Int(index)
        case .named(let path):
            let value = try resolve(path, at: operation)
            if case .text(let name) = value, let index = program.indices[name] {
                return index
            }

            if program.mode == .spec { return nil }

            switch value {
            case .null: return nil
            case .text(let name): throw program.unknownTemplate(name, from: path, at: operation)
            default: throw program.misused(path, value.noun, "name a template", at: operation)
            }
        }
    }

    /// The shapes of the objects around, the innermost first.
    private var shapes: [Shape] {
        frames.reversed().compactMap { if case .object(let object) = $0.value { object.shape } else { nil } }
    }
}
