/// The place of a file in a site: portable names (`PortableName`) joined by slashes. It never leads out of the site.
public struct SitePath: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The path as text: "character/1.html".
    package let text: String

    /// The most bytes of a path: file systems take 4,096, with the folder that the site is in.
    private static let longest = 1_024

    /// - Returns: nil where a name is not portable, or the path is too long.
    package init?(_ text: String) {
        guard Self.isSafe(text) else { return nil }
        self.text = text
    }

    /// A path written in the program itself.
    package init(fixed literal: StaticString) {
        self.init(joined: "\(literal)")
        precondition(!isRefused, "\(literal) is no path in a site")
    }

    /// A numbered path written in the program itself.
    package init(_ literal: StaticString, _ number: Int, _ ending: StaticString) {
        self.init(literal, Int64(number), ending)
    }

    /// A numbered path written in the program itself: with any number, all its characters are allowed.
    package init(_ literal: StaticString, _ number: Int64, _ ending: StaticString) {
        // Interpolation takes ten times as long, and a site has several such paths for each card.
        let sign = number < 0 ? 1 : 0
        let whole = number.magnitude
        var digits = (whole, count: 1)
        while digits.0 >= 10 { digits = (digits.0 / 10, digits.count + 1) }
        let begin = literal.utf8CodeUnitCount + sign
        let length = begin + digits.count + ending.utf8CodeUnitCount
        text = String(unsafeUninitializedCapacity: length) { bytes in
            _ = bytes.update(
                fromContentsOf: UnsafeBufferPointer(start: literal.utf8Start, count: literal.utf8CodeUnitCount))
            if sign == 1 { bytes[begin - 1] = UInt8(ascii: "-") }
            var rest = whole
            for place in (0..<digits.count).reversed() {
                bytes[begin + place] = UInt8(ascii: "0") + UInt8(rest % 10)
                rest /= 10
            }
            let end = UnsafeMutableBufferPointer(rebasing: bytes[(begin + digits.count)...])
            _ = end.update(
                fromContentsOf: UnsafeBufferPointer(start: ending.utf8Start, count: ending.utf8CodeUnitCount))
            return length
        }
    }

    /// The page of a numbered record, or a further page of it; pages count from 0.
    package init(_ literal: StaticString, _ number: Int64, page: Int) {
        if page == 0 {
            self.init(literal, number, ".html")
        } else {
            self.init(joined: "\(literal)\(number)/\(page + 1).html")
        }
    }

    /// A path in a folder whose name is such a path itself, with a slash at the end; or nothing.
    func below(_ folder: String) -> SitePath { folder.isEmpty ? self : SitePath(joined: folder + text) }

    /// A path put together of parts. One that could leave the site, or is not portable, is refused: it becomes a single
    /// harmless name, and a build with such a path fails before anything is written.
    package init(joined text: String) {
        self.text = Self.isSafe(text) ? text : Self.refused(text)
    }

    /// Whether the path was refused when it was made.
    package var isRefused: Bool { text.utf8.first == Self.refusal }

    /// The path with small letters only; nil where it has no others. File systems that ignore case take both for one.
    package var folded: SitePath? {
        guard text.utf8.contains(where: { $0 >= UInt8(ascii: "A") && $0 <= UInt8(ascii: "Z") }) else { return nil }
        return SitePath(joined: text.lowercased())
    }

    /// What leads from this file to the site's root: "../" for each folder.
    package var root: String {
        let depth = text.utf8.count { $0 == UInt8(ascii: "/") }
        return depth < Self.roots.count ? Self.roots[depth] : String(repeating: "../", count: depth)
    }

    private static let roots = (0..<5).map { String(repeating: "../", count: $0) }

    /// Orders by the bytes of the text.
    public static func < (left: SitePath, right: SitePath) -> Bool {
        left.text.utf8.lexicographicallyPrecedes(right.text.utf8)
    }

    /// The path as text.
    public var description: String { text }

    private static let refusal = UInt8(ascii: "%")

    private static func isSafe(_ text: String) -> Bool {
        var text = text
        return text.withUTF8 { bytes in
            guard bytes.count <= longest else { return false }
            var start = 0
            for index in bytes.indices where bytes[index] == UInt8(ascii: "/") {
                guard PortableName.accepts(UnsafeBufferPointer(rebasing: bytes[start..<index])) else { return false }
                start = index + 1
            }
            return PortableName.accepts(UnsafeBufferPointer(rebasing: bytes[start...]))
        }
    }

    /// Names a refused path in messages: other characters than letters and digits as percent codes.
    private static func refused(_ text: String) -> String {
        let digits = Array("0123456789ABCDEF".utf8)
        var shown = [refusal]
        for byte in text.utf8.prefix(80) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"):
                shown.append(byte)
            default: shown += [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            }
        }
        return String(decoding: shown, as: UTF8.self)
    }
}

extension SitePath {
    /// The words of a text as part of a file's name: lower-case letters and digits, joined by hyphens; empty where it
    /// has none.
    /// - Parameter bytes: how much of the text counts.
    package static func words(_ text: String, bytes: Int) -> String {
        var words: [String] = [""]
        for byte in text.utf8.prefix(bytes) {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"),
                UInt8(ascii: "A")...UInt8(ascii: "Z"):
                words[words.count - 1].unicodeScalars.append(Unicode.Scalar(byte | 0x20))
            default: if words[words.count - 1] != "" { words.append("") }
            }
        }
        return words.filter { !$0.isEmpty }.joined(separator: "-")
    }
}
