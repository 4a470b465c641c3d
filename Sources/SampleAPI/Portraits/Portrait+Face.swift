extension Portrait {
    /// Eyes at both sides of a face's middle, all alike.
    mutating func eyes(_ x: Double = 150, _ y: Double, apart: Double, size: Double, lid: Colour, ink: Colour = .ink) {
        let style = sleeps ? 3 : dice.below(8)
        for side in [-1.0, 1] {
            let ex = x + side * apart
            switch style {
            case 0, 1:
                canvas.fill(.ellipse(ex, y, size * 0.62, size * 0.78), ink)
                canvas.fill(.circle(ex + size * 0.2, y - size * 0.28, size * 0.2), .white)
            case 2:
                canvas.fill(.circle(ex, y, size * 0.5), ink)
            case 3:
                let bow = dice.chance(0.5) || sleeps ? 0.45 : -0.5
                let knots = [(x: ex - size * 0.85, y: y), (x: ex, y: y + size * bow), (x: ex + size * 0.85, y: y)]
                canvas.stroke(Shape.path(knots), size * 0.3, ink)
            case 4, 5:
                canvas.fill(.ellipse(ex, y, size * 1.05, size * 0.95), .white)
                canvas.fill(.circle(ex, y + size * 0.08, size * 0.5), ink)
                canvas.fill(.circle(ex + size * 0.18, y - size * 0.14, size * 0.16), .white)
            case 6:
                let eye = Shape.ellipse(ex, y, size * 1.05, size * 0.95)
                canvas.fill(eye, .white)
                let inside = canvas.mask(eye)
                canvas.fill(.circle(ex, y + size * 0.2, size * 0.5), ink, in: inside)
                canvas.fill(.box(ex - size * 1.3, y - size * 1.2, size * 2.6, size * 1.1), lid.darker(0.12), in: inside)
            default:
                canvas.fill(.ellipse(ex, y, size * 0.5, size * 0.8), ink)
                canvas.stroke(
                    [(ex + side * size * 0.3, y - size * 0.5), (ex + side * size * 0.9, y - size * 0.85)], size * 0.24,
                    ink)
            }
        }
    }

    mutating func brows(_ x: Double = 150, _ y: Double, apart: Double, size: Double, _ colour: Colour) {
        // Inner ends that are lower look angry: this is a calm place.
        let (tilt, bow) = (dice.between(-6, 1), dice.between(1, 6))
        let width = dice.between(3.5, 7)
        for side in [-1.0, 1] {
            let ex = x + side * apart
            canvas.stroke(
                Shape.path([(ex - side * size, y + tilt * 0.6), (ex, y - bow), (ex + side * size, y - tilt * 0.6 + 1)]),
                width, colour)
        }
    }

    mutating func mouth(_ x: Double = 150, _ y: Double, size: Double, ink: Colour = .ink) {
        let line = [(x: x - size, y: y), (x: x, y: y + size * 0.5), (x: x + size, y: y)]
        switch sleeps ? dice.below(3) : dice.below(8) {
        case 0, 1:
            canvas.stroke(Shape.path(line), 4, ink)
        case 2:
            canvas.stroke([(x - size * 0.6, y + 2), (x + size * 0.6, y + 2)], 4, ink)
        case 3, 4:
            let open = Shape.smooth([
                (x - size, y - 2), (x, y), (x + size, y - 2), (x + size * 0.6, y + size * 0.72),
                (x - size * 0.6, y + size * 0.72),
            ])
            canvas.fill(open, Colour(0x6E2F3A))
            let inside = canvas.mask(open)
            canvas.fill(.box(x - size, y - 6, size * 2, size * 0.26 + 6), .white, in: inside)
            canvas.fill(.ellipse(x, y + size * 0.85, size * 0.5, size * 0.4), Colour(0xD9736B), in: inside)
        case 5:
            canvas.fill(.ellipse(x, y + 4, size * 0.3, size * 0.38), Colour(0x6E2F3A))
        case 6:
            canvas.stroke(Shape.path([(x - size * 0.7, y + 2), (x, y + 4), (x + size * 0.9, y - 4)]), 4, ink)
        default:
            canvas.fill(
                .smooth([(x - size * 0.75, y), (x, y - 5), (x + size * 0.75, y), (x, y + 8)]),
                palette.accent.mixed(with: Colour(0xB0505A), 0.6))
        }
    }

    mutating func cheeks(_ y: Double, apart: Double, _ size: Double, on skin: Colour) {
        let blush = skin.mixed(with: Colour(0xE0665E), 0.32)
        for side in [-1.0, 1] { canvas.fill(.ellipse(150 + side * apart, y, size, size * 0.7), blush) }
    }

    mutating func glasses(_ y: Double, apart: Double, size: Double) {
        let frame = dice.one(of: [Colour.ink, palette.accent, palette.cloth.darker(0.25), Colour(0xC79A4B)])
        let style = dice.below(4)
        for side in [-1.0, 1] where style != 3 || side > 0 {
            let ex = 150 + side * apart
            let (outer, inner) =
                style == 1
                ? (
                    Shape.box(ex - size, y - size * 0.8, size * 2, size * 1.6, radius: 5),
                    Shape.box(ex - size + 4, y - size * 0.8 + 4, size * 2 - 8, size * 1.6 - 8, radius: 3)
                )
                : (Shape.circle(ex, y, size), Shape.circle(ex, y, size - 4))
            // A ring: the outline there and back, so that what is inside stays as it is.
            let ring = Shape(points: outer.points + [outer.points[0]] + [inner.points[0]] + inner.points.reversed())
            if style == 2 {
                canvas.fill(inner, palette.background.darker(0.5))
            } else {
                canvas.fill(inner, .white, alpha: 0.22)
            }
            canvas.fill(ring, frame)
        }
        if style != 3 {
            canvas.stroke(
                Shape.path([(150 - apart + size - 1, y - 1), (150, y - 4), (150 + apart - size + 1, y - 1)]), 4, frame)
        }
        if style == 3 {
            canvas.stroke(
                Shape.path([(150 + apart + 4, y + size), (150 + apart + 10, y + 50), (150 + apart - 2, y + 90)]), 2,
                frame)
        }
    }
}
