import Archive
import Catalogue
import HTTP
import Platform

/// Fetches answers and adds them to the revision. An answer from an interrupted capture is not requested again. An
/// earlier answer is used again if the server confirms it.
struct Fetcher: Sendable {
    private let settings: CaptureSettings
    private let client: RetryingClient
    private let revision: RevisionWriter
    private let storage: StorageLimit
    private let progress: CaptureProgress
    /// The paths of the list pages used in this run, and of all answers of a catalogue with roots. They are collected only
    /// if a capture is resumed.
    private let usedPaths = Locked<Set<String>>([])
    private let hasRoots: Bool
    /// The answers with records in this run, by path. They are shared, because two searches can need the same answer.
    private let recordAnswers = AnswersByPath()
    /// Limits the large bodies in memory to two. The client stores large bodies in files.
    private let largeBodies = Window(width: 2)
    /// Limits the bytes of partly unusable answers that are kept in memory until the next attempt.
    private let partialAnswerBytes = Window(width: 32 << 20)

    init(
        settings: CaptureSettings, client: RetryingClient, revision: RevisionWriter, storage: StorageLimit,
        progress: CaptureProgress, hasRoots: Bool
    ) {
        self.settings = settings
        self.client = client
        self.revision = revision
        self.storage = storage
        self.progress = progress
        self.hasRoots = hasRoots
    }

    enum Answer<Content: Sendable>: Sendable {
        case found(Content, Exchange)
        /// The server answered 404.
        case missing
    }

    /// A partly unusable answer. It is kept in memory if there is room, in case no better answer follows.
    private struct PartialAnswer<Content: Sendable>: Sendable {
        let digest: SHA256
        var held: (content: Content, new: NewExchange, permit: Window.Permit)?
    }
}

extension Fetcher {
    /// Fetches and reads a JSON document. If `read` throws a `ContentFault`, the document is requested again.
    /// - Parameters:
    ///   - isConditional: whether the server is asked if an earlier answer is still valid.
    ///   - usesKept: whether an answer that an interrupted capture stored is used again.
    ///   - isValid: returns whether all of the content is usable. If it is not, the document is requested again,
    ///     because it may have been damaged in transit. A partly unusable answer is accepted if the next answer is the
    ///     same, or after the last attempt.
    ///   - read: reads the body and the header of an answer.
    func document<Content: Sendable>(
        _ path: String, as role: AnswerRole, isConditional: Bool = true, usesKept: Bool = true,
        isValid: @escaping @Sendable (Content) -> Bool,
        read: @escaping @Sendable (_ body: [UInt8], _ headers: [UInt8]) throws -> Content
    ) async throws -> Answer<Content> {
        guard role == .records else {
            return try await requestDocument(
                path, as: role, isConditional: isConditional, usesKept: usesKept, isValid: isValid, read: read)
        }
        if let exchange = await recordAnswers.wait(for: path), let content = try await readStored(exchange, read) {
            return .found(content, exchange)
        }
        var accepted: Exchange?
        defer { recordAnswers.end(path, accepted) }
        let answer = try await requestDocument(
            path, as: role, isConditional: isConditional, usesKept: usesKept, isValid: isValid, read: read)
        if case .found(_, let exchange) = answer { accepted = exchange.withoutHeaders }
        return answer
    }

