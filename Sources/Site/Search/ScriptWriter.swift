/// Writes JSON that stands inside a script's single-quoted string: `amber.receive(JSON.parse('...'))`.
///
/// Text is escaped twice, for JSON (RFC 8259, section 7) and for the string around it (ECMA-262, section 12.9.4). "<"
/// and the line separators U+2028 and U+2029 are written as escapes, so that no reader of the file takes data for
/// markup or for a line's end; controls but for tab and line ends are U+FFFD, as on pages.
struct ScriptWriter {
    private(set) var bytes: [UInt8] = []
    /// Whether a comma belongs before the next value.
    private var isFollowing = false

    init(reserving capacity: Int = 0) {
        bytes.reserveCapacity(capacity + 64)
        bytes += "amber.receive(JSON.parse('".utf8
    }

    /// - Returns: the whole script.
    consuming func end() -> [UInt8] {
        bytes += "'))\n".utf8
        return bytes
    }
}

extension ScriptWriter {
    mutating func object(_ body: (inout ScriptWriter) -> Void) {
        enclosed(UInt8(ascii: "{"), UInt8(ascii: "}"), body)
    }

    mutating func array(_ body: (inout ScriptWriter) -> Void) {
        enclosed(UInt8(ascii: "["), UInt8(ascii: "]"), body)
    }

    /// The name of an object's next member, one of the format's own.
    mutating func name(_ name: StaticString) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        name.withUTF8Buffer { bytes += $0 }
        bytes += "\":".utf8
        isFollowing = false
    }

    mutating func number(_ number: Int64) {
        separate()
        bytes += String(number).utf8
    }

    mutating func text(_ text: String) {
        lines([text])
    }

    /// Texts as one JSON string, a line feed between each two.
    mutating func lines(_ texts: [String]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        var isFirst = true
        for var text in texts {
            if !isFirst { bytes += #"\\n"#.utf8 }
            isFirst = false
            text.withUTF8 { append($0) }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Small numbers as one JSON string, a character each: nil is "0", 0 is "1", and so on, leaving out what is no
    /// character.
    mutating func characters(_ numbers: [Int?]) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        for number in numbers {
            let code = number.map { $0 + 0x31 } ?? 0x30
            switch code {
            case 0x3C: bytes += #"\\u003c"#.utf8
            case 0x5C: bytes += #"\\\\"#.utf8
            case 0x2028: bytes += #"\\u2028"#.utf8
            case 0x2029: bytes += #"\\u2029"#.utf8
            case ..<0x80: bytes.append(UInt8(code))
            case ..<0x800:
                bytes.append(UInt8(0xC0 | code >> 6))
                bytes.append(UInt8(0x80 | code & 0x3F))
            default:
                precondition(code < Self.characterLimit + 0x31, "a number is too large for one character")
                bytes.append(UInt8(0xE0 | code >> 12))
                bytes.append(UInt8(0x80 | code >> 6 & 0x3F))
                bytes.append(UInt8(0x80 | code & 0x3F))
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// `characters` takes numbers below this one: behind it lie the surrogates (U+D800).
    static let characterLimit = 0xD800 - 0x31
}

extension ScriptWriter {
    private mutating func enclosed(_ opening: UInt8, _ closing: UInt8, _ body: (inout ScriptWriter) -> Void) {
        separate()
        bytes.append(opening)
        isFollowing = false
        body(&self)
        bytes.append(closing)
        isFollowing = true
    }

    private mutating func separate() {
        if isFollowing { bytes.append(UInt8(ascii: ",")) }
        isFollowing = true
    }

    /// About how many bytes a text takes, at most.
    static func size(of text: String) -> Int { text.utf8.reduce(0) { $0 + ($1 < 0x20 || isSpecial($1) ? 7 : 1) } }

    /// Copies runs of plain bytes and escapes what lies between them.
    private mutating func append(_ text: UnsafeBufferPointer<UInt8>) {
        var start = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            guard byte < 0x20 || Self.isSpecial(byte), let escape = escape(text, at: index) else {
                index += 1
                continue
            }
            bytes += text[start..<index]
            bytes += escape.text.utf8
            index += escape.length
            start = index
        }
        bytes += text[start...]
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte == 0x7F || byte == 0xC2 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
            || byte == UInt8(ascii: "'")
            || byte == UInt8(ascii: "<") || byte == 0xE2
    }

    /// What stands for the character at a place, and its length there; nil where it stands for itself.
    private func escape(_ text: UnsafeBufferPointer<UInt8>, at index: Int) -> (text: String, length: Int)? {
        switch text[index] {
        case UInt8(ascii: "\""): (#"\\""#, 1)
        case UInt8(ascii: "\\"): (#"\\\\"#, 1)
        case UInt8(ascii: "'"): (#"\'"#, 1)
        case UInt8(ascii: "<"): (#"\\u003c"#, 1)
        case UInt8(ascii: "\n"): (#"\\n"#, 1)
        case UInt8(ascii: "\r"): (#"\\r"#, 1)
        case UInt8(ascii: "\t"): (#"\\t"#, 1)
        case 0xC2: text.count > index + 1 && text[index + 1] < 0xA0 ? ("\u{FFFD}", 2) : nil
        case 0xE2:
            // U+2028 and U+2029 are E2 80 A8 and E2 80 A9.
            text.count > index + 2 && text[index + 1] == 0x80 && text[index + 2] & 0xFE == 0xA8
                ? (text[index + 2] == 0xA8 ? #"\\u2028"# : #"\\u2029"#, 3) : nil
        default: ("\u{FFFD}", 1)
        }
    }
}
