import Platform

extension Responder {
    var root: [UInt8] { JSONObject(Universe.Kind.allCases.map { ("\($0)s", "\(Universe.canonicalBase)/\($0)") }).json }

    /// A list page of twenty records with its `info`; nil after the last page. Filters are ignored.
    func page(_ kind: Universe.Kind, query: String) -> [UInt8]? {
        let number = Percent.pairs(query).last { $0.name == "page" }?.value
        let page = max(1, number.flatMap { Int($0) } ?? 1)
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

enum Percent {
    /// Decodes escapes. Invalid escapes are kept.
    static func decoded(_ text: some Collection<UInt8>) -> String {
        String(decoding: percentDecodedLeniently(text), as: UTF8.self)
    }

    /// The names and values of a query, in their order in the query.
    static func pairs(_ query: String) -> [(name: String, value: String)] {
        query.utf8.split(separator: "&").map { part in
            let sides = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map {
                decoded($0.map { $0 == "+" ? " " : $0 })
            }
            return (sides[0], sides.count > 1 ? sides[1] : "")
        }
    }
}
