import HTTPServer

/// Answers one request as the live service does. Source of every status and text: the API's observed contract.
struct Responder {
    let universe: Universe
    let behaviour: Behaviour
    let portraits: PortraitCache
    let shelf: MediaShelf

    private static let json = [
        (name: "Content-Type", value: "application/json; charset=utf-8"),
        (name: "Access-Control-Allow-Origin", value: "*"),
    ]
    static let lifetime = "public, max-age=7776000, immutable"

    func answer(_ request: ServerRequest, _ route: Route, isCounted: Bool = true) -> ServerAnswer {
        switch request.method {
        case "GET", "HEAD": break
        case "OPTIONS": return ServerAnswer(status: 204, headers: [("Access-Control-Allow-Origin", "*")])
        default: return error(404, "There is nothing here.")
        }
        switch route {
        case .root:
            return found(Lists(universe: universe, behaviour: behaviour).root(), request)
        case .page(let kind, let slash):
            let page = Lists(universe: universe, behaviour: behaviour).page(kind, query: request.query, slash: slash)
            return page.map { found($0, request) } ?? error(404, "There is nothing here")
        case .records(let kind, let ids):
            return records(kind, ids, request)
        case .avatar(let id):
            return avatar(id, request)
        case .avatarFolder(let slash):
            if slash { return error(404, "There is nothing here") }
            return ServerAnswer(status: 301, headers: [("Location", "/api/character/avatar/")])
        case .search, .lookup:
            if isCounted, let window = behaviour.callsPerWindow, !shelf.admits(window) {
                return ServerAnswer(status: 403)
            }
            return media(request, isLookup: route == .lookup)
        case .artwork(let name, let width, let height):
            return artwork(name, width: width, height: height, request)
        case .nothing:
            return error(404, "There is nothing here.")
        }
    }

    /// The answer that a fault makes of it.
    func answer(_ request: ServerRequest, _ route: Route, committing action: Fault.Action) -> ServerAnswer {
        // What a fault answers is no call of the service behind it.
        var answer = answer(request, route, isCounted: false)
        switch action {
        case .status(let code, let headers, let body):
            let type =
                headers.contains { $0.name.lowercased() == "content-type" } ? Array(Self.json.dropFirst()) : Self.json
            return ServerAnswer(status: code, headers: type + headers, body: .bytes(Array(body.utf8)))
        case .body(let bytes, let type):
            return ServerAnswer(
                headers: [("Content-Type", type), ("Access-Control-Allow-Origin", "*")], body: .bytes(bytes))
        case .redirect(let place):
            return ServerAnswer(status: 302, headers: [("Location", place)])
        case .reset:
            answer.misbehaviour = .reset
        case .hang(let time):
            answer.misbehaviour = .hang(time)
        case .truncate(let bytes):
            answer.misbehaviour = .truncated(after: bytes)
        case .slow(let bytes, let interval):
            answer.misbehaviour = .slow(bytes: bytes, every: interval)
        }
        return answer
    }
}

extension Responder {
    private func records(_ kind: Universe.Kind, _ text: String, _ request: ServerRequest) -> ServerAnswer {
        let lists = Lists(universe: universe, behaviour: behaviour)
        if text.hasPrefix("[") || text.hasSuffix("]") || text.contains(",") {
            let bracketed = text.hasPrefix("[") && text.hasSuffix("]") && text.utf8.count > 1
            let parts = (bracketed ? text.dropFirst().dropLast() : text[...]).split(
                separator: ",", omittingEmptySubsequences: false)
            guard
                parts.allSatisfy({ !$0.isEmpty && $0.utf8.allSatisfy((UInt8(ascii: "0")...UInt8(ascii: "9")).contains) }
                )
            else {
                return error(500, "Bad... bad array :/")
            }
            // Not in the order asked, and each once; what there is none of is left out.
            return found(lists.several(kind, Set(parts.compactMap { Int($0) }).sorted()), request)
        }

        guard let id = Percent.leadingInteger(text) else { return error(500, "Hey! you must provide an id") }
        guard let body = lists.one(kind, id) else {
            let word = kind.rawValue.prefix(1).uppercased() + kind.rawValue.dropFirst()
            return error(404, "\(word) not found")
        }
        return found(body, request)
    }

    /// PNG bytes that are called JPEG, as many of the live service's are.
    private func avatar(_ id: Int, _ request: ServerRequest) -> ServerAnswer {
        guard universe.has(.init(.character, id)) else { return error(404, "There is nothing here.") }
        let revised = behaviour.generation > 0 && universe.isRevised(.init(.character, id))
        let generation = revised ? behaviour.generation : 0
        let bytes = behaviour.avatarOverrides[id] ?? portraits.portrait(of: id, in: universe, generation: generation)

        let changed = 1_672_617_600 + generation * 86_400
        let tag = "W/\"" + String(bytes.count, radix: 16) + "-" + String((changed + id) * 1000, radix: 16) + "\""
        let headers = [
            (name: "Content-Type", value: "image/jpeg"), (name: "Access-Control-Allow-Origin", value: "*"),
            (name: "Cache-Control", value: Self.lifetime), (name: "Last-Modified", value: HTTPDate.text(changed)),
            (name: "ETag", value: tag),
        ]
        let held =
            request.holds(entityTag: tag)
            || (request.header("If-None-Match") == nil && request.header("If-Modified-Since") == headers[3].value)
        return held ? ServerAnswer(status: 304, headers: headers) : ServerAnswer(headers: headers, body: .bytes(bytes))
    }

    private func found(_ body: [UInt8], _ request: ServerRequest) -> ServerAnswer {
        let tag = Digest.entityTag(body)
        let headers = Self.json + [(name: "ETag", value: tag), (name: "Cache-Control", value: Self.lifetime)]
        return request.holds(entityTag: tag)
            ? ServerAnswer(status: 304, headers: headers) : ServerAnswer(headers: headers, body: .bytes(body))
    }

    func error(_ status: Int, _ text: String) -> ServerAnswer {
        var writer = JSONWriter()
        writer.raw("{\"error\":")
        writer.string(text)
        writer.raw("}")
        return ServerAnswer(status: status, headers: Self.json, body: .bytes(writer.bytes))
    }
}
