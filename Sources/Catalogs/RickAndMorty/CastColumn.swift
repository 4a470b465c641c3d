/// Casts one behind the other: a hundred thousand of them without as many arrays.
struct CastColumn: Sendable {
    private var rows: [Int32] = []
    private var ends: [Int] = []
    private var missing: [Int32] = []

    mutating func append(_ cast: Cast) {
        rows += cast.rows
        ends.append(rows.count)
        missing.append(Int32(clamping: cast.missing))
    }

    subscript(row: Int) -> Cast {
        Cast(rows: rows[(row == 0 ? 0 : ends[row - 1])..<ends[row]], missing: Int(missing[row]))
    }

    /// Gives back the room that is left.
    mutating func finish() { rows = Array(rows[...]) }
}
