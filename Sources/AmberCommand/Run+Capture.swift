import Archive
import Capture
import Catalogue
import HTTP
import HTTPServer
import Platform
import SampleAPI
import Site

extension Run {
    typealias Captured = (revision: Revision, summary: Summary)

    /// A revision by the chosen source, and its summary.
    func obtainRevision() async throws -> Captured {
        let (connections, asked) = (settings.file.limits.connections, settings.askedConnections)
        if connections < asked {
            console.say(
                "\(connections) connections are used instead of \(asked): the system lets this process open few files "
                    + "(ulimit -n)"
            )
        }
        switch settings.source {
        case .live: return try await captureLive()
        case .sample: return try await captureSample()
        case .archive: return try fromArchive() ?? { throw try noRevision() }()
        case .auto:
            do {
                return try await captureLive()
            } catch CaptureError.unreachable(let cause) {
                return try await fallBack(cause)
            }
        }
    }

    private func captureLive() async throws -> Captured {
        try await capture(settings.api, Source(catalogue: settings.catalogue.name, api: settings.api, origin: .live))
    }

    /// The newest revision; where there is none, and nothing real would be replaced, the sample.
    private func fallBack(_ cause: HTTPError) async throws -> Captured {
        let start = "The API cannot be reached (\(cause))"
        if let (revision, archived) = try fromArchive() {
            var summary = archived
            summary.fallback = "\(start). This is the archive's revision \(revision.number) of \(revision.day)."
            console.say(summary.fallback ?? "")
            return (revision, summary)
        }
        guard try !site.holdsRealData() else {
            throw Failure(
                .notCaptured,
                "\(CaptureError.unreachable(cause)); no revision is archived, and the site in \(site.site) is made "
                    + "from real data, so it stays"
            )
        }
        let fallback = "\(start), and no revision of it is archived. \(settings.file.known.sampleSentence)"
        console.say(fallback)
        var captured = try await captureSample()
        captured.summary.fallback = fallback
        return captured
    }

    private func fromArchive() throws -> Captured? {
        let newest = try RevisionReader.newest(in: archive) { source in
            source.catalogue == settings.catalogue.name && source.origin == .live && source.api == settings.api
        }
        return try newest.map { ($0, try archived($0, as: "archive")) }
    }

    private func captureSample() async throws -> Captured {
        try await withSample { api, source in try await capture(api, source) }
    }

    func withSample<Value>(_ work: (_ api: String, Source) async throws -> Value) async throws -> Value {
        let server = try Failure.with(.notCaptured, "the sample cannot be served: ") {
            try SampleServer(sample.universe)
        }
        defer { server.stop() }
        let source = Source(
            catalogue: settings.catalogue.name, api: settings.file.known.name(of: sample), origin: .sample)
        return try await work(settings.file.known.api(of: server), source)
    }
}

extension Run {
    private static let walks = 3

    /// Captures an API into the archive; begins again where it changed meanwhile.
    private func capture(_ api: String, _ source: Source) async throws -> Captured {
        let client = client(spillFolder: archive.incoming)
        var walk = 1
        while true {
            do {
                return try await capture(api, source, into: archive, client, asksConditionally: walk == 1)
            } catch CaptureError.unreachable(let cause) where walk > 1 {
                // It was reached a moment ago.
                throw CaptureError.incomplete("\(cause)")
            } catch CaptureError.moved(let reason) where walk < Self.walks {
                console.say("\(label(.capture)): the API changed meanwhile (\(reason)); beginning again")
            }
            // A cancelled sleep ends early; the capture then ends by itself.
            try? await Task.sleep(for: .seconds(settings.file.retry.baseDelay * Double(walk)))
            walk += 1
        }
    }

