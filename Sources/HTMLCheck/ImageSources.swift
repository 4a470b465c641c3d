import Platform

/// The addresses of pictures in untrusted HTML: the `src` of each `img` element.
///
/// Tags are read like in a browser (HTML standard, 13.2.5.32 and later), in linear time. Comments and scripts are read
/// like text, so a picture in one of them counts too.
public enum ImageSources {
    /// The addresses in the order of the text.
    package static func find(in html: String) -> [String] {
        var sources: [String] = []
        var rest = Array(html.utf8)[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            guard rest.prefix(3).map(\.lowercased).elementsEqual("img".utf8), rest.dropFirst(3).first.map(isGap) == true
            else { continue }
            rest = rest.dropFirst(3)
            if let source = source(&rest), !source.isEmpty { sources.append(source) }
        }
        return sources
    }

    private static func isGap(_ byte: UInt8) -> Bool { " \t\n\u{C}\r/".utf8.contains(byte) }
    private static func endsName(_ byte: UInt8) -> Bool { isGap(byte) || "=>".utf8.contains(byte) }

    /// Reads the attributes of a tag. Nil if it has no `src`, or no end. The first of several counts.
    private static func source(_ rest: inout ArraySlice<UInt8>) -> String? {
        var source: String?
        while let first = rest.drop(while: isGap).first {
            rest = rest.drop(while: isGap)
            if first == UInt8(ascii: ">") { return source }
            // A "=" at the start of an attribute is a part of its name.
            let name = rest.prefix(1) + rest.dropFirst().prefix { !endsName($0) }
            rest = rest.dropFirst(name.count)
            let value = rest.drop { isGap($0) && $0 != UInt8(ascii: "/") }
            guard value.first == UInt8(ascii: "=") else { continue }
            rest = value.dropFirst().drop { isGap($0) && $0 != UInt8(ascii: "/") }
            let quote = rest.first.flatMap { "\"'".utf8.contains($0) ? $0 : nil }
            if quote != nil { rest = rest.dropFirst() }
            let text = rest.prefix { byte in quote.map { byte != $0 } ?? !" \t\n\u{C}\r>".utf8.contains(byte) }
            rest = rest.dropFirst(text.count + (quote == nil ? 0 : 1))
            if source == nil, name.map(\.lowercased).elementsEqual("src".utf8) { source = decoded(text) }
        }
        return nil
    }

    /// A value with its character references decoded. References without a semicolon remain text, as in URLs.
    private static func decoded(_ value: ArraySlice<UInt8>) -> String {
        let parts = String(decoding: value, as: UTF8.self).split(separator: "&", omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(String(parts[0])) { text, part in
            guard let end = part.firstIndex(of: ";") else { return "\(text)&\(part)" }
            return text + HTMLSanitizer.text("&\(part[...end])") + part[end...].dropFirst()
        }
    }
}
