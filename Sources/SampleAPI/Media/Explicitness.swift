/// Whether something may be played with children in the room.
enum Explicitness: String, Sendable {
    case explicit, cleaned, notExplicit

    /// What is printed beside it; nothing where there is nothing to warn of.
    var advisory: String? {
        switch self {
        case .explicit: "Explicit"
        case .cleaned: "Clean"
        case .notExplicit: nil
        }
    }
}
