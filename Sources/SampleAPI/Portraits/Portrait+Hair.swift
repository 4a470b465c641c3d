import Glibc

extension Portrait {
    mutating func hairBehind(_ style: Int, _ head: Head, _ hair: Colour) {
        let (top, width) = (head.y - head.height, head.width)
        let back = hair.darker(0.16)
        switch style {
        case 1:
            canvas.fill(.squircle(150, head.y + 8, width + 17, head.height + 12, power: 2.8), back)
        case 2, 9:
            let length = dice.between(262, 300)
            canvas.fill(
                .smooth([
                    (150 - width - 16, head.y), (150 - width * 0.6, top - 8), (150, top - 14),
                    (150 + width * 0.6, top - 8),
                    (150 + width + 16, head.y),
                    (150 + width + 26, length), (150, length + 10), (150 - width - 26, length),
                ]), back)
        case 3:
            canvas.fill(.circle(150 + dice.between(-14, 14), top - 12, dice.between(20, 28)), back)
        case 4:
            let radius = dice.between(21, 29)
            for step in 0..<13 {
                let angle = (150 + Double(step) * 20) * .pi / 180
                canvas.fill(
                    .circle(150 + cos(angle) * (width + 6), head.y - 8 + sin(angle) * (head.height + 2), radius), back)
            }
        case 8:
            for side in [-1.0, 1] {
                canvas.fill(.ellipse(150 + side * (width + 20), head.y + 36, 18, 42, turn: side * -10), back)
                canvas.fill(.circle(150 + side * (width + 13), head.y + 1, 8), palette.accent)
            }
        default:
            break
        }
    }

    mutating func hairInFront(_ style: Int, _ head: Head, _ hair: Colour) {
        let (top, width) = (head.y - head.height, head.width)
        switch style {
        case 5:
            break
        case 6:
            var points: [(x: Double, y: Double)] = [(150 - width - 3, head.y - 14)]
            for spike in 0..<7 {
                let x = 150 - width + Double(spike) * width / 3
                let rise = sin(Double(spike) / 6 * .pi) * 30
                points.append((x - 2 + dice.between(-5, 5), top + 16 - rise - dice.between(4, 20)))
                points.append((x + width / 6, top + 24 - rise))
            }
            points += [
                (150 + width + 3, head.y - 14), (150 + width * 0.8, top + 40), (150, top + 30),
                (150 - width * 0.8, top + 40),
            ]
            canvas.fill(.polygon(points), hair)
        case 7:
            for lock in 0..<5 {
                canvas.fill(
                    .ellipse(
                        150 + Double(lock - 2) * 11, top - 2 + abs(Double(lock - 2)) * 5, 12, 26,
                        turn: Double(lock - 2) * 16), hair)
            }
        case 10:
            // A widow's peak, receding at both sides.
            cap(
                head, hair,
                line: [
                    (0.98, -0.1), (0.72, -0.62), (0.3, -0.74), (0, -0.42), (-0.3, -0.74), (-0.72, -0.62), (-0.98, -0.1),
                ])
        case 4:
            for step in 0..<6 {
                let x = 150 - width * 0.8 + Double(step) * width * 0.32
                canvas.fill(.circle(x, top + 15 + abs(Double(step) - 2.5) * 5, 17), hair)
            }
        case 1, 2:
            if dice.chance(0.5) {
                let y = dice.between(-0.42, -0.28)
                cap(
                    head, hair,
                    line: [(1.02, 0.2), (0.86, y), (0.4, y - 0.05), (0, y), (-0.4, y - 0.05), (-0.86, y), (-1.02, 0.2)])
            } else {
                cap(
                    head, hair,
                    line: [
                        (1.04, 0.25), (0.8, -0.25), (0.3, -0.6), (0, -0.82), (-0.3, -0.6), (-0.8, -0.25), (-1.04, 0.25),
                    ])
            }
        default:
            let side = dice.chance(0.5) ? 1.0 : -1
            let part = dice.between(-0.1, 0.5) * side
            let deep = dice.between(-0.5, -0.3)
            let line: [(x: Double, y: Double)] = [
                (1, 0), (0.86, deep + (side > 0 ? 0.1 : -0.1)), (part + 0.12, -0.66), (part - 0.1, -0.7),
                (-0.86, deep + (side > 0 ? -0.1 : 0.1)), (-1, 0),
            ]
            cap(head, hair, line: line)
        }
    }

