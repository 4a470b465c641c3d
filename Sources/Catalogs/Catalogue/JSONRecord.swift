import FoundationEssentials

/// Decodes one JSON value, with faults that name the place.
public enum JSONRecord {
    /// The value in these bytes.
    public static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws(ContentFault) -> Value {
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw fault(error)
        } catch {
            throw ContentFault("", "\(error)")
        }
    }

    private static func fault(_ error: DecodingError) -> ContentFault {
        switch error {
        case .keyNotFound(let key, let context): ContentFault(keyPath(context.codingPath + [key]), "is missing")
        case .valueNotFound(let type, let context): ContentFault(keyPath(context.codingPath), "is null, not \(word(for: type))")
        case .typeMismatch(let type, let context): ContentFault(keyPath(context.codingPath), "is not \(word(for: type))")
        case .dataCorrupted(let context): ContentFault(keyPath(context.codingPath), "is not valid JSON, or out of range")
        @unknown default: ContentFault("", "cannot be decoded: \(error)")
        }
    }

    private static func word(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is any FixedWidthInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is Bool.Type: "true or false"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "what belongs there (\(type))"
        }
    }

    private static func keyPath(_ path: [any CodingKey]) -> String {
        path.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += text.isEmpty ? key.stringValue : ".\(key.stringValue)"
            }
        }
    }
}
