import Catalogue
import Platform

extension DeclaredCatalogue {
    /// The path of the next page, for paginators with a cursor or link; nil for others, and after the last page.
    /// - Parameter more: whether the page says that there is another one; nil if it does not say.
    func next(after values: AnswerValues, _ list: ListEndpoint, more: Bool?) throws -> String? {
        guard more != false else { return nil }
        let answer = values.answer
        switch list.paginator {
        case .pageNumber, .offset, .single: return nil
        case .jsonLink(let place):
            return try values.text(place).map { try path(of: $0.text, on: answer, at: place.text) }
        case .headerLink(let relation):
            return try values.header("Link").flatMap { WebLinks.target(of: relation, in: $0) }.map {
                try path(of: $0, on: answer, at: "the header field Link")
            }
        case .cursor(let parameter, let value):
            guard let cursor = try values.text(value) else {
                try require(more == nil, value.text, "is missing, though there are more pages")
                return nil
            }
            // Each member of an object is a parameter.
            let parameters =
                cursor.isObject
                ? try Self.parameters(Array(cursor.text.utf8), at: value.text) : [(name: parameter, value: cursor.text)]
            let next = list.path(adding: parameters)
            let isShort = next.utf8.count <= Self.longestPath
            try require(isShort, value.text, "is \(cursor.text.quoted), longer than \(Self.longestPath) bytes")
            return next
        }
    }

    /// Whether a page has no value at the place of the next one. Null is a value that ends the list.
    static func lacksNext(_ values: AnswerValues, _ list: ListEndpoint) throws -> Bool {
        guard case .body(let path)? = list.paginator.nextPlace else { return list.paginator.isChain }
        return try values.range(of: path) == nil
    }

    /// A fault if the last page of a list announces another page at a usual place, or if the only page states more
    /// records than it has; nil if they do not. Lists with page numbers and offsets end with a count or an empty page.
    static func unreadPage(in values: AnswerValues, of list: ListEndpoint, _ records: FieldPath?, rows: Int) throws
        -> ContentFault?
    {
        guard list.paginator.isChain || list.paginator == .single else { return nil }
        func fault(_ place: String, _ cure: String) -> ContentFault {
            ContentFault(place, "announces another page, which was not read; declare the paginator\(cure)")
        }
        if values.header("Link").flatMap({ WebLinks.target(of: "next", in: $0) }) != nil {
            return fault("the header field Link", " { \"type\": \"header_link\" }")
        }
        // Without "records", the members of an object are records.
        let place = values.isObject ? records?.text ?? "" : ""
        let envelope = try records.flatMap { values.isObject ? try values.envelope(besides: $0) : nil } ?? [:]
        if let (path, value) = envelope.nextPage(besides: place) {
            let hasLink = [".href", ".url", ".uri"].contains(where: path.hasSuffix)
            let isLink = hasLink || ["?", "\"/", "://"].contains(where: value.contains)
            let cure = isLink ? #""json_link", "next": "\#(path)""# : #""cursor", "cursor": "\#(path)""#
            return fault(path, value.first == "\"" || value.first == "{" ? " { \"type\": \(cure) }" : "")
        }
        guard !list.hasCount, list.firstPath == values.answer.path else { return nil }
        let fields = ["X-WP-Total", "X-Total-Count", "X-Total"].compactMap { name in
            // `try?`, because a field with another value is no count.
            (try? values.number(.header(name))).map { (path: "header:\(name)", number: $0) }
        }
        let counts = fields + envelope.numbers(JSON.countNames, besides: place)
        return counts.first { $0.number > rows }.map { path, count in
            ContentFault(
                path,
                "is \(count), but the only page of the list has \(rows) records; declare the paginator, and "
                    + "\"count\": \"\(path)\"")
        }
    }

    /// The maximum length of the path of a page in bytes.
    private static let longestPath = 2_048

    private static func parameters(_ object: [UInt8], at place: String) throws -> [(name: String, value: String)] {
        let members = try JSONSlices.members(of: object).sorted { $0.value.lowerBound < $1.value.lowerBound }
        try require(members.count <= 100, place, "has more than 100 parameters")
        return try members.map { (percentEncoded($0), try JSONText.scalar(object, at: $1)) }
    }

