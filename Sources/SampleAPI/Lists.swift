import HTTPServer
import Platform

extension Responder {
    var root: [UInt8] { JSONObject(Universe.Kind.allCases.map { ("\($0)s", "\(Universe.canonicalBase)/\($0)") }).json }

    /// A list page of twenty records with its `info`; nil after the last page. Filters are ignored.
    func page(_ kind: Universe.Kind, _ request: ServerRequest) -> [UInt8]? {
        let page = max(1, request.parameters["page"].flatMap { Int($0) } ?? 1)
        let count = universe.counts[kind]
        let pages = (count + 19) / 20
        guard page <= pages else { return nil }

        func link(_ page: Int) -> any JSONWritable {
            guard (1...pages).contains(page) else { return RawJSON("null") }
            return "\(Universe.canonicalBase)/\(kind)?page=\(page)"
        }
        let info: JSONObject = ["count": count, "pages": pages, "next": link(page + 1), "prev": link(page - 1)]
        let ids = ((page - 1) * 20 + 1)...min(page * 20, count)
        return (["info": info, "results": records(kind, Array(ids))] as JSONObject).json
    }
}

extension ServerRequest {
    /// The decoded values of the query by name; the last one of a repeated name. Invalid escapes are kept.
    var parameters: [String: String] {
        let pairs = query.utf8.split(separator: "&").map { part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                String(decoding: percentDecodedLeniently($0.map { $0 == "+" ? " " : $0 }), as: UTF8.self)
            }
            return (sides[0], sides.count > 1 ? sides[1] : "")
        }
        return Dictionary(pairs) { _, last in last }
    }
}
