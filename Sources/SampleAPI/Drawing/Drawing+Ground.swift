import Glibc

extension Drawing {
    /// A machine: a box or drum as head, lamps or a screen as eyes, and an aerial.
    func automaton() {
        let metal = distinct(Palette.metals)
        let dark = metal.darker(0.32)
        let (width, height) = (between(58, 78), between(50, 66))
        let y = 142.0
        let top = y - height

        switch integer(below: 4) {
        case 0:
            line(5, dark, 0, top, 0, top - 34)
            disc(0, top - 38, 10, accent)
        case 1:
            both { side in
                line(5, dark, side * 26, top, side * 40, top - 32)
                disc(side * 40, top - 34, 7, accent)
            }
        case 2:
            box(-20, top - 28, 40, 34, dark, radius: 5)
            box(-28, top - 34, 56, 12, metal.lighter(0.2), radius: 5)
        default: oval(0, top, 34, 22, accent)
        }
        body(shoulders: between(80, 100), top: 236)
        for ring in 0..<3 { box(-26, 200 + Double(ring) * 13, 52, 10, ring % 2 == 0 ? dark : metal, radius: 5) }
        both { side in
            box(side * (width + 4) - 11, y - 20, 22, 40, dark, radius: 7)
            disc(side * (width + 6), y, 6, accent)
        }
        fill(rounded(y, width, height, power: between(2.6, 7)), metal) {
            box(width * 0.55, top - 5, width, height * 2 + 10, metal.darker(0.1))
            for up in [-1.0, 1] { both { disc($0 * width * 0.78, y + up * height * 0.74, 4, dark) } }
        }
        lamps(y - 8, width, dark)
        grille(y + height * 0.5, dark)
    }

    private func lamps(_ y: Double, _ width: Double, _ dark: Colour) {
        let glow: Colour = sleeps ? dark.darker(0.3) : one(of: [0xFFE08A, 0x9FE3D8, 0xF7A072, 0xF4F1E6])
        switch integer(below: 4) {
        case 0:
            box(-width * 0.76, y - 22, width * 1.52, 44, 0x262B38, radius: 16)
            both { box($0 * 24 - 7, y - 12, 14, sleeps ? 5 : 24, sleeps ? dark.lighter(0.4) : glow, radius: 2.5) }
        case 1:
            disc(0, y, 28, dark)
            disc(0, y, 20, glow)
            disc(0, y, 9, .ink)
            disc(6, y - 7, 4, .white)
        case 2:
            both { side in
                let size = side < 0 ? between(15, 20) : between(11, 20)
                disc(side * 28, y, size, dark)
                disc(side * 28, y, size - 5, glow)
            }
        default:
            both { disc($0 * 27, y, 18, .white) }
            eyes(y, apart: 27, size: 13, lid: dark)
        }
    }

    private func grille(_ y: Double, _ dark: Colour) {
        switch integer(below: 4) {
        case 0:
            box(-30, y - 9, 60, 20, dark, radius: 6)
            each(0...3) { box(-24 + $0 * 13, y - 5, 8, 12, .white, radius: 2) }
        case 1: each(0...2) { box(-22, y - 10 + $0 * 8, 44, 4, dark, radius: 2) }
        case 2: curve(5, dark, -24, y - 3, 0, y + 8, 24, y - 3)
        default: each(-2...2) { disc($0 * 12, y, 3.6, dark) }
        }
    }