    /// The path of a link below the API's address. The link can be relative to the page (RFC 3986, section 5.2), and
    /// have the API's own host, even if another host was requested.
    private func path(of link: String, on answer: PageAnswer, at place: String) throws -> String {
        let folder = answer.path.prefix { $0 != "?" }
        var full = WebLinks.absolute(link, on: answer.base)
        if link.hasPrefix("?") {
            full = "\(answer.base)/\(folder)\(link)"
        } else if !link.hasPrefix("/"), !link.prefix(while: { !"/?#".contains($0) }).contains(":") {
            full = "\(answer.base)/\(folder.lastIndex(of: "/").map { folder[...$0] } ?? "")\(link)"
        }
        full = WebLinks.normalised(full)
        let reader = links(answer.base)
        let found = reader.bases.lazy.compactMap { base -> Substring? in
            // The same host with the other scheme is the same API.
            let schemes = [base, base.replacing("https://", with: "http://", maxReplacements: 1)]
            return schemes.first { full.utf8.starts(with: "\($0)/".utf8) }.map { full.dropFirst($0.count + 1) }
        }.first
        guard let found, Self.isPlain(String(found)) else {
            throw ContentFault(place, "links to \(link.quoted), which is not below this API's address")
        }
        // A page with the path of a record would replace its answer.
        try require(
            !reader.kinds.contains { reader.key("\(answer.base)/\(found)", kind: $0) != nil }, place,
            "links to \(link.quoted), which is the address of a record")
        return String(found)
    }

    /// Whether a path with a query stays below the API's address. A slash before the query is allowed. Percent codes of
    /// ".", "/" and "\" are refused, because servers decode them.
    package static func isPlain(_ path: String) -> Bool {
        let codes = path.prefix { $0 != "?" }.lowercased()
        let plain = path.hasSuffix("/") ? String(path.dropLast()) : path.replacing("/?", with: "?", maxReplacements: 1)
        return path.utf8.count <= longestPath && DeclarationObject.isPlainPath(plain)
            && !path.utf8.contains("\\") && !["%2e", "%2f", "%5c"].contains { codes.contains($0) }
    }
}

/// The links of a header (RFC 8288).
package enum WebLinks {
    /// The target of the first link with a relation, such as "next".
    package static func target(of relation: String, in field: String) -> String? {
        let links = field.matches(of: /<([^<>]*)>([^<]*)/)
        let match = links.first { link in
            link.2.split { $0 == ";" || $0 == "," }.contains { parameter in
                let words = parameter.lowercased().split { " \t\"=".contains($0) }
                return words.first == "rel" && words.dropFirst().contains(relation[...])
            }
        }
        return match.map { String($0.1) }
    }

    /// An address with its scheme and host in lower case, and without the usual port of its scheme (RFC 3986, section
    /// 6.2). Any other text is returned unchanged, and also an address with a user name.
    package static func normalised(_ address: String) -> String {
        var slashes = 0
        let start = address.utf8.prefix(300).prefix { byte in
            slashes += byte == "/" ? 1 : 0
            return slashes < 3
        }
        // Most addresses need no change, and there can be many.
        let hasPort = start.suffix(3).elementsEqual(":80".utf8) || start.suffix(4).elementsEqual(":443".utf8)
        guard hasPort || start.contains(where: { $0 != $0.lowercased }) else { return address }
        let own = String(decoding: start.map(\.lowercased), as: UTF8.self)
        guard let parts = own.wholeMatch(of: /((https?):\/\/[a-z0-9.\-]*)(:[a-z0-9.:\-]*)?/) else { return address }
        let isUsual = parts.3 == (parts.2 == "http" ? ":80" : ":443")
        return "\(parts.1)\(isUsual ? "" : parts.3 ?? "")\(address[start.endIndex...])"
    }

    /// The host of an address, with its port unless that is the usual one.
    static func host(of address: String) -> String { String(parts(of: normalised(address)).dropFirst(2).first ?? "") }

    /// Whether an address is on a host, which can have a port.
    static func isOn(_ host: String, _ address: String) -> Bool {
        self.host(of: "\(address.prefix { $0 != "/" })//\(host)/") == self.host(of: address)
    }

    /// Adds the host of another address to a link that is only a path. Other links, such as "//host/path", stay.
    package static func absolute(_ link: String, on base: String) -> String {
        link.hasPrefix("/") && !link.hasPrefix("//") ? origin(of: base) + link : link
    }

    /// The scheme and host of an address.
    package static func origin(of address: String) -> String { parts(of: address).prefix(3).joined(separator: "/") }

    private static func parts(of address: String) -> [Substring] {
        address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    }
}
