import Archive
import Capture
import Catalogue
import CatalogueEngine
import HTTP
import HTTPServer
import Platform
import SampleAPI
import Site

extension Run {
    func obtainRevision() async throws -> Summary {
        switch settings.source {
        case .live: return try await capture(settings.api, settings.liveSource)
        case .sample: return try await withSample { try await capture($0, $1) }
        case .archive: return try archivedSummary(revision(nil))
        case .auto:
            do {
                return try await capture(settings.api, settings.liveSource)
            } catch CaptureError.unreachable(let cause) where arguments.verb == .build {
                return try await fallBack(cause)
            }
        }
    }

    /// Returns the newest revision in the archive, or else captures the sample, unless a site of real data exists.
    private func fallBack(_ cause: HTTPError) async throws -> Summary {
        let start = "the API cannot be reached (\(cause))"
        if let revision = try RevisionReader.newest(in: archive, where: { $0 == settings.liveSource }) {
            try refuseChangedIDs(of: revision.source, in: archive)
            var summary = try archivedSummary(revision)
            let fallback = "\(start); using revision \(revision.number) of \(revision.day) from the archive"
            console.warn(fallback)
            summary.fallback = fallback
            return summary
        }
        try Failure.require(
            !site.mayContainRealData(), as: .notCaptured,
            "\(CaptureError.unreachable(cause)); no revision is archived, and the site in \(site.site) has real data, "
                + "so the sample does not replace it")
        guard let known = settings.knownCatalogue else { throw CaptureError.unreachable(cause) }
        let fallback = "\(start), and no revision of it is archived. \(known.sampleSentence)"
        console.warn(fallback)
        var summary = try await withSample { try await capture($0, $1) }
        summary.fallback = fallback
        return summary
    }

    func withSample<Value>(_ work: (_ api: String, Source) async throws -> Value) async throws -> Value {
        guard let known = settings.knownCatalogue else {
            throw Failure.usage("the catalogue \"\(settings.catalogue.name)\" has no sample; choose another --source")
        }
        let responder = Responder(sample)
        let server = try Failure.with(.notCaptured, "cannot start the sample server: ") {
            try HTTPServer { responder.answer($0) }
        }
        defer { server.stop() }
        let source = Source(catalogue: settings.catalogue.name, api: known.name(of: sample), origin: .sample)
        return try await work(known.api(onPort: server.port), source)
    }

    /// The maximum number of times that one list is read, and that all lists together are read again.
    private static let maximumAttempts = (list: 3, all: 30)

    /// Captures an API into the archive. Only a list that changes while it is read is read again.
    private func capture(_ api: String, _ source: Source) async throws -> Summary {
        let client = client(spillFolder: archive.incoming)
        let start = millisecondsSince1970()
        var changes: [String: (count: Int, reason: String)] = [:]
        while true {
            do {
                return try await capture(
                    api, source, into: archive, client, changedLists: Set(changes.keys), firstAttempt: start)
            } catch CaptureError.unreachable(let cause) where !changes.isEmpty {
                // An earlier attempt reached the API, so no other source is used instead.
                throw CaptureError.incomplete("\(cause)")
            } catch CaptureError.listChanged(let reason, let list)
                where changes[list]?.count ?? 0 < Self.maximumAttempts.list - 1
                && changes.values.reduce(0, { $0 + $1.count }) < Self.maximumAttempts.all
            {
                let count = (changes[list]?.count ?? 0) + 1
                changes[list] = (count, reason)
                console.say(
                    "\(label(.capture)): the API changed during the capture (\(reason)); reading the list again")
                // A cancelled sleep ends early; the capture then ends by itself.
                try? await Task.sleep(for: .seconds(settings.configuration.retry.baseDelay * Double(count)))
            } catch CaptureError.listChanged(let reason, let list) where changes[list]?.reason == reason {
                throw CaptureError.incomplete(
                    "\(reason), the same again in the last attempt; the API claims a wrong number, or repeats records "
                        + "on other pages: if its order is not unique, sort by a unique member in the list's path; if "
                        + "it continues long lists on other pages, lower the number of records for each page; or check "
                        + "the paginator")
            }
        }
    }

