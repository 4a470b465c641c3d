/// Sections.
extension Renderer {
    /// - Returns: false where the section is left out.
    mutating func open(_ value: Value, body: Int, site: Int32) -> Bool {
        if value.isEmpty { return false }

        let items: [Value] = if case .list(let items) = value { items } else { [] }
        let frame = frame(items.first ?? value, at: site)
        frames.append(frame)
        loops.append(Loop(items: items, body: body, site: site))

        return true
    }

    /// - Returns: where to go on, if there is another item.
    mutating func repeatSection() -> Int? {
        let last = loops.count - 1
        let next = loops[last].next

        if next < loops[last].items.count {
            let frame = frame(loops[last].items[next], at: loops[last].site)
            frames[frames.count - 1] = frame
            loops[last].next = next + 1

            return loops[last].body
        }

        loops.removeLast()
        frames.removeLast()

        return nil
    }

    /// - Parameter site: the step of the program's paths that gave the value; nil for a page's model.
    mutating func frame(_ value: Value, at site: Int32?) -> Frame {
        guard case .object(let object) = value else {
            return Frame(value: value, values: [], row: Rows.none)
        }

        let row = if let site { rows.row(of: object.shape, at: site) } else { rows.row(of: object.shape) }

        return Frame(value: value, values: object.values, row: row)
    }
}