    /// A bulb, cactus or mushroom in clothes, with leaves or flowers on it.
    func mossling() {
        let leaf = distinct(Palette.leaves)
        let bloom = one(of: [accent, 0xF2C14E, 0xE8A0A8, 0xF4EFE3])
        let kind = integer(below: 3)
        let (isBulb, isCactus, isMushroom) = (kind == 0, kind == 1, kind == 2)
        body(shoulders: between(72, 92), top: 230)
        box(-22, 186, 44, 60, isMushroom ? 0xD9C7A6 : leaf.darker(0.2), radius: 18)

        let y = isMushroom ? 164.0 : 148
        let width = isCactus ? between(48, 56) : between(56, 66)
        let height = isCactus ? between(70, 78) : between(54, 66)
        let top = y - height
        let face: Colour = isMushroom ? 0xF0E2C6 : leaf
        if isBulb {
            both { side in
                blob(leaf.darker(0.12), 0, top + 14, side * 22, top - 38, side * 62, top - 46, side * 46, top - 4)
                line(3, leaf.darker(0.3), side * 8, top + 6, side * 44, top - 34)
            }
        }
        fill(rounded(y, width, height, power: 2.25), face) {
            if isBulb { oval(0, y + height, width, height * 0.5, leaf.lighter(0.25)) }
            guard isCactus else { return }
            for rib in [-0.62, 0.0, 0.62] { oval(rib * width, y, 5, height, leaf.darker(0.12)) }
            for _ in 0..<16 {
                let (x, up) = (between(-50, 50), y + between(-70, 70))
                line(2, leaf.lighter(0.6), x - 3, up - 3, x, up, x + 3, up - 3)
            }
        }
        if isCactus { flower(between(-18, 18), top - 2, 17, bloom) }
        if isBulb, chance(0.6) { flower(0, top + 4, 18, bloom) }
        eyes(y + 2, apart: between(22, 28), size: between(11, 15), lid: face)
        cheeks(y + 22, apart: 38, 9, on: face)
        mouth(y + 28, size: between(9, 16))
        guard isMushroom else { return }
        fill(smooth(points([-94, 138, -76, 84, 0, 48, 76, 84, 94, 138, 0, 122])), bloom) {
            let spots = [(-50.0, 98.0, 13.0), (0, 74, 16), (48, 96, 14), (-78, 126, 9), (82, 124, 9), (-4, 112, 8)]
            for (x, y, size) in spots { disc(x, y, size, bloom.lighter(0.62)) }
        }
    }

    private func flower(_ x: Double, _ y: Double, _ size: Double, _ colour: Colour) {
        for petal in 0..<6 {
            let angle = Double(petal) * .pi / 3
            disc(x + cos(angle) * size * 0.8, y + sin(angle) * size * 0.8, size * 0.5, colour)
        }
        disc(x, y, size * 0.48, colour.darker(0.4))
    }

    /// A stone with moss on it.
    func pebble() {
        let stone = distinct(Palette.stones)
        body(shoulders: between(78, 98), top: 230)
        let knots = (0..<9).map { step in
            let angle = Double(step) * 40 * .pi / 180
            return Point(middle + cos(angle) * between(66, 88), 150 + sin(angle) * between(62, 84))
        }
        var moss = stone
        fill(smooth(knots), stone) {
            oval(50, 190, 74, 80, stone.darker(0.1))
            line(3, stone.darker(0.35), -46, 92, -32, 112, -40, 126)
            moss = distinct(Palette.leaves)
            each(0...5) { disc(-46 + $0 * 19, 82 + abs($0 - 2.5) * 4, between(13, 21), moss) }
        }
        if chance(0.5) {
            curve(4, moss.darker(0.2), 20, 84, 26, 64, 22, 50)
            flower(22, 46, 13, accent)
        }
        eyes(148, apart: between(24, 34), size: between(9, 13), lid: stone)
        mouth(184, size: between(10, 20))
        if chance(0.3) { glasses(148, apart: 29, size: 20) }
    }

    /// A hood with two lights in it.
    func hooded() {
        let cloak = background.darker(0.55)
        fill(smooth(mirrored(-110, 330, -92, 230, -58, 120, 0, 56)), cloak)
        oval(0, 158, 54, 66, cloak.darker(0.6))
        both { side in
            disc(side * 22, 154, 16, 0xFFE6A3, alpha: 0.2)
            disc(side * 22, 154, 7, 0xFFE6A3)
        }
        blob(accent, -38, 236, 0, 226, 38, 236, 0, 258)
    }