    private func requestDocument<Content: Sendable>(
        _ path: String, as role: AnswerRole, isConditional: Bool, usesKept: Bool,
        isValid: @escaping @Sendable (Content) -> Bool,
        read: @escaping @Sendable ([UInt8], [UInt8]) throws -> Content
    ) async throws -> Answer<Content> {
        if let kept = try await keptAnswer(for: path, as: role), usesKept {
            // A stored 404 of a list page is requested again, because the list may have the page now.
            if kept.status == 404, role != .page { return .missing }
            // A stored answer with unusable content is requested again.
            if kept.status == 200, kept.asset == nil, let content = try await readStored(kept, read) {
                return .found(content, kept)
            }
        }
        // An unusable earlier answer is not used for a conditional request.
        var earlier: (exchange: Exchange, content: Content)?
        if isConditional, settings.usesConditionalRequests, let exchange = try await earlierAnswer(for: path),
            exchange.asset == nil, let content = try await readStored(exchange, read), isValid(content)
        {
            earlier = (exchange, content)
        }
        let known = earlier
        let partialAnswer = Locked<PartialAnswer<Content>?>(nil)
        let request = try request(path, conditionOn: known?.exchange, limit: settings.maximumDocument, .urgent)
        do {
            return try await send(request, path, role, known?.exchange) { response, bytes in
                if response.status == 304, let known { return .accept((known.content, nil)) }
                let content = try read(bytes, response.rawHeaders)
                if isValid(content) { return .accept((content, .document(bytes))) }
                let digest = SHA256(of: bytes)
                if partialAnswer.withLock({ $0?.digest == digest }) { return .accept((content, .document(bytes))) }
                let held = partialAnswerBytes.enterIfFree(weight: bytes.count + response.rawHeaders.count).map {
                    (content: content, new: exchange(path, role, response, .document(bytes)), permit: $0)
                }
                partialAnswer.withLock { $0 = PartialAnswer(digest: digest, held: held ?? $0?.held) }
                return .retry("contains a record that cannot be read")
            }
        } catch let fault as HTTPError {
            guard !fault.isLocal, let held = partialAnswer.withLock({ $0?.held }) else { throw fault }
            progress.recordAcceptedAnswer()
            return .found(held.content, try await store(held.new, orConfirm: nil, role))
        }
    }

    /// Fetches a picture and stores it as a file.
    /// - Returns: false if the server answered 404.
    func picture(_ path: String) async throws -> Bool {
        if let kept = try await keptAnswer(for: path, as: .picture), kept.status == 404 || kept.asset != nil {
            return kept.status != 404
        }
        var earlier = try await earlierAnswer(for: path)
        if earlier?.asset == nil { earlier = nil }
        let request = try request(path, conditionOn: earlier, limit: settings.maximumPicture, .bulk)
        let answer: Answer<Void> = try await send(request, path, .picture, earlier) { response, bytes in
            if response.status == 304 { return .accept(((), nil)) }
            let header = try PictureHeader.read(bytes)
            guard header.width <= settings.maximumPixels / header.height else {
                return .refuse(
                    "is a picture of \(header.width) x \(header.height) pixels, more than the limit of "
                        + "\(settings.maximumPixels)")
            }
            return .accept(((), .picture(bytes, header.format, width: header.width, height: header.height)))
        }
        if case .found = answer { return true } else { return false }
    }
}

extension Fetcher {
    /// The result of a successful request.
    private enum Outcome<Content: Sendable>: Sendable {
        case content(Content, NewExchange?)
        case missing(NewExchange)
        /// A 304 whose entity tag differs from the one in the request.
        case contradiction
    }

    /// - Parameter judge: judges a response with status 200, or 304 to a conditional request. It returns the content to
    ///   use, and the content to store; the latter is nil if the earlier answer is still valid.
    private func send<Content: Sendable>(
        _ request: Request, _ path: String, _ role: AnswerRole, _ earlier: Exchange?,
        judge: @escaping @Sendable (Response, [UInt8]) throws -> RetryingClient.Verdict<(Content, NewExchange.Content?)>
    ) async throws -> Answer<Content> {
        // The response and the permit are kept until the bytes are stored, so that the memory limits include the bytes.
        let (outcome, response, permit) = try await client.send(request) {
            response -> RetryingClient.Verdict<(Outcome<Content>, Response, Window.Permit?)> in
            do {
                switch response.status {
                case 304:
                    guard let earlier else { return .retry("answered 304 to an unconditional request") }
                    if !EntityTag.agree(earlier.headers, response.rawHeaders) {
                        return .accept((.contradiction, response, nil))
                    }
                case 200, 404: break
                default: return .refuse("answered status \(response.status)")
                }
                let (bytes, permit) = try await load(response)
                if response.status == 404 {
                    return .accept((.missing(exchange(path, role, response, .document(bytes))), response, permit))
                }
                switch try judge(response, bytes) {
                case .accept((let content, let new)):
                    let new = new.map { exchange(path, role, response, $0) }
                    return .accept((.content(content, new), response, permit))
                case .retry(let reason): return .retry(reason)
                case .refuse(let reason): return .refuse(reason)
                }
            } catch let fault as ContentFault {
                return .retry("\(fault)")
            } catch let error as SystemError {
                throw HTTPError(.disk, url: request.url.text, reason: "\(error)")
            }
        }
        defer {
            progress.recordAcceptedAnswer()
            withExtendedLifetime((response, permit)) {}
        }
        switch outcome {
        case .content(let content, let new): return .found(content, try await store(new, orConfirm: earlier, role))
        case .missing(let new):
            _ = try await store(new, orConfirm: nil, role)
            return .missing
        case .contradiction:
            var unconditional = request
            unconditional.headers = []
            return try await send(unconditional, path, role, nil, judge: judge)
        }
    }

