import Glibc

extension Drawing {
    /// A person from the sea: a smooth head with a crest, and fins as ears.
    func tidefolk() {
        let skin = distinct(Palette.scales)
        let fin = one(of: [accent, skin.darker(0.28), skin.lighter(0.4)])
        let (y, width, height) = (144.0, between(56, 68), between(66, 76))

        let crest = integer(below: 3)
        if crest == 0 { blob(fin, -30, 92, -14, 40, 4, 26, 16, 48, 34, 92) }
        if crest == 1 { each(-2...2) { oval($0 * 17, 72 + abs($0) * 8, 9, 30, fin, turn: $0 * 12) } }
        body(neck: skin, shoulders: between(78, 98))
        both { side in
            func out(_ x: Double) -> Double { side * (width + x) }
            blob(
                fin, out(-12), y - 22, out(20), y - 38, out(34), y - 20, out(24), y - 4, out(34), y + 12, out(16),
                y + 24, out(-12), y + 26)
            for ray in [-18.0, 2, 16] { line(3, fin.darker(0.18), out(-6), y + ray * 0.6, out(22), y + ray) }
        }
        fill(rounded(y, width, height, power: 2.3), skin) {
            oval(0, y + height * 0.8, width * 0.8, height * 0.56, skin.lighter(0.34))
            for _ in 0..<9 { disc(between(-width, width), y - between(26, height), between(3, 8), skin.darker(0.14)) }
        }
        both { side in
            for x in [0.0, 8, 16].map({ side * (width - 10 - $0) }) {
                curve(3, skin.darker(0.28), x, y + 20, x + side * 4, y + 29, x, y + 38)
            }
        }
        eyes(y, apart: between(28, 35), size: between(13, 17), lid: skin)
        both { oval($0 * 5, y + 22, 2, 3, skin.darker(0.4)) }
        mouth(y + height * 0.55, size: between(15, 24))
        if chance(0.2) { glasses(y, apart: 30, size: 21) }
    }

    /// A moth: furry, with feathered antennae and wings.
    func lampmoth() {
        let fur = distinct(Palette.moths)
        let wing = one(of: [accent, cloth, fur.darker(0.25)])
        both { side in
            let wings = [20.0, 190, 70, 110, 140, 84, 158, 130, 136, 210, 90, 262, 30, 260]
            fill(smooth(points(wings.enumerated().map { $0 % 2 == 0 ? side * $1 : $1 })), wing)
            disc(side * 108, 154, 25, trim)
            disc(side * 108, 154, 13, wing.darker(0.4))
            let stem = path(points([side * 16, 96, side * 30, 58, side * 58, 34]))
            stroke(stem, 5, fur.darker(0.4))
            for index in stride(from: 4, to: stem.count, by: 2) {
                let (x, y) = (stem[index].x - middle, stem[index].y)
                line(3, fur.darker(0.4), x - side * 11, y - 7, x, y, x + side * 3, y + 13)
            }
        }
        body(shoulders: 74, top: 236)
        for tuft in 0..<9 {
            disc(Double(tuft - 4) * 15, tuft % 2 == 0 ? 232 : 241, 21, tuft % 2 == 0 ? fur : fur.darker(0.08))
        }
        fill(rounded(152, between(56, 64), between(58, 66), power: 2.2), fur)
        each(-2...2) { oval($0 * 13, 92 + abs($0) * 3, 9, 17, fur, turn: $0 * 14) }

        let eye: Colour = one(of: [.ink, 0x3B2F4A, 0x5A2F2F, 0x223F4A])
        both { side in
            let x = side * 28
            if sleeps {
                curve(5, eye, x - 16, 150, x, 158, x + 16, 150)
            } else {
                oval(x, 150, 19, 22, eye, turn: side * 8)
                disc(x + 6, 142, 6, .white)
                disc(x - 6, 158, 3, eye.lighter(0.5))
            }
        }
        cheeks(182, apart: 38, 10, on: fur)
        mouth(188, size: between(8, 13))
    }