    /// An animal: a fox, cat, bear, rabbit, otter or badger. They differ in ears, muzzle and markings.
    func beast() {
        let fur = distinct(Palette.fur)
        let light = fur.lighter(between(0.5, 0.75))
        let kind = integer(below: 6)
        let (width, height) = (between(62, 76), between(56, 66))
        let y = 152.0

        body(shoulders: between(74, 96), top: 222)
        oval(0, 216, 42, 26, fur.darker(0.16))
        ears(kind, y, width, height, fur, light)
        let muzzle = y + height * 0.42
        fill(muzzled(kind, y, width, height), fur) {
            markings(kind, y, width, height, fur, light)
            oval(0, muzzle + 4, kind == 2 ? 30 : 25, kind == 1 ? 17 : 20, light)
        }
        if chance(0.5) { cheeks(muzzle - 6, apart: width * 0.66, 9, on: fur) }
        eyes(y - 4, apart: between(27, 33), size: between(11, 15), lid: fur)

        blob(kind == 3 ? 0xD98A8A : .ink, -10, muzzle - 10, 0, muzzle - 13, 10, muzzle - 10, 0, muzzle)
        line(3, .ink, 0, muzzle - 2, 0, muzzle + 7)
        both { side in
            curve(3, .ink, 0, muzzle + 7, side * 7, muzzle + 12, side * 14, muzzle + 7)
            guard [0, 3, 4].contains(kind) else { return }
            for row in [0.0, 1] {
                line(2, light.darker(0.1), side * 24, muzzle + row * 8 - 2, side * (width + 14), muzzle + row * 15 - 7)
            }
        }
        if kind == 3 { box(-6, muzzle + 11, 12, 11, .white, radius: 3) }
        if chance(0.24) { glasses(y - 4, apart: 29, size: 19) }
        if chance(0.3) { hat(one(of: [1, 2, 4, 5]), (y + 6, width * 0.72, height + 8, 2)) }
    }

    private func muzzled(_ kind: Int, _ y: Double, _ width: Double, _ height: Double) -> [Point] {
        switch kind {
        case 1:
            // A fox narrows to its chin, and has tufts at its cheeks.
            smooth(
                mirrored(
                    0, y - height, width * 0.7, y - height * 0.66, width, y + 4, width * 0.8, y + height * 0.46, 26,
                    y + height * 0.84, 0, y + height))
        case 3: rounded(y, width * 0.86, height * 1.06, power: 2.2)
        case 4: rounded(y, width * 1.02, height * 0.92, power: 2.4)
        default: rounded(y, width, height, power: 2.3)
        }
    }

    private func ears(_ kind: Int, _ y: Double, _ width: Double, _ height: Double, _ fur: Colour, _ light: Colour) {
        let inner = fur.mixed(with: 0xE8A79A, 0.6)
        both { side in
            let out = side * width
            switch kind {
            case 0, 1:
                let (outer, rise) = kind == 1 ? (fur.darker(0.2), 1.62) : (fur, 1.42)
                sheet(outer, out * 0.99, y - height * 0.1, out * 0.82, y - height * rise, out * 0.16, y - height * 0.9)
                let tip = y - height * (rise - 0.22)
                sheet(inner, out * 0.84, y - height * 0.5, out * 0.76, tip, out * 0.38, y - height * 0.84)
            case 3:
                oval(out * 0.42, y - height * 1.5, 17, 56, fur, turn: side * 10)
                oval(out * 0.42, y - height * 1.46, 9, 42, inner, turn: side * 10)
            case 4: disc(out * 0.86, y - height * 0.58, 14, fur.darker(0.1))
            default:
                disc(out * 0.74, y - height * 0.78, 24, fur)
                disc(out * 0.74, y - height * 0.78, 13, kind == 5 ? light : inner)
            }
        }
    }

    private func markings(_ kind: Int, _ y: Double, _ width: Double, _ height: Double, _ fur: Colour, _ light: Colour) {
        switch kind {
        case 0 where chance(0.6): each(-1...1) { oval($0 * 16, y - height + 6, 5, 22 - abs($0) * 6, fur.darker(0.24)) }
        case 1: both { oval($0 * width * 0.62, y + height * 0.62, width * 0.5, height * 0.5, light) }
        case 5:
            // A badger's mask.
            box(-12, y - height - 4, 24, height * 2, light)
            both { oval($0 * 32, y - 6, 17, 44, fur.darker(0.42), turn: $0 * 12) }
        case 2, 4: if chance(0.4) { oval(-30, y - 8, 22, 24, light) }
        default: break
        }
    }
}
