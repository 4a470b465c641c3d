/// One drawing: from dice, so that it is always the same, and from what the character is.
struct Portrait {
    var canvas: Canvas
    var dice: Dice
    let palette: Palette
    let sleeps: Bool

    init(seed: UInt64, id: Int, generation: Int, status: String, width: Int, height: Int) {
        var dice = Dice(seed, .portrait, id * 64 + generation)
        palette = dice.one(of: Palette.all)
        // The dead are drawn asleep, and in the colours of an old photograph.
        sleeps = status == "Dead"
        canvas = Canvas(
            width: width, height: height, background: sleeps ? palette.background.faded : palette.background)
        canvas.isFaded = sleeps
        self.dice = dice
    }

    mutating func draw(_ species: Species) -> [UInt8] {
        background()
        switch species {
        case .islander: islander()
        case .beast: beast()
        case .automaton: automaton()
        case .tidefolk: tidefolk()
        case .lampmoth: lampmoth()
        case .mossling: mossling()
        case .gull: gull()
        case .jelly: jelly()
        case .comet: comet()
        case .pebble: pebble()
        case .unknown: nobody()
        }
        return PNGWriter.encode(canvas.pixels, width: canvas.width, height: canvas.height)
    }
}

extension Portrait {
    /// What is behind: a moon, rays, waves, stars, islands, a porthole.
    mutating func background() {
        let pattern = palette.pattern
        switch dice.below(9) {
        case 0:
            canvas.fill(.circle(dice.between(120, 180), dice.between(115, 150), dice.between(105, 125)), pattern)
        case 1:
            let (x, y) = (150.0, dice.between(120, 170))
            for ray in 0..<12 {
                let shape = Shape.star(x, y, 420, 420, arms: 24)
                canvas.fill(.polygon([(x, y), shape.points[ray * 4], shape.points[ray * 4 + 2]]), pattern)
            }
        case 2:
            for row in 0..<6 { wave(at: 40 + Double(row) * 52, row % 2 == 0 ? 0 : 30, pattern) }
        case 3:
            stars(26, pattern.lighter(0.25))
        case 4:
            canvas.fill(
                .circle(dice.chance(0.5) ? 232 : 68, 72, dice.between(30, 44)),
                palette.trim.mixed(with: palette.background, 0.25))
            stars(12, pattern.lighter(0.15))
        case 5:
            let rise = dice.between(-20, 20)
            canvas.fill(
                .smooth([
                    (-40, 330), (-40, 200 + rise), (60, 160 + rise), (140, 205), (230, 150 - rise), (340, 190 - rise),
                    (340, 330),
                ]),
                pattern)
            canvas.fill(.circle(dice.between(40, 260), dice.between(40, 80), dice.between(16, 28)), pattern)
        case 6:
            canvas.fill(.circle(150, 150, 138), pattern)
            canvas.fill(.circle(150, 150, 118), palette.background)
            for bolt in 0..<12 {
                let at = Shape.star(150, 150, 128, 128, arms: 6).points[bolt]
                canvas.fill(.circle(at.x, at.y, 4), palette.background)
            }
        case 7:
            let lean = dice.between(30, 70)
            for band in stride(from: -2.0, to: 6, by: 1) where Int(band) % 2 == 0 {
                let x = band * 55
                canvas.fill(.polygon([(x, -5), (x + 55, -5), (x + 55 + lean, 305), (x + lean, 305)]), pattern)
            }
        default:
            for ring in 0..<4 {
                let radius = 210 - Double(ring) * 45
                canvas.fill(.circle(150, 300, radius), ring % 2 == 0 ? pattern : palette.background)
            }
        }
    }

    /// One of some colours that can be told from another: three throws, the first that can, or the last.
    mutating func apart(from other: Colour, _ colours: [Colour]) -> Colour {
        func distance(_ one: UInt8, _ two: UInt8) -> Int { abs(Int(one) - Int(two)) }
        var colour = dice.one(of: colours)
        for _ in 0..<3 {
            let far =
                distance(colour.red, other.red) + distance(colour.green, other.green)
                + distance(colour.blue, other.blue)
            if far > 110 { break }
            colour = dice.one(of: colours)
        }
        return colour
    }

    private mutating func wave(at y: Double, _ shift: Double, _ colour: Colour) {
        let upper = stride(from: -40.0, through: 340, by: 30).map { x in
            (x: x + shift, y: y + (Int((x + 40) / 30) % 2 == 0 ? -7 : 7))
        }
        let line = Shape.path(upper)
        canvas.fill(.polygon(line + line.reversed().map { ($0.x, $0.y + 16) }), colour)
    }

    private mutating func stars(_ count: Int, _ colour: Colour) {
        for _ in 0..<count {
            let (x, y) = (dice.between(8, 292), dice.between(8, 250))
            if dice.chance(0.3) {
                let size = dice.between(5, 10)
                canvas.fill(.star(x, y, size, size * 0.25, arms: 4), colour)
            } else {
                canvas.fill(.circle(x, y, dice.between(1.4, 3)), colour)
            }
        }
    }
}
