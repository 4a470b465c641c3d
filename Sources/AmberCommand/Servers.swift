import HTTPServer
import Platform
import SampleAPI
import Site

extension AmberCommand {
    static func serveSite(_ run: Run) async throws -> ExitCode {
        let (site, arguments) = (run.site.site, run.arguments)
        guard FileStatus("\(site)/index.html") != nil else { throw run.noSite }
        _ = try Folder.open(run.settings.output).folder("site")
        let watched = arguments.has(.watch) ? try WatchedSite(run) : nil
        let answers = SiteAnswers(files: StaticFiles(folder: site), watched: watched)
        let server = try start(arguments, port: 8_000) { answers.answer($0) }
        watched?.start()
        let watching =
            watched.map { "; changes in \($0.templates) and \(run.settings.catalogueFolder.path) are shown when saved" }
            ?? ""
        run.console.say("\(site) is on http://127.0.0.1:\(server.port)\(watching) (end with Ctrl-C)")
        await untilInterrupted()
        watched?.end()
        server.stop()
        return .done
    }

    static func serveSample(_ arguments: Arguments) async throws -> ExitCode {
        let universe = try Universe(arguments)
        let changed = try arguments.integer(.changed, in: 1...universe.counts.character)
        let responder = Responder(universe) { record in
            let isChanged = record.kind == .character && record.id == changed
            return universe.json(record, renamed: isChanged ? "\(universe.name(of: record)) (renamed)" : nil)
        }
        let latency = Duration.milliseconds(try arguments.integer(.latency, in: 0...60_000) ?? 0)
        let server = try start(arguments, port: 8_090) { request in
            var answer = responder.answer(request)
            answer.delay = latency
            return answer
        }
        let console = Console(isQuiet: arguments.has(.quiet), isVerbose: false)
        let samples = [KnownCatalogue.rickandmorty, .itunes].map {
            "\($0.name(of: universe)) is on \($0.api(onPort: server.port))"
        }
        console.say("\(samples.joined(separator: ", ")) (end with Ctrl-C)")
        await untilInterrupted()
        server.stop()
        return .done
    }

    private static func start(
        _ arguments: Arguments, port: Int, _ handler: @escaping @Sendable (ServerRequest) -> ServerAnswer
    ) throws -> HTTPServer {
        let hosts = arguments.all(.allowHost)
        if let wrong = hosts.first(where: { !HostNames.isValid($0[...]) }) {
            throw Failure.usage(
                "--allow-host takes a host name without a port, such as amber.example.org, not \"\(wrong)\"")
        }
        let chosen = try arguments.integer(.port, in: 0...65_535) ?? port
        return try HTTPServer(port: UInt16(chosen), hosts: hosts, handler: handler)
    }

    private static func untilInterrupted() async {
        while !Task.isCancelled {
            // Cancelling ends the sleep early. That is not an error.
            try? await Task.sleep(for: .seconds(3_600))
        }
    }
}

/// Answers requests with the files of a published site. Requests for paths of the API are answered from the mirror.
///
/// docs/hosting.md has configurations with which other servers give the same answers.
struct SiteAnswers: Sendable {
    let files: StaticFiles
    let watched: WatchedSite?

    func answer(_ request: ServerRequest) -> ServerAnswer {
        let names = request.names ?? []
        var answer =
            if request.method != "GET" && request.method != "HEAD" {
                ServerAnswer.methodNotAllowed
            } else if names.first == "api" {
                mirrorAnswer(request, names)
            } else {
                watched?.answer(request, else: files) ?? files.answer(request)
            }
        // For a missing picture, the answer is a page, so it has the headers of a page.
        let folder = answer.status == 404 && names.first != "api" ? nil : names.first
        answer.headers += SiteHeaders.headers(in: folder)
        return answer
    }

    private func mirrorAnswer(_ request: ServerRequest, _ names: [String]) -> ServerAnswer {
        guard let file = file(for: names, request.query, request) else {
            return ServerAnswer(
                status: 501, headers: [("Content-Type", "application/json")],
                body: .bytes(Array(#"{"error":"This copy has no filters, and one record at a time"}"#.utf8)))
        }
        // The API's own paths may end in a slash, those of files may not.
        let isFile = file != names || !request.path.hasSuffix("/")
        return (isFile ? files.answer(request, at: file) : nil) ?? files.notFound(page: ["api", "404.json"])
    }

    /// The file for a path of the API; nil for requests with filters and for several records, which have no file.
    private func file(for names: [String], _ query: String, _ request: ServerRequest) -> [String]? {
        if names.count == 1 { return ["api", "index.json"] }
        let list = ["api", names[1]]
        guard names.count <= 3, files.answer(request, at: list + ["page", "1.json"]) != nil else { return names }
        guard names.count == 3 else { return Self.page(query).map { list + ["page", "\($0).json"] } }
        if let match = names[2].wholeMatch(of: /0*([1-9][0-9]*)/) { return list + ["\(match.1).json"] }
        return names[2].wholeMatch(of: /[\[0-9][^.]*/) == nil ? names : nil
    }

    /// The page number in a query; nil if the query has any other parameter. As in the API, other values count as 1.
    private static func page(_ query: String) -> Substring? {
        if let match = query.wholeMatch(of: /page=0*([1-9][0-9]*)/) { return match.1 }
        return query.wholeMatch(of: /(page=(0*|-[0-9]+|[A-Za-z]+))?/) == nil ? nil : "1"
    }
}

/// The security headers of a site. The configurations in docs/hosting.md have the same headers, which a test checks.
enum SiteHeaders {
    /// The folders with data of the API. A browser must not run code from these folders.
    static let dataFolders: Set = ["api", "data", "avatar", "artwork"]

    /// The headers of every answer. The Permissions-Policy switches off features that no page uses.
    static let common = [
        (name: "X-Content-Type-Options", value: "nosniff"),
        (name: "Referrer-Policy", value: "strict-origin-when-cross-origin"),
        (
            name: "Permissions-Policy",
            value: "accelerometer=(), camera=(), display-capture=(), geolocation=(), gyroscope=(), magnetometer=(), "
                + "microphone=(), midi=(), payment=(), usb=()"
        ),
    ]

    /// - Parameter folder: the first segment of the file's path; nil if there is none.
    static func headers(in folder: String?) -> [(name: String, value: String)] {
        // Some file systems ignore case.
        let isData = folder.map { dataFolders.contains($0.lowercased()) } ?? false
        // Other sites may use the API's answers. They cannot load other files, such as pictures or the search index.
        let isMirror = folder == "api"
        let origin = isMirror ? [(name: "Access-Control-Allow-Origin", value: "*")] : []
        return common + origin + [
            // A page also has a stricter policy in a meta element, where "frame-ancestors" is not allowed.
            (name: "Content-Security-Policy", value: isData ? "sandbox; default-src 'none'" : "frame-ancestors 'self'"),
            (name: "Cross-Origin-Resource-Policy", value: isMirror ? "cross-origin" : "same-origin"),
        ]
    }
}
