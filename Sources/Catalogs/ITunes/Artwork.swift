import HTMLCheck

/// Where a picture is asked for. Source: docs/apis.md, 5.9 and 5.10.
enum Artwork {
    /// The size that is asked for; the picture fits into it and is never enlarged.
    private static let side = 600

    /// The path of the picture below one of the addresses, or its whole address on the service's picture hosts; nil for
    /// anywhere else.
    static func path(of url: String, bases: [String]) -> String? {
        guard url.utf8.count <= 2_048, WebAddress.isValid(url) else { return nil }
        for base in bases where url.hasPrefix("\(base)/") {
            let path = url.dropFirst(base.count + 1)
            return isPlain(path) ? sized(String(path)) : nil
        }
        if url.hasPrefix("https://"), isPictureHost(host(of: url)), !climbs(url) { return sized(url) }
        // http://is4.mzstatic.com is https://is4-ssl.mzstatic.com as well.
        let host = host(of: url)
        guard url.hasPrefix("http://"), isPictureHost(host), !climbs(url), let dot = host.firstIndex(of: ".") else {
            return nil
        }
        let secure = host[..<dot].hasSuffix("-ssl") ? String(host) : "\(host[..<dot])-ssl\(host[dot...])"
        return sized("https://\(secure)\(url.dropFirst("http://".count + host.count))")
    }

    /// Whether a path below an address has no escapes, and no segment of it is empty or climbs: it could else be taken
    /// for an address.
    private static func isPlain(_ path: Substring) -> Bool {
        !path.utf8.contains(where: { "%?#".utf8.contains($0) })
            && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
                !$0.isEmpty && $0 != "." && $0 != ".."
            }
    }

    private static func climbs(_ url: String) -> Bool { url.split(separator: "/").contains { $0 == "." || $0 == ".." } }

    private static func host(of url: String) -> Substring {
        let parts = url.split(separator: "/", maxSplits: 2)
        return parts.count > 1 ? parts[1] : ""
    }

    private static func isPictureHost(_ host: Substring) -> Bool {
        let name = host.dropLast(".mzstatic.com".count)
        return host.hasSuffix(".mzstatic.com") && !name.isEmpty
            && name.utf8.allSatisfy { (97...122).contains($0) || (48...57).contains($0) || $0 == UInt8(ascii: "-") }
    }

    /// The last part in the size that is asked for, where it has the form "100x100bb.jpg" or "100x100bb-85.png"; else
    /// as it is.
    private static func sized(_ url: String) -> String {
        guard let slash = url.lastIndex(of: "/") else { return url }
        let name = url[url.index(after: slash)...]
        let width = name.prefix(while: isDigit)
        let height = name.dropFirst(width.count + 1).prefix(while: isDigit)
        guard !width.isEmpty, !height.isEmpty, name.dropFirst(width.count).hasPrefix("x") else { return url }
        let ending = name.dropFirst(width.count + 1 + height.count)
        guard ending.hasPrefix("bb") else { return url }
        var rest = ending.dropFirst(2)
        if rest.hasPrefix("-") {
            let quality = rest.dropFirst().prefix(while: isDigit)
            guard !quality.isEmpty else { return url }
            rest = rest.dropFirst(1 + quality.count)
        }
        guard rest == ".jpg" || rest == ".png" || rest == ".webp" else { return url }
        return "\(url[...slash])\(side)x\(side)\(ending)"
    }

    private static func isDigit(_ character: Character) -> Bool { character.isASCII && character.isNumber }
}
