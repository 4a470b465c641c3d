import Archive
import Catalogue
import HTTP
import Platform

/// Fetches answers and adds them to the revision. It reuses those of an interrupted capture, and confirmed ones.
struct Fetcher: Sendable {
    let settings: CaptureSettings
    let client: RetryingClient
    let revision: RevisionWriter
    let storage: StorageLimit
    let progress: CaptureProgress
    let hasRoots: Bool
    /// If this run resumes a capture: the paths of its list pages, or of all its answers if the catalogue has roots.
    let usedPaths = Locked<Set<String>>([])
    /// The answers with records in this run, by path. Searches share them, so a window admits one caller at a time.
    private let recordAnswers = Locked<[String: (window: Window, accepted: Exchange?)]>([:])
    /// Limits the large bodies in memory to two. The client stores large bodies in files.
    private let largeBodies = Window(width: 2)
    /// Limits the bytes of partly unusable answers that are kept in memory until the next attempt.
    private let partialAnswerBytes = Window(width: 32 << 20)

    /// An answer that can be used. It is nil if the server answered 404.
    typealias Answer = (content: AnswerRecords, exchange: Exchange)?
    typealias Reading = @Sendable (_ body: [UInt8], _ headers: [UInt8]) throws -> AnswerRecords

    /// Fetches and reads a JSON document. If `read` throws a `ContentFault`, the document is requested again.
    /// - Parameters:
    ///   - list: the list that the page belongs to; nil for records that are requested by number.
    ///   - isKept: whether an interrupted run stored all pages of the list.
    ///   - keys: the requested records. If the answer has others, or records that cannot be read, the document is
    ///     requested again, because it may have been damaged in transit. A partly unusable answer is accepted if the
    ///     next answer is the same, or after the last attempt.
    ///   - read: reads the body and the header of an answer.
    func document(
        _ path: String, of list: ListEndpoint? = nil, isKept: Bool = false, requested keys: [RecordKey]? = nil,
        read: @escaping Reading
    ) async throws -> Answer {
        guard list == nil else { return try await requestDocument(path, list, isKept, keys, read) }
        let window = recordAnswers.withLock { answers in
            let answer = answers[path] ?? (Window(width: 1), nil)
            answers[path] = answer
            return answer.window
        }
        let permit = await window.enter()
        defer { withExtendedLifetime(permit) {} }
        let accepted = recordAnswers.withLock { $0[path]?.accepted }
        if let accepted, let content = try await readStored(accepted, read) { return (content, accepted) }
        guard var answer = try await requestDocument(path, nil, false, keys, read) else { return nil }
        // The answers with records are kept, and their headers are not used, so removing them saves memory.
        answer.exchange.headers = []
        recordAnswers.withLock { $0[path]?.accepted = answer.exchange }
        return answer
    }

    private func requestDocument(
        _ path: String, _ list: ListEndpoint?, _ isKept: Bool, _ keys: [RecordKey]?, _ read: @escaping Reading
    ) async throws -> Answer {
        let role: AnswerRole = list == nil ? .records : .page
        // Without counts, a change of the list between two runs would not be noticed. So its pages are read again.
        if let kept = try await keptAnswer(for: path, as: role),
            case let isKept = isKept || kept.received >= settings.firstAttempt,
            list?.hasCount ?? true || isKept
        {
            // A stored 404 of a list page is requested again, because the list may have the page now.
            if kept.status == 404, role != .page || isKept { return nil }
            // A stored answer with unusable content is requested again.
            if kept.status == 200, kept.asset == nil, let content = try await readStored(kept, read) {
                return (content, kept)
            }
        }
        // An unusable earlier answer is not used for a conditional request.
        let known: (exchange: Exchange, content: AnswerRecords)? =
            if list.map({ $0.canBeConfirmed && !settings.changedLists.contains($0.firstPath) }) ?? true,
                let exchange = try await revision.earlierAnswer(for: path), exchange.asset == nil,
                let content = try await readStored(exchange, read), content.isValid(requested: keys)
            { (exchange, content) } else { nil }
        // A partly unusable answer is kept in memory if there is room, in case no better answer follows.
        typealias Held = (content: AnswerRecords, new: NewExchange, permit: OnRelease)
        let partial = Locked<(digest: SHA256?, held: Held?)>((nil, nil))
        do {
            return try await send(path, role, known?.exchange, limit: settings.maximumDocument) { _, response, bytes in
                if response.status == 304, let known { return (known.content, nil) }
                let content: AnswerRecords
                do {
                    content = try read(bytes, response.rawHeaders)
                } catch let fault as ContentFault {
                    throw Self.classified(fault, of: response, bytes)
                }
                if content.isValid(requested: keys) { return (content, nil) }
                let digest = SHA256(of: bytes)
                if partial.withLock({ $0.digest == digest }) { return (content, nil) }
                let held = partialAnswerBytes.enterIfFree(weight: bytes.count + response.rawHeaders.count).map {
                    (content: content, new: exchange(path, role, response, bytes), permit: $0)
                }
                partial.withLock { $0 = (digest, held ?? $0.held) }
                throw ContentFault("", "contains a record that cannot be read")
            }
        } catch let fault as HTTPError {
            guard !fault.isLocal, let held = partial.withLock({ $0.held }) else { throw fault }
            progress.recordAcceptedAnswer()
            return (held.content, try await store(held.new, orConfirm: nil, role))
        }
    }