    /// Hair over the skull down to a hairline, which goes from right to left in parts of the head's size.
    private mutating func cap(_ head: Head, _ hair: Colour, line: [(x: Double, y: Double)]) {
        let outer = (0...24).map { step in
            let angle = (176 + Double(step) * 188 / 24) * .pi / 180
            let (c, s) = (cos(angle), sin(angle))
            let power = 2 / head.power
            return (
                x: 150 + (head.width + 4) * (c < 0 ? -1 : 1) * pow(abs(c), power),
                y: head.y + (head.height + 6) * (s < 0 ? -1 : 1) * pow(abs(s), power)
            )
        }
        let inner = Shape.path(line.map { (x: 150 + $0.x * head.width, y: head.y + $0.y * head.height) })
        canvas.fill(.polygon(outer + inner), hair)
    }

    mutating func hat(_ style: Int, _ head: Head) {
        let (brim, width) = (head.y - head.height * 0.5, head.width)
        let (main, band) = dice.chance(0.5) ? (palette.accent, palette.trim) : (palette.cloth, palette.accent)
        switch style {
        case 0:
            // A knitted cap with a bobble.
            canvas.fill(.circle(150, brim - 62, 15), band)
            canvas.fill(
                .smooth([
                    (150 - width - 6, brim), (150 - width * 0.8, brim - 44), (150, brim - 60),
                    (150 + width * 0.8, brim - 44),
                    (150 + width + 6, brim),
                ]), main)
            canvas.fill(.box(150 - width - 9, brim - 12, width * 2 + 18, 24, radius: 11), band)
        case 1:
            // A captain's.
            canvas.fill(.ellipse(150, brim - 36, width + 22, 27), .white)
            canvas.fill(.box(150 - width - 2, brim - 30, width * 2 + 4, 28, radius: 4), main.darker(0.25))
            canvas.fill(
                .smooth([(150 - width - 4, brim - 4), (150, brim - 10), (150 + width + 4, brim - 4), (150, brim + 13)]),
                .ink)
            canvas.fill(.star(150, brim - 20, 12, 5, arms: 5), Colour(0xF2C14E))
        case 2:
            // A straw hat.
            let straw = Colour(0xE6C98F)
            canvas.fill(.ellipse(150, brim - 24, width * 0.86, 46), straw)
            canvas.fill(.ellipse(150, brim + 2, width + 40, 17), straw.darker(0.08))
            canvas.fill(.box(150 - width * 0.84, brim - 22, width * 1.68, 15, radius: 4), main)
        case 3:
            // A headscarf with a knot.
            canvas.fill(
                .smooth([
                    (150 - width - 8, brim + 10), (150 - width * 0.7, brim - 40), (150, brim - 52),
                    (150 + width * 0.7, brim - 40),
                    (150 + width + 8, brim + 10), (150, brim - 12),
                ]), main)
            for dot in 0..<5 {
                canvas.fill(.circle(150 + Double(dot - 2) * 21, brim - 28 + abs(Double(dot - 2)) * 6, 4), band)
            }
            canvas.fill(
                .polygon([(150 + width + 2, brim + 2), (150 + width + 32, brim - 14), (150 + width + 26, brim + 20)]),
                main.darker(0.15))
        case 4:
            // A lamp on a band.
            canvas.fill(.circle(150, brim - 8, 30), Colour(0xFFE6A3), alpha: 0.35)
            canvas.fill(.box(150 - width - 6, brim - 16, width * 2 + 12, 15, radius: 7), main.darker(0.1))
            canvas.fill(.circle(150, brim - 8, 17), .ink)
            canvas.fill(.circle(150, brim - 8, 12), Colour(0xFFE08A))
            canvas.fill(.circle(146, brim - 12, 4), .white)
        default:
            // A sailor's.
            canvas.fill(.ellipse(150, brim - 28, width * 0.84, 22), .white)
            canvas.fill(.box(150 - width * 0.9, brim - 28, width * 1.8, 24, radius: 10), Colour(0xE9E5DC))
            canvas.fill(.box(150 - width * 0.9, brim - 10, width * 1.8, 7, radius: 3), main)
        }
    }
}
