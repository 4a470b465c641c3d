import Glibc

extension Drawing {
    /// A person: head, hair, perhaps a beard, glasses and a hat.
    func islander() {
        let skin = chance(0.08) ? one(of: Palette.rareSkins) : one(of: Palette.skins)
        let hair = one(of: Palette.hair)
        let head: Head = (between(136, 146), between(52, 66), between(64, 76), between(2, 2.7))
        let style = integer(below: 11)
        let hat = chance(0.34) ? integer(below: 6) : -1

        hairBehind(style, head, hair.darker(0.16))
        body(neck: skin, shoulders: between(80, 104), top: between(228, 238))
        both { side in
            oval(side * head.width, head.y + 6, 11, 15, skin)
            oval(side * (head.width + 1), head.y + 7, 5, 8, skin.darker(0.14))
        }
        if chance(0.16) { both { disc($0 * (head.width + 4), head.y + 25, 5, accent) } }
        fill(rounded(head.y, head.width, head.height, power: head.power), skin) {
            oval(head.width * 0.95, head.y + 10, head.width * 0.5, head.height * 1.2, skin.darker(0.07))
        }

        let eyeY = head.y + between(-4, 8)
        let apart = between(22, 29)
        let size = between(10, 14)
        if chance(0.6) { cheeks(eyeY + 24, apart: apart + 9, between(8, 12), on: skin) }
        if chance(0.14) {
            both { side in
                each(0...2) { disc(side * (18 + $0 * 8), eyeY + 19 + ($0 == 1 ? 6 : 0), 1.9, skin.darker(0.3)) }
            }
        }
        let beard = chance(0.24) ? integer(below: 4) : -1
        self.beard(beard, head, hair)
        eyes(eyeY, apart: apart, size: size, lid: skin)
        brows(eyeY - size - between(5, 10), apart: apart, size: between(9, 13), hair.darker(0.2))
        nose(eyeY + between(12, 18), skin)
        mouth(head.y + head.height * between(0.5, 0.6), size: between(11, 19))
        if beard == 1 || beard == 3 {
            let y = head.y + head.height * 0.46
            both { blob(hair.darker(0.12), 0, y - 5, $0 * -18, y - 3, $0 * -33, y + 9, $0 * -16, y + 9, 0, y + 4) }
        }
        if chance(0.26) { glasses(eyeY, apart: max(apart, 25), size: between(18, 21)) }
        hairInFront(hat >= 0 && style != 5 ? 0 : style, head, hair)
        if hat >= 0 { self.hat(hat, head) }
    }

    private func nose(_ y: Double, _ skin: Colour) {
        let shade = skin.darker(0.2)
        switch integer(below: 5) {
        case 0: curve(4, shade, -6, y + 6, 0, y + 10, 6, y + 6)
        case 1: sheet(shade, 0, y - 12, 11, y + 9, -1, y + 11)
        case 2: oval(0, y + 3, 9, 7, shade)
        case 3: curve(4, shade, 2, y - 14, 8, y + 4, -2, y + 8)
        default: oval(0, y, 6.5, 11, skin.mixed(with: 0xD0574E, 0.28))
        }
    }

    private func beard(_ style: Int, _ head: Head, _ hair: Colour) {
        let (low, width) = (head.y + head.height, head.width)
        switch style {
        case 0, 3:
            let (ear, cheek) = (head.y + 12, head.y + head.height * 0.42)
            blob(
                hair, -width - 2, ear, -width * 0.62, cheek, 0, head.y + head.height * 0.34, width * 0.62, cheek,
                width + 2, ear, width * 0.86, low - 6, 0, low + (style == 0 ? 12 : 34), -width * 0.86, low - 6)
        case 2: blob(hair, -17, low - 16, 0, low - 20, 17, low - 16, 0, low + 16)
        default: break
        }
    }

    func hairBehind(_ style: Int, _ head: Head, _ back: Colour) {
        let (top, width) = (head.y - head.height, head.width)
        switch style {
        case 1: fill(rounded(head.y + 8, width + 17, head.height + 12, power: 2.8), back)
        case 2, 9:
            let length = between(262, 300)
            blob(
                back, -width - 16, head.y, -width * 0.6, top - 8, 0, top - 14, width * 0.6, top - 8, width + 16, head.y,
                width + 26, length, 0, length + 10, -width - 26, length)
        case 3: disc(between(-14, 14), top - 12, between(20, 28), back)
        case 4:
            let radius = between(21, 29)
            for step in 0..<13 {
                let angle = (150 + Double(step) * 20) * .pi / 180
                disc(cos(angle) * (width + 6), head.y - 8 + sin(angle) * (head.height + 2), radius, back)
            }
        case 8:
            both { side in
                oval(side * (width + 20), head.y + 36, 18, 42, back, turn: side * -10)
                disc(side * (width + 13), head.y + 1, 8, accent)
            }
        default: break
        }
    }

