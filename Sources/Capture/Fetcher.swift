import Archive
import Catalogue
import HTTP
import Platform

/// Brings one answer into the revision: kept from an interrupted capture, confirmed by the server, or newly sent.
struct Fetcher: Sendable {
    let settings: CaptureSettings
    let client: PatientClient
    let revision: RevisionWriter
    let storage: StorageLimit
    let progress: CaptureProgress
    /// The paths whose answers this run used; noted only where an interrupted run left answers, and somebody asks for
    /// it.
    private let usedPaths = Guarded<Set<String>>([])
    private let notesPaths: Bool
    /// The answers with records of this run by their paths. Two searches can ask for the same.
    private let answered = AnswersByPath()
    /// Bodies in memory that were too large for the client to hold there: at most two, until each is kept.
    private let large = Window(width: 2)
    /// Bytes of answers that wait to come a second time.
    private let spoiltBytes = Window(width: 32 << 20)

    init(
        settings: CaptureSettings, client: PatientClient, revision: RevisionWriter, storage: StorageLimit,
        progress: CaptureProgress,
        notesPaths: Bool
    ) {
        self.settings = settings
        self.client = client
        self.revision = revision
        self.storage = storage
        self.progress = progress
        self.notesPaths = notesPaths
    }

    /// An answer that counts.
    enum Answer<Content: Sendable>: Sendable {
        case found(Content, Exchange)
        /// The server says that there is no such thing.
        case missing
    }

    enum Failure: Error {
        case request(HTTPError)
        case archive(ArchiveError)
        /// The capture may not keep more.
        case limit(CaptureError)
    }

    /// An answer that was not sound. It is held while there is room, in case no other comes.
    private struct Spoilt<Content: Sendable>: Sendable {
        let digest: SHA256
        var held: (content: Content, new: NewExchange, permit: Window.Permit)?
    }
}

extension Fetcher {
    /// A JSON document, with what `read` makes of it. What `read` refuses is asked for again, like a fault on the way.
    /// - Parameter isSound: whether all of the content can be used. What is not is asked for again, in case it was
    ///   spoilt on the way, until it comes the same twice or no attempt is left, and then taken as it is; it is never
    ///   asked to be confirmed.
    func document<Content: Sendable>(
        _ path: String, as role: AnswerRole, isSound: @escaping @Sendable (Content) -> Bool,
        read: @escaping @Sendable ([UInt8]) throws(ContentFault) -> Content
    ) async throws(Failure) -> Answer<Content> {
        guard role == .records else { return try await asked(path, as: role, isSound: isSound, read: read) }
        if let exchange = await answered.wait(for: path), case .success(let content) = try await reading(exchange, read)
        {
            return .found(content, exchange)
        }
        var accepted: Exchange?
        defer { answered.end(path, accepted) }
        let answer = try await asked(path, as: role, isSound: isSound, read: read)
        if case .found(_, let exchange) = answer { accepted = exchange.withoutHeaders }
        return answer
    }

    private func asked<Content: Sendable>(
        _ path: String, as role: AnswerRole, isSound: @escaping @Sendable (Content) -> Bool,
        read: @escaping @Sendable ([UInt8]) throws(ContentFault) -> Content
    ) async throws(Failure) -> Answer<Content> {
        if let kept = try await kept(path) {
            // That a list page was not there does not count either: the list may have it by now.
            if kept.status == 404, role != .page { return .missing }
            // A kept answer that is not what was asked for does not count: it is asked for again.
            if kept.status == 200, kept.asset == nil, case .success(let content) = try await reading(kept, read) {
                return .found(content, kept)
            }
        }
        let earlier = settings.asksConditionally ? try await earlierDocument(path, isSound, read) : nil
        let spoilt = Guarded<Spoilt<Content>?>(nil)
        let request = try request(path, conditionOn: earlier?.exchange, limit: settings.maximumDocument, .urgent)
        do throws(Failure) {
            return try await send(request, path, role, earlier?.exchange) { response, bytes in
                if response.status == 304, let earlier { return .accept(earlier.content, nil) }
                let content = try read(bytes)
                if isSound(content) { return .accept(content, .document(bytes)) }
                let digest = SHA256(of: bytes)
                if spoilt.withLock({ $0?.digest == digest }) { return .accept(content, .document(bytes)) }
                let held = spoiltBytes.enterIfFree(weight: bytes.count + response.rawHeaders.count).map {
                    (content: content, new: exchange(path, role, response, .document(bytes)), permit: $0)
                }
                spoilt.withLock { $0 = Spoilt(digest: digest, held: held ?? $0?.held) }
                throw ContentFault("", "holds a record that cannot be read")
            }
        } catch {
            guard case .request(let fault) = error, !fault.isLocal, let held = spoilt.withLock({ $0?.held }) else {
                throw error
            }
            progress.accepted()
            return .found(held.content, try await keep(held.new, orConfirm: nil, role))
        }
    }

