extension Portrait {
    /// Cat, fox, bear, rabbit, otter, badger: by ears, muzzle and markings.
    mutating func beast() {
        let fur = apart(from: palette.background, Palette.fur)
        let light = fur.lighter(dice.between(0.5, 0.75))
        let kind = dice.below(6)
        let (width, height) = (dice.between(62, 76), dice.between(56, 66))
        let y = 152.0

        body(neck: nil, shoulders: dice.between(74, 96), top: 222)
        canvas.fill(.ellipse(150, 216, 42, 26), fur.darker(0.16))
        ears(kind, y, width, height, fur, light)
        let outline = head(kind, y, width, height)
        canvas.fill(outline, fur)
        let inside = canvas.mask(outline)
        markings(kind, y, width, height, fur, light, inside)

        let muzzleY = y + height * 0.42
        let wide = kind == 2 ? 30.0 : 25
        canvas.fill(.ellipse(150, muzzleY + 4, wide, kind == 1 ? 17 : 20), light, in: inside)
        if dice.chance(0.5) { cheeks(muzzleY - 6, apart: width * 0.66, 9, on: fur) }
        eyes(150, y - 4, apart: dice.between(27, 33), size: dice.between(11, 15), lid: fur)

        let nose = kind == 3 ? Colour(0xD98A8A) : Colour.ink
        canvas.fill(
            .smooth([(150 - 10, muzzleY - 10), (150, muzzleY - 13), (150 + 10, muzzleY - 10), (150, muzzleY)]), nose)
        canvas.stroke([(150, muzzleY - 2), (150, muzzleY + 7)], 3, .ink)
        for side in [-1.0, 1] {
            canvas.stroke(
                Shape.path([(150, muzzleY + 7), (150 + side * 7, muzzleY + 12), (150 + side * 14, muzzleY + 7)]), 3,
                .ink)
            if kind == 0 || kind == 4 || kind == 3 {
                for row in 0..<2 {
                    let start = (x: 150 + side * 24, y: muzzleY + Double(row) * 8 - 2)
                    canvas.stroke(
                        [start, (150 + side * (width + 14), muzzleY + Double(row) * 15 - 7)], 2, light.darker(0.1))
                }
            }
        }
        if kind == 3 { canvas.fill(.box(144, muzzleY + 11, 12, 11, radius: 3), .white) }
        if dice.chance(0.24) { glasses(y - 4, apart: 29, size: 19) }
        if dice.chance(0.3) {
            hat([1, 2, 4, 5][dice.below(4)], Head(y: y + 6, width: width * 0.72, height: height + 8, power: 2))
        }
    }

    private func head(_ kind: Int, _ y: Double, _ width: Double, _ height: Double) -> Shape {
        switch kind {
        case 1:
            // A fox narrows to its chin, and has tufts at its cheeks.
            .smooth([
                (150, y - height), (150 + width * 0.7, y - height * 0.66), (150 + width, y + 4),
                (150 + width * 0.8, y + height * 0.46),
                (150 + 26, y + height * 0.84), (150, y + height), (150 - 26, y + height * 0.84),
                (150 - width * 0.8, y + height * 0.46),
                (150 - width, y + 4), (150 - width * 0.7, y - height * 0.66),
            ])
        case 3: .squircle(150, y, width * 0.86, height * 1.06, power: 2.2)
        case 4: .squircle(150, y, width * 1.02, height * 0.92, power: 2.4)
        default: .squircle(150, y, width, height, power: 2.3)
        }
    }

    private mutating func ears(
        _ kind: Int, _ y: Double, _ width: Double, _ height: Double, _ fur: Colour, _ light: Colour
    ) {
        let inner = fur.mixed(with: Colour(0xE8A79A), 0.6)
        for side in [-1.0, 1] {
            func at(_ x: Double, _ up: Double) -> (x: Double, y: Double) { (150 + side * x, y - up) }
            switch kind {
            case 0, 1:
                let tall = kind == 1 ? 1.62 : 1.42
                canvas.fill(
                    .polygon([
                        at(width * 0.99, height * 0.1), at(width * 0.82, height * tall), at(width * 0.16, height * 0.9),
                    ]),
                    kind == 1 ? fur.darker(0.2) : fur)
                canvas.fill(
                    .polygon([
                        at(width * 0.84, height * 0.5), at(width * 0.76, height * (tall - 0.22)),
                        at(width * 0.38, height * 0.84),
                    ]),
                    inner)
            case 3:
                canvas.fill(.ellipse(150 + side * width * 0.42, y - height * 1.5, 17, 56, turn: side * 10), fur)
                canvas.fill(.ellipse(150 + side * width * 0.42, y - height * 1.46, 9, 42, turn: side * 10), inner)
            case 4:
                canvas.fill(.circle(150 + side * width * 0.86, y - height * 0.58, 14), fur.darker(0.1))
            default:
                canvas.fill(.circle(150 + side * width * 0.74, y - height * 0.78, 24), fur)
                canvas.fill(.circle(150 + side * width * 0.74, y - height * 0.78, 13), kind == 5 ? light : inner)
            }
        }
    }

    private mutating func markings(
        _ kind: Int, _ y: Double, _ width: Double, _ height: Double, _ fur: Colour, _ light: Colour,
        _ inside: Canvas.Mask
    ) {
        switch kind {
        case 0 where dice.chance(0.6):
            for stripe in 0..<3 {
                canvas.fill(
                    .ellipse(150 + Double(stripe - 1) * 16, y - height + 6, 5, 22 - abs(Double(stripe - 1)) * 6),
                    fur.darker(0.24),
                    in: inside)
            }
        case 1:
            for side in [-1.0, 1] {
                canvas.fill(
                    .ellipse(150 + side * width * 0.62, y + height * 0.62, width * 0.5, height * 0.5), light, in: inside
                )
            }
        case 5:
            // A badger's mask.
            canvas.fill(.box(138, y - height - 4, 24, height * 2), light, in: inside)
            for side in [-1.0, 1] {
                canvas.fill(.ellipse(150 + side * 32, y - 6, 17, 44, turn: side * 12), fur.darker(0.42), in: inside)
            }
        case 2, 4:
            if dice.chance(0.4) { canvas.fill(.ellipse(150 - 30, y - 8, 22, 24), light, in: inside) }
        default:
            break
        }
    }
}