    private func store(_ new: NewExchange?, orConfirm earlier: Exchange?, _ role: AnswerRole) async throws -> Exchange {
        if let new {
            try storage.add(new.size)
            return try await revision.accept(new)
        }
        guard let earlier else {
            throw ArchiveError.damaged("an answer was accepted, but the archive does not have it")
        }
        try await revision.confirm(earlier, as: role)
        progress.count { $0.confirmed += 1 }
        return earlier
    }

    private func exchange(
        _ path: String, _ role: AnswerRole, _ response: Response, _ content: NewExchange.Content
    ) -> NewExchange {
        NewExchange(
            path: path, role: role, status: response.status, headers: response.rawHeaders.withoutFields("Set-Cookie"),
            received: response.received, content: content)
    }

    private func request(
        _ path: String, conditionOn earlier: Exchange?, limit: Int, _ priority: Request.Priority
    ) throws -> Request {
        let text = Exchange.url(of: path, below: settings.api)
        guard let url = WebURL(text) else {
            throw HTTPError(.refused, url: text, reason: "is not a valid URL")
        }
        let tag = earlier.flatMap { EntityTag.text(in: $0.headers) }
        return Request(
            url, headers: tag.map { [Header("If-None-Match", $0)] } ?? [], maximumSize: limit, priority: priority,
            isCounted: priority == .urgent)
    }

    /// The paths used in this run; empty unless it resumes a capture.
    var pathsUsed: Set<String> { usedPaths.withLock { $0 } }

    private func keptAnswer(for path: String, as role: AnswerRole) async throws -> Exchange? {
        if hasRoots || role == .page, revision.answersKept > 0 { usedPaths.withLock { _ = $0.insert(path) } }
        let kept = try await revision.answer(for: path)
        if kept != nil {
            // Reading stored answers must not exceed the time limit between answers.
            progress.recordAcceptedAnswer()
            progress.count { $0.kept += 1 }
        }
        return kept
    }

    private func earlierAnswer(for path: String) async throws -> Exchange? {
        let earlier = try await revision.earlierAnswer(for: path)
        return earlier?.status == 200 ? earlier : nil
    }

    /// Reads a stored answer; nil if `read` throws a `ContentFault`.
    private func readStored<Content>(
        _ exchange: Exchange, _ read: ([UInt8], [UInt8]) throws -> Content
    ) async throws -> Content? {
        let permit = await largeBodies.enter()
        defer { withExtendedLifetime(permit) {} }
        let bytes = try await revision.document(of: exchange)
        do {
            return try read(bytes, exchange.headers)
        } catch is ContentFault {
            return nil
        }
    }

    /// The bytes of an answer. For a large answer there is also a permit, which the caller keeps while the bytes are in
    /// memory. The file of a large answer is removed.
    func load(_ response: Response) async throws -> ([UInt8], Window.Permit?) {
        switch response.body {
        case .bytes(let bytes): return (bytes, nil)
        case .file(let path, _):
            let permit = await largeBodies.enter()
            let bytes = try File.read(path)
            try File.remove(path)
            return (bytes, permit)
        }
    }
}
