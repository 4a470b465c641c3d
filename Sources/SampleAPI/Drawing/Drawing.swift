import Glibc

/// A drawing from seeded random numbers. The x coordinates of shapes count from `middle`.
final class Drawing {
    private var random: SeededRandom
    private(set) var canvas: Canvas
    /// The canvas position of x = 0, where the width of the canvas is 300.
    var middle = 150.0
    /// The height of the canvas, where its width is 300.
    let drawingHeight: Double
    /// Draws closed eyes and faded colours.
    let sleeps: Bool
    let background, pattern, cloth, trim, accent: Colour

    init(_ random: SeededRandom, width: Int, height: Int, drawingHeight: Double = 300, sleeps: Bool = false) {
        var random = random
        let palette = random.one(of: Palette.all)
        (background, pattern, cloth, trim, accent) = (palette[0], palette[1], palette[2], palette[3], palette[4])
        self.random = random
        self.drawingHeight = drawingHeight
        self.sleeps = sleeps
        let ground = sleeps ? background.faded : background
        canvas = Canvas(width: width, height: height, background: ground, drawingHeight: drawingHeight)
    }

    func integer(below count: Int) -> Int { random.integer(below: count) }
    func between(_ low: Double, _ high: Double) -> Double { random.between(low, high) }
    func chance(_ probability: Double) -> Bool { random.chance(probability) }
    func one<Element>(of list: [Element]) -> Element { random.one(of: list) }

    func fill(_ shape: [Point], _ colour: Colour, alpha: Double = 1) {
        canvas.fill(shape, sleeps ? colour.faded : colour, alpha: alpha)
    }

    /// Fills a shape, then calls `paint` with painting limited to the shape.
    func fill(_ shape: [Point], _ colour: Colour, _ paint: () -> Void) {
        fill(shape, colour)
        canvas.limit(to: shape)
        paint()
        canvas.limit(to: nil)
    }

    func each(_ numbers: ClosedRange<Int>, _ paint: (Double) -> Void) { numbers.forEach { paint(Double($0)) } }

    /// Calls `paint` with -1 for the left side, then with 1 for the right side.
    func both(_ paint: (_ side: Double) -> Void) { [-1, 1].forEach(paint) }
}

/// Outlines as polygons. Curves have enough corners to look smooth.
extension Drawing {
    /// - Parameter numbers: x and y alternating.
    func points(_ numbers: [Double]) -> [Point] {
        stride(from: 0, to: numbers.count, by: 2).map { Point(middle + numbers[$0], numbers[$0 + 1]) }
    }

    /// A symmetric outline: the points of one half, then their mirror images in reverse, except those with x = 0.
    func mirrored(_ numbers: Double...) -> [Point] {
        let back = stride(from: numbers.count - 2, through: 0, by: -2).filter { numbers[$0] != 0 }
        return points(numbers) + back.map { Point(middle - numbers[$0], numbers[$0 + 1]) }
    }

    /// - Parameter turn: the rotation in degrees, clockwise.
    func ellipse(_ x: Double, _ y: Double, _ width: Double, _ height: Double, turn: Double = 0) -> [Point] {
        let steps = max(12, min(64, Int(max(width, height))))
        let (sine, cosine) = (sin(turn * .pi / 180), cos(turn * .pi / 180))
        return (0..<steps).map { step in
            let angle = Double(step) / Double(steps) * 2 * .pi
            let (u, v) = (cos(angle) * width, sin(angle) * height)
            return Point(middle + x + u * cosine - v * sine, y + u * sine + v * cosine)
        }
    }

    /// A superellipse at x = 0. Its shape is between an ellipse (power 2) and a rectangle (power 8 or more).
    func rounded(_ y: Double, _ width: Double, _ height: Double, power: Double) -> [Point] {
        (0..<72).map { corner(Double($0) / 72 * 2 * .pi, y, width, height, power) }
    }

    func corner(_ angle: Double, _ y: Double, _ width: Double, _ height: Double, _ power: Double) -> Point {
        let (c, s) = (cos(angle), sin(angle))
        return Point(
            middle + width * (c < 0 ? -1 : 1) * pow(abs(c), 2 / power),
            y + height * (s < 0 ? -1 : 1) * pow(abs(s), 2 / power))
    }

