/// Finds where something stands in JSON that a person wrote, also where that is no JSON: the decoder tells the name
/// only.
public struct JSONPlace {
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
        // The decoder passes over a byte order mark, which some editors write.
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }

    /// - Parameter keyPath: as "texts.loading" or "searches[2].term".
    /// - Returns: the offset of the member's name, of an array's element, or of the innermost value that it should be
    ///   in.
    public static func offset(of keyPath: String, in bytes: [UInt8]) -> Int {
        var place = JSONPlace(keyPath, in: bytes)
        // Before what breaks off it is found all the same.
        _ = place.isWhole()
        return place.found
    }

    /// Where bytes break off being JSON, and what to do; nil where they are JSON.
    public static func problem(in bytes: [UInt8]) -> (offset: Int, reason: String)? {
        var place = JSONPlace("", in: bytes)
        guard !place.isWhole() else { return nil }
        let offset = min(place.position, max(0, bytes.count - 1))
        let before = bytes[..<offset].last { ![32, 9, 10, 13].contains($0) }
        let found = offset < bytes.count ? bytes[offset] : 0
        var reason = "is not valid JSON from here on"
        if before == UInt8(ascii: ","), found == UInt8(ascii: "}") || found == UInt8(ascii: "]") {
            reason += "; take away the comma before it"
        } else if found == UInt8(ascii: "\""), before != UInt8(ascii: ","), before != UInt8(ascii: "{") {
            reason += "; a comma or colon is missing before it"
        }
        return (offset, reason)
    }

    private mutating func isWhole() -> Bool {
        do throws(Fault) {
            try value("")
            skipSpace()
            return position == bytes.count
        } catch {
            return false
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
        case UInt8(ascii: "{"):
            try list(until: UInt8(ascii: "}")) { place, _ throws(Fault) in try place.member(of: path) }
        case UInt8(ascii: "["):
            try list(until: UInt8(ascii: "]")) { place, index throws(Fault) in
                let own = "\(path)[\(index)]"
                place.skipSpace()
                place.note(own, at: place.position)
                try place.value(own)
            }
        case UInt8(ascii: "\""): _ = try text()
        default: try word()
        }
    }

    /// Remembers where it is, where what is wanted is this or within it.
    private mutating func note(_ own: String, at start: Int) {
        guard own.utf8.count > foundLength, wanted == own || wanted.hasPrefix("\(own).") || wanted.hasPrefix("\(own)[")
        else { return }
        (found, foundLength) = (start, own.utf8.count)
    }

    private mutating func list(until end: UInt8, _ element: (inout JSONPlace, Int) throws(Fault) -> Void) throws(Fault)
    {
        position += 1
        skipSpace()
        if skip(end) { return }
        var index = 0
        while true {
            try element(&self, index)
            index += 1
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
        note(own, at: start)
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
            ["true", "false", "null"].contains { word.elementsEqual($0.utf8) }
            || Double(String(decoding: word, as: UTF8.self)) != nil
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