    /// A picture, kept as a file.
    func picture(_ path: String) async throws(Failure) -> Answer<Asset> {
        if let kept = try await kept(path) {
            if kept.status == 404 { return .missing }
            if let asset = kept.asset { return .found(asset, kept) }
        }
        let earlier = try await earlier(path) { $0.asset != nil }
        let request = try request(path, conditionOn: earlier, limit: settings.maximumPicture, .bulk)
        let answer: Answer<Void> = try await send(request, path, .picture, earlier) { response, bytes in
            if response.status == 304 { return .accept((), nil) }
            let header = try PictureHeader.read(bytes)
            guard header.width <= settings.maximumPixels / header.height else {
                return .refuse(
                    "is a picture of \(header.width) x \(header.height) pixels, more than the "
                        + "\(settings.maximumPixels) that are taken"
                )
            }
            return .accept((), .picture(bytes, header.format, width: header.width, height: header.height))
        }
        switch answer {
        case .missing: return .missing
        case .found(_, let exchange):
            guard let asset = exchange.asset else {
                throw .archive(.damaged("the answer at \(path) is kept without its picture"))
            }
            return .found(asset, exchange)
        }
    }
}

extension Fetcher {
    /// What is made of a response with status 200, or 304 where that was asked for.
    private enum Judgement<Content: Sendable>: Sendable {
        /// It counts; what it is to be kept as, or nothing where an earlier answer still holds.
        case accept(Content, NewExchange.Content?)
        case refuse(String)
    }

    /// What came of a request, if no fault.
    private enum Outcome<Content: Sendable>: Sendable {
        case content(Content, NewExchange?)
        case missing(NewExchange)
        /// It confirms another state than the one that was asked about.
        case contradiction
    }

    /// An outcome with what holds its place in memory until it is kept.
    private struct Held<Content: Sendable>: Sendable {
        let outcome: Outcome<Content>
        let response: Response
        let permit: Window.Permit?
    }

