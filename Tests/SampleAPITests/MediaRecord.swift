import SampleAPI

/// A JSON value of a row.
enum MediaValue: Decodable, Equatable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([MediaValue])
    case object([String: MediaValue])
    case null

    init(from decoder: any Decoder) throws {
        let box = try decoder.singleValueContainer()
        if box.decodeNil() {
            self = .null
            // A failed decoding means a value of another type.
        } else if let value = try? box.decode(Bool.self) {
            self = .flag(value)
        } else if let value = try? box.decode(Double.self) {
            self = .number(value)
        } else if let value = try? box.decode(String.self) {
            self = .text(value)
        } else if let value = try? box.decode([MediaValue].self) {
            self = .list(value)
        } else {
            self = .object(try box.decode([String: MediaValue].self))
        }
    }
}

struct MediaRecord: Decodable, Equatable {
    let values: [String: MediaValue]

    init(from decoder: any Decoder) throws {
        values = try decoder.singleValueContainer().decode([String: MediaValue].self)
    }

    var keys: Set<String> { Set(values.keys) }

    func text(_ key: String) -> String? {
        if case .text(let value) = values[key] { value } else { nil }
    }

    func number(_ key: String) -> Int? {
        if case .number(let value) = values[key] { Int(value) } else { nil }
    }

    func texts(_ key: String) -> [String] {
        guard case .list(let list) = values[key] else { return [] }
        return list.compactMap { if case .text(let value) = $0 { value } else { nil } }
    }
}

struct MediaAnswer: Decodable {
    let resultCount: Int
    let results: [MediaRecord]
}

extension MediaLibrary {
    func all(_ kind: Kind, country: String = "US") throws -> [MediaRecord] {
        try ids(of: kind).compactMap { row($0, country: country) }.map { try decoded($0) }
    }
}
