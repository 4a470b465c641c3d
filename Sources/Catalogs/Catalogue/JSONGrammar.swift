/// Checks bytes against the grammar of JSON (RFC 8259), as strictly as any reader of the published files does.
///
/// Decoders look only at the values that they are asked for. The other values are published as well, and compared with
/// the next capture, so all of it has to be JSON.
public struct JSONGrammar {
    private let bytes: UnsafeBufferPointer<UInt8>
    private var position = 0
    private var depth = 0

    /// Where and why bytes are no JSON.
    private struct Fault: Error {
        let position: Int
        var reason = "is not valid JSON"
    }

    /// - Throws: where the bytes are no JSON, are nested deeper than `JSONSlices` reads, or hold an object with more
    ///   members than it reads.
    public static func check(_ bytes: [UInt8]) throws(ContentFault) {
        let fault = bytes.withUnsafeBufferPointer { bytes -> ContentFault? in
            guard String(validating: bytes, as: UTF8.self) != nil else { return ContentFault("", "is not valid UTF-8") }
            var grammar = JSONGrammar(bytes: bytes)
            do throws(Fault) {
                try grammar.document()
                return nil
            } catch {
                return ContentFault("", "\(error.reason) (at byte \(error.position))")
            }
        }
        if let fault { throw fault }
    }

    private init(bytes: UnsafeBufferPointer<UInt8>) {
        self.bytes = bytes
        // A byte order mark may be passed over (RFC 8259, section 8.1).
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    }
}

extension JSONGrammar {
    private mutating func document() throws(Fault) {
        try value()
        skipSpace()
        guard position == bytes.count else { throw Fault(position: position) }
    }

    private mutating func value() throws(Fault) {
        skipSpace()
        switch current {
        case UInt8(ascii: "{"): try list(until: UInt8(ascii: "}"), ofMembers: true)
        case UInt8(ascii: "["): try list(until: UInt8(ascii: "]"), ofMembers: false)
        case UInt8(ascii: "\""): try text()
        case UInt8(ascii: "t"): try word("true")
        case UInt8(ascii: "f"): try word("false")
        case UInt8(ascii: "n"): try word("null")
        default: try number()
        }
    }

    private mutating func list(until end: UInt8, ofMembers hasNames: Bool) throws(Fault) {
        depth += 1
        defer { depth -= 1 }
        guard depth <= JSONSlices.maximumDepth else {
            throw Fault(position: position, reason: "is nested deeper than \(JSONSlices.maximumDepth) levels")
        }
        position += 1
        skipSpace()
        if skip(end) { return }
        var count = 0
        while true {
            count += 1
            guard !hasNames || count <= JSONSlices.maximumMembers else {
                throw Fault(
                    position: position, reason: "has more than the \(JSONSlices.maximumMembers) members that are taken")
            }
            if hasNames {
                skipSpace()
                try text()
                skipSpace()
                try require(UInt8(ascii: ":"))
            }
            try value()
            skipSpace()
            if skip(end) { return }
            try require(UInt8(ascii: ","))
        }
    }

    private mutating func text() throws(Fault) {
        try require(UInt8(ascii: "\""))
        while let byte = current, byte >= 0x20 {
            position += 1
            if byte == UInt8(ascii: "\"") { return }
            if byte == UInt8(ascii: "\\") { try escape() }
        }
        throw Fault(position: position)
    }

    private mutating func escape() throws(Fault) {
        guard let letter = current, "\"\\/bfnrtu".utf8.contains(letter) else { throw Fault(position: position) }
        position += 1
        guard letter == UInt8(ascii: "u") else { return }
        for _ in 0..<4 {
            guard let digit = current, Character(Unicode.Scalar(digit)).isHexDigit else {
                throw Fault(position: position)
            }
            position += 1
        }
    }

    private mutating func number() throws(Fault) {
        _ = skip(UInt8(ascii: "-"))
        // No number begins with a zero but zero itself.
        if !skip(UInt8(ascii: "0")) { try digits() }
        if skip(UInt8(ascii: ".")) { try digits() }
        if skip(UInt8(ascii: "e")) || skip(UInt8(ascii: "E")) {
            if !skip(UInt8(ascii: "+")) { _ = skip(UInt8(ascii: "-")) }
            try digits()
        }
    }

    private mutating func digits() throws(Fault) {
        let start = position
        while let byte = current, byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") { position += 1 }
        guard position > start else { throw Fault(position: position) }
    }

    private mutating func word(_ word: StaticString) throws(Fault) {
        for index in 0..<word.utf8CodeUnitCount { try require(word.utf8Start[index]) }
    }
}

extension JSONGrammar {
    /// The byte at the position; nil at the end.
    private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

    private mutating func skipSpace() {
        while let byte = current, byte == 32 || byte == 9 || byte == 10 || byte == 13 { position += 1 }
    }

    private mutating func skip(_ byte: UInt8) -> Bool {
        guard current == byte else { return false }
        position += 1
        return true
    }

    private mutating func require(_ byte: UInt8) throws(Fault) {
        guard skip(byte) else { throw Fault(position: position) }
    }
}
