import Catalogue

/// A location with its residents, as rows of the table of characters. Its texts are shortened: only its own page shows
/// them in full.
struct LocationEntry: Sendable {
    let id: Int64
    /// The name that other pages show.
    let name: String
    let type: String
    let dimension: String
    let residents: Cast

    /// The heading of its own page: a heading needs some text, and the API promises none.
    static func heading(_ name: String, _ id: Int64) -> String { name.isBlank ? "Location \(id)" : name }
}

extension LocationEntry {
    init(_ location: Location, residents: Cast) {
        self.init(
            id: location.id, name: Self.heading(location.name, location.id).shortened, type: location.type.shortened,
            dimension: location.dimension.shortened, residents: residents)
    }
}
