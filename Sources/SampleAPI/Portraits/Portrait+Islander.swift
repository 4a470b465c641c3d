extension Portrait {
    /// A person: head, hair, perhaps a beard, glasses and a hat.
    mutating func islander() {
        let skin = dice.chance(0.08) ? dice.one(of: Palette.rareSkins) : dice.one(of: Palette.skins)
        let hair = dice.one(of: Palette.hair)
        let head = Head(
            y: dice.between(136, 146), width: dice.between(52, 66), height: dice.between(64, 76),
            power: dice.between(2, 2.7))
        let style = dice.below(11)
        let hat = dice.chance(0.34) ? dice.below(6) : -1

        hairBehind(style, head, hair)
        body(neck: skin, shoulders: dice.between(80, 104), top: dice.between(228, 238))
        for side in [-1.0, 1] {
            canvas.fill(.ellipse(150 + side * head.width, head.y + 6, 11, 15), skin)
            canvas.fill(.ellipse(150 + side * (head.width + 1), head.y + 7, 5, 8), skin.darker(0.14))
        }
        if dice.chance(0.16) {
            for side in [-1.0, 1] {
                canvas.fill(.circle(150 + side * (head.width + 4), head.y + 25, 5), palette.accent)
            }
        }
        let face = Shape.squircle(150, head.y, head.width, head.height, power: head.power)
        canvas.fill(face, skin)
        let inside = canvas.mask(face)
        canvas.fill(
            .ellipse(150 + head.width * 0.95, head.y + 10, head.width * 0.5, head.height * 1.2), skin.darker(0.07),
            in: inside)

        let eyeY = head.y + dice.between(-4, 8)
        let apart = dice.between(22, 29)
        let size = dice.between(10, 14)
        if dice.chance(0.6) { cheeks(eyeY + 24, apart: apart + 9, dice.between(8, 12), on: skin) }
        if dice.chance(0.14) {
            for side in [-1.0, 1] {
                for place in 0..<3 {
                    canvas.fill(
                        .circle(150 + side * (18 + Double(place) * 8), eyeY + 19 + Double(place % 2) * 6, 1.9),
                        skin.darker(0.3))
                }
            }
        }
        let beard = dice.chance(0.24) ? dice.below(4) : -1
        self.beard(beard, head, hair, inside: inside)
        eyes(150, eyeY, apart: apart, size: size, lid: skin)
        brows(150, eyeY - size - dice.between(5, 10), apart: apart, size: dice.between(9, 13), hair.darker(0.2))
        nose(eyeY + dice.between(12, 18), skin)
        mouth(150, head.y + head.height * dice.between(0.5, 0.6), size: dice.between(11, 19))
        if beard == 1 || beard == 3 { moustache(head.y + head.height * 0.46, hair) }
        if dice.chance(0.26) { glasses(eyeY, apart: max(apart, 25), size: dice.between(18, 21)) }

        let clears = hat >= 0
        hairInFront(clears && style != 5 ? 0 : style, head, hair)
        if clears { self.hat(hat, head) }
    }

    struct Head {
        let y: Double
        let width: Double
        let height: Double
        let power: Double
    }

    private mutating func nose(_ y: Double, _ skin: Colour) {
        let shade = skin.darker(0.2)
        switch dice.below(5) {
        case 0: canvas.stroke(Shape.path([(150 - 6, y + 6), (150, y + 10), (150 + 6, y + 6)]), 4, shade)
        case 1: canvas.fill(.polygon([(150, y - 12), (150 + 11, y + 9), (150 - 1, y + 11)]), shade)
        case 2: canvas.fill(.ellipse(150, y + 3, 9, 7), shade)
        case 3: canvas.stroke(Shape.path([(152, y - 14), (158, y + 4), (148, y + 8)]), 4, shade)
        default: canvas.fill(.ellipse(150, y, 6.5, 11), skin.mixed(with: Colour(0xD0574E), 0.28))
        }
    }

    private mutating func beard(_ style: Int, _ head: Head, _ hair: Colour, inside: Canvas.Mask) {
        let low = head.y + head.height
        switch style {
        case 0, 3:
            let chin = Shape.smooth([
                (150 - head.width - 2, head.y + 12), (150 - head.width * 0.62, head.y + head.height * 0.42),
                (150, head.y + head.height * 0.34),
                (150 + head.width * 0.62, head.y + head.height * 0.42), (150 + head.width + 2, head.y + 12),
                (150 + head.width * 0.86, low - 6),
                (150, low + (style == 0 ? 12 : 34)), (150 - head.width * 0.86, low - 6),
            ])
            canvas.fill(chin, hair)
        case 2:
            canvas.fill(.smooth([(150 - 17, low - 16), (150, low - 20), (150 + 17, low - 16), (150, low + 16)]), hair)
        default:
            break
        }
    }

    private mutating func moustache(_ y: Double, _ hair: Colour) {
        let half = Shape.smooth([(150, y - 5), (150 + 18, y - 3), (150 + 33, y + 9), (150 + 16, y + 9), (150, y + 4)])
        canvas.fill(half, hair.darker(0.12))
        canvas.fill(half.mirrored(), hair.darker(0.12))
    }
}
