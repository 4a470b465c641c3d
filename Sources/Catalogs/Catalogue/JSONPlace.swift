/// Finds where something stands in JSON that a person wrote, also where that is no JSON: the decoder tells the name only.
struct JSONPlace {
    private let bytes: [UInt8]
    private let wanted: String
    private var position = 0
    private var depth = 0
    private var found = 0
    private var foundLength = 0

    /// Deeper than this no file of texts goes.
    private static let deepest = 64

    private struct Fault: Error {}

    private init(_ keyPath: String, in bytes: [UInt8]) {
        self.bytes = bytes
        wanted = keyPath
    }

    /// - Parameter keyPath: as "texts.loading"; empty for where the JSON breaks off being JSON.
    /// - Returns: the offset of the member's name, of the innermost object that it should be in, or of what breaks off.
    static func offset(of keyPath: String, in bytes: [UInt8]) -> Int {
        var place = JSONPlace(keyPath, in: bytes)
        do throws(Fault) {
            try place.value("")
            place.skipSpace()
            if place.position < bytes.count { throw Fault() }
            return place.found
        } catch {
            return keyPath.isEmpty ? min(place.position, max(0, bytes.count - 1)) : place.found
        }
    }
}

extension JSONPlace {
    private mutating func value(_ path: String) throws(Fault) {
        skipSpace()
        depth += 1
        defer { depth -= 1 }
        guard position < bytes.count, depth <= Self.deepest else { throw Fault() }
        switch bytes[position] {
        case UInt8(ascii: "{"): try list(until: UInt8(ascii: "}")) { place throws(Fault) in try place.member(of: path) }
        case UInt8(ascii: "["): try list(until: UInt8(ascii: "]")) { place throws(Fault) in try place.value(path) }
        case UInt8(ascii: "\""): _ = try text()
        default: try word()
        }
    }

    private mutating func list(until end: UInt8, _ element: (inout JSONPlace) throws(Fault) -> Void) throws(Fault) {
        position += 1
        skipSpace()
        if skip(end) { return }
        while true {
            try element(&self)
            skipSpace()
            if skip(end) { return }
            guard skip(UInt8(ascii: ",")) else { throw Fault() }
        }
    }

    private mutating func member(of path: String) throws(Fault) {
        skipSpace()
        let start = position
        let name = try text()
        let own = path.isEmpty ? name : "\(path).\(name)"
        if own.utf8.count > foundLength, wanted == own || wanted.hasPrefix("\(own).") { (found, foundLength) = (start, own.utf8.count) }
        skipSpace()
        guard skip(UInt8(ascii: ":")) else { throw Fault() }
        try value(own)
    }

    /// A text without its quotes, escapes left as they are. One without an end breaks off where it begins.
    private mutating func text() throws(Fault) -> String {
        let start = position
        guard skip(UInt8(ascii: "\"")) else { throw Fault() }
        while position < bytes.count, bytes[position] != UInt8(ascii: "\""), bytes[position] >= 32 {
            position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
        }
        guard skip(UInt8(ascii: "\"")) else {
            position = start
            throw Fault()
        }
        return String(decoding: bytes[start + 1..<position - 1], as: UTF8.self)
    }

    /// A number, true, false or null.
    private mutating func word() throws(Fault) {
        let word = bytes[position...].prefix { $0 > 32 && !",:]}[{\"".utf8.contains($0) }
        let isWord =
            ["true", "false", "null"].contains { word.elementsEqual($0.utf8) } || Double(String(decoding: word, as: UTF8.self)) != nil
        guard isWord else { throw Fault() }
        position = word.endIndex
    }

    private mutating func skipSpace() {
        while position < bytes.count, [32, 9, 10, 13].contains(bytes[position]) { position += 1 }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard position < bytes.count, bytes[position] == byte else { return false }
        position += 1
        return true
    }
}
