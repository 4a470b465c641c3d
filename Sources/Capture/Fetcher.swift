import Archive
import Catalogue
import HTTP
import Platform

/// Adds an answer to the revision. The answer is from an interrupted capture, confirmed by the server, or new.
struct Fetcher: Sendable {
    private let settings: CaptureSettings
    private let client: RetryingClient
    private let revision: RevisionWriter
    private let storage: StorageLimit
    private let progress: CaptureProgress
    /// The paths of all answers used in this run. Collected only if needed: when a capture with roots is resumed.
    private let usedPaths = Locked<Set<String>>([])
    private let collectsPaths: Bool
    /// The answers with records in this run, by path. Two searches can need the same answer.
    private let answered = AnswersByPath()
    /// Limits the large bodies in memory to two. The client stores large bodies in files.
    private let large = Window(width: 2)
    /// Limits the bytes of unsound answers that are kept in memory until the next attempt.
    private let unsoundBytes = Window(width: 32 << 20)

    init(
        settings: CaptureSettings, client: RetryingClient, revision: RevisionWriter, storage: StorageLimit,
        progress: CaptureProgress, collectsPaths: Bool
    ) {
        self.settings = settings
        self.client = client
        self.revision = revision
        self.storage = storage
        self.progress = progress
        self.collectsPaths = collectsPaths
    }

    enum Answer<Content: Sendable>: Sendable {
        case found(Content, Exchange)
        /// The server answered 404.
        case missing
    }

    /// An unsound answer. It is kept in memory if there is room, in case no better answer follows.
    private struct UnsoundAnswer<Content: Sendable>: Sendable {
        let digest: SHA256
        var held: (content: Content, new: NewExchange, permit: Window.Permit)?
    }
}

extension Fetcher {
    /// Fetches and reads a JSON document. If `read` throws a `ContentFault`, the document is requested again.
    /// - Parameter isSound: whether all of the content is usable. An unsound answer is requested again,
    ///   unconditionally, because it may have been damaged in transit. It is accepted if the next answer is the same,
    ///   or after the last attempt.
    func document<Content: Sendable>(
        _ path: String, as role: AnswerRole, isSound: @escaping @Sendable (Content) -> Bool,
        read: @escaping @Sendable ([UInt8]) throws -> Content
    ) async throws -> Answer<Content> {
        guard role == .records else { return try await requested(path, as: role, isSound: isSound, read: read) }
        if let exchange = await answered.wait(for: path), let content = try await reading(exchange, read) {
            return .found(content, exchange)
        }
        var accepted: Exchange?
        defer { answered.end(path, accepted) }
        let answer = try await requested(path, as: role, isSound: isSound, read: read)
        if case .found(_, let exchange) = answer { accepted = exchange.withoutHeaders }
        return answer
    }

    private func requested<Content: Sendable>(
        _ path: String, as role: AnswerRole, isSound: @escaping @Sendable (Content) -> Bool,
        read: @escaping @Sendable ([UInt8]) throws -> Content
    ) async throws -> Answer<Content> {
        if let kept = try await kept(path) {
            // A stored 404 of a list page is requested again, because the list may have the page now.
            if kept.status == 404, role != .page { return .missing }
            // A stored answer with unusable content is requested again.
            if kept.status == 200, kept.asset == nil, let content = try await reading(kept, read) {
                return .found(content, kept)
            }
        }
        // An unusable earlier answer is not used for a conditional request.
        var earlier: (exchange: Exchange, content: Content)?
        if settings.usesConditionalRequests, let exchange = try await self.earlier(path), exchange.asset == nil,
            let content = try await reading(exchange, read), isSound(content)
        {
            earlier = (exchange, content)
        }
        let known = earlier
        let unsound = Locked<UnsoundAnswer<Content>?>(nil)
        let request = try request(path, conditionOn: known?.exchange, limit: settings.maximumDocument, .urgent)
        do {
            return try await send(request, path, role, known?.exchange) { response, bytes in
                if response.status == 304, let known { return .accept((known.content, nil)) }
                let content = try read(bytes)
                if isSound(content) { return .accept((content, .document(bytes))) }
                let digest = SHA256(of: bytes)
                if unsound.withLock({ $0?.digest == digest }) { return .accept((content, .document(bytes))) }
                let held = unsoundBytes.enterIfFree(weight: bytes.count + response.rawHeaders.count).map {
                    (content: content, new: exchange(path, role, response, .document(bytes)), permit: $0)
                }
                unsound.withLock { $0 = UnsoundAnswer(digest: digest, held: held ?? $0?.held) }
                return .retry("contains a record that cannot be read")
            }
        } catch let fault as HTTPError {
            guard !fault.isLocal, let held = unsound.withLock({ $0?.held }) else { throw fault }
            progress.accepted()
            return .found(held.content, try await keep(held.new, orConfirm: nil, role))
        }
    }