    /// Fetches a picture or another file, and stores it.
    /// - Parameter isPicture: whether only a picture is accepted.
    /// - Returns: nil if the server answered 404.
    func asset(_ path: String, isPicture: Bool) async throws -> Asset? {
        func isUsable(_ answer: Exchange) -> Bool { answer.asset.map { !isPicture || $0.format.isPicture } ?? false }
        if let kept = try await keptAnswer(for: path, as: .asset), kept.status == 404 || isUsable(kept) {
            return kept.asset
        }
        let earlier = try await revision.earlierAnswer(for: path).flatMap { isUsable($0) ? $0 : nil }
        let limit = isPicture ? settings.maximumPicture : settings.maximumDocument
        let answer: Answer = try await send(path, .asset, earlier, limit: limit) { request, response, bytes in
            if response.status == 304 { return (AnswerRecords(), nil) }
            guard let (format, width, height) = try PictureHeader.read(bytes) else {
                guard !isPicture else {
                    let fault = PictureHeader.fault(bytes)
                    // Another request would return the same file again, unless it is empty.
                    throw bytes.isEmpty ? fault : request.error(.refused, "\(fault)")
                }
                let type = response.headers["Content-Type"] ?? ""
                guard let format = try FileFormat.read(bytes, type: type) else {
                    // The type is not quoted, so that the summary does not group different types.
                    let named = type.isEmpty ? "no Content-Type" : "the Content-Type \(type.shortened.singleLine)"
                    throw request.error(.refused, "has \(named), and is not one of the accepted formats")
                }
                return (AnswerRecords(), (format, width: 0, height: 0))
            }
            guard width <= settings.maximumPixels / height else {
                let size = "\(width) x \(height) pixels, more than the limit of \(settings.maximumPixels)"
                throw request.error(.refused, "is a picture of \(size)")
            }
            return (AnswerRecords(), (format, width, height))
        }
        return answer?.exchange.asset
    }

    /// The error for a document that is not as declared. A web page and complete JSON will probably be the same again.
    /// An error can come from a busy server, and other answers are incomplete.
    private static func classified(_ fault: ContentFault, of response: Response, _ bytes: [UInt8]) -> any Error {
        let text = bytes[JSONSlices.start(of: bytes)...].drop(while: \.isSpace)
        if text.first == "<" {
            let type = response.headers["Content-Type"] ?? "no type"
            let reason = "is a web page (\(type.singleLine)), not JSON"
            return HTTPError(.refused, url: response.url.text, reason: reason)
        }
        do {
            try JSONSlices.check(bytes)
            let members = text.first == "{" ? try JSONSlices.members(of: bytes) : [:]
            guard !["error", "errors", "message"].contains(where: { members[$0] != nil }) else { return fault }
            return HTTPError(.refused, url: response.url.text, reason: "\(fault)")
        } catch {
            return fault
        }
    }

