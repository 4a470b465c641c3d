import Glibc
import Mustache
import Pages

/// The matrix of shared references: square cells of 20 units, rows and columns numbered from 1.
struct FigureMatrix {
    let figure: FigureDeclaration
    let records: [FigureItem]
    let texts: Texts
    let shared: SharedReferences

    private static let cell = 20

    func value() -> Value? {
        guard records.count > 1 else { return nil }
        return FigureShapes.matrix([
            "id": figure.id, "caption": texts[figure.text("caption")], "note": texts[figure.text("note")],
            "alternative": alternative, "size": (records.count + 1) * Self.cell,
            "ground": records.indices.map { row in records.indices.map { Self.square(row, $0) }.joined() }.joined(),
            "shades": shared.shades.indices.map { shade($0) }, "own": shade(nil), "rows": records.indices.map(row),
            "nameHead": texts[figure.text("head")], "countHead": texts[figure.text("counted")],
            "partnersHead": texts[figure.text("partners")], "legend": texts[figure.text("legend")],
            "legendNone": texts[figure.text("legendNone")], "legendOwn": texts[figure.text("legendOwn")],
        ])
    }

    /// The cells of a shade, or those of the diagonal.
    private func shade(_ place: Int?) -> Value {
        let cells = records.indices.flatMap { row in
            records.indices.filter { column in
                row == column ? place == nil : place.map { shared.shade(shared.counts[row][column]) == $0 + 1 } ?? false
            }.map { (row, $0) }
        }
        return FigureShapes.matrixShade([
            "number": (place ?? -1) + 1, "label": place.map(label) ?? "", "path": cells.map(Self.square).joined(),
            "cells": cells.map { row, column in
                FigureShapes.matrixCell([
                    "x": Self.middle(column), "y": Self.middle(row), "count": shared.counts[row][column],
                ])
            },
        ])
    }

    private func label(_ place: Int) -> String {
        let low = place == 0 ? 1 : shared.shades[place - 1] + 1
        let high = shared.shades[place]
        return low == high ? "\(low)" : "\(low)–\(high)"
    }

    private func row(_ place: Int) -> Value {
        let record = records[place]
        let counts = shared.counts[place]
        let partners = shared.partners(of: place).map { other in
            FigureShapes.matrixPartner([
                "number": other + 1, "name": texts.shown(records[other].name), "count": counts[other],
            ])
        }
        let isOnlyName = records.count { $0.name == record.name } == 1
        return FigureShapes.matrixRow([
            "number": place + 1, "name": texts.shown(record.name), "served": true, "path": record.path,
            "count": counts[place], "note": isOnlyName ? "" : texts.plural(figure.counted, counts[place]),
            "at": Self.middle(place), "fifth": place == 0 || (place + 1).isMultiple(of: 5), "partners": partners,
        ])
    }

    /// A cell as a part of a path, with a gap of one unit. The first row and column contain the numbers.
    private static func square(_ row: Int, _ column: Int) -> String {
        "M\((column + 1) * cell) \((row + 1) * cell)h19v19h-19z"
    }

    private static func middle(_ place: Int) -> Int { (place + 1) * cell + cell / 2 }

    private var alternative: String {
        guard let closest = shared.closest else { return texts[figure.text("none")] }
        return texts.filled(
            figure.text("alternative"),
            [
                "name": texts.shown(records[closest.one].name), "other": texts.shown(records[closest.other].name),
                "count": texts.plural(figure.counted, closest.count), "pairs": String(shared.pairs),
                "none": String(shared.pairsWithout),
            ])
    }
}

/// The number of shared references of each pair of records.
struct SharedReferences {
    /// A row for each record. The diagonal has the record's number of references.
    let counts: [[Int]]
    /// The upper ends of at most five shades, ascending; empty if no pair shares one.
    let shades: [Int]

    /// - Parameter sets: the references of each record.
    init(_ sets: [Set<Int32>]) {
        let counts = sets.map { one in sets.map { one.intersection($0).count } }
        self.counts = counts
        shades = Self.shades(upTo: counts.indices.flatMap { row in counts[row][..<row] }.max() ?? 0)
    }
}

extension SharedReferences {
    var pairs: Int { counts.count * (counts.count - 1) / 2 }
    var pairsWithout: Int { counts.indices.reduce(0) { sum, row in sum + counts[row][..<row].count { $0 == 0 } } }

    /// The first pair with the most shared references.
    var closest: (one: Int, other: Int, count: Int)? {
        let pairs = counts.indices.flatMap { one in
            counts.indices[(one + 1)...].map { (one: one, other: $0, count: counts[one][$0]) }
        }
        return pairs.filter { $0.count > 0 }.min { (-$0.count, $0.one, $0.other) < (-$1.count, $1.one, $1.other) }
    }

    /// Up to three records that share the most references with this one. With equal counts, the first come first.
    func partners(of row: Int) -> [Int] {
        let others = counts.indices.filter { $0 != row && counts[row][$0] > 0 }
        return Array(others.sorted { (-counts[row][$0], $0) < (-counts[row][$1], $1) }.prefix(3))
    }

    /// The shade of a count from 1 on, or nil for zero.
    func shade(_ count: Int) -> Int? {
        guard count > 0 else { return nil }
        return shades.firstIndex { count <= $0 }.map { $0 + 1 }
    }

    /// Ends of shades that grow by about the same factor, because most pairs share few references.
    static func shades(upTo highest: Int) -> [Int] {
        // The whole fifth roots of highest, highest squared and so on. The addition is larger than rounding errors.
        let roots = (1...5).map { Int(pow(Double(highest), Double($0) / 5) + 1e-9) }
        var ends: [Int] = []
        for root in roots where (ends.last ?? 0) < highest { ends.append(max(root, (ends.last ?? 0) + 1)) }
        if let last = ends.indices.last { ends[last] = highest }
        return ends
    }
}
