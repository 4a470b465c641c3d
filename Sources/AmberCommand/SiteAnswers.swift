import HTTPServer

/// Answers for a published site: with its files, and at the API's own addresses with the files of the mirror.
///
/// The configurations in docs/hosting.md have other servers answer the same.
struct SiteAnswers: Sendable {
    let files: StaticFiles
    let watched: WatchedSite?

    func answer(_ request: ServerRequest) -> ServerAnswer {
        let names = request.names ?? []
        var answer =
            if request.method != "GET" && request.method != "HEAD" {
                ServerAnswer.methodNotAllowed
            } else if names.first == "api" {
                mirrored(request, names)
            } else {
                watched?.answer(request, else: files) ?? files.answer(request)
            }
        // In place of a missing picture comes a page.
        let folder = answer.status == 404 && names.first != "api" ? nil : names.first
        answer.headers += SiteHeaders.headers(in: folder)
        return answer
    }

    private func mirrored(_ request: ServerRequest, _ names: [String]) -> ServerAnswer {
        guard let file = file(for: names, request.query, request) else {
            return ServerAnswer(
                status: 501, headers: [("Content-Type", "application/json")],
                body: .bytes(Array(#"{"error":"This copy has no filters, and one record at a time"}"#.utf8)))
        }
        // The API's own addresses may end in a slash, files may not.
        let isFile = file != names || !request.path.hasSuffix("/")
        return (isFile ? files.answer(request, at: file) : nil) ?? files.missing(at: ["api", "404.json"])
    }

    /// The file that answers an address of the API; nil for what no file can answer: filters, several records at once.
    private func file(for names: [String], _ query: String, _ request: ServerRequest) -> [String]? {
        if names.count == 1 { return ["api", "index.json"] }
        let list = ["api", names[1]]
        guard names.count <= 3, files.answer(request, at: list + ["page", "1.json"]) != nil else { return names }
        guard names.count == 3 else { return Self.page(query).map { list + ["page", "\($0).json"] } }
        if let match = names[2].wholeMatch(of: /0*([1-9][0-9]*)/) { return list + ["\(match.1).json"] }
        return names[2].wholeMatch(of: /[\[0-9][^.]*/) == nil ? names : nil
    }

    /// The number of the page that a query asks for; the API takes what is no number for 1. nil for any other query.
    private static func page(_ query: String) -> Substring? {
        if let match = query.wholeMatch(of: /page=0*([1-9][0-9]*)/) { return match.1 }
        return query.wholeMatch(of: /(page=(0*|-[0-9]+|[A-Za-z]+))?/) == nil ? nil : "1"
    }
}
