/// A colour of the screen, eight bits a channel, as in a style sheet: 0xRRGGBB.
struct Colour: ExpressibleByIntegerLiteral {
    let hex: UInt32

    init(integerLiteral hex: UInt32) { self.hex = hex }

    static let white: Colour = 0xFBF7EE
    static let ink: Colour = 0x2B2A33

    /// Red, green and blue.
    var channels: [Int] { [16, 8, 0].map { Int(hex >> $0 & 255) } }

    /// This colour with so much of another in it, from 0 to 1.
    func mixed(with other: Colour, _ share: Double) -> Colour {
        let mixed = zip(channels, other.channels).map { one, two in
            UInt32((Double(one) + (Double(two) - Double(one)) * share).rounded())
        }
        return Colour(integerLiteral: mixed[0] << 16 | mixed[1] << 8 | mixed[2])
    }

    func darker(_ share: Double) -> Colour { mixed(with: 0x1E2238, share) }
    func lighter(_ share: Double) -> Colour { mixed(with: 0xFFF9EC, share) }

    /// As in an old photograph.
    var faded: Colour {
        let light = UInt32(zip(channels, [30, 59, 11]).reduce(0) { $0 + $1.0 * $1.1 } / 100)
        let grey = Colour(integerLiteral: light << 16 | light << 8 | min(255, light + 8))
        return mixed(with: grey, 0.45).mixed(with: 0x8C8A92, 0.08)
    }
}

/// Colours that go together: two of a background, two of clothes and an accent; and those of characters.
enum Palette {
    static let all: [[Colour]] = [
        [0x2F4A6D, 0x3E5F88, 0xE2A25B, 0xF4D9A8, 0xD9634C], [0x8CC5BE, 0xA5D4CC, 0x2E5266, 0xF2E9DC, 0xE4754F],
        [0xF0D9B5, 0xF8EAD2, 0x3F6C7A, 0xE9A26B, 0xB6473B], [0x5B4569, 0x6E557E, 0xE8C170, 0xF3E6D0, 0x7FB7A6],
        [0xE99A82, 0xF1B19D, 0x35495E, 0xF7E7CE, 0xF2C14E], [0xBFD8C2, 0xD2E6D4, 0x7A4E58, 0xE8CFA9, 0xD9714E],
        [0x1F2F46, 0x2C4262, 0x7AA5B8, 0xE6EDEA, 0xF4C95D], [0xC9BBD9, 0xDACFE6, 0x4A5A7B, 0xF1D9C0, 0xD66D75],
        [0xE3B75A, 0xECCB80, 0x3D5656, 0xF4E8D2, 0xA8483F], [0xA9CCE3, 0xC2DCED, 0xC75B4A, 0xF7E9D7, 0x2F4858],
        [0x6E8B74, 0x819D87, 0xF0DFBD, 0xB5533C, 0x2D3A3A], [0xD9A5A0, 0xE5BBB6, 0x4F6D7A, 0xF3E3D3, 0x6B3E4C],
        [0x3D6B73, 0x4C7F87, 0xF1C37B, 0xF6EBD8, 0xE0705A], [0xDCE3E1, 0xEBF0EE, 0x5A7D9A, 0xF0C987, 0xC8553D],
    ]
    static let skins: [Colour] = [0xF6D7C1, 0xEBBE9B, 0xD79F75, 0xB67A52, 0x8D5A3C, 0x6B422C, 0xF1C9A5, 0xA56B46]
    static let rareSkins: [Colour] = [0xA9C4D6, 0xC9B3D9, 0xB8D0A8, 0xE8B4A8]
    static let hair: [Colour] = [
        0x2B2622, 0x4A3228, 0x7A4B2E, 0xB5713A, 0xD9A441, 0xE8D3A2, 0x8A8F96, 0xE9E5DC, 0xA23B2F, 0x2F4A6D, 0x6B4B7B,
        0x3E6B5C, 0xC97B84,
    ]
    static let fur: [Colour] = [
        0xD98E4A, 0x8A6A52, 0x5F6670, 0xE9DCC6, 0xB9795A, 0x3E3A3F, 0xC9A678, 0x9FA8AE, 0x7A5C78, 0xE0B7A0,
    ]
    static let scales: [Colour] = [0x6FA8A0, 0x4F86A0, 0x7C9CC4, 0x8FBF9F, 0xD98C7A, 0x8C83B8, 0x3F7F7A, 0xE0B168]
    static let metals: [Colour] = [0xA9B4BC, 0xC7A873, 0x8FA6A3, 0xB9866B, 0x7E8FA6, 0xD8D3C6, 0x9DB08B, 0xC77F6B]
    static let leaves: [Colour] = [0x7FA35B, 0x5E8C61, 0xA7B75B, 0x4F7F6B, 0x8DB48E, 0xC2A24E, 0xB97A8E]
    static let jellies: [Colour] = [0xF0B7C4, 0xB9A7E0, 0x9ED6D9, 0xF5CFA0, 0xA9D8B0, 0xF09E8C, 0x8FB4EA]
    static let stones: [Colour] = [0x8E8A86, 0xA79E8F, 0x6E7680, 0xB5A395, 0x7F8C84, 0x9A8794]
    static let moths: [Colour] = [0xE9DCC6, 0xC9A678, 0xB7A9C9, 0x8E7B6B, 0xD8B4A0, 0x7F8FA6, 0xF2E9DC]
    static let downs: [Colour] = [0xF4EFE3, 0xE3E1DA, 0xC9D4D8, 0xF0DDBB, 0x5E6B78, 0x9A7B62, 0xDDB0A0]
    static let lights: [Colour] = [0xF7D774, 0xF4B68A, 0xBFE3E0, 0xF3EBD3, 0xD9C4EE, 0xF2A7A0]
}
