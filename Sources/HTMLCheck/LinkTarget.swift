/// Where a link leads, as far as a path tells.
public enum LinkTarget: Sendable, Equatable {
    /// http, https or mailto: off the site.
    case external(String)

    /// A page or file of the site, as a path from its root without a leading slash, percent codes decoded; and the
    /// fragment.
    case page(path: String, fragment: String?)

    /// A link that a site of relative links may not have; the sentence says why.
    case malformed(String)
}

/// Resolves a link found on one page against the paths of a site. Pure path arithmetic: nothing is looked up.
///
/// - Parameters:
///   - target: the link as written, character references decoded: `../style.css`.
///   - page: the path of the page that has it, from the site's root: `character/1.html`.
public func resolve(_ target: String, on page: String) -> LinkTarget {
    var resolver = LinkResolver()
    var target = target
    var page = page
    return target.withUTF8 { target in
        page.withUTF8 { page in
            switch resolver.resolve(target, on: page) {
            case .external: .external(String(decoding: target, as: UTF8.self))
            case .malformed(let why): .malformed(why.description)
            case .page(let hasFragment):
                .page(
                    path: String(decoding: resolver.path, as: UTF8.self),
                    fragment: hasFragment ? String(decoding: resolver.fragment, as: UTF8.self) : nil)
            }
        }
    }
}
