/// The key by which web archives sort and find URLs: "org,example,api)/character?page=2".
///
/// Made by the rules of the Internet Archive's canonicalizer (https://github.com/internetarchive/surt), but for its
/// removal of session numbers, which URLs of a public API do not have: scheme, user, default port, "www." and fragment
/// fall away, percent signs are undone where they are not needed, letters are small, slashes single and not last, and
/// the query's parts sorted.
enum SURT {
    /// - Parameter url: an absolute http or https URL without dot segments.
    static func key(_ url: String) -> String {
        var rest = Array(url.utf8)[...]
        let isSecure = rest.starts(with: "https:".utf8)
        if let colon = rest.firstIndex(of: UInt8(ascii: ":")) {
            rest = rest[(colon + 1)...].drop { $0 == UInt8(ascii: "/") }
        }
        rest = rest.prefix { $0 != UInt8(ascii: "#") }
        let authority = rest.prefix { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        rest = rest[authority.endIndex...]
        let path = rest.prefix { $0 != UInt8(ascii: "?") }
        let query = rest[path.endIndex...].dropFirst()

        var key = host(authority, defaultPort: isSecure ? "443" : "80")
        key.append(UInt8(ascii: ")"))
        key += lower(escaped(self.path(unescaped(path))))
        if !query.isEmpty {
            key.append(UInt8(ascii: "?"))
            key += sorted(lower(escaped(unescaped(query))))
        }
        return String(decoding: key, as: UTF8.self)
    }

    private static func host(_ authority: ArraySlice<UInt8>, defaultPort: String) -> [UInt8] {
        var name = authority
        if let at = name.lastIndex(of: UInt8(ascii: "@")) { name = name[(at + 1)...] }
        var port: ArraySlice<UInt8> = []
        if let colon = name.lastIndex(of: UInt8(ascii: ":")), name[(colon + 1)...].allSatisfy(isDigit) {
            port = name[(colon + 1)...]
            name = name[..<colon]
        }
        var text = lower(name.filter { $0 != UInt8(ascii: "[") && $0 != UInt8(ascii: "]") })[...]
        if text.starts(with: "www".utf8) {
            let behind = text.dropFirst(3).drop(while: isDigit)
            if behind.first == UInt8(ascii: ".") { text = behind.dropFirst() }
        }
        let parts = text.split(separator: UInt8(ascii: ".")).reversed().joined(separator: [UInt8(ascii: ",")])
        return Array(parts) + (port.isEmpty || port.elementsEqual(defaultPort.utf8) ? [] : [UInt8(ascii: ":")] + port)
    }

    private static func path(_ path: [UInt8]) -> [UInt8] {
        [UInt8(ascii: "/")] + path.split(separator: UInt8(ascii: "/")).joined(separator: [UInt8(ascii: "/")])
    }

    /// The parts of a query by name, then by value; one without "=" before those with it.
    private static func sorted(_ query: [UInt8]) -> [UInt8] {
        let parts = query.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false).map {
            $0.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
        }
        let inOrder = parts.sorted { first, second in
            first.lexicographicallyPrecedes(second) { $0.lexicographicallyPrecedes($1) }
        }
        return Array(inOrder.map { $0.joined(separator: [UInt8(ascii: "=")]) }.joined(separator: [UInt8(ascii: "&")]))
    }

    private static func unescaped(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var text = Array(text)
        while true {
            var plain: [UInt8] = []
            var place = 0
            while place < text.count {
                if text[place] == UInt8(ascii: "%"), place + 2 < text.count, let high = hex(text[place + 1]),
                    let low = hex(text[place + 2])
                {
                    plain.append(high << 4 | low)
                    place += 3
                } else {
                    plain.append(text[place])
                    place += 1
                }
            }
            if plain.count == text.count { return plain }
            text = plain
        }
    }

    private static func escaped(_ text: [UInt8]) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return text.flatMap { byte -> [UInt8] in
            let isPlain = byte > 0x20 && byte < 0x7F && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "%")
            return isPlain ? [byte] : [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
    }

    private static func lower(_ text: some Sequence<UInt8>) -> [UInt8] {
        text.map { (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0) ? $0 | 0x20 : $0 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func hex(_ byte: UInt8) -> UInt8? {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
        case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
        case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
        default: nil
        }
    }
}
