import Glibc

extension Portrait {
    /// A machine: a box or a drum of a head, eyes that are lamps or a screen, an aerial.
    mutating func automaton() {
        let metal = apart(from: palette.background, Palette.metals)
        let dark = metal.darker(0.32)
        let (width, height) = (dice.between(58, 78), dice.between(50, 66))
        let y = 142.0

        switch dice.below(4) {
        case 0:
            canvas.stroke([(150, y - height), (150, y - height - 34)], 5, dark)
            canvas.fill(.circle(150, y - height - 38, 10), palette.accent)
        case 1:
            for side in [-1.0, 1] {
                canvas.stroke([(150 + side * 26, y - height), (150 + side * 40, y - height - 32)], 5, dark)
                canvas.fill(.circle(150 + side * 40, y - height - 34, 7), palette.accent)
            }
        case 2:
            canvas.fill(.box(130, y - height - 28, 40, 34, radius: 5), dark)
            canvas.fill(.box(122, y - height - 34, 56, 12, radius: 5), metal.lighter(0.2))
        default:
            canvas.fill(.ellipse(150, y - height, 34, 22), palette.accent)
        }
        body(neck: nil, shoulders: dice.between(80, 100), top: 236)
        for ring in 0..<3 {
            canvas.fill(.box(124, 200 + Double(ring) * 13, 52, 10, radius: 5), ring % 2 == 0 ? dark : metal)
        }
        for side in [-1.0, 1] {
            canvas.fill(.box(150 + side * (width + 4) - 11, y - 20, 22, 40, radius: 7), dark)
            canvas.fill(.circle(150 + side * (width + 6), y, 6), palette.accent)
        }
        let outline = Shape.squircle(150, y, width, height, power: dice.between(2.6, 7))
        canvas.fill(outline, metal)
        let inside = canvas.mask(outline)
        canvas.fill(.box(150 + width * 0.55, y - height - 5, width, height * 2 + 10), metal.darker(0.1), in: inside)
        for corner in [(-1.0, -1.0), (1, -1), (-1, 1), (1, 1)] {
            canvas.fill(.circle(150 + corner.0 * width * 0.78, y + corner.1 * height * 0.74, 4), dark, in: inside)
        }
        lamps(y - 8, width, dark)
        grille(y + height * 0.5, width, dark)
    }

    private mutating func lamps(_ y: Double, _ width: Double, _ dark: Colour) {
        let glow =
            sleeps ? dark : dice.one(of: [Colour(0xFFE08A), Colour(0x9FE3D8), Colour(0xF7A072), Colour(0xF4F1E6)])
        switch dice.below(4) {
        case 0:
            canvas.fill(.box(150 - width * 0.76, y - 22, width * 1.52, 44, radius: 16), Colour(0x262B38))
            for side in [-1.0, 1] {
                canvas.fill(
                    .box(150 + side * 24 - 7, y - 12, 14, sleeps ? 5 : 24, radius: 2.5),
                    sleeps ? dark.lighter(0.4) : glow)
            }
        case 1:
            canvas.fill(.circle(150, y, 28), dark)
            canvas.fill(.circle(150, y, 20), sleeps ? dark.darker(0.3) : glow)
            canvas.fill(.circle(150, y, 9), .ink)
            canvas.fill(.circle(156, y - 7, 4), .white)
        case 2:
            for side in [-1.0, 1] {
                let size = side < 0 ? dice.between(15, 20) : dice.between(11, 20)
                canvas.fill(.circle(150 + side * 28, y, size), dark)
                canvas.fill(.circle(150 + side * 28, y, size - 5), sleeps ? dark.darker(0.3) : glow)
            }
        default:
            for side in [-1.0, 1] { canvas.fill(.circle(150 + side * 27, y, 18), .white) }
            eyes(150, y, apart: 27, size: 13, lid: dark)
        }
    }

    private mutating func grille(_ y: Double, _ width: Double, _ dark: Colour) {
        switch dice.below(4) {
        case 0:
            canvas.fill(.box(150 - 30, y - 9, 60, 20, radius: 6), dark)
            for bar in 0..<4 { canvas.fill(.box(150 - 24 + Double(bar) * 13, y - 5, 8, 12, radius: 2), .white) }
        case 1:
            for row in 0..<3 { canvas.fill(.box(150 - 22, y - 10 + Double(row) * 8, 44, 4, radius: 2), dark) }
        case 2:
            canvas.stroke(Shape.path([(126, y - 3), (150, y + 8), (174, y - 3)]), 5, dark)
        default:
            for dot in 0..<5 { canvas.fill(.circle(150 + Double(dot - 2) * 12, y, 3.6), dark) }
        }
    }

