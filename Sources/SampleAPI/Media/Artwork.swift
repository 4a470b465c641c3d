/// The picture of one thing in a library: calm shapes in a few colours that go together.
struct Artwork {
    /// What it is printed on.
    enum Form: Sendable {
        /// Of an album: square.
        case sleeve
        /// Of a film and of a book: two wide, three high.
        case poster, cover
    }

    /// The longest side of an original; larger ones are not made of it.
    static let longest = 1000

    var canvas: Canvas
    var dice: Dice
    let palette: Palette
    let form: Form
    /// How high it is where its width is 300.
    let tall: Double

    /// - Parameter box: what it is to fit into; its ratio is kept.
    init(seed: UInt64, name: String, form: Form, width: Int, height: Int) {
        let (width, height) = Self.size(form, width: width, height: height)
        var dice = Dice(seed, .artwork, Int(truncatingIfNeeded: UInt64(name, radix: 16) ?? 0))
        palette = dice.one(of: Palette.all)
        tall = form == .sleeve ? 300 : 450
        canvas = Canvas(width: width, height: height, background: palette.background, tall: tall)
        self.form = form
        self.dice = dice
    }

    /// The largest size that fits into a box, at most an original's.
    static func size(_ form: Form, width: Int, height: Int) -> (width: Int, height: Int) {
        let (width, height) = (min(max(width, 1), longest), min(max(height, 1), longest))
        guard form != .sleeve else { return (min(width, height), min(width, height)) }
        return width * 3 <= height * 2 ? (width, max(width * 3 / 2, 1)) : (max((height * 2 + 1) / 3, 1), height)
    }

    /// - Returns: a PNG file.
    mutating func draw() -> [UInt8] {
        ground()
        figure()
        if form == .poster { credits() }
        if form == .cover { spine() }
        return PNGWriter.encode(canvas.pixels, width: canvas.width, height: canvas.height)
    }
}

extension Artwork {
    /// What is behind: hills, bands of sea, rings, a slope.
    private mutating func ground() {
        let (near, far) = (palette.cloth, palette.pattern)
        switch dice.below(5) {
        case 0:
            for hill in 0..<3 {
                let level = tall * (0.52 + Double(hill) * 0.16)
                let rise = dice.between(-34, 34)
                let knots = [
                    (-60, tall + 60), (-60, level), (50, level - rise), (150, level + rise * 0.5), (250, level + rise),
                    (360, level),
                    (360, tall + 60),
                ].map { (x: Double($0.0), y: Double($0.1)) }
                canvas.fill(.smooth(knots), far.mixed(with: near, Double(hill) / 2))
            }
        case 1:
            let start = dice.between(0.45, 0.65) * tall
            canvas.fill(.box(-5, start, 310, tall), far)
            for band in 1..<5 {
                wave(at: start + Double(band) * (tall - start) / 5, near.mixed(with: far, Double(band % 2) * 0.6))
            }
        case 2:
            let (x, y) = (dice.between(60, 240), dice.between(0.3, 0.7) * tall)
            for ring in 0..<5 {
                canvas.fill(
                    .circle(x, y, tall * 0.62 - Double(ring) * tall * 0.1),
                    far.mixed(with: palette.trim, ring % 2 == 0 ? 0.3 : 0))
            }
        case 3:
            let lean = dice.between(40, 160)
            canvas.fill(.polygon([(-5, tall * 0.9), (305, tall * 0.9 - lean), (305, tall + 5), (-5, tall + 5)]), near)
            canvas.fill(
                .polygon([(-5, tall * 0.75), (305, tall * 0.75 + lean * 0.6), (305, tall + 5), (-5, tall + 5)]), far)
        default:
            for column in 0..<5 {
                let top = dice.between(0.2, 0.75) * tall
                canvas.fill(.box(20 + Double(column) * 54, top, 44, tall, radius: 22), column % 2 == 0 ? far : near)
            }
        }
    }

