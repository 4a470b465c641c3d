/// A location with its residents, as rows of the table of characters.
struct LocationEntry: Sendable {
    let id: Int64
    let name: String
    let type: String
    let dimension: String
    let residents: Cast

    /// What pages call it.
    var shownName: String { name.isBlank ? "Location \(id)" : name }
}