    /// A bell of jelly that hangs in the air, lit from within.
    mutating func jelly() {
        let tint = apart(from: palette.background, Palette.jellies)
        let (width, height) = (dice.between(72, 92), dice.between(66, 84))
        canvas.fill(.circle(150, 142, 124), tint, alpha: 0.22)
        let arms = 5 + dice.below(3)
        let swing = dice.between(6, 11)
        for arm in 0..<arms {
            let x = 150 + (Double(arm) / Double(arms - 1) - 0.5) * width * 1.5
            let end = dice.between(244, 292)
            let (phase, colour) = (dice.between(0, 6), arm % 2 == 0 ? tint.darker(0.14) : tint.lighter(0.3))
            let knots = (0...8).map { step in
                let down = Double(step) / 8
                return (x: x + sin(phase + down * 5) * swing * (0.3 + down), y: 170 + (end - 170) * down)
            }
            canvas.stroke(Shape.path(knots), arm % 2 == 0 ? 12 : 8, colour)
        }
        let base = 182.0
        var edge: [(x: Double, y: Double)] = []
        for step in 0...24 {
            let angle = (180 + Double(step) * 7.5) * .pi / 180
            edge.append((150 + cos(angle) * width, 150 + sin(angle) * height + (step == 0 || step == 24 ? 18 : 0)))
        }
        let frill = (0...12).map { step in
            (x: 150 + width - Double(step) * width / 6, y: base + (step % 2 == 0 ? -4 : 10))
        }
        let bell = Shape.polygon(edge + Shape.path(frill))
        canvas.fill(bell, tint)
        let inside = canvas.mask(bell)
        canvas.fill(.ellipse(150, base + 4, width, 30), tint.darker(0.1), in: inside)
        canvas.fill(.ellipse(150 - width * 0.4, 150 - height * 0.55, 22, 12, turn: -32), .white, alpha: 0.7, in: inside)
        for _ in 0..<7 {
            canvas.fill(
                .circle(150 + dice.between(-60, 60), 150 - dice.between(20, 70), dice.between(3, 8)),
                tint.lighter(0.45), in: inside)
        }
        if dice.chance(0.3) {
            canvas.fill(.star(150 + dice.between(-20, 20), 96, 15, 6, arms: 5), palette.accent, in: inside)
        }
        eyes(150, 142, apart: dice.between(24, 34), size: dice.between(12, 17), lid: tint)
        cheeks(160, apart: 46, 10, on: tint)
        mouth(150, 162, size: dice.between(9, 15))
    }

    /// A plant in clothes: a bulb, a cactus or a mushroom, with something growing on it.
    mutating func mossling() {
        let leaf = apart(from: palette.background, Palette.leaves)
        let bloom = dice.one(of: [palette.accent, Colour(0xF2C14E), Colour(0xE8A0A8), Colour(0xF4EFE3)])
        let kind = dice.below(3)
        body(neck: nil, shoulders: dice.between(72, 92), top: 230)
        canvas.fill(.box(128, 186, 44, 60, radius: 18), kind == 2 ? Colour(0xD9C7A6) : leaf.darker(0.2))

        let y = kind == 2 ? 164.0 : 148
        let (width, height) =
            kind == 1 ? (dice.between(48, 56), dice.between(70, 78)) : (dice.between(56, 66), dice.between(54, 66))
        let face = kind == 2 ? Colour(0xF0E2C6) : leaf
        if kind == 0 {
            for side in [-1.0, 1] {
                canvas.fill(
                    .smooth([
                        (150, y - height + 14), (150 + side * 22, y - height - 38), (150 + side * 62, y - height - 46),
                        (150 + side * 46, y - height - 4),
                    ]), leaf.darker(0.12))
                canvas.stroke(
                    [(150 + side * 8, y - height + 6), (150 + side * 44, y - height - 34)], 3, leaf.darker(0.3))
            }
        }
        let outline = Shape.squircle(150, y, width, height, power: 2.25)
        canvas.fill(outline, face)
        let inside = canvas.mask(outline)
        if kind == 1 {
            for rib in [-0.62, 0.0, 0.62] {
                canvas.fill(.ellipse(150 + rib * width, y, 5, height), leaf.darker(0.12), in: inside)
            }
            for _ in 0..<16 {
                let (x, up) = (150 + dice.between(-50, 50), y + dice.between(-70, 70))
                canvas.stroke([(x - 3, up - 3), (x, up), (x + 3, up - 3)], 2, leaf.lighter(0.6), in: inside)
            }
            flower(150 + dice.between(-18, 18), y - height - 2, 17, bloom)
        } else if kind == 0 {
            canvas.fill(.ellipse(150, y + height, width, height * 0.5), leaf.lighter(0.25), in: inside)
            if dice.chance(0.6) { flower(150, y - height + 4, 18, bloom) }
        }
        eyes(150, y + 2, apart: dice.between(22, 28), size: dice.between(11, 15), lid: face)
        cheeks(y + 22, apart: 38, 9, on: face)
        mouth(150, y + 28, size: dice.between(9, 16))
        if kind == 2 {
            let cap = Shape.smooth([(56, 138), (74, 84), (150, 48), (226, 84), (244, 138), (150, 122)])
            canvas.fill(cap, bloom)
            let on = canvas.mask(cap)
            for spot in [(100.0, 98.0, 13.0), (150, 74, 16), (198, 96, 14), (72, 126, 9), (232, 124, 9), (146, 112, 8)]
            {
                canvas.fill(.circle(spot.0, spot.1, spot.2), bloom.lighter(0.62), in: on)
            }
        }
    }

