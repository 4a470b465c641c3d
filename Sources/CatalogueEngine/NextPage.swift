import Catalogue
import Platform

/// The next page of a list.
extension DeclaredCatalogue {
    /// The path of the page after an answer, if only the answer says where it is.
    func next(after answer: PageAnswer, _ list: ListEndpoint) throws(ContentFault) -> String? {
        switch list.paginator {
        case .pageNumber, .offset, .single: return nil
        case .jsonLink(let path):
            return try Self.text(.body(path), in: answer).map { (link) throws(ContentFault) in
                try self.path(of: link, on: answer, at: path.text)
            }
        case .headerLink:
            return try answer.header("Link").flatMap(WebLinks.next).map { (link) throws(ContentFault) in
                try self.path(of: link, on: answer, at: "the header field Link")
            }
        case .cursor(let parameter, let value, let more):
            if let more, try !Self.flag(more, in: answer) { return nil }
            guard let cursor = try Self.text(value, in: answer) else {
                if more == nil { return nil }
                throw ContentFault(value.text, "is missing, though there are more pages")
            }
            var parameters = [(name: parameter, value: cursor)]
            // Each member of an object is a parameter.
            if case .body(let path) = value, let range = try Self.range(of: path, in: answer.body),
                answer.body[range.lowerBound] == "{"
            {
                parameters = try Self.parameters(Array(cursor.utf8), at: value.text)
            }
            let next = list.path(adding: parameters)
            guard next.utf8.count <= Self.longestPath else {
                throw ContentFault(value.text, "is \(cursor.quoted), longer than \(Self.longestPath) bytes")
            }
            return next
        }
    }

    /// The maximum length of the path of a page in bytes.
    private static let longestPath = 2_048

    private static func flag(_ path: FieldPath, in answer: PageAnswer) throws(ContentFault) -> Bool {
        guard let range = try range(of: path, in: answer.body) else { throw ContentFault(path.text, "is missing") }
        let raw = answer.body[range]
        guard raw.elementsEqual("true".utf8) || raw.elementsEqual("false".utf8) else {
            throw ContentFault(path.text, "is not true or false")
        }
        return raw.first == "t"
    }

    private static func parameters(_ object: [UInt8], at place: String) throws(ContentFault)
        -> [(name: String, value: String)]
    {
        let members = try JSONSlices.members(of: object).sorted { $0.value.lowerBound < $1.value.lowerBound }
        guard members.count <= 100 else { throw ContentFault(place, "has more than 100 parameters") }
        var parameters: [(name: String, value: String)] = []
        for (name, range) in members {
            parameters.append((percentEncoded(name), try JSONDecoding.scalar(object, at: range)))
        }
        return parameters
    }

    /// The path of a link below the API's address. The link can be relative to the page (RFC 3986, section 5.2), and
    /// have the API's own host although another one was requested.
    private func path(of link: String, on answer: PageAnswer, at place: String) throws(ContentFault) -> String {
        let folder = answer.path.prefix { $0 != "?" }
        var full = link
        if link.hasPrefix("?") {
            full = "\(answer.base)/\(folder)\(link)"
        } else if link.hasPrefix("/"), !link.hasPrefix("//") {
            full = WebLinks.origin(of: answer.base) + link
        } else if !link.prefix(while: { !"/?#".contains($0) }).contains(":") {
            full = "\(answer.base)/\(folder.lastIndex(of: "/").map { folder[...$0] } ?? "")\(link)"
        }
        let found = (bases + [answer.base]).lazy.compactMap { base -> Substring? in
            // The same host with the other scheme is the same API.
            let schemes = [base, base.replacing("https://", with: "http://", maxReplacements: 1)]
            return schemes.first { full.utf8.starts(with: "\($0)/".utf8) }.map { full.dropFirst($0.count + 1) }
        }.first
        guard let found, Self.isPlain(String(found)) else {
            throw ContentFault(place, "links to \(link.quoted), which is not below this API's address")
        }
        // A page with the path of a record would replace its answer.
        guard
            !declaration.kinds.contains(where: {
                links(answer.base).key("\(answer.base)/\(found)", kind: $0.name) != nil
            })
        else { throw ContentFault(place, "links to \(link.quoted), which is the address of a record") }
        return String(found)
    }

    /// Whether a path with a query stays below the API's address. It can have a slash before the query. Servers decode the
    /// codes of "." and "/", so these could lead out of the API.
    static func isPlain(_ path: String) -> Bool {
        let codes = path.prefix { $0 != "?" }.lowercased()
        let plain = path.hasSuffix("/") ? String(path.dropLast()) : path.replacing("/?", with: "?", maxReplacements: 1)
        return path.utf8.count <= longestPath && DeclarationObject.isPlainPath(plain)
            && !path.utf8.contains("\\") && !["%2e", "%2f", "%5c"].contains { codes.contains($0) }
    }
}

/// The links of a header (RFC 8288).
enum WebLinks {
    /// The target of the first link with the relation "next".
    static func next(_ field: String) -> String? {
        var rest = field[...]
        while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
            let target = rest[rest.index(after: start)..<end]
            let after = rest[rest.index(after: end)...]
            let parameters = after.prefix(upTo: after.firstIndex(of: "<") ?? after.endIndex)
            let isNext = parameters.split { $0 == ";" || $0 == "," }.contains { parameter in
                let words = parameter.lowercased().split { " \t\"=".contains($0) }
                return words.first == "rel" && words.dropFirst().contains("next")
            }
            if isNext { return String(target) }
            rest = after
        }
        return nil
    }

    /// The scheme and host of an address.
    static func origin(of address: String) -> String {
        let parts = address.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        return parts.prefix(3).joined(separator: "/")
    }
}