    private func send<Content: Sendable>(
        _ request: Request, _ path: String, _ role: AnswerRole, _ earlier: Exchange?,
        judge: @escaping @Sendable (Response, [UInt8]) throws -> Judgement<Content>
    ) async throws(Failure) -> Answer<Content> {
        let held: Held<Content>
        do throws(HTTPError) {
            held = try await client.send(request) {
                (response) async throws(HTTPError) -> PatientClient.Verdict<Held<Content>> in
                func accept(_ outcome: Outcome<Content>, _ permit: Window.Permit? = nil)
                    -> PatientClient.Verdict<Held<Content>>
                {
                    .accept(Held(outcome: outcome, response: response, permit: permit))
                }
                do {
                    switch response.status {
                    case 304:
                        guard let earlier else { return .retry("answered 304 though nothing was asked conditionally") }
                        if !EntityTag.agree(earlier.headers, response.rawHeaders) { return accept(.contradiction) }
                    case 200, 404: break
                    default: return .refuse("answered status \(response.status)")
                    }
                    let (bytes, permit) = try await load(response)
                    if response.status == 404 {
                        return accept(.missing(exchange(path, role, response, .document(bytes))), permit)
                    }
                    switch try judge(response, bytes) {
                    case .accept(let content, let new):
                        return accept(.content(content, new.map { exchange(path, role, response, $0) }), permit)
                    case .refuse(let reason): return .refuse(reason)
                    }
                } catch let fault as ContentFault {
                    return .retry("\(fault)")
                } catch {
                    throw HTTPError(.disk, url: request.url.text, reason: "\(error)")
                }
            }
        } catch {
            throw .request(error)
        }
        defer {
            progress.accepted()
            withExtendedLifetime(held) {}
        }
        switch held.outcome {
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

    private func keep(_ new: NewExchange?, orConfirm earlier: Exchange?, _ role: AnswerRole) async throws(Failure)
        -> Exchange
    {
        if let new {
            do throws(CaptureError) {
                try storage.take(new.size)
            } catch {
                throw .limit(error)
            }
        }
        do throws(ArchiveError) {
            if let new { return try await revision.accept(new) }
            guard let earlier else { throw .damaged("an answer was accepted that is neither new nor known") }
            try await revision.confirm(earlier, as: role)
            progress.count { $0.confirmed += 1 }
            return earlier
        } catch {
            throw .archive(error)
        }
    }

    private func exchange(_ path: String, _ role: AnswerRole, _ response: Response, _ content: NewExchange.Content)
        -> NewExchange
    {
        NewExchange(
            path: path, role: role, status: response.status, headers: response.rawHeaders, received: response.received,
            content: content)
    }

    private func request(_ path: String, conditionOn earlier: Exchange?, limit: Int, _ priority: Request.Priority)
        throws(Failure)
        -> Request
    {
        let text = Exchange.url(of: path, below: settings.api)
        guard let url = WebURL(text) else {
            throw .request(HTTPError(.refused, url: text, reason: "is no URL that can be asked for"))
        }
        let tag = earlier.flatMap { EntityTag.text(in: $0.headers) }
        return Request(
            url, headers: tag.map { [Header("If-None-Match", $0)] } ?? [], maximumSize: limit, priority: priority,
            isCounted: priority == .urgent)
    }
}

extension Fetcher {
    /// The paths whose answers this run used, where it went on from another.
    var used: Set<String> { usedPaths.withLock { $0 } }

    private func kept(_ path: String) async throws(Failure) -> Exchange? {
        if notesPaths, revision.answersKept > 0 { usedPaths.withLock { _ = $0.insert(path) } }
        do throws(ArchiveError) {
            let kept = try await revision.answer(for: path)
            if kept != nil {
                // Nobody waits for the server while answers are kept from before.
                progress.accepted()
                progress.count { $0.kept += 1 }
            }
            return kept
        } catch {
            throw .archive(error)
        }
    }

    private func earlier(_ path: String, where isUsable: (Exchange) -> Bool) async throws(Failure) -> Exchange? {
        do throws(ArchiveError) {
            guard let earlier = try await revision.earlierAnswer(for: path), earlier.status == 200, isUsable(earlier)
            else { return nil }
            return earlier
        } catch {
            throw .archive(error)
        }
    }

    /// An earlier answer with what `read` makes of it; nil where it makes nothing of it, so that it is never asked to
    /// be confirmed.
    private func earlierDocument<Content>(
        _ path: String, _ isSound: (Content) -> Bool, _ read: ([UInt8]) throws(ContentFault) -> Content
    ) async throws(Failure) -> (exchange: Exchange, content: Content)? {
        guard let earlier = try await earlier(path, where: { $0.asset == nil }),
            case .success(let content) = try await reading(earlier, read), isSound(content)
        else { return nil }
        return (earlier, content)
    }

    private func reading<Content>(
        _ exchange: Exchange, _ read: ([UInt8]) throws(ContentFault) -> Content
    ) async throws(Failure) -> Result<Content, ContentFault> {
        let bytes: [UInt8]
        let permit = await large.enter()
        defer { withExtendedLifetime(permit) {} }
        do throws(ArchiveError) {
            bytes = try await revision.document(of: exchange)
        } catch {
            throw .archive(error)
        }
        return Result { () throws(ContentFault) in try read(bytes) }
    }

    /// The bytes of an answer, with a permit to be held as long as they are where they are many.
    func load(_ response: Response) async throws(SystemError) -> ([UInt8], Window.Permit?) {
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
