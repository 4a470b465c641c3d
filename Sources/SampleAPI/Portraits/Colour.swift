/// A colour of the screen, eight bits a channel.
struct Colour: Hashable {
    let red: UInt8
    let green: UInt8
    let blue: UInt8

    /// - Parameter hex: as in a style sheet: 0xRRGGBB.
    init(_ hex: Int) {
        red = UInt8(truncatingIfNeeded: hex >> 16)
        green = UInt8(truncatingIfNeeded: hex >> 8)
        blue = UInt8(truncatingIfNeeded: hex)
    }

    var hex: Int { Int(red) << 16 | Int(green) << 8 | Int(blue) }

    static let white = Colour(0xFBF7EE)
    static let ink = Colour(0x2B2A33)

    /// This colour with so much of another in it, from 0 to 1.
    func mixed(with other: Colour, _ share: Double) -> Colour {
        func channel(_ one: UInt8, _ two: UInt8) -> Int {
            Int((Double(one) + (Double(two) - Double(one)) * share).rounded())
        }
        return Colour(channel(red, other.red) << 16 | channel(green, other.green) << 8 | channel(blue, other.blue))
    }

    func darker(_ share: Double) -> Colour { mixed(with: Colour(0x1E2238), share) }
    func lighter(_ share: Double) -> Colour { mixed(with: Colour(0xFFF9EC), share) }

    /// As in an old photograph.
    var faded: Colour {
        let light = (Int(red) * 30 + Int(green) * 59 + Int(blue) * 11) / 100
        return mixed(with: Colour(light << 16 | light << 8 | min(255, light + 8)), 0.45).mixed(
            with: Colour(0x8C8A92), 0.08)
    }
}
