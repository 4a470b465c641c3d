/// The peoples of the archipelago.
enum Species: Int, CaseIterable {
    case islander, tidefolk, lampmoth, automaton, jelly, mossling, beast, gull, comet, pebble, unknown

    private static let all: [(name: String, share: Int, types: [String])] = [
        ("Islander", 36, "Lamplighter|Sleepwalker|Ferry pilot|Cloud-born|Left-handed|Keeper's child".items),
        ("Tidefolk", 8, "Deep-water|Half-Islander|Freshwater|Reef singer".items),
        ("Lampmoth", 6, "Dusk-winged|Paper-eater|Night postal service".items),
        ("Automaton", 9, "Clockwork|Steam & spring|Teapot-class|Self-winding".items),
        ("Drift Jelly", 6, "Free-floating|Bottled|Choir".items),
        ("Mossling", 8, "Evergreen|Mushroom|Succulent|Potted".items),
        ("Quay Beast", 13, "Fox|Cat|Bear|Rabbit|Otter".items),
        ("Stargull", 7, "Ferry gull|Owl-faced|Storm-blown".items),
        ("Cometkin", 3, "Long-period|Returning|Crescent".items),
        ("Pebblefolk", 3, "Basalt|Pumice|Kept in a pocket".items), ("unknown", 1, ["Seen only at night"]),
    ]

    /// Its name, how many of a hundred, and what its `type` may say, where it says anything.
    var facts: (name: String, share: Int, types: [String]) { Self.all[rawValue] }

    static func thrown(_ dice: inout Dice) -> Species {
        var left = dice.below(100)
        for species in allCases {
            left -= species.facts.share
            if left < 0 { return species }
        }
        return .unknown
    }
}
