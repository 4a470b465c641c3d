extension Drawing {
    /// Cat, fox, bear, rabbit, otter, badger: by ears, muzzle and markings.
    func beast() {
        let fur = distinct(Palette.fur)
        let light = fur.lighter(between(0.5, 0.75))
        let kind = below(6)
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
        if chance(0.3) { hat([1, 2, 4, 5][below(4)], (y + 6, width * 0.72, height + 8, 2)) }
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
                let tall = kind == 1 ? 1.62 : 1.42
                sheet(
                    kind == 1 ? fur.darker(0.2) : fur, out * 0.99, y - height * 0.1, out * 0.82, y - height * tall,
                    out * 0.16, y - height * 0.9)
                sheet(
                    inner, out * 0.84, y - height * 0.5, out * 0.76, y - height * (tall - 0.22), out * 0.38,
                    y - height * 0.84)
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
        case 0 where chance(0.6):
            for stripe in [-1.0, 0, 1] { oval(stripe * 16, y - height + 6, 5, 22 - abs(stripe) * 6, fur.darker(0.24)) }
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
