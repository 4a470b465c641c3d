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
    var canonical: String?
    /// The number of requests that may still be sent.
    private var budget = maximumRequests
    /// The number of lists that are described after this one.
    private var remainingLists = 0
    /// The reasons why addresses have no usable answer, in order.
    var problems: [(url: String, value: String)] = []
    /// The addresses of lists that only an OpenAPI document names.
    var documented: Set<String> = []
    /// The parameters of the addresses of records by the address of their list, as an OpenAPI document names them.
    var parameters: [String: String] = [:]
    /// The addresses of documents that name lists, and are no lists themselves.
    var sources: Set<String> = []
    /// Guesses that may be wrong.
    var doubts: [String] = []
    /// Lists that cannot be described, with the reasons.
    private var refused: [(name: String, reason: String)] = []
    /// Lists whose records are those of an earlier list.
    var repeated: [String] = []
    /// The name of the API in its own documents.
    var title: String?
    /// Whether links to further pages lead above the address of the API.
    var isWide = false

    /// All requests of a survey, and the bytes of an answer.
    private static let maximumRequests = 200
    private static let maximumSize = 8 << 20
    private static let maximumSeconds = 180
    /// The longest pause in seconds for which a server can ask. A person waits for the survey.
    package static let maximumPause = 10
    /// The reason why an address with the status 404 has no answer.
    static let missing = "answered status 404"
    static let webPage = "is a web page (text/html), not JSON"
    private let started = ContinuousClock.now
    /// The lists of a root document.
    static let maximumLists = 100

    /// - Parameter callsPerMinute: the maximum number of requests in a minute; nil for 600.
    package init(_ client: Client, retry policy: RetryPolicy = RetryPolicy(), callsPerMinute: Int? = nil, api: String) {
        let limit = RateLimiter(RateLimit(calls: callsPerMinute ?? 600, refusalStatus: nil))
        var policy = policy
        policy.attempts = min(policy.attempts, 2)
        policy.maximumRetryAfter = min(policy.maximumRetryAfter, Self.maximumPause)
        self.client = RetryingClient(client, policy: policy, rateLimiter: limit)
        self.api = WebLinks.normalised(api)
    }

    /// An answer with valid JSON.
    struct Answer: Sendable {
        let url: String
        let headers: [Header]
        let json: JSON
    }

    /// The reasons why nothing was found: the first request without a usable answer, and what was left out.
    package var reasons: String? {
        let first = problems.first
        // If the host does not answer, each request has the same problem.
        let others = (refused.map { "\($0.name): \($0.reason)" } + doubts).filter { !$0.hasSuffix(first?.value ?? " ") }
        let all = (first.map { ["\($0.url) \($0.value)"] } ?? []) + others.prefix(3)
        return all.isEmpty ? nil : all.joined(separator: "; ").showable.singleLine
    }

    /// The query is left out, because it can contain a secret.
    /// - Returns: nil, because an address with a problem has no value.
    func report<Value>(_ url: String, _ problem: String) -> Value? {
        problems.append((Self.withoutQuery(url), problem))
        return nil
    }

    static func withoutQuery(_ url: String) -> String { String(url.prefix { $0 != "?" }) }

    /// - Parameter isOptional: whether a missing document is no problem.
    /// - Returns: nil if there is no answer with JSON. The reason is in `problems`, and the survey continues.
    func get(_ url: String, isOptional: Bool = false) async -> Answer? {
        let answer = await read(url, type: "application/json", isOptional: isOptional)
        guard let (headers, bytes) = answer else { return nil }
        if let type = headers["Content-Type"], type.hasPrefix("text/html") {
            return isOptional ? nil : report(url, Self.webPage)
        }
        do {
            return Answer(url: url, headers: headers, json: try JSON(bytes))
        } catch {
            return report(url, "\(error)")
        }
    }

    /// How many records of a list are requested one by one. Each of the lists after it needs four requests. The others
    /// are divided equally among all lists. If answers are slow, there is time for fewer.
    var detailCount: Int {
        let seconds = started.duration(to: .now) / .seconds(1)
        let inTime = (Double(Self.maximumSeconds) - seconds) * Double(Self.maximumRequests - budget) / max(seconds, 1)
        return max(1, min(20, (min(budget, Int(inTime)) - 4 * remainingLists) / (remainingLists + 1)))
    }

    /// Whether an address has the status 404.
    func isMissing(_ url: String) async -> Bool {
        let known = problems.count
        defer { problems.removeSubrange(known...) }
        return await get(url) == nil && problems[known...].contains { $0.value == Self.missing }
    }

    /// The answer with the status 200; nil if there is none.
    func read(_ url: String, type: String, isOptional: Bool = false) async -> (headers: [Header], bytes: [UInt8])? {
        budget -= 1
        guard budget >= 0, started.duration(to: .now) < .seconds(Self.maximumSeconds) else {
            let most = "\(Self.maximumRequests) requests and \(Self.maximumSeconds) seconds"
            return report(url, "was not read, because a survey has at most \(most)")
        }
        guard let address = WebURL(url), address.origin == WebURL(api)?.origin else {
            return report(url, "is not on the host of the API")
        }
        do {
            let request = Request(address, headers: [Header("Accept", type)], maximumSize: Self.maximumSize)
            let response = try await client.send(request) { response in
                // Most addresses that a survey tries do not exist, so they are not tried again.
                guard [200, 404].contains(response.status) else {
                    throw request.error(.refused, "answered status \(response.status)")
                }
                return response
            }
            let bytes = try response.body.read()
            try response.body.removeFile()
            if response.status == 404 { throw HTTPError(.status(404), url: url, reason: Self.missing) }
            return (response.headers, bytes)
        } catch {
            let fault = error as? HTTPError
            if case .status? = fault?.cause, isOptional { return nil }
            return report(url, fault?.reason ?? "\(error)")
        }
    }
}

