import HTTPServer

extension Responder {
    private static let script = [
        (name: "Content-Type", value: "text/javascript; charset=utf-8"),
        (name: "Access-Control-Allow-Origin", value: "*"),
    ]
    private static let blank: [UInt8] = [0x0a, 0x0a, 0x0a]

    /// A search or a lookup: blank lines, then an object, then blank lines, called script.
    func media(_ request: ServerRequest, isLookup: Bool) -> ServerAnswer {
        let query = MediaQuery(request.query, isLookup: isLookup)
        let wrong = query.wrong
        guard wrong.isEmpty, let store = query.store else { return refusal(wrong) }

        let library = shelf.library
        let places = MediaSearch(library: library, query: query, store: store).places()
        var writer = JSONWriter(capacity: places.count * 2048)
        writer.raw("{\n \"resultCount\":")
        writer.number(places.count)
        writer.raw(",\n \"results\": [\n")
        for (index, place) in places.enumerated() {
            if index > 0 { writer.raw(", \n") }
            writer.raw(behaviour.replacedMedia[Int64(library.id(of: place))] ?? library.row(of: place, in: store))
        }
        writer.raw("]\n}")

        let call = query.callback.map { (Array("\($0)(".utf8), Array(");".utf8)) } ?? ([], [])
        return ServerAnswer(
            headers: Self.script, body: .bytes(Self.blank + call.0 + writer.bytes + call.1 + Self.blank))
    }

    /// What is asked wrongly, by the service's own names, and its help, which is the same for all.
    private func refusal(_ wrong: [String]) -> ServerAnswer {
        var writer = JSONWriter()
        writer.raw("\n\n\n{\"errorMessage\":")
        writer.string("Invalid value(s) for key(s): [\(wrong.joined(separator: ", "))]")
        writer.raw(",\"queryParameters\":{\"output\":\"json\",")
        writer.raw("\"callback\":\"A javascript function to handle your search results\",")
        writer.raw("\"country\":\"ISO-2A country code\",\"limit\":\"The number of search results to return\",")
        writer.raw("\"term\":\"A search string\",\"lang\":\"ISO-2A language code\"}}")
        return ServerAnswer(status: 400, headers: Self.script, body: .bytes(writer.bytes))
    }

    /// PNG bytes that are called JPEG, as portraits are.
    func artwork(_ name: String, width: Int, height: Int, _ request: ServerRequest) -> ServerAnswer {
        guard let bytes = shelf.artwork(name, width: width, height: height) else {
            return error(404, "There is nothing here.")
        }
        let tag = Digest.entityTag(bytes)
        let headers = [
            (name: "Content-Type", value: "image/jpeg"), (name: "Access-Control-Allow-Origin", value: "*"),
            (name: "Cache-Control", value: Self.lifetime), (name: "Last-Modified", value: HTTPDate.text(1_672_617_600)),
            (name: "ETag", value: tag),
        ]
        return request.holds(entityTag: tag)
            ? ServerAnswer(status: 304, headers: headers) : ServerAnswer(headers: headers, body: .bytes(bytes))
    }
}
