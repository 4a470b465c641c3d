extension Renderer {
    /// The value of a name. The innermost frame is searched first.
    ///
    /// - Throws: `TemplateError` for an unknown name.
    mutating func resolve(_ path: Operation.Path) throws -> Value {
        guard let first = path.first else {
            let frame = frames[frames.count - 1]
            return frame.object.map { .object($0) } ?? frame.value
        }
        let symbol = library.steps[first]
        var index = frames.count
        repeat {
            index -= 1
            let slot = rows.slot(of: symbol, in: frames[index].row)
            if slot >= 0, let value = frames[index].object?[slot] {
                steps += frames.count - 1 - index
                if path.count > 1 { return try resolve(path, in: value) }
                guard case .deferred(let deferred) = value else { return value }
                return deferred.value
            }
        } while index > 0

        steps += frames.count
        throw library.unknownName(first, of: path, in: shapes, at: currentOperation)
    }

    /// The value of a dotted name. `first` is the value of its first part.
    private mutating func resolve(_ path: Operation.Path, in first: Value) throws -> Value {
        var value = first.made
        for step in path.dropFirst() {
            switch value {
            case .null: return .null
            case .object(let object):
                let row = rows.row(of: object.shape, at: step)
                let slot = rows.slot(of: library.steps[step], in: row)
                guard slot >= 0 else {
                    throw library.unknownName(step, of: path, in: [object.shape], at: currentOperation)
                }
                value = object[slot].made
            default: throw library.valueWithoutNames(step, of: path, value.typeName, at: currentOperation)
            }
        }
        return value
    }

    /// The shapes of the objects in the open frames, the innermost first.
    private var shapes: [Shape] { frames.reversed().compactMap { $0.object?.shape } }
}

/// A cache of the index of each name in each shape, so that the renderer does not hash names.
///
/// A row has a slot for each symbol of the library: the index of the name in the row's shape, or -1 if the shape does
/// not have the name. The first row is for values without names.
struct ShapeRows {
    static let none = 0

    private let symbols: [String]
    private var shapes: [Shape?] = [nil]
    private var slots: [Int]

    /// The last row used at each step of the library's paths. The last element is for the page's model.
    private var recent: [Int]

    init(_ library: Library) {
        symbols = library.symbols
        slots = Array(repeating: -1, count: symbols.count)
        recent = Array(repeating: Self.none, count: library.steps.count + 1)
    }

    /// The row of a shape at a step.
    @inline(__always)
    mutating func row(of shape: Shape, at step: Int) -> Int {
        let last = recent[step]
        if shapes[last] === shape { return last }
        let row = row(of: shape)
        recent[step] = row
        return row
    }

    private mutating func row(of shape: Shape) -> Int {
        if let known = shapes.firstIndex(where: { $0 === shape }) { return known }
        shapes.append(shape)
        slots += symbols.map { shape.slot(of: $0) ?? -1 }
        return shapes.count - 1
    }

    /// The slot of a symbol in a row, or -1.
    @inline(__always)
    func slot(of symbol: Int, in row: Int) -> Int { slots[row * symbols.count + symbol] }
}
