/// Knows for each shape met so far where each name of the program is, so that rendering hashes no name.
///
/// A row holds the slots of one shape, one for each symbol of the program, -1 for a name that the shape does not have.
/// The first row belongs to values without names.
struct Rows {
    private let symbols: [String]
    private var shapes: [Shape?] = [nil]
    private var slots: [Int32]
    private var known: [Shape: Int] = [:]

    /// The row last met at each step of the program's paths.
    private var recent: [Int]

    init(_ program: Program) {
        symbols = program.symbols
        slots = Array(repeating: -1, count: symbols.count)
        recent = Array(repeating: 0, count: program.steps.count)
    }
}

extension Rows {
    static let none = 0

    /// The row of a shape, met at this step.
    @inline(__always)
    mutating func row(of shape: Shape, at step: Int32) -> Int {
        let last = recent[Int(step)]
        if shapes[last] === shape { return last }

        let row = row(of: shape)
        recent[Int(step)] = row

        return row
    }

    /// The row of a shape.
    mutating func row(of shape: Shape) -> Int {
        if let row = known[shape] { return row }

        let row = shapes.count
        shapes.append(shape)
        known[shape] = row
        slots += symbols.map { Int32(shape.slot(of: $0) ?? -1) }

        return row
    }

    /// The slot of a symbol in a row, or -1.
    @inline(__always)
    func slot(of symbol: Int32, in row: Int) -> Int {
        Int(slots[row * symbols.count + Int(symbol)])
    }
}