    /// Captures an API, or only one record's card, into an archive and shows the progress.
    func capture(
        _ api: String, _ source: Source, into folder: ArchiveFolder, _ client: Client,
        changedLists: Set<String> = [], firstAttempt: Int64 = .max, card: RecordKey? = nil
    ) async throws -> Summary {
        var bounds = settings.configuration.bounds
        bounds.api = api
        // The sample has no rate limit.
        if api != settings.api { bounds.rateLimit = nil }
        (bounds.changedLists, bounds.firstAttempt) = (changedLists, firstAttempt)
        bounds.readsAll = arguments.has(.full)
        let start = ContinuousClock.now
        let progress = CaptureProgress()
        let writer = try ArchiveWriter(folder)
        let result: Result<CaptureReport, any Error>
        do {
            let revision = try await revisionWriter(of: source, in: folder, writer)
            let run = CaptureRun(
                of: settings.catalogue, bounds, into: revision, through: client, retry: settings.configuration.retry,
                progress: progress)
            if let card {
                result = .success(try await run.card(card))
            } else {
                // At the end of this block, the task is cancelled, and shows the progress for the last time.
                async let _ = show(run)
                result = .success(try await run.run())
            }
        } catch {
            result = .failure(error)
        }
        try await writer.close()
        let report = try result.get()
        console.clear()
        for note in report.notes.sorted() { console.say("\(label(.capture)): \(note)") }
        return Summary(
            source: source.origin.rawValue, revision: report.revision, gaps: report.gaps,
            isUnchanged: report.isUnchanged, records: report.records,
            assets: try RevisionReader(report.revision, in: folder).assetCounts(),
            requests: progress.current.requests, answersKept: changedLists.isEmpty ? progress.current.kept : 0,
            seconds: [("capture", start.duration(to: .now) / .seconds(1))])
    }

    /// - Parameter secrets: those of the catalogue if it is nil.
    func client(spillFolder: String, _ secrets: Secrets? = nil, maximumPause: Int = .max) -> Client {
        var limits = settings.configuration.limits
        limits.maximumPause = min(limits.maximumPause, maximumPause)
        let contact = settings.configuration.contact.map { "; \($0)" } ?? ""
        var client = Client.libcurl(
            limits: limits,
            agent: "Amber/\(AmberCommand.version) (static archive of web APIs\(contact))", spillFolder: spillFolder,
            authorities: settings.authorities)
        // Everything outside this client has placeholders instead of secrets.
        if let secrets = secrets ?? settings.secrets { client = client.adding(secrets) }
        return arguments.has(.verbose) ? client.logging(to: console) : client
    }

    private func revisionWriter(
        of source: Source, in folder: ArchiveFolder, _ writer: ArchiveWriter
    ) async throws -> RevisionWriter {
        do {
            try refuseChangedIDs(of: source, in: folder)
        } catch  where error is ArchiveError || error is SystemError {
            // A capture can repair an archive that cannot be read completely.
        }
        // An interrupted capture is resumed within a day.
        return try await RevisionWriter(
            of: source, in: folder, through: writer, resumeAfter: millisecondsSince1970() - 86_400_000,
            declaration: settings.catalogue.declaration.stored)
    }

    /// The remaining time of the calls that wait for the rate limit, as text; nil if there is none.
    private func timeLeft(_ seconds: Double) -> String? {
        guard seconds > 0, let rateLimit = settings.configuration.bounds.rateLimit else { return nil }
        return "about \(ProgressRate.duration(seconds)) left"
            + (rateLimit.calls < Settings.unlimitedCalls
                ? " at \(rateLimit.calls) calls a \(rateLimit.seconds == 1 ? "second" : "minute")" : "")
    }

