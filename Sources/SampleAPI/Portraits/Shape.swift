import Glibc

/// An outline: a closed polygon with so many corners that it looks round where it should.
struct Shape {
    var points: [(x: Double, y: Double)]
}

extension Shape {
    static func polygon(_ points: [(x: Double, y: Double)]) -> Shape { Shape(points: points) }

    /// - Parameter turn: in degrees, clockwise.
    static func ellipse(_ x: Double, _ y: Double, _ width: Double, _ height: Double, turn: Double = 0) -> Shape {
        let steps = max(12, min(64, Int(max(width, height))))
        let (sine, cosine) = (sin(turn * .pi / 180), cos(turn * .pi / 180))
        return Shape(
            points: (0..<steps).map { step in
                let angle = Double(step) / Double(steps) * 2 * .pi
                let (u, v) = (cos(angle) * width, sin(angle) * height)
                return (x + u * cosine - v * sine, y + u * sine + v * cosine)
            })
    }

    static func circle(_ x: Double, _ y: Double, _ radius: Double) -> Shape { ellipse(x, y, radius, radius) }

    /// Between an ellipse (2) and a rectangle (8 and more).
    static func squircle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, power: Double) -> Shape {
        Shape(
            points: (0..<72).map { step in
                let angle = Double(step) / 72 * 2 * .pi
                let (c, s) = (cos(angle), sin(angle))
                return (
                    x + width * (c < 0 ? -1 : 1) * pow(abs(c), 2 / power),
                    y + height * (s < 0 ? -1 : 1) * pow(abs(s), 2 / power)
                )
            })
    }

    static func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double = 0) -> Shape {
        guard radius > 0 else { return polygon([(x, y), (x + width, y), (x + width, y + height), (x, y + height)]) }
        let corners = [
            (x + width - radius, y + height - radius, 0.0), (x + radius, y + height - radius, 90),
            (x + radius, y + radius, 180),
            (x + width - radius, y + radius, 270),
        ]
        return Shape(
            points: corners.flatMap { corner in
                (0...6).map { step in
                    let angle = (corner.2 + Double(step) * 15) * .pi / 180
                    return (corner.0 + cos(angle) * radius, corner.1 + sin(angle) * radius)
                }
            })
    }

    /// A closed curve through points (Catmull and Rom).
    static func smooth(_ knots: [(x: Double, y: Double)]) -> Shape {
        let count = knots.count
        return Shape(
            points: knots.indices.flatMap { index in
                curve(
                    knots[(index + count - 1) % count], knots[index], knots[(index + 1) % count],
                    knots[(index + 2) % count])
            })
    }

    /// An open curve through points, as points.
    static func path(_ knots: [(x: Double, y: Double)]) -> [(x: Double, y: Double)] {
        guard let last = knots.last, knots.count > 2 else { return knots }
        let pieces = (0..<(knots.count - 1)).flatMap { index in
            curve(knots[max(index - 1, 0)], knots[index], knots[index + 1], knots[min(index + 2, knots.count - 1)])
        }
        return pieces + [last]
    }

    /// A star with so many arms; `inner` is the radius between them.
    static func star(_ x: Double, _ y: Double, _ outer: Double, _ inner: Double, arms: Int, turn: Double = 0) -> Shape {
        polygon(
            (0..<(arms * 2)).map { step in
                let angle = (Double(step) * 180 / Double(arms) - 90 + turn) * .pi / 180
                let radius = step % 2 == 0 ? outer : inner
                return (x + cos(angle) * radius, y + sin(angle) * radius)
            })
    }

    /// Mirrored in a vertical line.
    func mirrored(at x: Double = 150) -> Shape { Shape(points: points.map { (2 * x - $0.x, $0.y) }) }

    private static func curve(
        _ before: (x: Double, y: Double), _ from: (x: Double, y: Double), _ to: (x: Double, y: Double),
        _ after: (x: Double, y: Double)
    ) -> [(x: Double, y: Double)] {
        (0..<8).map { step in
            let t = Double(step) / 8
            func at(_ a: Double, _ b: Double, _ c: Double, _ d: Double) -> Double {
                b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)))
            }
            return (at(before.x, from.x, to.x, after.x), at(before.y, from.y, to.y, after.y))
        }
    }
}
