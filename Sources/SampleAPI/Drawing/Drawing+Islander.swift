extension Drawing {
    /// A person: head, hair, perhaps a beard, glasses and a hat.
    func islander() {
        let skin = chance(0.08) ? one(of: Palette.rareSkins) : one(of: Palette.skins)
        let hair = one(of: Palette.hair)
        let head: Head = (between(136, 146), between(52, 66), between(64, 76), between(2, 2.7))
        let style = below(11)
        let hat = chance(0.34) ? below(6) : -1

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
                for place in 0..<3 {
                    disc(side * (18 + Double(place) * 8), eyeY + 19 + Double(place % 2) * 6, 1.9, skin.darker(0.3))
                }
            }
        }
        let beard = chance(0.24) ? below(4) : -1
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
        switch below(5) {
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
}
