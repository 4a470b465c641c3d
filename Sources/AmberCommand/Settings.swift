import Capture
import Catalogue
import Glibc
import HTTP
import ITunes
import Platform

/// Where a revision is to come from.
enum SourceChoice: String, CaseIterable {
    case auto, live, archive, sample
}

/// All that a run needs to know: the command line over the configuration file over the defaults.
struct Settings {
    let known: KnownCatalogue
    let catalogue: any Catalogue
    /// What it searches for, as configured; nothing for a catalogue of lists.
    let searches: [Search]
    let api: String
    let source: SourceChoice
    let output: String
    /// The folder of templates; nil where none was named and none stands where they are looked for.
    let templates: String?
    /// Where the site will be hosted, without a slash at the end; nil where that is not known.
    let baseURL: String?
    /// The language of the pages at the site's root.
    let language: String
    let limits: Limits
    let retry: RetryPolicy
    /// The bounds of a capture of `api`.
    let bounds: CaptureSettings
    /// A file of the authorities whose certificates are trusted, from the environment's SSL_CERT_FILE; nil for the
    /// system's own.
    let authorities: String?
    /// How many connections were asked for; the limits have fewer where the system does not allow so many.
    let askedConnections: Int
    /// What to type next.
    let next: NextCommand
    let isQuiet: Bool
    let isVerbose: Bool
    let wantsJSON: Bool

    init(_ arguments: Arguments) throws(Failure) {
        let possibleConnections = try Self.possibleConnections()
        let file = try Self.configuration(arguments)
        searches = file.searches ?? []
        known = file.known
        catalogue = try known.configured(by: file)
        let api = arguments[.api] ?? file.api ?? catalogue.canonicalAPI
        self.api = try Self.address(api, called: "the API's address")
        baseURL =
            if let base = arguments[.baseURL] ?? file.baseURL { try Self.address(base, called: "the base URL") } else {
                nil
            }
        language = file.language ?? "en"
        let word = arguments[.source] ?? "auto"
        guard let source = SourceChoice(rawValue: word) else {
            throw Failure(
                .wrongUsage,
                "--source takes \(SourceChoice.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(word)\"")
        }
        self.source = source
        output = arguments[.output] ?? file.output ?? "Output"
        templates = arguments[.templates] ?? file.templates ?? StandingTemplates.path
        var limits = Limits()
        let connections = try arguments.integer(.connections, in: 1...64) ?? file.connections ?? limits.connections
        limits.connections = min(connections, possibleConnections)
        askedConnections = connections
        limits.connectTimeout = file.connectTimeout ?? limits.connectTimeout
        limits.stallTime = file.stallTime ?? limits.stallTime
        limits.deadline = file.deadline ?? limits.deadline
        limits.redirects = file.redirects ?? limits.redirects
        self.limits = limits
        var retry = RetryPolicy()
        retry.attempts = file.attempts ?? retry.attempts
        retry.baseDelay = file.retryDelay ?? retry.baseDelay
        retry.maximumRetryAfter = file.maximumRetryAfter ?? retry.maximumRetryAfter
        self.retry = retry
        var bounds = CaptureSettings(api: self.api)
        bounds.patience = file.patience ?? bounds.patience
        bounds.maximumDocument = file.maximumDocument ?? bounds.maximumDocument
        bounds.maximumPicture = file.maximumPicture ?? bounds.maximumPicture
        bounds.maximumPixels = file.maximumPixels ?? bounds.maximumPixels
        bounds.maximumCapture = file.maximumCapture ?? bounds.maximumCapture
        bounds.maximumRecords = file.maximumRecords ?? bounds.maximumRecords
        bounds.budget = Self.budget(file, catalogue, isPublic: self.api == catalogue.canonicalAPI)
        self.bounds = bounds
        if let delay = bounds.budget?.refusalDelay, delay >= bounds.patience {
            throw Failure(
                .wrongUsage,
                "refusalDelay is \(Int(delay)) seconds, and patience ends a capture after \(Int(bounds.patience)): "
                    + "make patience longer"
            )
        }
        let asks = [.build, .capture, .card].contains(arguments.verb) && [.auto, .live].contains(source)
        authorities = asks ? try Self.authorities() : nil
        next = NextCommand(arguments)
        isQuiet = arguments.has(.quiet)
        isVerbose = arguments.has(.verbose)
        wantsJSON = arguments.has(.json)
    }

    /// The most bytes of the API's address and of the base URL.
    private static let longestAddress = 2_000

    /// More calls a minute than any machine makes.
    static let mostCalls = 100_000

    /// As configured; without a word the public service's own allowance, and none for another server.
    private static func budget(_ file: Configuration, _ catalogue: any Catalogue, isPublic: Bool) -> CallBudget? {
        let allowance = catalogue.allowance
        guard file.callsPerMinute != nil || allowance != nil else { return nil }
        let calls = file.callsPerMinute ?? (isPublic ? allowance?.callsPerMinute : nil) ?? mostCalls
        var budget = CallBudget(callsPerMinute: calls, refusal: allowance?.refusal)
        budget.refusalDelay = file.refusalDelay ?? budget.refusalDelay
        return budget
    }

    /// How many connections the system allows at once: 24 files are for the archive and the site, and the sample's
    /// server, which is in this process too, needs one for each of ours. With fewer files even libdispatch ends the
    /// program without a word.
    private static func possibleConnections() throws(Failure) -> Int {
        let files = Descriptors.raiseLimit()
        guard files >= 28 else {
            throw Failure(
                .wrongUsage,
                "this process may have only \(files) files open at once, and needs 28; allow more with: ulimit -n 64")
        }
        return (files - 24) / 2
    }

    /// The customary variable (SSL_CTX_load_verify_locations(3)), which the curl tool reads and libcurl does not.
    private static func authorities() throws(Failure) -> String? {
        guard let path = getenv("SSL_CERT_FILE").map({ String(cString: $0) }), !path.isEmpty else { return nil }
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try File.read(path)
        } catch {
            throw Failure(.wrongUsage, "SSL_CERT_FILE names authorities to trust, but \(error)")
        }
        guard bytes.firstRange(of: Array("-----BEGIN ".utf8)) != nil else {
            throw Failure(
                .wrongUsage, "SSL_CERT_FILE names authorities to trust, but \(path) holds no certificate (PEM)")
        }
        return path
    }

    /// An http or https URL without slashes at its end, to which paths can be added: every page has some that begin
    /// with it.
    static func address(_ text: String, called name: String) throws(Failure) -> String {
        guard text.utf8.count <= longestAddress else {
            throw Failure(.wrongUsage, "\(name) has \(text.utf8.count) bytes; the most are \(longestAddress)")
        }
        let trimmed = String(text.reversed().drop { $0 == "/" }.reversed())
        guard WebURL(trimmed) != nil, !trimmed.contains(where: { "?#\"'<> ".contains($0) }) else {
            throw Failure(.wrongUsage, "\(name) must be an http or https URL without ? and #, not \"\(text)\"")
        }
        return trimmed
    }

    private static func configuration(_ arguments: Arguments) throws(Failure) -> Configuration {
        if let path = arguments[.config] { return try Configuration(path) }
        return FileStatus("amber.json") == nil ? Configuration() : try Configuration("amber.json")
    }
}