    /// What it is of: a moon, an island, a boat, a lighthouse, a kite, a leaf of paper.
    private mutating func figure() {
        let (x, y) = (dice.between(90, 210), tall * dice.between(0.34, 0.5))
        let (light, bright) = (palette.trim, palette.accent)
        switch dice.below(7) {
        case 0:
            canvas.fill(.circle(x, y, dice.between(46, 84)), light)
            if dice.chance(0.5) { canvas.fill(.circle(x + 26, y - 14, 50), palette.background) }
        case 1:
            canvas.fill(.circle(x, y - 30, dice.between(24, 44)), bright)
            canvas.fill(.ellipse(x, y + 60, 110, 26), palette.cloth.darker(0.2))
            canvas.fill(.box(x - 3, y - 10, 6, 66), light)
        case 2:
            canvas.fill(.polygon([(x, y - 96), (x, y + 18), (x + 76, y + 18)]), light)
            canvas.fill(.polygon([(x - 8, y - 70), (x - 8, y + 18), (x - 56, y + 18)]), bright)
            canvas.fill(
                .smooth([(x - 84, y + 30), (x, y + 28), (x + 92, y + 30), (x + 54, y + 62), (x - 50, y + 62)]),
                palette.cloth.darker(0.3))
        case 3:
            canvas.fill(
                .polygon([(x, y - 50), (x - 400, y - 150), (x - 400, y + 10)]),
                light.mixed(with: palette.background, 0.6))
            canvas.fill(.polygon([(x - 24, y - 34), (x + 24, y - 34), (x + 40, tall + 5), (x - 40, tall + 5)]), light)
            for band in 0..<2 {
                let (top, wide) = (y + 20 + Double(band) * 90, 29 + Double(band) * 8)
                canvas.fill(.box(x - wide, top, wide * 2, 32), bright)
            }
            canvas.fill(.box(x - 17, y - 66, 34, 32), bright.darker(0.2))
            canvas.fill(.circle(x, y - 50, 9), light)
        case 4:
            let turn = dice.between(-20, 20)
            canvas.fill(.star(x, y, 96, 60, arms: 2, turn: turn), bright)
            canvas.stroke(Shape.path([(x, y + 90), (x - 30, y + 140), (x + 20, y + 180), (x - 10, y + 240)]), 3, light)
        case 5:
            for circle in 0..<3 {
                let radius = dice.between(26, 58)
                canvas.fill(
                    .circle(60 + Double(circle) * 88, y + dice.between(-50, 50), radius),
                    [light, bright, palette.cloth][circle],
                    alpha: 0.85)
            }
        default:
            canvas.fill(
                .star(
                    x, y, dice.between(60, 90), dice.between(16, 34), arms: 4 + dice.below(5), turn: dice.between(0, 40)
                ), light)
            canvas.fill(.circle(x, y, 13), bright)
        }
    }

    /// Lines where a film has its title and the names of many people.
    private mutating func credits() {
        canvas.fill(.box(-5, tall - 74, 310, 84), palette.background.darker(0.55))
        let wide = dice.between(120, 220)
        canvas.fill(.box(150 - wide / 2, tall - 60, wide, 16, radius: 4), palette.trim)
        for line in 0..<2 {
            let wide = dice.between(90, 170)
            canvas.fill(
                .box(150 - wide / 2, tall - 34 + Double(line) * 11, wide, 4),
                palette.trim.mixed(with: palette.background, 0.4))
        }
    }

    /// A book's spine, and a label with lines where title and author stand.
    private mutating func spine() {
        canvas.fill(.box(-5, -5, 19, tall + 10), palette.cloth.darker(0.35))
        canvas.fill(.box(14, -5, 3, tall + 10), palette.background.darker(0.25))
        let wide = dice.between(130, 210)
        canvas.fill(.box(157 - wide / 2, 34, wide, 66, radius: 3), palette.trim)
        canvas.fill(.box(157 - wide * 0.36, 52, wide * 0.72, 11), palette.cloth.darker(0.3))
        canvas.fill(.box(157 - wide * 0.2, 76, wide * 0.4, 6), palette.accent)
    }

    private mutating func wave(at y: Double, _ colour: Colour) {
        let upper = stride(from: -40.0, through: 340, by: 30).map { x in
            (x: x, y: y + (Int((x + 40) / 30) % 2 == 0 ? -6 : 6))
        }
        let line = Shape.path(upper)
        canvas.fill(.polygon(line + line.reversed().map { ($0.x, $0.y + 14) }), colour)
    }
}

extension MediaLibrary {
    /// A picture as PNG, as large as fits into a box: albums' are square, films' and books' two wide and three high.
    ///
    /// - Parameter name: as in the rows' addresses.
    /// - Returns: nil where nothing has such a picture.
    public func artwork(_ name: String, width: Int, height: Int) -> [UInt8]? {
        guard let form = artworks[name] else { return nil }
        var artwork = Artwork(seed: seed, name: name, form: form, width: width, height: height)
        return artwork.draw()
    }
}
