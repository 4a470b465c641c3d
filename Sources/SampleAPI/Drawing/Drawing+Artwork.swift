extension Drawing {
    func artwork(_ kind: MediaLibrary.Kind) -> [UInt8] {
        middle = 0
        ground(integer(below: 5))
        figure()
        // Lines instead of a film's title and credits.
        if kind == .movie {
            box(-5, drawingHeight - 74, 310, 84, background.darker(0.55))
            let wide = between(120, 220)
            box(150 - wide / 2, drawingHeight - 60, wide, 16, trim, radius: 4)
            for line in 0..<2 {
                let wide = between(90, 170)
                box(150 - wide / 2, drawingHeight - 34 + Double(line) * 11, wide, 4, trim.mixed(with: background, 0.4))
            }
        }
        // A book's spine, and a label with lines instead of title and author.
        if kind == .book {
            box(-5, -5, 19, drawingHeight + 10, cloth.darker(0.35))
            box(14, -5, 3, drawingHeight + 10, background.darker(0.25))
            let wide = between(130, 210)
            box(157 - wide / 2, 34, wide, 66, trim, radius: 3)
            box(157 - wide * 0.36, 52, wide * 0.72, 11, cloth.darker(0.3))
            box(157 - wide * 0.2, 76, wide * 0.4, 6, accent)
        }
        return canvas.png
    }

    /// Paints the background: hills, bands of sea, rings, a slope or columns.
    private func ground(_ style: Int) {
        switch style {
        case 0:
            for hill in [0.0, 1, 2] {
                let level = drawingHeight * (0.52 + hill * 0.16)
                let rise = between(-34, 34)
                blob(
                    pattern.mixed(with: cloth, hill / 2), -60, drawingHeight + 60, -60, level, 50, level - rise, 150,
                    level + rise * 0.5, 250, level + rise, 360, level, 360, drawingHeight + 60)
            }
        case 1:
            let start = between(0.45, 0.65) * drawingHeight
            box(-5, start, 310, drawingHeight, pattern)
            for band in 1..<5 {
                let colour = cloth.mixed(with: pattern, Double(band % 2) * 0.6)
                wave(at: start + Double(band) * (drawingHeight - start) / 5, 6, thick: 14, colour)
            }
        case 2:
            let (x, y) = (between(60, 240), between(0.3, 0.7) * drawingHeight)
            for ring in 0..<5 {
                let colour = pattern.mixed(with: trim, ring % 2 == 0 ? 0.3 : 0)
                disc(x, y, drawingHeight * 0.62 - Double(ring) * drawingHeight * 0.1, colour)
            }
        case 3:
            let (lean, low) = (between(40, 160), drawingHeight + 5)
            sheet(cloth, -5, drawingHeight * 0.9, 305, drawingHeight * 0.9 - lean, 305, low, -5, low)
            sheet(pattern, -5, drawingHeight * 0.75, 305, drawingHeight * 0.75 + lean * 0.6, 305, low, -5, low)
        default:
            for column in 0..<5 {
                let top = between(0.2, 0.75) * drawingHeight
                box(20 + Double(column) * 54, top, 44, drawingHeight, column % 2 == 0 ? pattern : cloth, radius: 22)
            }
        }
    }

    /// Draws the subject: a moon, an island, a boat, a lighthouse, a kite, lamps or a star.
    private func figure() {
        let (x, y) = (between(90, 210), drawingHeight * between(0.34, 0.5))
        switch integer(below: 7) {
        case 0:
            disc(x, y, between(46, 84), trim)
            if chance(0.5) { disc(x + 26, y - 14, 50, background) }
        case 1:
            disc(x, y - 30, between(24, 44), accent)
            oval(x, y + 60, 110, 26, cloth.darker(0.2))
            box(x - 3, y - 10, 6, 66, trim)
        case 2:
            sheet(trim, x, y - 96, x, y + 18, x + 76, y + 18)
            sheet(accent, x - 8, y - 70, x - 8, y + 18, x - 56, y + 18)
            blob(cloth.darker(0.3), x - 84, y + 30, x, y + 28, x + 92, y + 30, x + 54, y + 62, x - 50, y + 62)
        case 3:
            sheet(trim.mixed(with: background, 0.6), x, y - 50, x - 400, y - 150, x - 400, y + 10)
            sheet(trim, x - 24, y - 34, x + 24, y - 34, x + 40, drawingHeight + 5, x - 40, drawingHeight + 5)
            each(0...1) { box(x - 29 - $0 * 8, y + 20 + $0 * 90, 58 + $0 * 16, 32, accent) }
            box(x - 17, y - 66, 34, 32, accent.darker(0.2))
            disc(x, y - 50, 9, trim)
        case 4:
            fill(star(x, y, 96, 60, arms: 2, turn: between(-20, 20)), accent)
            curve(3, trim, x, y + 90, x - 30, y + 140, x + 20, y + 180, x - 10, y + 240)
        case 5:
            for (index, colour) in [trim, accent, cloth].enumerated() {
                let radius = between(26, 58)
                disc(60 + Double(index) * 88, y + between(-50, 50), radius, colour, alpha: 0.85)
            }
        default:
            let (outer, inner) = (between(60, 90), between(16, 34))
            fill(star(x, y, outer, inner, arms: 4 + integer(below: 5), turn: between(0, 40)), trim)
            disc(x, y, 13, accent)
        }
    }
}
