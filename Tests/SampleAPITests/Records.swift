import FoundationEssentials
import SampleAPI

struct Page<Record: Decodable>: Decodable {
    struct Info: Decodable, Equatable {
        let count: Int
        let pages: Int
        let next: String?
        let prev: String?
    }
    let info: Info
    let results: [Record]
}

struct Place: Decodable {
    let name: String
    let url: String
}

struct Character: Decodable {
    let id: Int
    let name, status, species, type, gender: String
    let origin, location: Place
    let image: String
    let episode: [String]
    let url, created: String
}

struct Location: Decodable {
    let id: Int
    let name, type, dimension: String
    let residents: [String]
    let url, created: String
}

struct Episode: Decodable {
    let id: Int
    let name, air_date, episode: String
    let characters: [String]
    let url, created: String
}

func decoded<Value: Decodable>(_ bytes: [UInt8]) throws -> Value {
    try JSONDecoder().decode(Value.self, from: Data(bytes))
}

extension Universe {
    func all<Record: Decodable>(_ kind: Kind, as type: Record.Type = Record.self) throws -> [Record] {
        try (1...counts[kind]).map { try decoded(json(Reference(kind, $0)) ?? []) }
    }
}

func id(_ link: String) -> Int { Int(link.split(separator: "/").last ?? "") ?? 0 }
