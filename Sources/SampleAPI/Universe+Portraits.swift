extension Universe {
    /// Characters nobody has a picture of: they all share one, byte for byte.
    private static let faceless: Set<Int> = [31, 77, 130, 212, 415]

    /// Portraits that are not 300 by 300.
    private static let sizes = [99: (264, 264), 307: (264, 264), 410: (299, 295), 619: (277, 266), 620: (277, 266)]

    func isFaceless(_ id: Int) -> Bool { Self.faceless.contains(id) }

    /// Whose portrait a character has: its own, but for a few who share one, and for all where there are fewer
    /// portraits.
    public func portraitOwner(ofCharacter id: Int) -> Int {
        let id = sitter(ofCharacter: id)
        if isFaceless(id) { return 31 }
        return id == 641 ? 640 : id
    }

    /// Who is drawn for a character where portraits are fewer than characters.
    func sitter(ofCharacter id: Int) -> Int { (id - 1) % portraits + 1 }

    /// A portrait as PNG: 300 by 300 pixels, but for a handful.
    ///
    /// - Parameter generation: in later ones the portraits of revised characters are drawn anew.
    public func portrait(ofCharacter id: Int, generation: Int = 0) -> [UInt8] {
        let id = sitter(ofCharacter: id)
        let owner = portraitOwner(ofCharacter: id)
        let nature = nature(ofCharacter: owner)
        let size = Self.sizes[id] ?? (300, 300)
        // The faceless are drawn alike whatever became of them.
        var portrait = Portrait(
            seed: seed, id: owner, generation: generation, status: isFaceless(id) ? "unknown" : nature.status,
            width: size.0, height: size.1
        )
        return portrait.draw(nature.species)
    }
}
