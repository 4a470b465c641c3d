import Catalogue
import CatalogueEngine
import HTMLCheck
import HTTP
import Platform

/// The root document of an API: its lists, its title, and the host in its links.
extension APISurvey {
    /// The lists that the root document of the API names, then those that an OpenAPI document names.
    func candidates() async -> [(name: String, url: String)] {
        let parts = api.split(separator: "/", omittingEmptySubsequences: false)
        var root = Self.folder(of: api) == api ? await get("\(api)/") : nil
        if root == nil, parts.count > 3 { root = await get(api) }
        if let routes = root?.json["routes"]?.members {
            _ = await siteName()
            // The routes of a WordPress without parameters that people can read.
            let names = ["posts", "pages", "users", "categories", "tags", "media", "comments"].filter { name in
                routes.contains { $0.key.hasSuffix("/\(name)") && $0.key.split(separator: "/").count <= 3 }
            }
            return names.map { ($0, "\(api)/\($0)") }
        }
        setTitle(root?.json)
        // The addresses can be in a member such as "links" or "resources", unless the members are records.
        let top = root?.json.members ?? []
        let areRecords = root.flatMap { Self.records(of: $0.json, named: "")?.path } == ""
        let objects = [top] + (areRecords ? [] : top.compactMap(\.value.members))
        for members in objects where canonical == nil { findCanonical(members.compactMap(\.value.text)) }
        var named: [(name: String, url: String)] = []
        for (name, value) in objects.joined().prefix(2_000) {
            // An address can have an optional query: {?page,size}.
            let members = areRecords ? ["href"] : ["href", "link", "url", "uri"]
            let address = value.text ?? members.lazy.compactMap { value[$0]?.text }.first
            let link = address.map { String($0.prefix { $0 != "{" }) }
            // An address with only another query is a page of this answer.
            guard let link, let url = absolute(link), name != "self",
                url.utf8.dropFirst(api.utf8.count + 1).first != "?", !named.contains(where: { $0.url == url })
            else { continue }
            // The list is named by the last word of its address, as in links to its records.
            let own = Self.name(of: url)
            let isFree = own.isPathName && !named.contains { $0.name == own }
            guard isFree || !named.contains(where: { $0.name == name }) else { continue }
            named.append((isFree ? own : name, url))
        }
        if named.isEmpty, let root {
            named = await collections(root.json)
            if named.isEmpty { named = await namesOnly(root.json) }
        }
        await addDocumentedLists(to: &named, root)
        guard named.isEmpty, let root, parts.count > 3 else { return named }
        // The address may be that of a list.
        let name = Self.name(of: api)
        api = parts.dropLast().joined(separator: "/")
        return [(name, root.url)]
    }

    /// The lists of a root document whose rows have nothing but the names of lists, such as that of Buildbot.
    private func namesOnly(_ root: JSON) async -> [(name: String, url: String)] {
        let rows = Self.records(of: root, named: "")?.records ?? []
        let names = rows.compactMap { $0.members?.count == 1 ? $0["name"]?.text : nil }.filter(\.isPathName)
        guard let first = names.first, names.count == rows.count,
            let answer = await get("\(api)/\(first)", isOptional: true),
            Self.records(of: answer.json, named: first) != nil
        else { return [] }
        return names.map { ($0, "\(api)/\($0)") }
    }

    /// The collections of an OGC API (OGC API Features, sections 7.2 to 7.15): the landing page has a link to them.
    private func collections(_ landing: JSON) async -> [(name: String, url: String)] {
        func link(_ relation: String, of json: JSON) -> String? {
            json["links"]?.elements?.first { $0["rel"]?.text == relation }?["href"]?.text.flatMap(absolute)
        }
        var json = landing
        if let url = link("data", of: json), let answer = await get(url) {
            sources.insert(Self.withoutQuery(url))
            json = answer.json
        }
        return (json["collections"]?.elements ?? []).prefix(1_000).compactMap { collection in
            link("items", of: collection).map { (collection["id"]?.text ?? Self.name(of: $0), $0) }
        }
    }

    /// Takes the title from a document of the API: OpenAPI, the root document, or the root of a WordPress.
    func setTitle(_ json: JSON?) {
        let names = [json?["info"]?["title"], json?["title"], json?["name"]].compactMap { $0?.text }
        let isShort = { (name: String) in (1...100).contains(name.utf8.count) }
        title = names.first { isShort($0) && !$0.contains { "{}".contains($0) || $0.isNewline } } ?? title
    }

