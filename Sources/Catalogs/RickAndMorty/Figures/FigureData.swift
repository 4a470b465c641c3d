/// What the page of figures is drawn from: plain names and counts. Paths lead from the edition's root.
struct FigureData: Sendable {
    /// How many characters have this status, species or gender, as served.
    struct Part: Sendable {
        let value: String
        let count: Int
        let path: String?
    }

    /// An episode with the number of characters in it; the season is nil where the code names none.
    struct Episode: Sendable {
        let code: String
        let name: String
        let season: Int?
        let characters: Int
        let path: String?
    }

    /// A character with the ids of the episodes it is in.
    struct Person: Sendable {
        let id: Int64
        let name: String
        let episodes: [Int64]
        let path: String?
    }

    /// A location with the number of its residents.
    struct Place: Sendable {
        let id: Int64
        let name: String
        let residents: Int
        let path: String?
    }

    let statuses: [Part]
    let species: [Part]
    let genders: [Part]

    /// In the API's order.
    let episodes: [Episode]

    /// At least the 25 that are in most episodes; more do no harm.
    let people: [Person]

    /// At least the 15 with most residents.
    let places: [Place]
}
