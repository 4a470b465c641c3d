import Catalogue
import CatalogueEngine
package import HTTP
import Platform

/// Looks at an API with a few requests, and describes it: its lists, how they page, and the fields of its records.
///
/// Everything that it reads may be wrong or malicious. The result is a declaration that is checked like any other.
package actor APISurvey {
    private let client: RetryingClient
    /// The address of the API, without a slash at its end.
    var api: String
    /// The API's own address, if its links have another host than the one that was asked.
    private var canonical: String?
    /// The number of requests that may still be sent.
    private var budget = maximumRequests
    /// The reasons why addresses have no usable answer, in order.
    var problems: [(url: String, value: String)] = []
    /// The addresses of lists that only an OpenAPI document names.
    var documented: Set<String> = []
    /// Guesses that may be wrong, and what was left out.
    var doubts: [String] = []

    /// All requests of a survey, and the bytes of an answer.
    private static let maximumRequests = 200
    private static let maximumSize = 8 << 20
    private static let maximumSeconds = 180
    private let started = ContinuousClock.now
    /// The lists of a root document.
    static let maximumLists = 100

    /// - Parameter callsPerMinute: the maximum number of requests in a minute; nil for 600.
    package init(_ client: Client, retry policy: RetryPolicy = RetryPolicy(), callsPerMinute: Int? = nil, api: String) {
        let limit = RateLimiter(RateLimit(callsPerMinute: callsPerMinute ?? 600, refusalStatus: nil))
        self.client = RetryingClient(client, policy: policy, rateLimiter: limit)
        self.api = api
    }

    /// An answer with valid JSON.
    struct Answer: Sendable {
        let url: String
        let headers: [Header]
        let json: JSON
    }

    /// The reasons why nothing was found: the first request without a usable answer, and what was left out.
    package var reasons: String? {
        let all = problems.prefix(1).map { "\($0.url) \($0.value)" } + doubts.prefix(3)
        return all.isEmpty ? nil : all.joined(separator: "; ").showable.singleLine
    }

    /// The query is left out, because it can contain a secret.
    func report(_ url: String, _ problem: String) { problems.append((Self.withoutQuery(url), problem)) }

    private static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" }) }

    /// - Parameter isOptional: whether a missing document is no problem.
    /// - Returns: nil if there is no answer with JSON. The reason is in `problems`, and the survey continues without it.
    func get(_ url: String, isOptional: Bool = false) async -> Answer? {
        guard let (headers, bytes) = await read(url, type: "application/json", isOptional: isOptional) else {
            return nil
        }
        if let type = headers["Content-Type"], type.hasPrefix("text/html") {
            if !isOptional { report(url, "is a web page (text/html), not JSON") }
            return nil
        }
        do {
            return Answer(url: url, headers: headers, json: try JSON(bytes))
        } catch {
            report(url, "\(error)")
            return nil
        }
    }

    /// The answer with the status 200; nil if there is none.
    func read(_ url: String, type: String, isOptional: Bool = false) async -> (headers: [Header], bytes: [UInt8])? {
        budget -= 1
        guard budget >= 0, started.duration(to: .now) < .seconds(Self.maximumSeconds) else {
            report(
                url,
                "was not read, because a survey has at most \(Self.maximumRequests) requests and "
                    + "\(Self.maximumSeconds) seconds")
            return nil
        }
        guard let address = WebURL(url), address.origin == WebURL(api)?.origin else {
            report(url, "is not on the host of the API")
            return nil
        }
        do {
            let request = Request(
                address, headers: [Header("Accept", type)], maximumSize: Self.maximumSize, isCounted: true)
            let response = try await client.send(request) { response -> RetryingClient.Verdict<Response> in
                switch response.status {
                // Most addresses that a survey tries do not exist, so they are not tried again.
                case 200, 404: .accept(response)
                default: .refuse("answered status \(response.status)")
                }
            }
            let bytes: [UInt8]
            switch response.body {
            case .bytes(let body): bytes = body
            case .file(let path, _):
                bytes = try File.read(path)
                try File.remove(path)
            }
            if response.status == 404 { throw HTTPError(.status(404), url: url, reason: "answered status 404") }
            return (response.headers, bytes)
        } catch {
            let fault = error as? HTTPError
            if case .status? = fault?.cause, isOptional { return nil }
            report(url, fault?.reason ?? "\(error)")
            return nil
        }
    }
}