    func hairInFront(_ style: Int, _ head: Head, _ hair: Colour) {
        let (top, width) = (head.y - head.height, head.width)
        switch style {
        case 5: break
        case 6:
            var spikes = [-width - 3, head.y - 14]
            for spike in 0..<7 {
                let x = -width + Double(spike) * width / 3
                let rise = sin(Double(spike) / 6 * .pi) * 30
                spikes += [x - 2 + between(-5, 5), top + 16 - rise - between(4, 20)]
                spikes += [x + width / 6, top + 24 - rise]
            }
            spikes += [width + 3, head.y - 14, width * 0.8, top + 40, 0, top + 30, -width * 0.8, top + 40]
            fill(points(spikes), hair)
        case 7: each(-2...2) { oval($0 * 11, top - 2 + abs($0) * 5, 12, 26, hair, turn: $0 * 16) }
        case 10: cap(head, hair, 0.98, -0.1, 0.72, -0.62, 0.3, -0.74, 0, -0.42, -0.3, -0.74, -0.72, -0.62, -0.98, -0.1)
        case 4: each(0...5) { disc(-width * 0.8 + $0 * width * 0.32, top + 15 + abs($0 - 2.5) * 5, 17, hair) }
        case 1, 2:
            guard chance(0.5) else {
                cap(head, hair, 1.04, 0.25, 0.8, -0.25, 0.3, -0.6, 0, -0.82, -0.3, -0.6, -0.8, -0.25, -1.04, 0.25)
                return
            }
            let y = between(-0.42, -0.28)
            cap(head, hair, 1.02, 0.2, 0.86, y, 0.4, y - 0.05, 0, y, -0.4, y - 0.05, -0.86, y, -1.02, 0.2)
        default:
            let side = chance(0.5) ? 1.0 : -1
            let part = between(-0.1, 0.5) * side
            let deep = between(-0.5, -0.3)
            let lean = side > 0 ? 0.1 : -0.1
            cap(head, hair, 1, 0, 0.86, deep + lean, part + 0.12, -0.66, part - 0.1, -0.7, -0.86, deep - lean, -1, 0)
        }
    }

    /// Hair on the skull.
    /// - Parameter line: the hairline from right to left, in fractions of the head's size.
    private func cap(_ head: Head, _ hair: Colour, _ line: Double...) {
        let outer = (0...24).map { step in
            corner((176 + Double(step) * 188 / 24) * .pi / 180, head.y, head.width + 4, head.height + 6, head.power)
        }
        let inner = line.enumerated().map { index, part in
            index % 2 == 0 ? part * head.width : head.y + part * head.height
        }
        fill(outer + path(points(inner)), hair)
    }

    /// Draws a knitted cap, a captain's cap, a straw hat, a headscarf, a headband with a lamp, or a sailor's cap.
    func hat(_ style: Int, _ head: Head) {
        let (brim, width) = (head.y - head.height * 0.5, head.width)
        let (main, band) = chance(0.5) ? (accent, trim) : (cloth, accent)
        switch style {
        case 0:
            disc(0, brim - 62, 15, band)
            fill(smooth(mirrored(-width - 6, brim, -width * 0.8, brim - 44, 0, brim - 60)), main)
            box(-width - 9, brim - 12, width * 2 + 18, 24, band, radius: 11)
        case 1:
            oval(0, brim - 36, width + 22, 27, .white)
            box(-width - 2, brim - 30, width * 2 + 4, 28, main.darker(0.25), radius: 4)
            blob(.ink, -width - 4, brim - 4, 0, brim - 10, width + 4, brim - 4, 0, brim + 13)
            fill(star(0, brim - 20, 12, 5, arms: 5), 0xF2C14E)
        case 2:
            let straw: Colour = 0xE6C98F
            oval(0, brim - 24, width * 0.86, 46, straw)
            oval(0, brim + 2, width + 40, 17, straw.darker(0.08))
            box(-width * 0.84, brim - 22, width * 1.68, 15, main, radius: 4)
        case 3:
            blob(
                main, -width - 8, brim + 10, -width * 0.7, brim - 40, 0, brim - 52, width * 0.7, brim - 40, width + 8,
                brim + 10, 0, brim - 12)
            each(-2...2) { disc($0 * 21, brim - 28 + abs($0) * 6, 4, band) }
            sheet(main.darker(0.15), width + 2, brim + 2, width + 32, brim - 14, width + 26, brim + 20)
        case 4:
            disc(0, brim - 8, 30, 0xFFE6A3, alpha: 0.35)
            box(-width - 6, brim - 16, width * 2 + 12, 15, main.darker(0.1), radius: 7)
            disc(0, brim - 8, 17, .ink)
            disc(0, brim - 8, 12, 0xFFE08A)
            disc(-4, brim - 12, 4, .white)
        default:
            oval(0, brim - 28, width * 0.84, 22, .white)
            box(-width * 0.9, brim - 28, width * 1.8, 24, 0xE9E5DC, radius: 10)
            box(-width * 0.9, brim - 10, width * 1.8, 7, main, radius: 3)
        }
    }
}
