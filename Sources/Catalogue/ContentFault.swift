import FoundationEssentials
import Platform

/// An error in the content of an answer or a file: the key path in its JSON, and the reason.
package struct ContentFault: Error, Sendable, Hashable, CustomStringConvertible {
    /// The path of the value, such as "results[3].name"; empty for the complete document.
    package let keyPath: String
    /// The rest of a sentence whose subject is the key path, such as "is missing".
    package let reason: String

    package init(_ keyPath: String, _ reason: String) {
        self.keyPath = keyPath
        self.reason = reason
    }

    /// The same fault, with `outer` before its key path.
    package func inside(_ outer: String) -> ContentFault {
        guard !keyPath.isEmpty, !outer.isEmpty else { return ContentFault(outer + keyPath, reason) }
        return ContentFault(keyPath.hasPrefix("[") ? outer + keyPath : "\(outer).\(keyPath)", reason)
    }

    /// The result of `body`. If it throws a fault, `outer` is put before the key path.
    package static func inside<Result>(_ outer: @autoclosure () -> String, _ body: () throws -> Result) throws -> Result
    {
        do {
            return try body()
        } catch let fault as ContentFault {
            throw fault.inside(outer())
        }
    }

    /// Key path and reason on one line, such as "results[3].name: is missing".
    package var description: String { keyPath.isEmpty ? reason : "\(keyPath.singleLine): \(reason)" }
}

/// Decodes JSON values. Faults contain the key path.
package enum JSONDecoding {
    package static func decode<Value: Decodable>(_ type: Value.Type, from bytes: some Sequence<UInt8>) throws -> Value {
        let bytes = Array(bytes)
        do {
            return try JSONDecoder().decode(type, from: Data(bytes))
        } catch let error as DecodingError {
            throw fault(error, in: bytes)
        } catch {
            throw ContentFault("", "\(error)")
        }
    }

    /// The text of a string, or the spelling of another value.
    package static func scalar(_ bytes: [UInt8], at range: Range<Int>) throws -> String {
        bytes[range.lowerBound] == "\""
            ? try JSONText.decoded(bytes[range]) : String(decoding: bytes[range], as: UTF8.self)
    }

    /// The error message of a server in quotation marks: the text of a string, or the JSON of another value.
    package static func quotedError(_ error: ArraySlice<UInt8>) -> String {
        (JSONText.decodedString(error) ?? String(decoding: error.prefix(1_000), as: UTF8.self)).quoted
    }

    private static func fault(_ error: DecodingError, in bytes: [UInt8]) -> ContentFault {
        let (path, reason): ([any CodingKey], String) =
            switch error {
            case .keyNotFound(let key, let context): (context.codingPath + [key], "is missing")
            case .valueNotFound(let type, let context): (context.codingPath, "is null, not \(typeName(type))")
            case .typeMismatch(let type, let context): (context.codingPath, "is not \(typeName(type))")
            case .dataCorrupted where String(validating: bytes, as: UTF8.self) == nil: ([], "is not valid UTF-8")
            case .dataCorrupted(let context): (context.codingPath, "is not valid JSON, or out of range")
            @unknown default: ([], "cannot be decoded: \(error)")
            }
        return path.reversed().reduce(ContentFault("", reason)) { fault, key in
            fault.inside(key.intValue.map { "[\($0)]" } ?? key.stringValue)
        }
    }

    private static func typeName(_ type: any Any.Type) -> String {
        switch type {
        case is String.Type: "a string"
        case is any FixedWidthInteger.Type: "a whole number"
        case is any BinaryFloatingPoint.Type: "a number"
        case is Bool.Type: "true or false"
        case is [String: Any].Type: "an object"
        case is [Any].Type: "an array"
        default: "the expected type (\(type))"
        }
    }
}
