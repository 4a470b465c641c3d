import Catalogue
import HTTP
import Platform

/// Where a revision is to come from.
enum SourceChoice: String, CaseIterable {
    case auto, live, archive, sample
}

/// All that a run needs to know: the command line over the configuration file over the defaults.
struct Settings {
    let api: String
    let source: SourceChoice
    let output: String
    let templates: String
    /// Where the site will be hosted, without a slash at the end; nil where that is not known.
    let baseURL: String?
    /// The language of the pages at the site's root.
    let language: String
    let limits: Limits
    let retry: RetryPolicy
    let patience: Double
    let isQuiet: Bool
    let isVerbose: Bool
    let wantsJSON: Bool

    init(_ arguments: Arguments, catalogue: any Catalogue) throws(Failure) {
        let file = try Self.configuration(arguments)
        let api = arguments[.api] ?? file.api ?? catalogue.canonicalAPI
        self.api = try Self.address(api, called: "the API's address")
        baseURL =
            if let base = arguments[.baseURL] ?? file.baseURL { try Self.address(base, called: "the base URL") } else { nil }
        language = file.language ?? "en"
        let word = arguments[.source] ?? "auto"
        guard let source = SourceChoice(rawValue: word) else {
            throw Failure(.wrongUsage, "--source takes \(SourceChoice.allCases.map(\.rawValue).joined(separator: ", ")), not \"\(word)\"")
        }
        self.source = source
        output = arguments[.output] ?? file.output ?? "Output"
        templates = arguments[.templates] ?? file.templates ?? "Templates"
        var limits = Limits()
        limits.connections = try arguments.integer(.connections, in: 1...64) ?? file.connections ?? limits.connections
        self.limits = limits
        var retry = RetryPolicy()
        retry.attempts = file.attempts ?? retry.attempts
        retry.baseDelay = file.retryDelay ?? retry.baseDelay
        self.retry = retry
        patience = file.patience ?? 600
        isQuiet = arguments.has(.quiet)
        isVerbose = arguments.has(.verbose)
        wantsJSON = arguments.has(.json)
    }

    /// An http or https URL without slashes at its end, to which paths can be added.
    private static func address(_ text: String, called name: String) throws(Failure) -> String {
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
