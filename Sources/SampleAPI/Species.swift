/// The peoples of the archipelago.
enum Species: String, CaseIterable {
    case islander = "Islander"
    case tidefolk = "Tidefolk"
    case lampmoth = "Lampmoth"
    case automaton = "Automaton"
    case jelly = "Drift Jelly"
    case mossling = "Mossling"
    case beast = "Quay Beast"
    case gull = "Stargull"
    case comet = "Cometkin"
    case pebble = "Pebblefolk"
    case unknown = "unknown"
}

extension Species {
    /// How many of a hundred.
    var share: Int {
        switch self {
        case .islander: 36
        case .beast: 13
        case .automaton: 9
        case .tidefolk: 8
        case .mossling: 8
        case .gull: 7
        case .jelly: 6
        case .lampmoth: 6
        case .comet: 3
        case .pebble: 3
        case .unknown: 1
        }
    }

    /// What its `type` may say, where it says anything.
    var types: [String] {
        switch self {
        case .islander: ["Lamplighter", "Sleepwalker", "Ferry pilot", "Cloud-born", "Left-handed", "Keeper's child"]
        case .tidefolk: ["Deep-water", "Half-Islander", "Freshwater", "Reef singer"]
        case .lampmoth: ["Dusk-winged", "Paper-eater", "Night postal service"]
        case .automaton: ["Clockwork", "Steam & spring", "Teapot-class", "Self-winding"]
        case .jelly: ["Free-floating", "Bottled", "Choir"]
        case .mossling: ["Evergreen", "Mushroom", "Succulent", "Potted"]
        case .beast: ["Fox", "Cat", "Bear", "Rabbit", "Otter"]
        case .gull: ["Ferry gull", "Owl-faced", "Storm-blown"]
        case .comet: ["Long-period", "Returning", "Crescent"]
        case .pebble: ["Basalt", "Pumice", "Kept in a pocket"]
        case .unknown: ["Seen only at night"]
        }
    }

    static func thrown(_ dice: inout Dice) -> Species {
        var left = dice.below(100)
        for species in allCases {
            left -= species.share
            if left < 0 { return species }
        }
        return .unknown
    }
}
