/// An RGB colour with eight bits for each channel: 0xRRGGBB.
struct Colour: Hashable, ExpressibleByIntegerLiteral {
    let hex: UInt32

    init(integerLiteral hex: UInt32) { self.hex = hex }

    init(_ channels: SIMD3<Double>) { hex = UInt32(channels.x) << 16 | UInt32(channels.y) << 8 | UInt32(channels.z) }

    static let white: Colour = 0xFBF7EE
    static let ink: Colour = 0x2B2A33

    /// Red, green and blue, each from 0 to 255.
    var channels: SIMD3<Double> { SIMD3(Double(hex >> 16 & 255), Double(hex >> 8 & 255), Double(hex & 255)) }

    /// A mix of two colours.
    /// - Parameter share: the part of the other colour, from 0 to 1.
    func mixed(with other: Colour, _ share: Double) -> Colour {
        Colour((channels + (other.channels - channels) * share).rounded(.toNearestOrAwayFromZero))
    }

    func darker(_ share: Double) -> Colour { mixed(with: 0x1E2238, share) }
    func lighter(_ share: Double) -> Colour { mixed(with: 0xFFF9EC, share) }

    /// The colour in portraits of dead characters, which look like old photographs.
    var faded: Colour {
        let light = ((channels * SIMD3(30, 59, 11)).sum() / 100).rounded(.down)
        return mixed(with: Colour(SIMD3(light, light, min(255, light + 8))), 0.45).mixed(with: 0x8C8A92, 0.08)
    }
}

/// The colours of drawings. Each element of `all` has two colours for the background, two for clothes, and an accent.
enum Palette {
    static let all = """
        2F4A6D 3E5F88 E2A25B F4D9A8 D9634C|8CC5BE A5D4CC 2E5266 F2E9DC E4754F|F0D9B5 F8EAD2 3F6C7A E9A26B B6473B
        5B4569 6E557E E8C170 F3E6D0 7FB7A6|E99A82 F1B19D 35495E F7E7CE F2C14E|BFD8C2 D2E6D4 7A4E58 E8CFA9 D9714E
        1F2F46 2C4262 7AA5B8 E6EDEA F4C95D|C9BBD9 DACFE6 4A5A7B F1D9C0 D66D75|E3B75A ECCB80 3D5656 F4E8D2 A8483F
        A9CCE3 C2DCED C75B4A F7E9D7 2F4858|6E8B74 819D87 F0DFBD B5533C 2D3A3A|D9A5A0 E5BBB6 4F6D7A F3E3D3 6B3E4C
        3D6B73 4C7F87 F1C37B F6EBD8 E0705A|DCE3E1 EBF0EE 5A7D9A F0C987 C8553D
        """.items.map(\.colours)
    static let skins = "F6D7C1 EBBE9B D79F75 B67A52 8D5A3C 6B422C F1C9A5 A56B46".colours
    static let rareSkins = "A9C4D6 C9B3D9 B8D0A8 E8B4A8".colours
    static let hair = "2B2622 4A3228 7A4B2E B5713A D9A441 E8D3A2 8A8F96 E9E5DC A23B2F 2F4A6D 6B4B7B 3E6B5C C97B84"
        .colours
    static let fur = "D98E4A 8A6A52 5F6670 E9DCC6 B9795A 3E3A3F C9A678 9FA8AE 7A5C78 E0B7A0".colours
    static let scales = "6FA8A0 4F86A0 7C9CC4 8FBF9F D98C7A 8C83B8 3F7F7A E0B168".colours
    static let metals = "A9B4BC C7A873 8FA6A3 B9866B 7E8FA6 D8D3C6 9DB08B C77F6B".colours
    static let leaves = "7FA35B 5E8C61 A7B75B 4F7F6B 8DB48E C2A24E B97A8E".colours
    static let jellies = "F0B7C4 B9A7E0 9ED6D9 F5CFA0 A9D8B0 F09E8C 8FB4EA".colours
    static let stones = "8E8A86 A79E8F 6E7680 B5A395 7F8C84 9A8794".colours
    static let moths = "E9DCC6 C9A678 B7A9C9 8E7B6B D8B4A0 7F8FA6 F2E9DC".colours
    static let downs = "F4EFE3 E3E1DA C9D4D8 F0DDBB 5E6B78 9A7B62 DDB0A0".colours
    static let lights = "F7D774 F4B68A BFE3E0 F3EBD3 D9C4EE F2A7A0".colours
}

extension String {
    /// Colours in hexadecimal, separated by spaces.
    fileprivate var colours: [Colour] {
        split(separator: " ").map { Colour(integerLiteral: UInt32($0, radix: 16) ?? 0) }
    }
}
