import Platform

/// Resolves links on pages to paths of the site, whether or not the files exist. Its buffers are reused for every link.
package struct LinkResolver {
    /// The path of the last resolved link, relative to the site's root and percent-decoded.
    package private(set) var path: [UInt8] = []

    /// The fragment of the last resolved link, percent-decoded.
    package private(set) var fragment: [UInt8] = []

    /// The kind of a link. For `page`, `path` and `fragment` of the resolver have its target.
    package enum Resolution {
        /// A link with the scheme http, https or mailto.
        case external
        /// A page or file of the site.
        case page(hasFragment: Bool)
        /// An invalid link, with the reason as a sentence.
        case malformed(StaticString)
    }

    package init() {}

    /// Resolves a link on a page.
    /// - Parameters:
    ///   - target: the link as in the page, in UTF-8.
    ///   - page: the path of the page in UTF-8, relative to the site's root.
    package mutating func resolve(
        _ target: UnsafeBufferPointer<UInt8>, on page: UnsafeBufferPointer<UInt8>
    ) -> Resolution {
        path.removeAll(keepingCapacity: true)
        fragment.removeAll(keepingCapacity: true)
        if let scheme = schemeResolution(target) { return scheme }

        let hash = target.firstIndex(of: "#")
        let written = target.prefix { $0 != "#" && $0 != "?" }
        if let hash, let problem = Self.decode(target[(hash + 1)...], into: &fragment) { return .malformed(problem) }

        if written.isEmpty {
            path.append(contentsOf: page)
        } else if written.first == "/", !page.equals("404.html") {
            return .malformed("the link begins with a slash; links must be relative")
        } else if let problem = walk(written.first == "/" ? written.dropFirst() : written, from: page) {
            // Servers send 404.html for any path, so only links from the root of the server work there.
            return .malformed(problem)
        }
        return .page(hasFragment: hash != nil)
    }

    /// The result for a link with a scheme (RFC 3986, section 3.1); nil for a link without one.
    private func schemeResolution(_ target: Bytes) -> Resolution? {
        let end = target.firstIndex { $0 == ":" || $0 == "/" || $0 == "?" || $0 == "#" }
        guard let end, target[end] == ":" else { return nil }
        let isExternal = ["http://", "https://", "mailto:"].contains { (known: String) in
            target.count > known.utf8.count
                && zip(target, known.utf8).allSatisfy { byte, letter in byte.lowercased == letter }
        }
        return isExternal ? .external : .malformed("the link has a scheme other than http, https and mailto")
    }

    /// Applies the segments of a relative path to the page's folder, and stores the result in `path`.
    /// - Returns: the reason why the link is invalid; nil if it is valid.
    private mutating func walk(_ written: Slice<Bytes>, from page: Bytes) -> StaticString? {
        if let last = page.lastIndex(of: "/") { path.append(contentsOf: UnsafeBufferPointer(rebasing: page[...last])) }
        var rest = written
        var isLast = false
        while !isLast {
            let end = rest.firstIndex(of: "/") ?? rest.endIndex
            isLast = end == rest.endIndex
            let start = path.count
            if let problem = Self.decode(rest[..<end], into: &path) { return problem }
            rest = rest[end...].dropFirst()
            if path[start...].contains(where: { $0 == "/" || $0 == "\\" || $0 < 0x20 }) {
                return "the link has a slash, backslash or control character inside a name"
            }
            let length = path.count - start
            if length == 0, !isLast { return "the link has an empty segment" }

            let isDots = length <= 2 && path[start...].allSatisfy { $0 == "." }
            if isDots {
                path.removeLast(length)
            } else if !isLast {
                path.append("/")
            }
            if isDots, length == 2 {
                guard !path.isEmpty else { return "the link leads above the root of the site" }
                path.removeLast()
                path.removeLast(path.count - 1 - (path.lastIndex(of: "/") ?? -1))
            }
        }
        if path.last ?? "/" == "/" { path.append(contentsOf: "index.html".utf8) }
        return nil
    }

    private static func decode(_ slice: Slice<Bytes>, into buffer: inout [UInt8]) -> StaticString? {
        guard slice.contains("%") else {
            buffer.append(contentsOf: UnsafeBufferPointer(rebasing: slice))
            return nil
        }
        guard let decoded = percentDecoded(slice) else { return "the link has a % without two hexadecimal digits" }
        guard String(validating: decoded, as: UTF8.self) != nil else {
            return "the percent-encoded text of the link is not UTF-8"
        }
        buffer.append(contentsOf: decoded)
        return nil
    }
}
