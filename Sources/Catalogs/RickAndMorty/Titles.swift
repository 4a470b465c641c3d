import Catalogue

/// What a character's page shows of a place; who lives there is not read, so that a plan stays small.
struct PlaceTitle: Decodable {
    let id: Int64
    let type: String

    init(decoding bytes: some Sequence<UInt8>) throws(ContentFault) {
        self = try JSONRecord.decode(Self.self, from: bytes)
    }
}

/// What a character's page shows of an episode; who else is in it is not read.
struct EpisodeTitle: Decodable {
    let id: Int64
    let name: String
    let airDate: String
    let episode: String

    enum CodingKeys: String, CodingKey {
        case id, name, airDate = "air_date", episode
    }

    init(decoding bytes: some Sequence<UInt8>) throws(ContentFault) {
        self = try JSONRecord.decode(Self.self, from: bytes)
    }
}
