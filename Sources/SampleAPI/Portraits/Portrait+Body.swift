extension Portrait {
    /// Shoulders and what is worn on them, from the neck downwards.
    mutating func body(neck skin: Colour?, shoulders: Double = 92, top: Double = 232) {
        let outline = Shape.smooth([
            (150 - shoulders - 6, 330), (150 - shoulders, 268), (150 - shoulders * 0.62, top + 14), (150 - 26, top),
            (150 + 26, top),
            (150 + shoulders * 0.62, top + 14), (150 + shoulders, 268), (150 + shoulders + 6, 330),
        ])
        canvas.fill(outline, palette.cloth)
        let worn = canvas.mask(outline)
        let dark = palette.cloth.darker(0.16)
        canvas.fill(.ellipse(150, top + 6, 44, 30), dark, in: worn)

        switch dice.below(9) {
        case 0:
            for row in 0..<5 { canvas.fill(.box(20, top + 12 + Double(row) * 22, 260, 10), palette.trim, in: worn) }
        case 1:
            canvas.fill(
                .polygon([(150 - 40, top - 14), (150 + 40, top - 14), (150, top + 52)]), palette.trim, in: worn)
            for row in 0..<2 { canvas.fill(.circle(150, top + 50 + Double(row) * 18, 4), palette.accent, in: worn) }
        case 2:
            let collar = Shape.smooth([
                (150 - 58, top + 6), (150, top - 12), (150 + 58, top + 6), (150 + 50, top + 40), (150, top + 26),
                (150 - 50, top + 40),
            ])
            canvas.fill(collar, palette.trim)
            canvas.fill(.star(150, top + 32, 12, 5, arms: 5), palette.accent)
        case 3:
            canvas.fill(.box(150 - 62, top - 10, 18, 120), palette.trim, in: worn)
            canvas.fill(.box(150 + 44, top - 10, 18, 120), palette.trim, in: worn)
            canvas.fill(.box(150 - 62, top + 42, 124, 80), palette.trim, in: worn)
            for side in [-1.0, 1] { canvas.fill(.circle(150 + side * 53, top + 50, 5), palette.accent, in: worn) }
        case 4:
            for side in [-1.0, 1] {
                let lapel = Shape.polygon([
                    (150, top + 70), (150 + side * 12, top - 8), (150 + side * 52, top + 4),
                    (150 + side * 40, top + 30),
                ])
                canvas.fill(lapel, dark, in: worn)
            }
            canvas.fill(.polygon([(150 - 13, top - 8), (150 + 13, top - 8), (150, top + 62)]), palette.trim, in: worn)
        case 5:
            for place in 0..<14 {
                let (x, y) = (
                    70 + Double(place % 5) * 40 + (place / 5 % 2 == 0 ? 0 : 20), top + 22 + Double(place / 5) * 22
                )
                canvas.fill(.circle(x, y, 5), palette.trim, in: worn)
            }
        case 6:
            canvas.fill(
                .polygon([(150 - shoulders - 10, 330), (150 - shoulders, 240), (150 - 18, top - 6), (150 + 8, 330)]),
                palette.accent,
                in: worn)
            canvas.fill(.circle(150 - 22, top + 16, 7), palette.trim)
        case 7:
            canvas.fill(.box(146, top, 8, 100), dark, in: worn)
            for row in 0..<3 { canvas.fill(.circle(162, top + 26 + Double(row) * 20, 4.5), palette.trim, in: worn) }
        default:
            canvas.fill(.ellipse(150, top + 4, 66, 34), palette.trim, in: worn)
        }

        if let skin {
            canvas.fill(.box(150 - 21, 190, 42, top - 178, radius: 18), skin.darker(0.14))
        }
        if dice.chance(0.2) { scarf(top) }
    }

    private mutating func scarf(_ top: Double) {
        let colour = palette.accent
        canvas.fill(
            .smooth([
                (150 - 46, top - 6), (150, top - 14), (150 + 46, top - 6), (150 + 50, top + 14), (150, top + 24),
                (150 - 50, top + 14),
            ]), colour)
        canvas.fill(
            .polygon([(150 + 14, top + 10), (150 + 42, top + 8), (150 + 50, 310), (150 + 22, 310)]), colour.darker(0.12)
        )
        for row in 0..<2 { canvas.fill(.box(150 + 18, top + 30 + Double(row) * 16, 30, 5), palette.trim) }
    }
}