    /// - Parameter judge: judges a response with status 200, or 304 to a conditional request. It returns the content to
    ///   use, and the facts about a picture or file. If it throws a `ContentFault`, the request is sent again.
    private func send(
        _ path: String, _ role: AnswerRole, _ earlier: Exchange?, limit: Int,
        judge: @escaping @Sendable (Request, Response, [UInt8]) throws -> (AnswerRecords, AssetFacts?)
    ) async throws -> Answer {
        let request = try request(path, conditionOn: earlier, limit: limit, role == .asset ? .bulk : .urgent)
        // The response and the permit are kept until the bytes are stored, so that the memory limits include the bytes.
        typealias Accepted = (content: AnswerRecords?, new: NewExchange?, response: Response, permit: OnRelease?)
        let accepted = try await client.send(request) { response -> Accepted? in
            do {
                if response.status == 304 {
                    guard let earlier else { throw request.error(.content, "answered 304 to an unconditional request") }
                    guard EntityTag.agree(earlier.headers, response.rawHeaders) else { return nil }
                }
                guard [200, 304, 404].contains(response.status) else {
                    let cause: HTTPError.Cause = response.status == 204 ? .status(204) : .refused
                    throw request.error(cause, "answered status \(response.status)")
                }
                let (bytes, permit) = try await load(response)
                guard response.status != 404 else {
                    return (nil, exchange(path, role, response, bytes), response, permit)
                }
                let (content, asset) = try judge(request, response, bytes)
                // With 304, the earlier answer is still valid.
                let new = response.status == 304 ? nil : exchange(path, role, response, bytes, asset)
                return (content, new, response, permit)
            } catch let fault as ContentFault {
                throw request.error(.content, "\(fault)")
            } catch let error as SystemError {
                throw request.error(.disk, "\(error)")
            }
        }
        defer {
            progress.recordAcceptedAnswer()
            withExtendedLifetime(accepted) {}
        }
        guard let accepted else {
            // The entity tag of the 304 differs from the one in the request.
            return try await send(path, role, nil, limit: limit, judge: judge)
        }
        let stored = try await store(accepted.new, orConfirm: earlier, role)
        return accepted.content.map { ($0, stored) }
    }

    private func store(_ new: NewExchange?, orConfirm earlier: Exchange?, _ role: AnswerRole) async throws -> Exchange {
        if let new {
            try storage.add(new.body.count + new.headers.count)
            return try await revision.accept(new)
        }
        let earlier = try ArchiveError.require(earlier, "an answer was accepted, but the archive does not have it")
        try await revision.confirm(earlier, as: role)
        return earlier
    }

    private func exchange(
        _ path: String, _ role: AnswerRole, _ response: Response, _ body: [UInt8], _ asset: AssetFacts? = nil
    ) -> NewExchange {
        (path, role, response.status, response.rawHeaders.withoutFields("Set-Cookie"), response.received, body, asset)
    }

    /// - Parameter priority: urgent for documents, whose address can also have a web page.
    func request(
        _ path: String, conditionOn earlier: Exchange?, limit: Int, _ priority: Request.Priority
    ) throws -> Request {
        let text = Exchange.url(of: path, below: settings.api)
        guard let url = WebURL(text) else { throw HTTPError(.refused, url: text, reason: "is not a valid URL") }
        let tag = earlier.flatMap { EntityTag.text(in: $0.headers) }.map { [Header("If-None-Match", $0)] } ?? []
        let accept = priority == .urgent ? [Header("Accept", "application/json")] : []
        return Request(url, headers: accept + tag, maximumSize: limit, priority: priority)
    }

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

    /// Reads a stored answer; nil if `read` throws a `ContentFault`.
    private func readStored(_ exchange: Exchange, _ read: Reading) async throws -> AnswerRecords? {
        let permit = await largeBodies.enter()
        defer { withExtendedLifetime(permit) {} }
        let bytes = try await revision.document(of: exchange)
        do {
            return try read(bytes, exchange.headers)
        } catch is ContentFault {
            return nil
        }
    }

    /// The bytes of an answer. The file of a large one is removed; its permit is kept while the bytes are in memory.
    func load(_ response: Response) async throws -> ([UInt8], OnRelease?) {
        let permit: OnRelease? = if case .file = response.body { await largeBodies.enter() } else { nil }
        let bytes = try response.body.read()
        try response.body.removeFile()
        return (bytes, permit)
    }
}
