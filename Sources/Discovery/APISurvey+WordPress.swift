import Catalogue
import CatalogueEngine
import HTMLCheck
import HTTP
import Platform

extension APISurvey {
    /// The relation of the link to the API (https://developer.wordpress.org/rest-api/using-the-rest-api/discovery/).
    private static let relation = "https://api.w.org/"
    /// The beginning of a page, with the links of its head.
    private static let headSize = 1 << 20

    /// The name of a WordPress site, which only the root of all routes has; nil if it has none.
    package func siteName() async -> String? {
        let root = api.hasSuffix("/wp/v2") ? String(api.dropLast(5)) : "\(api)/?rest_route=/"
        let name = await get(root, isOptional: true)?.json["name"]?.text
        setTitle(["name": name.map { .text(HTMLSanitizer.text($0)) }])
        return title
    }

    /// Finds the API of a WordPress site from the address of one of its pages.
    /// - Returns: the root of the API, such as "https://blog.example/wp-json/", and whether it is on another host, to
    ///   which nothing was sent. Nil if there is none; the reasons are in `problems`.
    package func wordPressRoot() async -> (address: String, isElsewhere: Bool)? {
        var named: String?
        if let page = await read("\(api)/", type: "text/html") {
            let head = String(decoding: page.bytes.prefix(Self.headSize), as: UTF8.self)
            let header = page.headers.list("Link").joined(separator: ", ")
            named = WebLinks.target(of: Self.relation, in: header) ?? HTMLSanitizer.link(Self.relation, in: head)
        }
        if let link = named.map(onHost), let url = WebURL(link), url.origin != WebURL(api)?.origin {
            return (url.text, true)
        }
        for root in [named.map(onHost), "\(api)/wp-json/", "\(api)/?rest_route=/"].compactMap(\.self) {
            let root = root.hasSuffix("/") ? root : "\(root)/"
            if await get("\(root)wp/v2")?.json["routes"]?["/wp/v2/posts"] != nil { return (root, false) }
        }
        return nil
    }
}