    /// Shows the progress until the task is cancelled. The first answer shows whether an interrupted run is continued.
    private func show(_ run: CaptureRun) async {
        var isAnnounced = false
        while true {
            let counts = run.progress.current
            if !isAnnounced, counts.answers + counts.kept > 0 {
                isAnnounced = true
                let kept = run.revision.answersKept
                let continuing = kept > 0 ? ", continuing with \(kept) answers of an interrupted run" : ""
                console.say(label(.capture) + continuing)
            }
            if Task.isCancelled { return }
            if isAnnounced || console.isTerminal {
                console.progress(
                    label(.capture), done: counts.pages + counts.cards, of: counts.pagesClaimed + counts.cardsClaimed,
                    timeLeft: timeLeft(run.secondsToLastRequest),
                    note: counts.waiting.map { "waiting: \($0)" } ?? "")
            }
            // Cancelling ends the sleep early. That is not an error.
            try? await Task.sleep(for: .milliseconds(100))
        }
    }

    func card() async throws -> ExitCode {
        guard let kind = settings.catalogue.declaration.cardKind else {
            throw Failure.usage("the catalogue \"\(settings.catalogue.name)\" does not support the verb card")
        }
        guard arguments.operands.count == 1, let id = Int64(arguments.operands[0]), id > 0 else {
            throw Failure.usage("card requires the id of one \(kind): amber card 42")
        }
        try Failure.require(
            settings.source != .archive, "card requests data from the API; use --source auto, live or sample")
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        let templates = try compile(readTemplates())
        // The card's answers are not a complete revision, so they are not stored in the archive.
        let folder = ArchiveFolder("\(settings.output)/.amber/card")
        try Folder.remove(folder.path)
        defer {
            do {
                try Folder.remove(folder.path)
            } catch {
                console.warn("\(error)")
            }
        }
        let client = client(spillFolder: folder.incoming)
        func captured(_ api: String, _ source: Source) async throws -> Summary {
            try await capture(api, source, into: folder, client, card: RecordKey(kind, id))
        }
        let summary =
            settings.source == .sample
            ? try await withSample(captured) : try await captured(settings.api, settings.liveSource)
        let build = Self.siteBuild(summary.revision, settings.catalogue, templates, in: folder, baseURL: nil)
        _ = try build.write(to: "cards/\(id)", below: settings.output)
        let reader = try RevisionReader(summary.revision, in: folder)
        // The archive can also have records of this kind to which the record refers.
        let record = try reader.records(of: kind, at: 0..<Int.max).first { $0.key == RecordKey(kind, id) }
        let lines = try record.map { try settings.catalogue.cardLines(for: $0, from: reader) } ?? []
        output(
            summary.json,
            lines: lines + ["page      \(settings.output)/cards/\(id)/\(kind)/\(id).html"]
                + summary.gaps.map { "gap       \($0.url): \($0.fullReason)" })
        return summary.code
    }
}

extension Client {
    /// The same client, but it prints each request with its result, including repeated requests.
    fileprivate func logging(to console: Console) -> Client {
        Client { [send] (request) async throws(HTTPError) in
            let isConditional = request.headers.contains { $0.name.lowercased() == "if-none-match" }
            let requestText = "GET \(request.url.target)\(isConditional ? " (if changed)" : "")"
            let start = ContinuousClock.now
            func elapsed() -> String { "\(Int((start.duration(to: .now) / .milliseconds(1)).rounded())) ms" }
            do throws(HTTPError) {
                let response = try await send(request)
                let waits = response.retryAfter > 0 ? ", Retry-After \(response.retryAfter) s" : ""
                console.detail("\(requestText) \(response.status) \(response.body.size) bytes \(elapsed())\(waits)")
                return response
            } catch {
                console.detail("\(requestText) failed: \(error.reason) \(elapsed())")
                throw error
            }
        }
    }
}