    func rectangle(_ x: Double, _ y: Double, _ width: Double, _ height: Double, radius: Double = 0) -> [Point] {
        guard radius > 0 else { return points([x, y, x + width, y, x + width, y + height, x, y + height]) }
        let (left, right) = (middle + x + radius, middle + x + width - radius)
        return (0..<28).map { step in
            let angle = Double(step / 7 * 90 + step % 7 * 15) * .pi / 180
            let (isRight, isLow) = (step < 7 || step >= 21, step < 14)
            let centre = Point(isRight ? right : left, isLow ? y + height - radius : y + radius)
            return centre + Point(cos(angle), sin(angle)) * radius
        }
    }

    /// - Parameter inner: the radius between the arms.
    func star(_ x: Double, _ y: Double, _ outer: Double, _ inner: Double, arms: Int, turn: Double = 0) -> [Point] {
        (0..<(arms * 2)).map { step in
            let angle = (Double(step) * 180 / Double(arms) - 90 + turn) * .pi / 180
            let radius = step % 2 == 0 ? outer : inner
            return Point(middle + x + cos(angle) * radius, y + sin(angle) * radius)
        }
    }

    /// A closed curve through points (Catmull-Rom spline).
    func smooth(_ knots: [Point]) -> [Point] {
        knots.indices.flatMap { index in
            Self.curve((-1...2).map { knots[(index + $0 + knots.count) % knots.count] })
        }
    }

    /// An open curve through points (Catmull-Rom spline).
    func path(_ knots: [Point]) -> [Point] {
        let last = knots.count - 1
        return (0..<last).flatMap { index in Self.curve((-1...2).map { knots[min(max(index + $0, 0), last)] }) }
            + [knots[last]]
    }

    /// The spline segment from the second to the third of four points.
    private static func curve(_ knots: [Point]) -> [Point] {
        let (a, b, c, d) = (knots[0], knots[1], knots[2], knots[3])
        let linear: Point = c - a
        let square: Point = a * 2 - b * 5 + c * 4 - d
        let cubic: Point = (b - c) * 3 + d - a
        return (0..<8).map { step in
            let t = Double(step) / 8
            let slope: Point = linear + (square + cubic * t) * t
            return b + slope * (0.5 * t)
        }
    }

    func oval(
        _ x: Double, _ y: Double, _ width: Double, _ height: Double, _ colour: Colour, turn: Double = 0,
        alpha: Double = 1
    ) { fill(ellipse(x, y, width, height, turn: turn), colour, alpha: alpha) }

    func disc(_ x: Double, _ y: Double, _ radius: Double, _ colour: Colour, alpha: Double = 1) {
        oval(x, y, radius, radius, colour, alpha: alpha)
    }

    func box(_ x: Double, _ y: Double, _ width: Double, _ height: Double, _ colour: Colour, radius: Double = 0) {
        fill(rectangle(x, y, width, height, radius: radius), colour)
    }

    /// A polygon.
    func sheet(_ colour: Colour, _ numbers: Double...) { fill(points(numbers), colour) }

    /// A closed curve.
    func blob(_ colour: Colour, _ numbers: Double...) { fill(smooth(points(numbers)), colour) }

    /// Lines from point to point.
    func line(_ width: Double, _ colour: Colour, _ numbers: Double...) { stroke(points(numbers), width, colour) }

    /// A curve from point to point.
    func curve(_ width: Double, _ colour: Colour, _ numbers: Double...) { stroke(path(points(numbers)), width, colour) }

    /// A line of even width with round ends.
    func stroke(_ points: [Point], _ width: Double, _ colour: Colour) {
        let half = width / 2
        let sides = points.indices.map { index in
            let along = points[min(index + 1, points.count - 1)] - points[max(index - 1, 0)]
            let length = max(hypot(along.x, along.y), 0.001)
            return Point(-along.y / length * half, along.x / length * half)
        }
        let (left, right) = (zip(points, sides).map { $0 + $1 }, zip(points, sides).map { $0 - $1 })
        fill(left + right.reversed(), colour)
        for end in [points[0], points[points.count - 1]] { disc(end.x - middle, end.y, half, colour) }
    }

    /// A wavy band across the whole width.
    func wave(at y: Double, _ height: Double, thick: Double, shift: Double = 0, _ colour: Colour) {
        let knots = (0..<13).map { step in Point(Double(step) * 30 - 40 + shift, y + (step % 2 == 0 ? -height : height))
        }
        let line = path(knots)
        fill(line + line.reversed().map { $0 + Point(0, thick) }, colour)
    }
}
