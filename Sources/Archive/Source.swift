/// Where revisions come from: a catalogue and the API that was asked. Revisions of different sources never mix.
public struct Source: Sendable, Hashable {
    /// Whether the data is real.
    public enum Origin: String, Sendable {
        /// A server that the user named, or the catalogue's own.
        case live
        /// The invented universe that Amber brings.
        case sample
    }

    /// The catalogue's name.
    public let catalogue: String
    /// The API's base URL without a slash at the end; for the sample, what made it ("seed 1, 826 characters").
    public let api: String
    /// Whether the data is real.
    public let origin: Origin

    /// A source of three parts.
    public init(catalogue: String, api: String, origin: Origin) {
        self.catalogue = catalogue
        self.api = api
        self.origin = origin
    }
}