/// The result of a survey.
package struct APIDescription: Sendable {
    /// The API's own address in links.
    package let api: String
    /// The requested address of the API. It differs from the given address if that is a list or a document.
    package let address: String
    /// The path of a record of any list; nil for the usual one.
    let lookup: String?
    package let lists: [ListDescription]
    package let kinds: [KindDescription]
    /// The name of the API in its own documents.
    package let title: String?
    /// Lists that the declaration does not have, with the reasons.
    package let refused: [(name: String, reason: String)]
    /// Guesses that may be wrong.
    package let doubts: [String]
}

extension APISurvey {
    /// - Parameters:
    ///   - urls: the addresses of lists; empty if the API names its lists itself.
    ///   - only: the names of the lists to describe; empty for all.
    /// - Returns: nil if there are no lists.
    /// - Throws: `ContentFault` if no list has one of the names in `only`.
    package func describe(lists urls: [String], only: [String]) async throws -> APIDescription? {
        let all = urls.isEmpty ? await candidates() : named(urls)
        if let name = only.first(where: { name in !all.contains { $0.name == name } }), !all.isEmpty {
            let found = all.prefix(Self.maximumLists).map(\.name).joined(separator: ", ")
            throw ContentFault("", "no list is named \"\(name)\"; found: \(found)".showable.singleLine)
        }
        let wanted = all.filter { only.isEmpty || only.contains($0.name) }.prefix(Self.maximumLists)
        if all.count > wanted.count && only.isEmpty { doubts.append("only the first \(wanted.count) lists were read") }
        var lists: [ListDescription] = []
        var others: [String] = []
        for (index, (name, url)) in wanted.enumerated() {
            remainingLists = wanted.count - index - 1
            let known = problems.count
            if let list = await list(name, url, besides: urls.isEmpty ? lists : []) {
                lists.append(list)
            } else if repeated.last == name {
                continue
            } else if documented.contains(url), problems.count == known {
                others.append(name)
            } else {
                let url = Self.withoutQuery(url)
                let problem = problems.last { $0.url == url }?.value
                refused.append((name, "\(url) \(problem ?? "is not a list of records")"))
            }
        }
        if !others.isEmpty { doubts.append("OpenAPI also names \(others.joined(separator: ", ")), without records") }
        if !repeated.isEmpty {
            doubts.append("left out, because other lists have the same records: \(repeated.joined(separator: ", "))")
        }
        guard !lists.isEmpty else { return nil }
        lists = Self.withKinds(Self.sharingPaginators(lists))
        var lookup: String?
        if case let folder = api.dropFirst(WebLinks.origin(of: api).count + 1), isWide, !folder.isEmpty {
            for index in lists.indices { lists[index].path = "\(folder)/\(lists[index].path)" }
            lookup = "\(folder)/{kind}/{ids}"
            (api, canonical) = (WebLinks.origin(of: api), canonical.map(WebLinks.origin))
        }
        let own = canonical ?? api
        let kinds = KindDescription.withInverses(lists.map { KindDescription(of: $0, among: lists, api: own) })
        doubts += lists.flatMap { $0.pageDoubts + $0.doubts }
        return APIDescription(
            api: own, address: api, lookup: lookup, lists: lists, kinds: kinds, title: title, refused: refused,
            doubts: doubts)
    }

