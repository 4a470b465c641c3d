/// The place of a file in a site: segments of letters, digits, ".", "_" and "-", joined by slashes; checked when made.
public struct SitePath: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The path as text: "character/1.html".
    public let text: String

    /// - Returns: nil where a segment is empty, begins with a dot, or has another character.
    public init?(_ text: String) {
        guard Self.isSafe(text.utf8) else { return nil }
        self.text = text
    }

    /// A path written in the program itself.
    public init(fixed literal: StaticString) {
        text = "\(literal)"
        assert(Self.isSafe(text.utf8), "\(text) is no path in a site")
    }

    /// A numbered path written in the program itself.
    public init(_ literal: StaticString, _ number: Int, _ ending: StaticString) { self.init(literal, Int64(number), ending) }

    /// A numbered path written in the program itself.
    public init(_ literal: StaticString, _ number: Int64, _ ending: StaticString) {
        // Interpolation takes ten times as long, and a site has several such paths for each card.
        let whole = UInt64(max(0, number))
        var digits = (whole, count: 1)
        while digits.0 >= 10 { digits = (digits.0 / 10, digits.count + 1) }
        let length = literal.utf8CodeUnitCount + digits.count + ending.utf8CodeUnitCount
        text = String(unsafeUninitializedCapacity: length) { bytes in
            _ = bytes.update(fromContentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
            var rest = whole
            for place in (0..<digits.count).reversed() {
                bytes[literal.utf8CodeUnitCount + place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            let end = UnsafeMutableBufferPointer(rebasing: bytes[(literal.utf8CodeUnitCount + digits.count)...])
            _ = end.update(fromContentsOf: UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
            return length
        }
        assert(number >= 0 && Self.isSafe(text.utf8), "\(text) is no path in a site")
    }

    /// A path in a folder whose name is such a path itself, with a slash at the end; or nothing.
    func below(_ folder: String) -> SitePath {
        assert(folder.isEmpty || folder.hasSuffix("/") && Self.isSafe(folder.dropLast().utf8), "\(folder) is no folder in a site")
        return folder.isEmpty ? self : SitePath(joined: folder + text)
    }

    /// A path put together by the program of parts that have only the characters that a path may have.
    public init(joined text: String) {
        self.text = text
        assert(Self.isSafe(text.utf8), "\(text) is no path in a site")
    }

    /// What leads from this file to the site's root: "../" for each folder.
    public var root: String {
        let depth = text.utf8.count { $0 == UInt8(ascii: "/") }
        return depth < Self.roots.count ? Self.roots[depth] : String(repeating: "../", count: depth)
    }

    private static let roots = (0..<5).map { String(repeating: "../", count: $0) }

    /// Orders by the bytes of the text.
    public static func < (left: SitePath, right: SitePath) -> Bool { left.text.utf8.lexicographicallyPrecedes(right.text.utf8) }

    /// The path as text.
    public var description: String { text }

    private static func isSafe(_ text: some Sequence<UInt8>) -> Bool {
        var isAtStart = true
        for byte in text {
            if byte == UInt8(ascii: "/") {
                guard !isAtStart else { return false }
                isAtStart = true
            } else {
                guard isAllowed(byte), !isAtStart || byte != UInt8(ascii: ".") else { return false }
                isAtStart = false
            }
        }
        return !isAtStart
    }

    private static func isAllowed(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "0")...UInt8(ascii: "9"): true
        case UInt8(ascii: "."), UInt8(ascii: "_"), UInt8(ascii: "-"): true
        default: false
        }
    }
}

extension SitePath {
    /// The words of a text as part of a file's name: lower-case letters and digits, joined by hyphens; empty where it has none.
    /// - Parameter bytes: how much of the text counts.
    public static func words(_ text: String, bytes: Int) -> String {
        var words: [String] = [""]
        for byte in text.utf8.prefix(bytes) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "A")...UInt8(ascii: "Z"):
                words[words.count - 1].unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            default: if words[words.count - 1] != "" { words.append("") }
            }
        }
        return words.filter { !$0.isEmpty }.joined(separator: "-")
    }
}