/// The result of a survey.
package struct APIDescription: Sendable {
    /// The API's own address in links.
    package let api: String
    /// The requested address of the API. It differs from the given address if that is a list or a document.
    package let address: String
    package let lists: [ListDescription]
    package let kinds: [KindDescription]
    package let hosts: [String]
    /// Lists that could not be read, and guesses that may be wrong.
    package let doubts: [String]
}

extension APISurvey {
    /// - Parameters:
    ///   - urls: the addresses of lists; empty if the API names its lists itself.
    ///   - only: the names of the lists to describe; empty for all.
    /// - Returns: nil if there are no lists.
    package func describe(lists urls: [String], only: [String]) async -> APIDescription? {
        let all = urls.isEmpty ? await candidates() : named(urls)
        let wanted = all.filter { only.isEmpty || only.contains($0.name) }.prefix(Self.maximumLists)
        if all.count > wanted.count && only.isEmpty { doubts.append("only the first \(wanted.count) lists were read") }
        var lists: [ListDescription] = []
        var others: [String] = []
        for (name, url) in wanted {
            let known = problems.count
            if let list = await list(name, url, isDocumented: documented.contains(url)) {
                lists.append(list)
            } else if documented.contains(url), problems.count == known {
                others.append(name)
            } else {
                let url = Self.withoutQuery(url)
                let problem = problems.first { $0.url == url }?.value
                doubts.append("\(name): \(url) \(problem ?? "is not a list of records")")
            }
        }
        if !others.isEmpty { doubts.append("OpenAPI also names \(others.joined(separator: ", ")), without records") }
        guard !lists.isEmpty else { return nil }
        lists = Self.withKinds(Self.sharingPaginators(lists))
        let own = canonical ?? api
        let kinds = lists.map { KindDescription(of: $0, among: lists, api: own) }
        let hosts = Set(kinds.flatMap(\.hosts)).sorted()
        for (list, kind) in zip(lists, kinds) { doubts += list.doubts + kind.doubts }
        return APIDescription(api: own, address: api, lists: lists, kinds: kinds, hosts: hosts, doubts: doubts)
    }

    /// The lists that the root document of the API names, then those that an OpenAPI document names.
    private func candidates() async -> [(name: String, url: String)] {
        var root = await get("\(api)/")
        let parts = api.split(separator: "/", omittingEmptySubsequences: false)
        if root == nil, parts.count > 3 { root = await get(api) }
        if let routes = root?.json["routes"]?.members { return Self.wordPress(routes, api) }
        findCanonical(root?.json.members?.compactMap(\.value.text) ?? [])
        var named: [(name: String, url: String)] = []
        for members in [root?.json.members, root?.json["links"]?.members, root?.json["_links"]?.members] {
            for (name, value) in (members ?? []).prefix(1_000) {
                // An address can have an optional query: {?page,size}.
                let link = (value.text ?? value["href"]?.text).map { String($0.prefix { $0 != "{" }) }
                guard let link, let url = absolute(link), name != "self" else { continue }
                // Links of records have the last word of the address.
                let own = Self.name(of: url)
                let isFree = Self.isPathName(own) && !named.contains { $0.name == own }
                guard isFree || !named.contains(where: { $0.name == name }) else { continue }
                named.append((isFree ? own : name, url))
            }
        }
        if named.isEmpty, let root { named = await collections(root.json) }
        named += await documentedLists(besides: named, root)
        guard named.isEmpty, let root, parts.count > 4 else { return named }
        // The address may be that of a list.
        let name = Self.name(of: api)
        api = parts.dropLast().joined(separator: "/")
        return [(name, root.url)]
    }