    /// Lists with one page have the paginator of other lists of the same form. A server without a second page of a list
    /// answers page 2 with the first one, so only lists with an empty page 2 have page numbers.
    private static func sharingPaginators(_ lists: [ListDescription]) -> [ListDescription] {
        lists.map { list in
            let isSingle = list.paginatorType == "single_page"
            let other = lists.first {
                // Answers with cursors or links say whether there is another page.
                let announcesPages = ["cursor", "json_link", "header_link"].contains($0.paginatorType)
                let hasPages = announcesPages || list.hasEmptyPage && $0.paginatorType == "page_number"
                return $0.form == list.form && !$0.isOnePage && (list.isOnePage || isSingle && hasPages)
            }
            guard let other else { return list }
            var list = list
            (list.paginator, list.endsWithout) = (other.paginator, other.endsWithout)
            if isSingle { list.pageDoubts = [] }
            // The paginator adds its own parameters to each address.
            let sent = ["parameter", "limitParameter"].compactMap { other.paginator[$0]?.text }
            let usual = ["offset": ["offset", "limit"], "page_number": ["page"]][other.paginatorType] ?? []
            if !usual.isEmpty { list.path = without(usual + sent, list.path) }
            // A query can also select records. It is copied only if it contains nothing but the page size.
            let query = Self.query(of: other.path)
            let sizes = ["limit", "size", "pageSize", "perPage", "per_page", "page_size"]
            if !list.path.contains("?"), query.count <= 1, query.keys.allSatisfy(sizes.contains) {
                list.path = list.name + other.path.dropFirst(other.name.count)
            }
            return list
        }
    }

    /// The lists with names of kinds that a declaration can have, each with another one.
    private static func withKinds(_ lists: [ListDescription]) -> [ListDescription] {
        var known: Set<String> = []
        // The names of a kind, and of its table and pages, which no other kind can have.
        func names(_ kind: String) -> Set<String> {
            let plural = kind.pluralised.replacing("-", with: "_")
            return [kind, plural, "\(kind)-pages", "\(plural)-pages"]
        }
        return lists.map { list in
            var list = list
            var own = String(
                list.name.lowercased().replacing(/[^a-z0-9-]/.matchingSemantics(.unicodeScalar), with: "_").prefix(36))
            // "@search" is "search".
            own = String(own.trimmingPrefix { "_-".contains($0) })
            if own.first?.isLetter != true || own.hasPrefix("sqlite") { own = String("list_\(own)".prefix(36)) }
            if KindDescription.isReserved(own) { own = CatalogueDeclaration.free(own) }
            list.kind = own
            var number = 2
            while KindDescription.isReserved(list.kind) || !known.isDisjoint(with: names(list.kind)) {
                list.kind = "\(own)\(number)"
                number += 1
            }
            known.formUnion(names(list.kind))
            return list
        }
    }
}
