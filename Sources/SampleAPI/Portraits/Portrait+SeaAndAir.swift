extension Portrait {
    /// Smooth-headed, with fins for ears and a crest.
    mutating func tidefolk() {
        let skin = apart(from: palette.background, Palette.scales)
        let fin = dice.one(of: [palette.accent, skin.darker(0.28), skin.lighter(0.4)])
        let (y, width, height) = (144.0, dice.between(56, 68), dice.between(66, 76))

        let crest = dice.below(3)
        if crest == 0 {
            canvas.fill(.smooth([(150 - 30, 92), (150 - 14, 40), (150 + 4, 26), (150 + 16, 48), (150 + 34, 92)]), fin)
        }
        if crest == 1 {
            for spine in 0..<5 {
                canvas.fill(
                    .ellipse(
                        150 + Double(spine - 2) * 17, 72 + abs(Double(spine - 2)) * 8, 9, 30,
                        turn: Double(spine - 2) * 12), fin)
            }
        }
        body(neck: skin, shoulders: dice.between(78, 98))
        for side in [-1.0, 1] {
            func at(_ x: Double, _ down: Double) -> (x: Double, y: Double) { (150 + side * (width + x), y + down) }
            canvas.fill(
                .smooth([at(-12, -22), at(20, -38), at(34, -20), at(24, -4), at(34, 12), at(16, 24), at(-12, 26)]), fin)
            for ray in [-18.0, 2, 16] { canvas.stroke([at(-6, ray * 0.6), at(22, ray)], 3, fin.darker(0.18)) }
        }
        let outline = Shape.squircle(150, y, width, height, power: 2.3)
        canvas.fill(outline, skin)
        let inside = canvas.mask(outline)
        canvas.fill(.ellipse(150, y + height * 0.8, width * 0.8, height * 0.56), skin.lighter(0.34), in: inside)
        for _ in 0..<9 {
            canvas.fill(
                .circle(150 + dice.between(-width, width), y - dice.between(26, height), dice.between(3, 8)),
                skin.darker(0.14), in: inside)
        }
        for side in [-1.0, 1] {
            for gill in 0..<3 {
                let x = 150 + side * (width - 10 - Double(gill) * 8)
                canvas.stroke(Shape.path([(x, y + 20), (x + side * 4, y + 29), (x, y + 38)]), 3, skin.darker(0.28))
            }
        }
        eyes(150, y, apart: dice.between(28, 35), size: dice.between(13, 17), lid: skin)
        for side in [-1.0, 1] { canvas.fill(.ellipse(150 + side * 5, y + 22, 2, 3), skin.darker(0.4)) }
        mouth(150, y + height * 0.55, size: dice.between(15, 24))
        if dice.chance(0.2) { glasses(y, apart: 30, size: 21) }
    }

    /// Furry, with feathered antennae and wings behind.
    mutating func lampmoth() {
        let fur = apart(
            from: palette.background,
            [0xE9DCC6, 0xC9A678, 0xB7A9C9, 0x8E7B6B, 0xD8B4A0, 0x7F8FA6, 0xF2E9DC].map(Colour.init))
        let wing = dice.one(of: [palette.accent, palette.cloth, fur.darker(0.25)])
        for side in [-1.0, 1] {
            func at(_ x: Double, _ y: Double) -> (x: Double, y: Double) { (150 + side * x, y) }
            canvas.fill(
                .smooth([at(20, 190), at(70, 110), at(140, 84), at(158, 130), at(136, 210), at(90, 262), at(30, 260)]),
                wing)
            canvas.fill(.circle(150 + side * 108, 154, 25), palette.trim)
            canvas.fill(.circle(150 + side * 108, 154, 13), wing.darker(0.4))
            let stem = Shape.path([at(16, 96), at(30, 58), at(58, 34)])
            canvas.stroke(stem, 5, fur.darker(0.4))
            for index in Swift.stride(from: 4, to: stem.count, by: 2) {
                let (x, y) = stem[index]
                canvas.stroke([(x - side * 11, y - 7), (x, y), (x + side * 3, y + 13)], 3, fur.darker(0.4))
            }
        }
        body(neck: nil, shoulders: 74, top: 236)
        for tuft in 0..<9 {
            canvas.fill(
                .circle(150 + Double(tuft - 4) * 15, 232 + (tuft % 2 == 0 ? 0 : 9), 21),
                tuft % 2 == 0 ? fur : fur.darker(0.08))
        }
        canvas.fill(.squircle(150, 152, dice.between(56, 64), dice.between(58, 66), power: 2.2), fur)
        for tuft in 0..<5 {
            canvas.fill(
                .ellipse(
                    150 + Double(tuft - 2) * 13, 92 + abs(Double(tuft - 2)) * 3, 9, 17, turn: Double(tuft - 2) * 14),
                fur)
        }

        let eye = dice.one(of: [Colour.ink, Colour(0x3B2F4A), Colour(0x5A2F2F), Colour(0x223F4A)])
        for side in [-1.0, 1] {
            if sleeps {
                canvas.stroke(
                    Shape.path([(150 + side * 28 - 16, 150), (150 + side * 28, 158), (150 + side * 28 + 16, 150)]), 5,
                    eye)
            } else {
                canvas.fill(.ellipse(150 + side * 28, 150, 19, 22, turn: side * 8), eye)
                canvas.fill(.circle(150 + side * 28 + 6, 142, 6), .white)
                canvas.fill(.circle(150 + side * 28 - 6, 158, 3), eye.lighter(0.5))
            }
        }
        cheeks(182, apart: 38, 10, on: fur)
        mouth(150, 188, size: dice.between(8, 13))
    }

    /// A bird of the ferries: a beak, a cap of feathers, a waistcoat.
    mutating func gull() {
        let down = apart(
            from: palette.background,
            [0xF4EFE3, 0xE3E1DA, 0xC9D4D8, 0xF0DDBB, 0x5E6B78, 0x9A7B62, 0xDDB0A0].map(Colour.init))
        let cap = dice.one(of: [down.darker(0.3), palette.cloth, Colour(0x3C4654), palette.accent])
        let beak = dice.one(of: [Colour(0xF0A93B), Colour(0xE27D3F), Colour(0xE9C46A), Colour(0x4A4A55)])
        let owl = dice.chance(0.35)

        if dice.chance(0.6) {
            for plume in 0..<3 {
                canvas.fill(.ellipse(150 + Double(plume - 1) * 15, 66, 8, 30, turn: Double(plume - 1) * 24), cap)
            }
        }
        body(neck: nil, shoulders: dice.between(80, 100), top: 226)
        canvas.fill(.box(112, 150, 76, 88, radius: 34), down.darker(0.08))
        let outline = Shape.squircle(150, 146, dice.between(58, 68), dice.between(62, 72), power: 2.15)
        canvas.fill(outline, down)
        let inside = canvas.mask(outline)
        switch dice.below(3) {
        case 0: canvas.fill(.ellipse(150, 82, 78, 38), cap, in: inside)
        case 1: canvas.fill(.smooth([(60, 60), (240, 60), (220, 130), (150, 108), (80, 130)]), cap, in: inside)
        default: for side in [-1.0, 1] { canvas.fill(.ellipse(150 + side * 44, 128, 34, 44), cap, in: inside) }
        }
        let apart = owl ? 29.0 : dice.between(26, 33)
        if owl {
            for side in [-1.0, 1] {
                canvas.fill(.circle(150 + side * apart, 138, 29), down.lighter(0.5), in: inside)
                canvas.fill(.polygon([(150 + side * 34, 100), (150 + side * 66, 62), (150 + side * 62, 116)]), cap)
            }
        }
        eyes(150, 138, apart: apart, size: owl ? 17 : dice.between(11, 14), lid: cap)
        if owl {
            canvas.fill(.smooth([(138, 158), (150, 152), (162, 158), (150, 186)]), beak)
        } else {
            let long = dice.between(14, 34)
            canvas.fill(.smooth([(122, 170), (150, 150), (178, 170), (150, 168 + long)]), beak)
            canvas.stroke(Shape.path([(126, 171), (150, 174), (174, 171)]), 3, beak.darker(0.3))
        }
        if dice.chance(0.25) { glasses(138, apart: 30, size: 21) }
        if dice.chance(0.35) { hat([1, 2, 3, 5][dice.below(4)], Head(y: 150, width: 50, height: 74, power: 2)) }
    }
}
