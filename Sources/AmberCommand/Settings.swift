import Capture
import Catalogue
import Glibc
import HTTP
import Platform
import SampleAPI

enum SourceChoice: String, CaseIterable {
    case auto, live, archive, sample
}

/// The settings of a run. The command line overrides the configuration file, which overrides the defaults.
struct Settings {
    /// The configuration file, changed by the command line and by limits of the system.
    private(set) var file: Configuration
    let catalogue: any Catalogue
    let api: String
    let source: SourceChoice
    let output: String
    /// The configured folder of templates; nil for one of the default folders.
    private let namedTemplates: String?
    /// The address of the hosted site, without a slash at the end; nil if it is not known.
    let baseURL: String?
    /// The path of a file with trusted certificate authorities, from SSL_CERT_FILE; nil for the system's own.
    let authorities: String?
    /// The requested number of connections; `file` has fewer if the system does not allow that many.
    let requestedConnections: Int
    let next: NextCommand
    let isQuiet: Bool
    let isVerbose: Bool
    let wantsJSON: Bool

    init(_ arguments: Arguments) throws {
        let possibleConnections = try Self.possibleConnections()
        let path = arguments[.config] ?? (FileStatus("amber.json") == nil ? nil : "amber.json")
        file = try path.map { try Configuration($0) } ?? Configuration()
        catalogue = try file.known.configured(by: file)
        api = try Self.address(
            arguments[.api] ?? file.api ?? catalogue.canonicalAPI, called: "the API's address")
        baseURL = try (arguments[.baseURL] ?? file.baseURL).map { try Self.address($0, called: "the base URL") }
        let word = arguments[.source] ?? "auto"
        guard let source = SourceChoice(rawValue: word) else {
            let choices = SourceChoice.allCases.map(\.rawValue).joined(separator: ", ")
            throw Failure(.wrongUsage, "--source takes \(choices), not \"\(word)\"")
        }
        self.source = source
        output = arguments[.output] ?? file.output ?? "Output"
        namedTemplates = arguments[.templates] ?? file.templates
        requestedConnections = try arguments.integer(.connections, in: 1...64) ?? file.limits.connections
        file.limits.connections = min(requestedConnections, possibleConnections)
        file.bounds.api = api
        file.bounds.budget = Self.budget(file, catalogue, isPublic: api == catalogue.canonicalAPI)
        if let delay = file.bounds.budget?.refusalDelay, delay >= file.bounds.patience {
            throw Failure(
                .wrongUsage,
                "refusalDelay is \(Int(delay)) seconds, but patience ends a capture after "
                    + "\(Int(file.bounds.patience)): increase patience"
            )
        }
        let asks = [.build, .capture, .card].contains(arguments.verb) && [.auto, .live].contains(source)
        authorities = asks ? try Self.authorities() : nil
        next = NextCommand(arguments)
        isQuiet = arguments.has(.quiet)
        isVerbose = arguments.has(.verbose)
        wantsJSON = arguments.has(.json)
    }

    /// More calls per minute than any machine makes, so this is no limit.
    static let unlimitedCalls = 100_000

    /// The configured limit, or the limit of the public service. Other servers have no limit by default.
    private static func budget(_ file: Configuration, _ catalogue: any Catalogue, isPublic: Bool) -> RateLimit? {
        let allowance = catalogue.allowance
        guard file.callsPerMinute != nil || allowance != nil else { return nil }
        let calls = file.callsPerMinute ?? (isPublic ? allowance?.callsPerMinute : nil) ?? unlimitedCalls
        var budget = RateLimit(callsPerMinute: calls, refusal: allowance?.refusal)
        budget.refusalDelay = file.refusalDelay ?? budget.refusalDelay
        return budget
    }