    /// A gull with a beak, a cap of feathers and a waistcoat.
    func gull() {
        let down = distinct(Palette.downs)
        let cap = one(of: [down.darker(0.3), cloth, 0x3C4654, accent])
        let beak: Colour = one(of: [0xF0A93B, 0xE27D3F, 0xE9C46A, 0x4A4A55])
        let isOwl = chance(0.35)

        if chance(0.6) { each(-1...1) { oval($0 * 15, 66, 8, 30, cap, turn: $0 * 24) } }
        body(shoulders: between(80, 100), top: 226)
        box(-38, 150, 76, 88, down.darker(0.08), radius: 34)
        fill(rounded(146, between(58, 68), between(62, 72), power: 2.15), down) {
            switch integer(below: 3) {
            case 0: oval(0, 82, 78, 38, cap)
            case 1: blob(cap, -90, 60, 90, 60, 70, 130, 0, 108, -70, 130)
            default: both { oval($0 * 44, 128, 34, 44, cap) }
            }
            if isOwl { both { disc($0 * 29, 138, 29, down.lighter(0.5)) } }
        }
        if isOwl {
            both { sheet(cap, $0 * 34, 100, $0 * 66, 62, $0 * 62, 116) }
            eyes(138, apart: 29, size: 17, lid: cap)
            blob(beak, -12, 158, 0, 152, 12, 158, 0, 186)
        } else {
            eyes(138, apart: between(26, 33), size: between(11, 14), lid: cap)
            blob(beak, -28, 170, 0, 150, 28, 170, 0, 168 + between(14, 34))
            curve(3, beak.darker(0.3), -24, 171, 0, 174, 24, 171)
        }
        if chance(0.25) { glasses(138, apart: 30, size: 21) }
        if chance(0.35) { hat(one(of: [1, 2, 3, 5]), (150, 50, 74, 2)) }
    }

    /// A jellyfish that floats in the air and shines.
    func jelly() {
        let tint = distinct(Palette.jellies)
        let (width, height) = (between(72, 92), between(66, 84))
        disc(0, 142, 124, tint, alpha: 0.22)
        let arms = 5 + integer(below: 3)
        let swing = between(6, 11)
        for arm in 0..<arms {
            let x = middle + (Double(arm) / Double(arms - 1) - 0.5) * width * 1.5
            let end = between(244, 292)
            let phase = between(0, 6)
            let knots = (0...8).map { step in
                let down = Double(step) / 8
                return Point(x + sin(phase + down * 5) * swing * (0.3 + down), 170 + (end - 170) * down)
            }
            stroke(path(knots), arm % 2 == 0 ? 12 : 8, arm % 2 == 0 ? tint.darker(0.14) : tint.lighter(0.3))
        }
        let edge = (0...24).map { step in
            let angle = (180 + Double(step) * 7.5) * .pi / 180
            return Point(middle + cos(angle) * width, 150 + sin(angle) * height + (step % 24 == 0 ? 18 : 0))
        }
        let frill = (0...12).map { step in Point(middle + width - Double(step) * width / 6, step % 2 == 0 ? 178 : 192) }
        fill(edge + path(frill), tint) {
            oval(0, 186, width, 30, tint.darker(0.1))
            oval(-width * 0.4, 150 - height * 0.55, 22, 12, .white, turn: -32, alpha: 0.7)
            for _ in 0..<7 { disc(between(-60, 60), 150 - between(20, 70), between(3, 8), tint.lighter(0.45)) }
            if chance(0.3) { fill(star(between(-20, 20), 96, 15, 6, arms: 5), accent) }
        }
        eyes(142, apart: between(24, 34), size: between(12, 17), lid: tint)
        cheeks(160, apart: 46, 10, on: tint)
        mouth(162, size: between(9, 15))
    }

    /// A star or crescent with a face. It lights its surroundings.
    func comet() {
        let light = distinct(Palette.lights)
        for halo in [132.0, 112] { disc(0, 146, halo, light, alpha: 0.16) }
        if chance(0.35) {
            fill(ellipse(0, 146, 90, 90), light) {
                disc(48, 122, 84, light.darker(0.16))
                for (x, y, size) in [(-46.0, 196.0, 12.0), (-58, 112, 8), (40, 206, 9)] {
                    disc(x, y, size, light.darker(0.1))
                }
            }
        } else {
            let arms = 5 + integer(below: 4)
            fill(smooth(star(0, 148, 116, between(66, 80), arms: arms)), light.darker(0.1))
            fill(smooth(star(0, 146, 106, 66, arms: arms)), light)
        }
        eyes(140, apart: between(24, 32), size: between(12, 17), lid: light)
        cheeks(162, apart: 44, 11, on: light)
        mouth(170, size: between(12, 18))
        body(shoulders: 66, top: 258)
        if chance(0.3) { glasses(140, apart: 29, size: 21) }
    }
}
