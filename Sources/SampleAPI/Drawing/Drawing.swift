import Glibc

/// One drawing: from dice, so that it is always the same. Shapes are placed from the middle, in which most are.
final class Drawing {
    private var dice: Dice
    private var canvas: Canvas
    /// Where x is 0, of 300.
    var middle = 150.0
    /// How high it is where its width is 300.
    let tall: Double
    /// Asleep, and in the colours of an old photograph.
    let sleeps: Bool
    let background, pattern, cloth, trim, accent: Colour

    init(_ dice: Dice, width: Int, height: Int, tall: Double = 300, sleeps: Bool = false) {
        var dice = dice
        let palette = dice.one(of: Palette.all)
        (background, pattern, cloth) = (palette[0], palette[1], palette[2])
        (trim, accent) = (palette[3], palette[4])
        self.dice = dice
        self.tall = tall
        self.sleeps = sleeps
        canvas = Canvas(width: width, height: height, background: sleeps ? background.faded : background, tall: tall)
    }

    var png: [UInt8] { PNGWriter.encode(canvas.pixels, width: canvas.width, height: canvas.height) }

    func below(_ count: Int) -> Int { dice.below(count) }
    func between(_ low: Double, _ high: Double) -> Double { dice.between(low, high) }
    func chance(_ probability: Double) -> Bool { dice.chance(probability) }
    func one<Element>(of list: [Element]) -> Element { dice.one(of: list) }

    func fill(_ shape: [Point], _ colour: Colour, alpha: Double = 1) {
        canvas.fill(shape, sleeps ? colour.faded : colour, alpha: alpha)
    }

    /// Fills a shape, and paints within it.
    func fill(_ shape: [Point], _ colour: Colour, _ paint: () -> Void) {
        fill(shape, colour)
        canvas.mask = canvas.coverage(of: shape)
        paint()
        canvas.mask = nil
    }

    /// For each number of a range, such as 0...3.
    func each(_ numbers: ClosedRange<Int>, _ paint: (Double) -> Void) { numbers.forEach { paint(Double($0)) } }

    /// For the left, then for the right.
    func both(_ paint: (_ side: Double) -> Void) {
        paint(-1)
        paint(1)
    }
}

/// Outlines: closed polygons, with enough corners to look round where they should.
extension Drawing {
    /// - Parameter numbers: x and y in turn.
    func points(_ numbers: [Double]) -> [Point] {
        stride(from: 0, to: numbers.count, by: 2).map { Point(middle + numbers[$0], numbers[$0 + 1]) }
    }

    /// Half an outline from one end to the other, and its mirror image back. Where x is 0 both have the same point.
    func mirrored(_ numbers: Double...) -> [Point] {
        let back = stride(from: numbers.count - 2, through: 0, by: -2).filter { numbers[$0] != 0 }
        return points(numbers) + back.map { Point(middle - numbers[$0], numbers[$0 + 1]) }
    }

    /// - Parameter turn: in degrees, clockwise.
    func ellipse(_ x: Double, _ y: Double, _ width: Double, _ height: Double, turn: Double = 0) -> [Point] {
        let steps = max(12, min(64, Int(max(width, height))))
        let (sine, cosine) = (sin(turn * .pi / 180), cos(turn * .pi / 180))
        return (0..<steps).map { step in
            let angle = Double(step) / Double(steps) * 2 * .pi
            let (u, v) = (cos(angle) * width, sin(angle) * height)
            return Point(middle + x + u * cosine - v * sine, y + u * sine + v * cosine)
        }
    }

    /// Between an ellipse (2) and a rectangle (8 and more), in the middle.
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
        let x = middle + x
        let corners = [
            (x + width - radius, y + height - radius), (x + radius, y + height - radius), (x + radius, y + radius),
            (x + width - radius, y + radius),
        ]
        return (0..<28).map { step in
            let angle = Double(step / 7 * 90 + step % 7 * 15) * .pi / 180
            return Point(corners[step / 7].0 + cos(angle) * radius, corners[step / 7].1 + sin(angle) * radius)
        }
    }

    /// A star; `inner` is the radius between its arms.
    func star(_ x: Double, _ y: Double, _ outer: Double, _ inner: Double, arms: Int, turn: Double = 0) -> [Point] {
        (0..<(arms * 2)).map { step in
            let angle = (Double(step) * 180 / Double(arms) - 90 + turn) * .pi / 180
            let radius = step % 2 == 0 ? outer : inner
            return Point(middle + x + cos(angle) * radius, y + sin(angle) * radius)
        }
    }

    /// A closed curve through points (Catmull and Rom).
    func smooth(_ knots: [Point]) -> [Point] {
        let count = knots.count
        return knots.indices.flatMap { index in Self.curve((-1...2).map { knots[(index + $0 + count) % count] }) }
    }

    /// An open curve through points.
    func path(_ knots: [Point]) -> [Point] {
        let last = knots.count - 1
        return (0..<last).flatMap { index in Self.curve((-1...2).map { knots[min(max(index + $0, 0), last)] }) } + [
            knots[last]
        ]
    }

    /// From the second of four points to the third.
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

    /// A band of sea from side to side.
    func wave(at y: Double, _ height: Double, thick: Double, shift: Double = 0, _ colour: Colour) {
        let knots = (0..<13).map { step in Point(Double(step) * 30 - 40 + shift, y + (step % 2 == 0 ? -height : height))
        }
        let line = path(knots)
        fill(line + line.reversed().map { $0 + Point(0, thick) }, colour)
    }
}
