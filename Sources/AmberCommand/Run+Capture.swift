import Archive
import Capture
import Catalogue
import HTTP
import HTTPServer
import Platform
import SampleAPI
import Site

extension Run {
    /// A revision by the chosen source, and what is to be said of it.
    func obtainRevision() async throws -> (revision: Revision, summary: Summary) {
        let (connections, asked) = (settings.limits.connections, settings.askedConnections)
        if connections < asked {
            console.say(
                "\(connections) connections are used instead of \(asked): the system lets this process open few files "
                    + "(ulimit -n)"
            )
        }
        return switch settings.source {
        case .live: try await captureLive()
        case .sample: try await captureSample(because: nil)
        case .archive: try fromArchive(because: nil) ?? { throw try noRevision() }()
        case .auto: try await captureOrFallBack()
        }
    }

    /// Live where the API can be reached; else the newest revision; else, where nothing real would be replaced, the
    /// sample.
    private func captureOrFallBack() async throws -> (revision: Revision, summary: Summary) {
        do throws(CaptureError) {
            return try await capture(settings.api, origin: .live, archivedAs: settings.api)
        } catch {
            guard case .unreachable(let cause) = error else { throw error }
            if let archived = try fromArchive(because: cause) { return archived }
            guard try !site.holdsRealData() else {
                throw Failure(
                    .notCaptured,
                    "\(error); no revision is archived, and the site in \(site.site) is made from "
                        + "real data, so it stays"
                )
            }
            return try await captureSample(because: cause)
        }
    }

    private func captureLive() async throws -> (revision: Revision, summary: Summary) {
        try await capture(settings.api, origin: .live, archivedAs: settings.api)
    }

    private func fromArchive(because cause: HTTPError?) throws -> (revision: Revision, summary: Summary)? {
        let newest = try RevisionReader.newest(in: archive) { source in
            source.catalogue == settings.catalogue.name && source.origin == .live && source.api == settings.api
        }
        guard let revision = newest else { return nil }
        var summary = try archived(revision, as: "archive")
        if let cause {
            let day = timestamp(milliseconds: revision.finished).prefix(10)
            summary.fallback =
                "The API cannot be reached (\(cause)). This is the archive's revision \(revision.number) of \(day)."
            console.say(summary.fallback ?? "")
        }
        return (revision, summary)
    }

    private func captureSample(because cause: HTTPError?) async throws -> (revision: Revision, summary: Summary) {
        let fallback = cause.map {
            "The API cannot be reached (\($0)), and no revision of it is archived. \(settings.known.sampleSentence)"
        }
        if let fallback { console.say(fallback) }
        let server: SampleServer
        do throws(ServerError) {
            server = try SampleServer(sample.universe)
        } catch {
            throw Failure(.notCaptured, "the sample cannot be served: \(error)")
        }
        defer { server.stop() }
        var captured = try await capture(
            settings.known.api(of: server), origin: .sample, archivedAs: settings.known.name(of: sample))
        captured.summary.fallback = fallback
        return captured
    }
}

extension Run {
    /// How often lists that change while they are walked are walked, before the capture is left to another day.
    private static let walks = 3

    /// Captures an API into the archive; begins again where it changed meanwhile.
    private func capture(
        _ api: String, origin: Source.Origin, archivedAs name: String
    ) async throws(CaptureError) -> (revision: Revision, summary: Summary) {
        let client = client(spillFolder: archive.incoming)
        var walk = 1
        while true {
            do throws(CaptureError) {
                return try await captureOnce(
                    api, origin: origin, archivedAs: name, through: client, asksConditionally: walk == 1)
            } catch {
                // It was reached a moment ago.
                if case .unreachable(let cause) = error, walk > 1 { throw .incomplete("\(cause)") }
                guard case .moved(let reason) = error, walk < Self.walks else { throw error }
                console.say("\(label(.capture)): the API changed meanwhile (\(reason)); beginning again")
            }
            // A cancelled sleep ends early; the capture then ends by itself.
            try? await Task.sleep(for: .seconds(settings.retry.baseDelay * Double(walk)))
            walk += 1
        }
    }

    /// Captures an API into the archive, showing how far it is.
    private func captureOnce(
        _ api: String, origin: Source.Origin, archivedAs name: String, through client: Client, asksConditionally: Bool
    ) async throws(CaptureError) -> (revision: Revision, summary: Summary) {
        let source = Source(catalogue: settings.catalogue.name, api: name, origin: origin)
        let start = ContinuousClock.now
        let progress = CaptureProgress()
        let report = try await recorded(in: archive, source) { (revision) async throws(CaptureError) in
            let run = captureRun(api, into: revision, progress, through: client, asksConditionally: asksConditionally)
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
        var summary = Summary(source: origin.rawValue, of: report.revision, gaps: report.gaps)
        summary.plural = settings.catalogue.plural
        summary.take(report, progress.current)
        summary.seconds["capture"] = start.duration(to: .now) / .seconds(1)
        return (report.revision, summary)
    }

    /// One for each run of the program: its thread and its connections last as long as that.
    func client(spillFolder: String) -> Client {
        let client = Client.libcurl(
            limits: settings.limits, agent: "Amber/\(AmberCommand.version) (static archive of web APIs)",
            spillFolder: spillFolder,
            authorities: settings.authorities)
        return settings.isVerbose ? client.logging(to: console) : client
    }

    func captureRun(
        _ api: String, into revision: RevisionWriter, _ progress: CaptureProgress, through client: Client,
        asksConditionally: Bool = true
    ) -> CaptureRun {
        var bounds = settings.bounds
        bounds.api = api
        // The sample takes as many calls as are made.
        if api != settings.api { bounds.budget = nil }
        bounds.asksConditionally = asksConditionally
        return CaptureRun(
            of: settings.catalogue, bounds, into: revision, through: client, retry: settings.retry, progress: progress)
    }

    /// Opens an archive for one capture and leaves it tidy, however that ends.
    func recorded(
        in folder: ArchiveFolder, _ source: Source,
        _ body: (RevisionWriter) async throws(CaptureError) -> CaptureReport
    ) async throws(CaptureError) -> CaptureReport {
        let result: Result<CaptureReport, CaptureError>
        do {
            let writer = try ArchiveWriter(folder)
            let limit = millisecondsSince1970() - Int64(CaptureSettings(api: "").resumeWithin * 1_000)
            let revision = try await RevisionWriter(of: source, in: folder, through: writer, resumeAfter: limit)
            do throws(CaptureError) {
                result = .success(try await body(revision))
            } catch {
                result = .failure(error)
            }
            try await writer.close()
        } catch {
            throw (error as? ArchiveError).map { .archive($0) } ?? .incomplete("\(error)")
        }
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
        console.say(
            revision.answersKept > 0
                ? "\(label(.capture)), going on from \(revision.answersKept) answers of an interrupted run"
                : label(.capture))
    }

    /// How long calls that wait for their turn will take.
    private func timeLeft(_ seconds: Double) -> String? {
        guard seconds > 0, let budget = settings.bounds.budget else { return nil }
        return
            "about \(Pace.left(seconds)) "
            + "left\(budget.calls < Settings.mostCalls ? " at \(budget.calls) calls a minute" : "")"
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

extension Summary {
    mutating func take(_ report: CaptureReport, _ counts: CaptureProgress.Counts) {
        unchanged = report.isUnchanged
        records = report.records
        assets = report.pictures
        requests = counts.requests
        absent = report.absent.map { "\($0)" }
    }
}