    private mutating func flower(_ x: Double, _ y: Double, _ size: Double, _ colour: Colour) {
        for petal in 0..<6 {
            let angle = Double(petal) * .pi / 3
            canvas.fill(.circle(x + cos(angle) * size * 0.8, y + sin(angle) * size * 0.8, size * 0.5), colour)
        }
        canvas.fill(.circle(x, y, size * 0.48), colour.darker(0.4))
    }

    /// A star with a face, or a crescent; it lights what is around it.
    mutating func comet() {
        let light = apart(
            from: palette.background, [0xF7D774, 0xF4B68A, 0xBFE3E0, 0xF3EBD3, 0xD9C4EE, 0xF2A7A0].map(Colour.init))
        for halo in [132.0, 112] { canvas.fill(.circle(150, 146, halo), light, alpha: 0.16) }
        if dice.chance(0.35) {
            let disc = Shape.circle(150, 146, 90)
            canvas.fill(disc, light)
            let inside = canvas.mask(disc)
            canvas.fill(.circle(198, 122, 84), light.darker(0.16), in: inside)
            for crater in [(104.0, 196.0, 12.0), (92, 112, 8), (190, 206, 9)] {
                canvas.fill(.circle(crater.0, crater.1, crater.2), light.darker(0.1), in: inside)
            }
        } else {
            let arms = 5 + dice.below(4)
            let corners = Shape.star(150, 148, 116, dice.between(66, 80), arms: arms).points
            canvas.fill(.smooth(corners), light.darker(0.1))
            canvas.fill(.smooth(Shape.star(150, 146, 106, 66, arms: arms).points), light)
        }
        eyes(150, 140, apart: dice.between(24, 32), size: dice.between(12, 17), lid: light)
        cheeks(162, apart: 44, 11, on: light)
        mouth(150, 170, size: dice.between(12, 18))
        body(neck: nil, shoulders: 66, top: 258)
        if dice.chance(0.3) { glasses(140, apart: 29, size: 21) }
    }

    /// A stone that has sat long enough for moss to grow on it.
    mutating func pebble() {
        let stone = apart(from: palette.background, Palette.stones)
        body(neck: nil, shoulders: dice.between(78, 98), top: 230)
        var knots: [(x: Double, y: Double)] = []
        for step in 0..<9 {
            let angle = Double(step) * 40 * .pi / 180
            knots.append((150 + cos(angle) * dice.between(66, 88), 150 + sin(angle) * dice.between(62, 84)))
        }
        let outline = Shape.smooth(knots)
        canvas.fill(outline, stone)
        let inside = canvas.mask(outline)
        canvas.fill(.ellipse(200, 190, 74, 80), stone.darker(0.1), in: inside)
        canvas.stroke([(104, 92), (118, 112), (110, 126)], 3, stone.darker(0.35), in: inside)
        let moss = apart(from: palette.background, Palette.leaves)
        for patch in 0..<6 {
            canvas.fill(
                .circle(104 + Double(patch) * 19, 82 + abs(Double(patch) - 2.5) * 4, dice.between(13, 21)), moss,
                in: inside)
        }
        if dice.chance(0.5) {
            canvas.stroke(Shape.path([(170, 84), (176, 64), (172, 50)]), 4, moss.darker(0.2))
            flower(172, 46, 13, palette.accent)
        }
        eyes(150, 148, apart: dice.between(24, 34), size: dice.between(9, 13), lid: stone)
        mouth(150, 184, size: dice.between(10, 20))
        if dice.chance(0.3) { glasses(148, apart: 29, size: 20) }
    }

    /// Somebody nobody has seen well: a hood, and two lights in it.
    mutating func nobody() {
        let cloak = palette.background.darker(0.55)
        canvas.fill(.smooth([(40, 330), (58, 230), (92, 120), (150, 56), (208, 120), (242, 230), (260, 330)]), cloak)
        canvas.fill(.ellipse(150, 158, 54, 66), cloak.darker(0.6))
        let glow = Colour(0xFFE6A3)
        for side in [-1.0, 1] {
            canvas.fill(.circle(150 + side * 22, 154, 16), glow, alpha: 0.2)
            canvas.fill(.circle(150 + side * 22, 154, 7), glow)
        }
        canvas.fill(.smooth([(112, 236), (150, 226), (188, 236), (150, 258)]), palette.accent)
    }
}
