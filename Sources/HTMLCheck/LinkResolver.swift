/// Resolves links over bytes into a buffer that is used again: `resolve(_:on:)` for the hot path.
public struct LinkResolver {
    /// The path of the last page resolved, percent codes decoded.
    public private(set) var path: [UInt8] = []

    /// Its fragment, percent codes decoded.
    public private(set) var fragment: [UInt8] = []

    /// What a link is; the path and the fragment lie in the resolver.
    public enum Resolution {
        /// http, https or mailto.
        case external

        /// A page or file of the site.
        case page(hasFragment: Bool)

        /// Not allowed; the sentence says why.
        case malformed(StaticString)
    }

    /// Makes a resolver with empty buffers.
    public init() {}

    /// Resolves a link on a page; both are UTF-8, the page a path from the site's root.
    public mutating func resolve(_ target: UnsafeBufferPointer<UInt8>, on page: UnsafeBufferPointer<UInt8>)
        -> Resolution
    {
        path.removeAll(keepingCapacity: true)
        fragment.removeAll(keepingCapacity: true)
        if let scheme = schemeResolution(target) { return scheme }

        let hash = target.firstIndex(of: UInt8(ascii: "#"))
        let upToHash = target[..<(hash ?? target.count)]
        let written = upToHash[..<(upToHash.firstIndex(of: UInt8(ascii: "?")) ?? upToHash.endIndex)]
        if let hash, let problem = Self.decode(target[(hash + 1)...], into: &fragment) { return .malformed(problem) }

        if written.isEmpty {
            path.append(contentsOf: page)
            return .page(hasFragment: hash != nil)
        }
        if written.first == UInt8(ascii: "/") {
            return .malformed("the link starts at the root of a host; links must be relative")
        }
        if let problem = walk(UnsafeBufferPointer(rebasing: written), from: page) { return .malformed(problem) }
        return .page(hasFragment: hash != nil)
    }

    /// What a scheme decides: RFC 3986, section 3.1.
    private func schemeResolution(_ target: UnsafeBufferPointer<UInt8>) -> Resolution? {
        let end = target.firstIndex { byte in
            byte == UInt8(ascii: ":") || byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?")
                || byte == UInt8(ascii: "#")
        }
        guard let end, target[end] == UInt8(ascii: ":") else { return nil }
        let isExternal = ["http://", "https://", "mailto:"].contains { known in
            target.count > known.utf8.count
                && zip(target, known.utf8).allSatisfy { $0 == $1 || ($0 | 0x20) == $1 && $0.isLetter }
        }
        return isExternal ? .external : .malformed("the link has a scheme other than http, https and mailto")
    }

    /// Applies the segments of a relative path to the page's folder.
    private mutating func walk(_ written: UnsafeBufferPointer<UInt8>, from page: UnsafeBufferPointer<UInt8>)
        -> StaticString?
    {
        if let slash = page.lastIndex(of: UInt8(ascii: "/")) { path.append(contentsOf: page[...slash]) }
        var place = 0
        while true {
            var end = place
            var isPlain = true
            while end < written.count, written[end] != UInt8(ascii: "/") {
                if written[end] == UInt8(ascii: "%") || written[end] == UInt8(ascii: "\\") || written[end] < 0x20 {
                    isPlain = false
                }
                end += 1
            }
            let isLast = end == written.count
            let start = path.count
            if isPlain {
                path.append(contentsOf: UnsafeBufferPointer(rebasing: written[place..<end]))
            } else {
                if let problem = Self.decode(written[place..<end], into: &path) { return problem }
                if path[start...].contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "\\") || $0 < 0x20 })
                {
                    return "the link has a slash, backslash or control character inside a name"
                }
            }

            let length = path.count - start
            let dots = length <= 2 && path[start...].allSatisfy { $0 == UInt8(ascii: ".") } ? length : 0
            if length == 0, !isLast { return "the link has an empty segment" }
            if dots == 2 {
                path.removeSubrange(start...)
                guard !path.isEmpty else { return "the link climbs above the root of the site" }
                path.removeLast()
                path.removeSubrange(((path.lastIndex(of: UInt8(ascii: "/")) ?? -1) + 1)...)
            } else if dots == 1 {
                path.removeSubrange(start...)
            } else if !isLast {
                path.append(UInt8(ascii: "/"))
            }
            if isLast { break }
            place = end + 1
        }
        if path.last ?? UInt8(ascii: "/") == UInt8(ascii: "/") { path.append(contentsOf: "index.html".utf8) }
        return nil
    }

    private static func decode(_ bytes: Slice<UnsafeBufferPointer<UInt8>>, into buffer: inout [UInt8]) -> StaticString?
    {
        guard bytes.contains(UInt8(ascii: "%")) else {
            buffer.append(contentsOf: bytes)
            return nil
        }
        let decoded = percentDecoded(bytes)
        if String(validating: decoded, as: UTF8.self) == nil { return "the link's percent codes are not UTF-8" }
        var rest = bytes
        while let percent = rest.firstIndex(of: UInt8(ascii: "%")) {
            guard rest[(percent + 1)...].prefix(2).compactMap(\.hexValue).count == 2 else {
                return "the link has a % without two hexadecimal digits"
            }
            rest = rest[(percent + 1)...]
        }
        buffer.append(contentsOf: decoded)
        return nil
    }
}
