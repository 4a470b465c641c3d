import Catalogue

/// A location with its residents, as rows of the table of characters.
struct LocationEntry: Sendable {
    let id: Int64
    let name: String
    let type: String
    let dimension: String
    let residents: Cast

    /// What its page calls it.
    var heading: String { name.isBlank ? "Location \(id)" : name }
    /// What other pages call it.
    var shownName: String { heading.shortened }
}
