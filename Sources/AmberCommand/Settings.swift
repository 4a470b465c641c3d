import Archive
import Capture
import Catalogue
import CatalogueEngine
import Glibc
import HTTP
import Platform

enum SourceChoice: String, CaseIterable { case auto, live, archive, sample }

/// The settings of a run. The command line overrides the configuration file, which overrides the defaults.
struct Settings {
    let arguments: Arguments
    /// The configuration file, changed by the command line.
    private(set) var configuration: Configuration
    let api: String
    /// Whether the archive's only API is used: the command line names no API, the configuration names none or the
    /// public one, and the verb reads only the archive.
    let usesAPIOfArchive: Bool
    /// Whether `init` describes an API: the arguments name an API, and no catalogue describes it.
    let describesAPI: Bool
    let source: SourceChoice
    let output: String
    private(set) var catalogueFolder: CatalogueFolder
    /// The address of the hosted site, without a slash at the end; nil if it is not known.
    let baseURL: String?
    /// The path of a file with more certificate authorities to trust, from SSL_CERT_FILE; nil if the run needs none.
    let authorities: String?
    /// The environment variables that requests contain, and fields of their header; nil if there are none.
    let secrets: Secrets?

    init(_ arguments: Arguments) throws {
        self.arguments = arguments
        let files = Descriptors.raiseLimit()
        try Failure.require(
            files >= Self.minimumFiles,
            "this process may open only \(files) files, but needs \(Self.minimumFiles); raise the limit with: "
                + "ulimit -n \(Self.minimumFiles)")
        let path = arguments[.config] ?? (FileStatus("amber.json") == nil ? nil : "amber.json")
        configuration = try path.map { try Configuration($0) } ?? Configuration()
        let choosesCatalogue =
            arguments[.catalogue] != nil || configuration.catalogue != nil || configuration.searches != nil
        let unknownAPI = arguments.verb == .initialize && !choosesCatalogue ? arguments[.api] : nil
        let isDescribed = Verb.initialize.ownOptions.contains(where: arguments.has)
        let known = try isDescribed ? nil : unknownAPI.flatMap(CatalogueFolder.name(forAPI:))
        describesAPI = unknownAPI != nil && known == nil
        catalogueFolder = try CatalogueFolder(
            arguments[.catalogue] ?? known ?? configuration.catalogueChoice, configuration)
        let catalogue = catalogueFolder.catalogue
        api = try Self.address(
            arguments[.api] ?? configuration.api ?? catalogue.declaration.api, called: "the API's address")
        let isPublic = WebLinks.normalised(api) == WebLinks.normalised(catalogue.declaration.api)
        usesAPIOfArchive =
            arguments[.api] == nil && isPublic
            && [.render, .check, .verify, .snapshot, .log, .diff, .serve].contains(arguments.verb)
        baseURL = try (arguments[.baseURL] ?? configuration.baseURL).map {
            try Self.address($0, called: "the base URL")
        }
        source = try arguments.choice(.source, SourceChoice.self) ?? .auto
        output = arguments[.output] ?? configuration.output ?? "Output"
        // A catalogue can only lower the number, because it can be from elsewhere.
        let connections = min(
            configuration.limits.connections,
            catalogue.declaration.request.connections ?? configuration.limits.connections)
        configuration.limits.connections = try arguments.integer(.connections, in: 1...64) ?? connections
        configuration.bounds.rateLimit = Self.rateLimit(configuration, catalogue, isPublic: isPublic)
        if let delay = configuration.bounds.rateLimit?.refusalDelay, delay >= configuration.bounds.patience {
            throw Failure.usage(
                "refusalDelay is \(Int(delay)) seconds, but patience ends a capture after "
                    + "\(Int(configuration.bounds.patience)): increase patience")
        }
        let requestsData = [.build, .capture, .card].contains(arguments.verb) && [.auto, .live].contains(source)
        authorities = requestsData || arguments.verb == .initialize ? try Self.authorities() : nil
        let headers = catalogue.declaration.request.headers
        let variables = Set(catalogue.declaration.requestTexts.flatMap(Secrets.names)).sorted()
        secrets = requestsData ? try Self.secrets(variables, allowed: configuration.secrets, headers, api: api) : nil
        try Failure.require(
            configuration.contact?.utf8.allSatisfy({ $0 >= 0x20 && $0 < 0x7F }) ?? true,
            "the key \"contact\" has a character that a header cannot have")
    }

    var catalogue: DeclaredCatalogue { catalogueFolder.catalogue }

    /// The catalogue, if Amber has a sample for it.
    var knownCatalogue: KnownCatalogue? { KnownCatalogue(rawValue: catalogue.name) }

    var liveSource: Source { Source(catalogue: catalogue.name, api: api, origin: .live) }