    /// The number of connections that the limit on open files allows. 24 files are for the archive and the site. Each
    /// connection takes two files, because the sample's server is in this process too. With fewer files libdispatch
    /// ends the program without a message.
    private static func possibleConnections() throws -> Int {
        let files = Descriptors.raiseLimit()
        guard files >= 28 else {
            throw Failure(
                .wrongUsage,
                "this process may open only \(files) files at once but needs 28; raise the limit with: ulimit -n 64")
        }
        return (files - 24) / 2
    }

    /// The usual variable for this (SSL_CTX_load_verify_locations(3)). The curl tool reads it, libcurl does not.
    private static func authorities() throws -> String? {
        guard let path = getenv("SSL_CERT_FILE").map({ String(cString: $0) }), !path.isEmpty else { return nil }
        let start = "SSL_CERT_FILE cannot be used: "
        let bytes = try Failure.with(.wrongUsage, start) { try File.read(path) }
        guard bytes.firstRange(of: Array("-----BEGIN ".utf8)) != nil else {
            throw Failure(.wrongUsage, "\(start)\(path) contains no certificate (PEM)")
        }
        return path
    }

    /// An http or https URL without slashes at its end. Its length is limited because every page repeats it.
    static func address(_ text: String, called name: String) throws -> String {
        guard text.utf8.count <= 2_000 else {
            throw Failure(.wrongUsage, "\(name) has \(text.utf8.count) bytes; at most 2000 are allowed")
        }
        let trimmed = String(text.reversed().drop { $0 == "/" }.reversed())
        guard WebURL(trimmed) != nil, !trimmed.contains(where: { "?#\"'<>".contains($0) || $0.isWhitespace }) else {
            throw Failure(.wrongUsage, "\(name) must be an http or https URL without ? and #, not \"\(text)\"")
        }
        return trimmed
    }
}

extension Settings {
    /// The folder of templates: the configured one, the one in the working folder, or the one installed with the
    /// program.
    func templates() throws -> String {
        // For PREFIX/bin/amber this is PREFIX/share/amber/Templates. The path of the program may be unknown.
        let installed = Folder.realPath("/proc/self/exe").map { program in
            program.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/share/amber/Templates"
        }
        let usual = ["Templates"] + [installed].compactMap(\.self)
        if let path = namedTemplates ?? usual.first(where: { FileStatus($0) != nil }) { return path }
        throw Failure(
            .pageFails,
            "there are no templates in \(usual.joined(separator: " or ")); name their folder with --templates")
    }
}

struct SampleSettings {
    private let characters: Int
    let seed: UInt64
    private let portraits: Int?
    /// Characters to rename, so that a second capture finds a change.
    private let changed: [Int]

    init(_ arguments: Arguments) throws {
        characters = try arguments.integer(.characters, in: 1...1_000_000) ?? 826
        seed = UInt64(try arguments.integer(.seed, in: 0...Int.max) ?? 1)
        portraits = try arguments.integer(.portraits, in: 1...1_000_000)
        changed = try Self.numbers(arguments[.changed] ?? "", to: characters)
    }

    var universe: Universe { Universe(seed: seed, characters: characters, portraits: portraits) }

    /// The changed records, which replace those of the universe.
    func replaced(in universe: Universe) -> [Universe.Reference: [UInt8]] {
        changed.reduce(into: [:]) { replaced, id in
            let reference = Universe.Reference(.character, id)
            replaced[reference] = universe.json(reference, renamed: "\(universe.name(of: reference)) (renamed)")
        }
    }

    /// The sample's name in archives. It does not contain the port, which differs in each run.
    var name: String { "the sample universe (seed \(seed), \(characters) characters)" }

    private static func numbers(_ text: String, to most: Int) throws -> [Int] {
        guard !text.isEmpty else { return [] }
        return try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            guard let number = Int(part), (1...most).contains(number) else {
                throw Failure(
                    .wrongUsage,
                    "--changed takes whole numbers from 1 to \(most) with commas between them, not \"\(text)\"")
            }
            return number
        }
    }
}