    /// Captures an API, or one record's card only, into an archive, showing how far it is.
    func capture(
        _ api: String, _ source: Source, into folder: ArchiveFolder, _ client: Client, asksConditionally: Bool = true,
        card: RecordKey? = nil
    ) async throws -> Captured {
        var bounds = settings.file.bounds
        bounds.api = api
        // The sample takes as many calls as are made.
        if api != settings.api { bounds.budget = nil }
        bounds.asksConditionally = asksConditionally
        let start = ContinuousClock.now
        let progress = CaptureProgress()
        let report = try await recorded(in: folder, source) { revision in
            let run = CaptureRun(
                of: settings.catalogue, bounds, into: revision, through: client, retry: settings.file.retry,
                progress: progress)
            if let card { return try await run.card(card) }
            let isAnnounced = Guarded(false)
            let display = Task { await show(progress, revision, isAnnounced) }
            defer {
                display.cancel()
                // It may have ended between two looks.
                announce(progress.current, revision, isAnnounced)
            }
            return try await run.run()
        }
        console.clear()
        var summary = Summary(
            source: source.origin.rawValue, of: report.revision, settings.catalogue, gaps: report.gaps)
        summary.unchanged = report.isUnchanged
        summary.records = report.records
        summary.assets = report.pictures
        summary.requests = progress.current.requests
        summary.absent = report.absent.map { "\($0)" }
        summary.seconds["capture"] = start.duration(to: .now) / .seconds(1)
        return (report.revision, summary)
    }

    func client(spillFolder: String) -> Client {
        let client = Client.libcurl(
            limits: settings.file.limits, agent: "Amber/\(AmberCommand.version) (static archive of web APIs)",
            spillFolder: spillFolder, authorities: settings.authorities)
        return settings.isVerbose ? client.logging(to: console) : client
    }

    /// Opens an archive for one capture and leaves it tidy, however that ends.
    private func recorded(
        in folder: ArchiveFolder, _ source: Source, _ body: (RevisionWriter) async throws -> CaptureReport
    ) async throws -> CaptureReport {
        let writer = try ArchiveWriter(folder)
        let limit = millisecondsSince1970() - Int64(settings.file.bounds.resumeWithin * 1_000)
        let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: limit)
        let result: Result<CaptureReport, any Error>
        do {
            result = .success(try await body(revision))
        } catch {
            result = .failure(error)
        }
        try await writer.close()
        return try result.get()
    }

    /// The capture's first line, once: it waits for the first answer, since until then it is not known where the
    /// revision comes from.
    private func announce(_ counts: CaptureProgress.Counts, _ revision: RevisionWriter, _ isAnnounced: Guarded<Bool>) {
        guard counts.answers + counts.kept > 0 else { return }
        let isFirst = isAnnounced.withLock { isAnnounced in
            defer { isAnnounced = true }
            return !isAnnounced
        }
        guard isFirst else { return }
        let kept = revision.answersKept
        console.say(
            kept > 0 ? "\(label(.capture)), going on from \(kept) answers of an interrupted run" : label(.capture))
    }

    /// How long calls that wait for their turn will take.
    private func timeLeft(_ seconds: Double) -> String? {
        guard seconds > 0, let budget = settings.file.bounds.budget else { return nil }
        return "about \(Pace.left(seconds)) left"
            + (budget.calls < Settings.mostCalls ? " at \(budget.calls) calls a minute" : "")
    }

    /// Draws the capture's progress until cancelled.
    private func show(_ progress: CaptureProgress, _ revision: RevisionWriter, _ isAnnounced: Guarded<Bool>) async {
        while !Task.isCancelled {
            let counts = progress.current
            announce(counts, revision, isAnnounced)
            if isAnnounced.withLock({ $0 }) || console.isTerminal {
                console.progress(
                    label(.capture), done: counts.pages + counts.cards, of: counts.pagesClaimed + counts.cardsClaimed,
                    timeLeft: timeLeft(progress.secondsToLastTurn), note: counts.waiting.map { "waiting: \($0)" } ?? "")
            }
            // A cancelled sleep ends early, which is what it is for.
            try? await Task.sleep(for: .milliseconds(100))
        }
    }
}

extension Client {
    /// The same client, which prints each request and what came of it, also those that are sent again.
    fileprivate func logging(to console: Console) -> Client {
        Client(executor: executor) { [send] (request) async throws(HTTPError) in
            let isConditional = request.headers.contains { $0.name.lowercased() == "if-none-match" }
            let asked = "GET \(request.url.target)\(isConditional ? " (if changed)" : "")"
            let start = ContinuousClock.now
            func spent() -> String { "\(Int((start.duration(to: .now) / .milliseconds(1)).rounded())) ms" }
            do throws(HTTPError) {
                let response = try await send(request)
                let waits = response.retryAfter > 0 ? ", Retry-After \(response.retryAfter) s" : ""
                console.detail("\(asked) \(response.status) \(response.body.size) bytes \(spent())\(waits)")
                return response
            } catch {
                console.detail("\(asked) failed: \(error.reason) \(spent())")
                throw error
            }
        }
    }
}
