import Mustache

/// Data of any form, as the official tests have it.
enum JSON: Decodable {
    case null, flag(Bool), integer(Int), decimal(Double), text(String), list([JSON]), object([String: JSON])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
            return
        }

        if let flag = Self.attempt(Bool.self, container) {
            self = .flag(flag)
        } else if let number = Self.attempt(Double.self, container) {
            self = Int(exactly: number).map { .integer($0) } ?? .decimal(number)
        } else if let text = Self.attempt(String.self, container) {
            self = .text(text)
        } else if let items = Self.attempt([JSON].self, container) {
            self = .list(items)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    private static func attempt<Member: Decodable>(_ type: Member.Type, _ container: any SingleValueDecodingContainer)
        -> Member?
    {
        do {
            return try container.decode(type)
        } catch {
            return nil
        }
    }

    var value: Value {
        switch self {
        case .null: return .null
        case .flag(let flag): return .flag(flag)
        case .integer(let number): return .integer(number)
        case .decimal(let number): return .decimal(number)
        case .text(let text): return .text(text)
        case .list(let items): return .list(items.map(\.value))
        case .object(let members):
            let members = members.sorted { $0.key < $1.key }
            let shape = Shape("object", members.map { Shape.Field($0.key, .text) })

            return .object(Object(shape, members.map(\.value.value)))
        }
    }
}