    /// Reads the declaration of the catalogue again.
    mutating func readCatalogue() throws {
        catalogueFolder = try CatalogueFolder(catalogueFolder.path, configuration)
    }

    /// The open files that a run needs: 24 for the archive and the site, and two for each of 64 connections, because
    /// the sample's server is in this process too. With fewer files libdispatch ends the program without a message.
    private static let minimumFiles = 24 + 2 * 64

    /// A number of calls per minute that is so high that it has no effect.
    static let unlimitedCalls = 100_000

    /// The configured rate limit, or by default the limit of the public service. Other servers have no default limit.
    private static func rateLimit(_ configuration: Configuration, _ catalogue: DeclaredCatalogue, isPublic: Bool)
        -> RateLimit?
    {
        let published = catalogue.declaration.request.rateLimit
        guard configuration.callsPerMinute != nil || published != nil else { return nil }
        let own = configuration.callsPerMinute.map { (calls: $0, seconds: 60.0) }
        let (calls, seconds) =
            own ?? (isPublic ? published.map { ($0.calls, $0.seconds) } : nil) ?? (unlimitedCalls, 60)
        var rateLimit = RateLimit(calls: calls, seconds: seconds, refusalStatus: published?.refusalStatus)
        rateLimit.refusalDelay = configuration.refusalDelay ?? rateLimit.refusalDelay
        return rateLimit
    }

    /// The path in SSL_CERT_FILE (SSL_CTX_load_verify_locations(3)). The curl tool reads this variable, but libcurl
    /// does not. libcurl still uses the system's folder of certificates.
    private static func authorities() throws -> String? {
        guard let path = getenv("SSL_CERT_FILE").map({ String(cString: $0) }), !path.isEmpty else { return nil }
        let start = "SSL_CERT_FILE cannot be used: "
        let bytes = try Failure.with(.wrongUsage, start) { try File.read(path) }
        try Failure.require(
            bytes.firstRange(of: Array("-----BEGIN ".utf8)) != nil, "\(start)\(path) contains no certificate (PEM)")
        return path
    }

    /// The values of variables in requests. The user's configuration names each, because catalogues can be foreign.
    static func secrets(_ names: [String], allowed: [String], _ headers: [Header], api: String) throws -> Secrets? {
        let values = try names.map { name in
            try Failure.require(
                Secrets.isName(name) && allowed.contains(name),
                "the catalogue sends the environment variable \(name.quoted) to \(api); if you trust it, add the name "
                    + "to the key \"secrets\" in amber.json")
            guard let value = getenv(name).map({ String(cString: $0) }), !value.isEmpty else {
                throw Failure.usage("the environment variable \(name) is not set; the catalogue needs it")
            }
            try Failure.require(
                value.utf8.count >= Secrets.shortest && value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F },
                "the value of the environment variable \(name) has fewer than \(Secrets.shortest) characters, or one "
                    + "that is not ASCII, so it cannot be kept out of the archive")
            return (name: name, value: value)
        }
        return headers.isEmpty && values.isEmpty ? nil : Secrets(headers: headers, values: values, api: api)
    }

    /// An http or https URL without slashes at its end. Its length is limited because every page repeats it.
    static func address(_ text: String, called name: String) throws -> String {
        try Failure.require(text.utf8.count <= 2_000, "\(name) has \(text.utf8.count) bytes; at most 2000 are allowed")
        let trimmed = String(text.reversed().drop { $0 == "/" }.reversed())
        guard WebURL(trimmed) != nil, !trimmed.contains(where: { "?#\"'<>".contains($0) || $0.isWhitespace }) else {
            throw Failure.usage("\(name) must be an http or https URL without ? and #, not \(text.quoted)")
        }
        return trimmed
    }

    /// The folder of templates: the configured one, Templates in the working folder, or that of the installation.
    func templates() throws -> String {
        let configured = arguments[.templates] ?? configuration.templates
        let places = configured.map { [$0] } ?? Self.folders(named: "Templates")
        if let path = places.first(where: { FileStatus($0) != nil }) { return path }
        throw Failure.usage(
            "there are no templates in \(places.joined(separator: " or ")); name their folder with --templates")
    }

    /// The places of a folder of the program: in the working folder, then in its checkout or installation.
    static func folders(named name: String) -> [String] {
        guard let program = Folder.realPath("/proc/self/exe") else { return [name] }
        let parts = program.split(separator: "/")
        // For PREFIX/bin/amber, this is PREFIX/share/amber.
        let parent = parts.lastIndex(of: ".build").map { parts[..<$0] } ?? parts.dropLast(2) + ["share", "amber"]
        return [name, parent.map { "/\($0)" }.joined() + "/\(name)"]
    }
}
