import Catalogue
import Platform

/// The sort key of a URL in the index of a web archive, such as "org,example,api)/character?page=2".
///
/// It follows the rules of the Internet Archive's canonicalizer (https://github.com/internetarchive/surt), except for
/// the removal of session ids, because URLs of a public API have none. Scheme, user, default port, "www." and fragment
/// are removed. Unnecessary percent codes are decoded. Letters become lower case. Repeated slashes become one slash,
/// and a slash at the end is removed. The parts of the query are sorted.
enum SURT {
    /// - Parameter url: an absolute http or https URL without dot segments.
    static func key(_ url: String) -> String {
        let scheme = url.utf8.prefix { $0 != ":" }
        let rest = Array(url.utf8).dropFirst(scheme.count + 1).drop { $0 == "/" }.prefix { $0 != "#" }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest[authority.endIndex...].prefix { $0 != "?" }
        let query = rest[path.endIndex...].dropFirst()

        var key = host(authority, defaultPort: scheme.elementsEqual("https".utf8) ? "443" : "80")
        key += ")/".utf8
        let segments = unescaped(path).split(separator: "/")
        key += escaped(Array(segments.joined(separator: ["/"]))).map(\.lowercased)
        if !query.isEmpty {
            key.append("?")
            key += sorted(escaped(unescaped(query)).map(\.lowercased))
        }
        return String(decoding: key, as: UTF8.self)
    }

    private static func host(_ authority: ArraySlice<UInt8>, defaultPort: String) -> [UInt8] {
        var name = authority
        if let at = name.lastIndex(of: "@") { name = name[(at + 1)...] }
        var port: ArraySlice<UInt8> = []
        if let colon = name.lastIndex(of: ":"), name[(colon + 1)...].allSatisfy(\.isDigit) {
            port = name[(colon + 1)...]
            name = name[..<colon]
        }
        var text = name.filter { $0 != "[" && $0 != "]" }.map(\.lowercased)[...]
        if text.starts(with: "www".utf8) {
            let suffix = text.dropFirst(3).drop(while: \.isDigit)
            if suffix.first == "." { text = suffix.dropFirst() }
        }
        let parts = text.split(separator: ".").reversed().joined(separator: [","])
        return Array(parts) + (port.isEmpty || port.elementsEqual(defaultPort.utf8) ? [] : [":"] + port)
    }

    /// The parts of a query, sorted by name and then by value. A part without "=" comes before parts of the same name
    /// that have a "=".
    private static func sorted(_ query: [UInt8]) -> [UInt8] {
        let parts = query.split(separator: "&", omittingEmptySubsequences: false).map {
            $0.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        }
        let inOrder = parts.sorted { first, second in
            first.lexicographicallyPrecedes(second) { $0.lexicographicallyPrecedes($1) }
        }
        return Array(inOrder.map { $0.joined(separator: ["="]) }.joined(separator: ["&"]))
    }

    /// Decodes percent codes. Repeats this until the text has no percent codes.
    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var text = Array(text)
        while true {
            let plain = percentDecodedLeniently(text)
            if plain.count == text.count { return plain }
            text = plain
        }
    }

    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        text.flatMap { byte -> [UInt8] in
            let isPlain = byte > 0x20 && byte < 0x7F && byte != "#" && byte != "%"
            return isPlain ? [byte] : Array("%\([byte].hex)".utf8)
        }
    }
}