    /// The collections of an OGC API (OGC API Features, sections 7.2 to 7.15): the landing page has a link to them.
    private func collections(_ landing: JSON) async -> [(name: String, url: String)] {
        func link(_ relation: String, of json: JSON) -> String? {
            json["links"]?.elements?.first { $0["rel"]?.text == relation }?["href"]?.text.flatMap(absolute)
        }
        var json = landing
        if let url = link("data", of: json), let answer = await get(url) { json = answer.json }
        return (json["collections"]?.elements ?? []).prefix(1_000).compactMap { collection in
            link("items", of: collection).map { (collection["id"]?.text ?? Self.name(of: $0), $0) }
        }
    }

    /// The lists of a WordPress: its routes without parameters that people can read.
    private static func wordPress(_ routes: [JSON.Member], _ api: String) -> [(name: String, url: String)] {
        let names = ["posts", "pages", "users", "categories", "tags", "media", "comments"]
        return names.compactMap { name in
            let hasRoute = routes.contains { $0.key.hasSuffix("/\(name)") && $0.key.split(separator: "/").count <= 3 }
            return hasRoute ? (name, "\(api)/\(name)") : nil
        }
    }

    /// A copy or a proxy of an API has links to the original host, with the same path.
    private func findCanonical(_ links: [String]) {
        guard let first = links.first, WebURL(first) != nil, !links.contains(where: { absolute($0) != nil }) else {
            return
        }
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
        if let own = canonical, link.utf8.starts(with: "\(own)/".utf8) { return api + link.dropFirst(own.count) }
        let full = WebLinks.absolute(link, on: api)
        // Servers behind a proxy often write http.
        return api.hasPrefix("https:") ? full.replacing("http://", with: "https://", maxReplacements: 1) : full
    }

    /// The last word of an address: "posts" of ".../wp/v2/posts?per_page=10".
    static func name(of url: String) -> String {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        let last = path.split(separator: "/").last.map(String.init) ?? ""
        return last.hasSuffix(".json") ? String(last.dropLast(5)) : last
    }

    /// Each address, with a name from the last segment that differs between the addresses: "birds" of "birds/items".
    private func named(_ urls: [String]) -> [(name: String, url: String)] {
        let segments = urls.map { url in
            Array(url.dropFirst(api.count).prefix { $0 != "?" && $0 != "#" }.split(separator: "/").reversed())
        }
        let index = (0..<(segments.map(\.count).min() ?? 0)).first { index in
            let names = segments.map { Self.name(of: String($0[index])) }
            return Set(names).count == names.count && !names.contains(where: Self.recordNames.contains)
        }
        // An address without segments has no name, so it is no list.
        return zip(segments, urls).map { (Self.name(of: $0.dropFirst(index ?? 0).first.map(String.init) ?? ""), $1) }
    }

    /// Lists with one page have the paginator of other lists of the same form.
    private static func sharingPaginators(_ lists: [ListDescription]) -> [ListDescription] {
        lists.map { list in
            guard list.isOnePage, let other = lists.first(where: { !$0.isOnePage && $0.form == list.form }) else {
                return list
            }
            var list = list
            list.paginator = other.paginator
            list.path = list.name + other.path.dropFirst(other.name.count)
            return list
        }
    }

    /// The lists with names of kinds that a declaration can have, each with another one.
    private static func withKinds(_ lists: [ListDescription]) -> [ListDescription] {
        var known: Set<String> = []
        return lists.map { list in
            var list = list
            var own = String(
                list.name.lowercased().replacing(/[^a-z0-9-]/.matchingSemantics(.unicodeScalar), with: "_").prefix(36))
            if own.first?.isLetter != true { own = String("list_\(own)".prefix(36)) }
            list.kind = own
            var number = 2
            while KindDescription.isReserved(list.kind) || !known.insert(list.kind).inserted {
                list.kind = "\(own)\(number)"
                number += 1
            }
            return list
        }
    }
}