    /// Fetches a picture and stores it as a file.
    /// - Returns: whether the server has it.
    func picture(_ path: String) async throws -> Bool {
        if let kept = try await kept(path), kept.status == 404 || kept.asset != nil { return kept.status != 404 }
        var earlier = try await earlier(path)
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
        // The response and the permit are alive until the bytes are stored, so that the memory limits count them.
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
            progress.accepted()
            withExtendedLifetime((response, permit)) {}
        }
        switch outcome {
        case .content(let content, let new): return .found(content, try await keep(new, orConfirm: earlier, role))
        case .missing(let new):
            _ = try await keep(new, orConfirm: nil, role)
            return .missing
        case .contradiction:
            var unconditional = request
            unconditional.headers = []
            return try await send(unconditional, path, role, nil, judge: judge)
        }
    }

    private func keep(_ new: NewExchange?, orConfirm earlier: Exchange?, _ role: AnswerRole) async throws -> Exchange {
        if let new {
            try storage.take(new.size)
            return try await revision.accept(new)
        }
        guard let earlier else {
            throw ArchiveError.damaged("an accepted answer is neither new nor stored")
        }
        try await revision.confirm(earlier, as: role)
        progress.count { $0.confirmed += 1 }
        return earlier
    }

    private func exchange(
        _ path: String, _ role: AnswerRole, _ response: Response, _ content: NewExchange.Content
    ) -> NewExchange {
        NewExchange(
            path: path, role: role, status: response.status, headers: response.rawHeaders, received: response.received,
            content: content)
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

    /// The paths of all answers used in this run; empty unless it resumes a capture with roots.
    var used: Set<String> { usedPaths.withLock { $0 } }

    private func kept(_ path: String) async throws -> Exchange? {
        if collectsPaths, revision.answersKept > 0 { usedPaths.withLock { _ = $0.insert(path) } }
        let kept = try await revision.answer(for: path)
        if kept != nil {
            // The server does not have to answer while stored answers are read.
            progress.accepted()
            progress.count { $0.kept += 1 }
        }
        return kept
    }

    private func earlier(_ path: String) async throws -> Exchange? {
        let earlier = try await revision.earlierAnswer(for: path)
        return earlier?.status == 200 ? earlier : nil
    }

    /// Reads a stored answer; nil if `read` throws a `ContentFault`.
    private func reading<Content>(_ exchange: Exchange, _ read: ([UInt8]) throws -> Content) async throws -> Content? {
        let permit = await large.enter()
        defer { withExtendedLifetime(permit) {} }
        let bytes = try await revision.document(of: exchange)
        do {
            return try read(bytes)
        } catch is ContentFault {
            return nil
        }
    }

    /// The bytes of an answer. Large answers have a permit that the caller keeps while the bytes are in memory.
    func load(_ response: Response) async throws -> ([UInt8], Window.Permit?) {
        switch response.body {
        case .bytes(let bytes): return (bytes, nil)
        case .file(let path, _):
            let permit = await large.enter()
            let bytes = try File.read(path)
            try File.remove(path)
            return (bytes, permit)
        }
    }
}