    /// A copy or a proxy of an API has links to the original host, with the same path.
    private func findCanonical(_ links: [String]) {
        let links = links.map(WebLinks.normalised)
        let hasOwn = links.contains { absolute($0) != nil }
        guard let first = links.first, WebURL(first) != nil, !hasOwn else { return }
        let own = WebLinks.origin(of: first) + api.dropFirst(WebLinks.origin(of: api).count)
        if links.allSatisfy({ $0.utf8.starts(with: "\(own)/".utf8) }) { canonical = own }
    }

    /// An address below the API, on the host that is asked; nil for another one.
    func absolute(_ link: String) -> String? {
        let full = onHost(link)
        return full.utf8.starts(with: "\(api)/".utf8) && full.utf8.count > api.utf8.count + 1 ? full : nil
    }

    /// The address of a link. If the link is a path, or has the API's own host, its host is the requested one.
    func onHost(_ link: String) -> String {
        let link = WebLinks.normalised(link)
        if let own = canonical, link.utf8.starts(with: "\(own)/".utf8) { return api + link.dropFirst(own.count) }
        return Self.secure(WebLinks.absolute(link, on: api), like: api)
    }

    /// An address with https if the API has it. Servers behind a proxy often write http.
    static func secure(_ address: String, like api: String) -> String {
        api.hasPrefix("https:") ? address.replacing("http://", with: "https://", maxReplacements: 1) : address
    }

    /// The address itself, or that of its folder if its last segment has the extension of a file, such as "api.php".
    package static func folder(of address: String) -> String {
        let parts = address.split(separator: "/", omittingEmptySubsequences: false)
        let isFile = parts.count > 3 && parts[parts.count - 1].wholeMatch(of: /.+\.[A-Za-z]{2,5}/) != nil
        return isFile ? parts.dropLast().joined(separator: "/") : address
    }

    /// The last word of an address: "posts" of ".../wp/v2/posts?per_page=10".
    static func name(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        return last.hasSuffix(".json") ? String(last.dropLast(5)) : last
    }

    /// Each address, with a name from the last segment that differs between the addresses: "birds" of "birds/items".
    func named(_ urls: [String]) -> [(name: String, url: String)] {
        let segments = urls.map { url in
            let path = url.dropFirst(api.count).prefix { $0 != "?" && $0 != "#" }
            return path.split(separator: "/").reversed().map { Self.name(of: String($0)) }
        }
        let index = (0..<(segments.map(\.count).min() ?? 0)).first { index in
            let names = segments.map { $0[index] }
            return Set(names).count == names.count && !names.contains(where: Self.recordNames.contains)
        }
        // An address without segments has no name, so it is no list.
        let names = segments.map { words in
            // "occurrence/search" is a list of occurrences. "all" alone is no name.
            words.dropFirst(index ?? 0).first { !["search", "all"].contains($0) } ?? (words.isEmpty ? "" : "items")
        }
        return zip(names, urls).map { name, url in
            // Lists on one path have the name of the first value that only their query has, without "home.".
            let others = zip(names, urls).filter { $0.0 == name && $0.1 != url }.map { Self.query(of: $0.1).values }
            let values = url.drop { $0 != "?" }.split { "?&".contains($0) }.map { $0.drop { $0 != "=" }.dropFirst() }
            let words = values.filter { value in !others.contains { $0.contains(String(value)) } }
                .compactMap { $0.split(separator: ".").last?.replacing(/%20|\+/, with: "_") }.map(String.init)
            let own = words.first { $0.first?.isLetter == true && $0.isPathName }
            return (others.isEmpty ? name : own ?? name, url)
        }
    }
}

/// WordPress, whose API is found from the address of a page.
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
            let link = WebLinks.target(of: Self.relation, in: header) ?? HTMLSanitizer.link(Self.relation, in: head)
            named = link.map(onHost)
        }
        if let url = named.flatMap(WebURL.init), url.origin != WebURL(api)?.origin { return (url.text, true) }
        for root in [named, "\(api)/wp-json/", "\(api)/?rest_route=/"].compactMap(\.self) {
            let root = root.hasSuffix("/") ? root : "\(root)/"
            if await get("\(root)wp/v2")?.json["routes"]?["/wp/v2/posts"] != nil { return (root, false) }
        }
        return nil
    }
}
