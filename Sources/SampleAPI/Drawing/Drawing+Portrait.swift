extension Drawing {
    /// The position and size of a head. `power` is that of `rounded`.
    typealias Head = (y: Double, width: Double, height: Double, power: Double)

    func portrait(_ species: Species) -> [UInt8] {
        middle = 0
        paintBackground(style: integer(below: 9))
        middle = 150
        let draw = [islander, tidefolk, lampmoth, automaton, jelly, mossling, beast, gull, comet, pebble, hooded]
        draw[species.rawValue]()
        return canvas.png
    }

    /// Paints a moon, rays, waves, stars, islands, a porthole or stripes.
    private func paintBackground(style: Int) {
        switch style {
        case 0: disc(between(120, 180), between(115, 150), between(105, 125), pattern)
        case 1:
            let y = between(120, 170)
            let rays = star(150, y, 420, 420, arms: 24)
            for ray in 0..<12 { fill([Point(150, y), rays[ray * 4], rays[ray * 4 + 2]], pattern) }
        case 2:
            for row in 0..<6 { wave(at: 40 + Double(row) * 52, 7, thick: 16, shift: row % 2 == 0 ? 0 : 30, pattern) }
        case 3: stars(26, pattern.lighter(0.25))
        case 4:
            disc(chance(0.5) ? 232 : 68, 72, between(30, 44), trim.mixed(with: background, 0.25))
            stars(12, pattern.lighter(0.15))
        case 5:
            let rise = between(-20, 20)
            blob(
                pattern, -40, 330, -40, 200 + rise, 60, 160 + rise, 140, 205, 230, 150 - rise, 340, 190 - rise, 340, 330
            )
            disc(between(40, 260), between(40, 80), between(16, 28), pattern)
        case 6:
            disc(150, 150, 138, pattern)
            disc(150, 150, 118, background)
            for bolt in star(150, 150, 128, 128, arms: 6) { disc(bolt.x, bolt.y, 4, background) }
        case 7:
            let lean = between(30, 70)
            for x in stride(from: -110.0, to: 330, by: 110) {
                sheet(pattern, x, -5, x + 55, -5, x + 55 + lean, 305, x + lean, 305)
            }
        default: for ring in 0..<4 { disc(150, 300, 210 - Double(ring) * 45, ring % 2 == 0 ? pattern : background) }
        }
    }

    private func stars(_ count: Int, _ colour: Colour) {
        for _ in 0..<count {
            let (x, y) = (between(8, 292), between(8, 250))
            if chance(0.3) {
                let size = between(5, 10)
                fill(star(x, y, size, size * 0.25, arms: 4), colour)
            } else {
                disc(x, y, between(1.4, 3), colour)
            }
        }
    }

    /// A random colour that differs from the background if possible. It is replaced up to three times.
    func distinct(_ colours: [Colour]) -> Colour {
        var colour = one(of: colours)
        for _ in 0..<3 {
            let difference = colour.channels - background.channels
            if abs(difference.x) + abs(difference.y) + abs(difference.z) <= 110 { colour = one(of: colours) }
        }
        return colour
    }

    /// The shoulders and clothes.
    func body(neck skin: Colour? = nil, shoulders: Double = 92, top: Double = 232) {
        let outline = smooth(mirrored(-shoulders - 6, 330, -shoulders, 268, -shoulders * 0.62, top + 14, -26, top))
        let dark = cloth.darker(0.16)
        let style = integer(below: 9)
        fill(outline, cloth) {
            oval(0, top + 6, 44, 30, dark)
            clothes(style, shoulders, top, dark)
        }
        if style == 2 {
            blob(trim, -58, top + 6, 0, top - 12, 58, top + 6, 50, top + 40, 0, top + 26, -50, top + 40)
            fill(star(0, top + 32, 12, 5, arms: 5), accent)
        }
        if style == 6 { disc(-22, top + 16, 7, trim) }
        if let skin { box(-21, 190, 42, top - 178, skin.darker(0.14), radius: 18) }
        if chance(0.2) {
            blob(accent, -46, top - 6, 0, top - 14, 46, top - 6, 50, top + 14, 0, top + 24, -50, top + 14)
            sheet(accent.darker(0.12), 14, top + 10, 42, top + 8, 50, 310, 22, 310)
            each(0...1) { box(18, top + 30 + $0 * 16, 30, 5, trim) }
        }
    }

    /// A pullover, a shirt, a collar, dungarees, a jacket, dots, a sash, buttons, a shawl.
    private func clothes(_ style: Int, _ shoulders: Double, _ top: Double, _ dark: Colour) {
        switch style {
        case 0: each(0...4) { box(-130, top + 12 + $0 * 22, 260, 10, trim) }
        case 1:
            sheet(trim, -40, top - 14, 40, top - 14, 0, top + 52)
            each(0...1) { disc(0, top + 50 + $0 * 18, 4, accent) }
        case 2: break
        case 3:
            box(-62, top - 10, 18, 120, trim)
            box(44, top - 10, 18, 120, trim)
            box(-62, top + 42, 124, 80, trim)
            both { disc($0 * 53, top + 50, 5, accent) }
        case 4:
            both { sheet(dark, 0, top + 70, $0 * 12, top - 8, $0 * 52, top + 4, $0 * 40, top + 30) }
            sheet(trim, -13, top - 8, 13, top - 8, 0, top + 62)
        case 5:
            for index in 0..<14 {
                let row = index / 5
                disc(-80 + Double(index % 5) * 40 + (row % 2 == 0 ? 0 : 20), top + 22 + Double(row) * 22, 5, trim)
            }
        case 6: sheet(accent, -shoulders - 10, 330, -shoulders, 240, -18, top - 6, 8, 330)
        case 7:
            box(-4, top, 8, 100, dark)
            each(0...2) { disc(12, top + 26 + $0 * 20, 4.5, trim) }
        default: oval(0, top + 4, 66, 34, trim)
        }
    }

    /// Two eyes of the same form.
    func eyes(_ y: Double, apart: Double, size: Double, lid: Colour) {
        let style = sleeps ? 3 : integer(below: 8)
        both { side in
            let x = side * apart
            switch style {
            case 0, 1:
                oval(x, y, size * 0.62, size * 0.78, .ink)
                disc(x + size * 0.2, y - size * 0.28, size * 0.2, .white)
            case 2: disc(x, y, size * 0.5, .ink)
            case 3:
                let bow = chance(0.5) || sleeps ? 0.45 : -0.5
                curve(size * 0.3, .ink, x - size * 0.85, y, x, y + size * bow, x + size * 0.85, y)
            case 4, 5:
                oval(x, y, size * 1.05, size * 0.95, .white)
                disc(x, y + size * 0.08, size * 0.5, .ink)
                disc(x + size * 0.18, y - size * 0.14, size * 0.16, .white)
            case 6:
                fill(ellipse(x, y, size * 1.05, size * 0.95), .white) {
                    disc(x, y + size * 0.2, size * 0.5, .ink)
                    box(x - size * 1.3, y - size * 1.2, size * 2.6, size * 1.1, lid.darker(0.12))
                }
            default:
                oval(x, y, size * 0.5, size * 0.8, .ink)
                line(size * 0.24, .ink, x + side * size * 0.3, y - size * 0.5, x + side * size * 0.9, y - size * 0.85)
            }
        }
    }

    func brows(_ y: Double, apart: Double, size: Double, _ colour: Colour) {
        // Brows with lower inner ends would look angry.
        let (tilt, bow) = (between(-6, 1), between(1, 6))
        let width = between(3.5, 7)
        both { side in
            let (x, half) = (side * apart, side * size)
            curve(width, colour, x - half, y + tilt * 0.6, x, y - bow, x + half, y - tilt * 0.6 + 1)
        }
    }

    func mouth(_ y: Double, size: Double) {
        let dark: Colour = 0x6E2F3A
        switch sleeps ? integer(below: 3) : integer(below: 8) {
        case 0, 1: curve(4, .ink, -size, y, 0, y + size * 0.5, size, y)
        case 2: line(4, .ink, -size * 0.6, y + 2, size * 0.6, y + 2)
        case 3, 4:
            let low = y + size * 0.72
            fill(smooth(points([-size, y - 2, 0, y, size, y - 2, size * 0.6, low, -size * 0.6, low])), dark) {
                box(-size, y - 6, size * 2, size * 0.26 + 6, .white)
                oval(0, y + size * 0.85, size * 0.5, size * 0.4, 0xD9736B)
            }
        case 5: oval(0, y + 4, size * 0.3, size * 0.38, dark)
        case 6: curve(4, .ink, -size * 0.7, y + 2, 0, y + 4, size * 0.9, y - 4)
        default: blob(accent.mixed(with: 0xB0505A, 0.6), -size * 0.75, y, 0, y - 5, size * 0.75, y, 0, y + 8)
        }
    }

    func cheeks(_ y: Double, apart: Double, _ size: Double, on skin: Colour) {
        both { oval($0 * apart, y, size, size * 0.7, skin.mixed(with: 0xE0665E, 0.32)) }
    }

    /// Round, square or dark glasses, or a monocle.
    func glasses(_ y: Double, apart: Double, size: Double) {
        let frame: Colour = one(of: [.ink, accent, cloth.darker(0.25), 0xC79A4B])
        let style = integer(below: 4)
        both { side in
            guard style != 3 || side > 0 else { return }
            let x = side * apart
            func rim(_ inset: Double, radius: Double) -> [Point] {
                guard style == 1 else { return ellipse(x, y, size - inset, size - inset) }
                let (width, height) = (size * 2 - inset * 2, size * 1.6 - inset * 2)
                return rectangle(x - size + inset, y - size * 0.8 + inset, width, height, radius: radius)
            }
            let (outer, inner) = (rim(0, radius: 5), rim(4, radius: 3))
            fill(inner, style == 2 ? background.darker(0.5) : .white, alpha: style == 2 ? 1 : 0.22)
            // A ring: the outer outline, then the inner one in reverse order, so that the inside is not painted.
            fill(outer + [outer[0], inner[0]] + inner.reversed(), frame)
        }
        if style == 3 {
            curve(2, frame, apart + 4, y + size, apart + 10, y + 50, apart - 2, y + 90)
        } else {
            curve(4, frame, -apart + size - 1, y - 1, 0, y - 4, apart - size + 1, y - 1)
        }
    }
}
