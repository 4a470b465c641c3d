import Capture
import Catalogue
import Glibc
import HTTP
import Platform
import SampleAPI

enum SourceChoice: String, CaseIterable {
    case auto, live, archive, sample
}

/// All that a run needs to know: the command line over the configuration file over the defaults.
struct Settings {
    /// The configuration, with what the command line and the system change in it.
    private(set) var file: Configuration
    let catalogue: any Catalogue
    let api: String
    let source: SourceChoice
    let output: String
    /// The folder of templates; nil where none was named and the usual places have none.
    private let namedTemplates: String?
    /// Where the site will be hosted, without a slash at the end; nil where that is not known.
    let baseURL: String?
    /// A file of the authorities whose certificates are trusted, from the environment's SSL_CERT_FILE; nil for the
    /// system's own.
    let authorities: String?
    /// The requested number of connections; `file` has fewer if the system does not allow that many.
    let askedConnections: Int
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
        askedConnections = try arguments.integer(.connections, in: 1...64) ?? file.limits.connections
        file.limits.connections = min(askedConnections, possibleConnections)
        file.bounds.api = api
        file.bounds.budget = Self.budget(file, catalogue, isPublic: api == catalogue.canonicalAPI)
        if let delay = file.bounds.budget?.refusalDelay, delay >= file.bounds.patience {
            throw Failure(
                .wrongUsage,
                "refusalDelay is \(Int(delay)) seconds, and patience ends a capture after "
                    + "\(Int(file.bounds.patience)): make patience longer"
            )
        }
        let asks = [.build, .capture, .card].contains(arguments.verb) && [.auto, .live].contains(source)
        authorities = asks ? try Self.authorities() : nil
        next = NextCommand(arguments)
        isQuiet = arguments.has(.quiet)
        isVerbose = arguments.has(.verbose)
        wantsJSON = arguments.has(.json)
    }

    /// More calls a minute than any machine makes.
    static let mostCalls = 100_000

    /// As configured; otherwise the public service's own allowance, and none for another server.
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
    private static func possibleConnections() throws -> Int {
        let files = Descriptors.raiseLimit()
        guard files >= 28 else {
            throw Failure(
                .wrongUsage,
                "this process may have only \(files) files open at once, and needs 28; allow more with: ulimit -n 64")
        }
        return (files - 24) / 2
    }

    /// The customary variable (SSL_CTX_load_verify_locations(3)), which the curl tool reads and libcurl does not.
    private static func authorities() throws -> String? {
        guard let path = getenv("SSL_CERT_FILE").map({ String(cString: $0) }), !path.isEmpty else { return nil }
        let start = "SSL_CERT_FILE names authorities to trust, but "
        let bytes = try Failure.with(.wrongUsage, start) { try File.read(path) }
        guard bytes.firstRange(of: Array("-----BEGIN ".utf8)) != nil else {
            throw Failure(.wrongUsage, "\(start)\(path) holds no certificate (PEM)")
        }
        return path
    }

    /// An http or https URL without slashes at its end, to which paths can be added: every page has some that begin
    /// with it.
    static func address(_ text: String, called name: String) throws -> String {
        guard text.utf8.count <= 2_000 else {
            throw Failure(.wrongUsage, "\(name) has \(text.utf8.count) bytes; the most are 2000")
        }
        let trimmed = String(text.reversed().drop { $0 == "/" }.reversed())
        guard WebURL(trimmed) != nil, !trimmed.contains(where: { "?#\"'<> ".contains($0) }) else {
            throw Failure(.wrongUsage, "\(name) must be an http or https URL without ? and #, not \"\(text)\"")
        }
        return trimmed
    }
}

extension Settings {
    /// The folder of templates: the one named, that in the working folder, or the one that came with the program.
    func templates() throws -> String {
        // Of PREFIX/bin/amber, PREFIX/share/amber/Templates. The system may not tell where the program is.
        let installed = Folder.realPath("/proc/self/exe").map { program in
            program.split(separator: "/").dropLast(2).map { "/\($0)" }.joined() + "/share/amber/Templates"
        }
        let usual = ["Templates"] + [installed].compactMap(\.self)
        if let path = namedTemplates ?? usual.first(where: { FileStatus($0) != nil }) { return path }
        throw Failure(
            .pageFails,
            "there are no templates in \(usual.joined(separator: ", nor in ")); name their folder with --templates")
    }
}

struct SampleSettings {
    private let characters: Int
    let seed: UInt64
    private let portraits: Int?
    /// Characters that go by another name, for a second capture to find.
    private let changed: [Int]

    init(_ arguments: Arguments) throws {
        characters = try arguments.integer(.characters, in: 1...1_000_000) ?? 826
        seed = UInt64(try arguments.integer(.seed, in: 0...Int.max) ?? 1)
        portraits = try arguments.integer(.portraits, in: 1...1_000_000)
        changed = try Self.numbers(arguments[.changed] ?? "", to: characters)
    }

    var universe: Universe { Universe(seed: seed, characters: characters, portraits: portraits) }

    /// The records that are not the universe's own.
    func replaced(in universe: Universe) -> [Universe.Reference: [UInt8]] {
        changed.reduce(into: [:]) { replaced, id in
            let reference = Universe.Reference(.character, id)
            replaced[reference] = universe.json(reference, renamed: "\(universe.name(of: reference)) (renamed)")
        }
    }

    /// How archives name it: the port that it is served on is chance.
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
