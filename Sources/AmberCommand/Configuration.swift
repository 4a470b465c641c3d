import Capture
import Catalogue
import CatalogueEngine
import HTTP
import Mustache
import Platform
import Site

/// A configuration file in JSON. Every key is optional, unknown keys are errors. docs/reference.md lists the keys.
struct Configuration {
    private(set) var catalogue: String?
    private(set) var api: String?
    private(set) var output: String?
    private(set) var templates: String?
    private(set) var baseURL: String?
    private(set) var language = "en"
    var limits = Limits()
    private(set) var retry = RetryPolicy()
    /// The limits of a capture. `Settings` adds the rate limit, and each capture its API.
    var bounds = CaptureSettings(api: "")
    private(set) var callsPerMinute: Int?
    private(set) var refusalDelay: Double?
    /// The environment variables that the catalogue may use in requests.
    private(set) var secrets: [String] = []
    /// An address that the User-Agent of requests has.
    private(set) var contact: String?
    /// The JSON of the roots from which a capture starts; nil for a catalogue that captures lists.
    private(set) var searches: [UInt8]?
    /// The file, for the positions of errors.
    private var file = TemplateFile(name: "", file: "", bytes: [])

    /// Reads and stores the value of a key. It throws a `ContentFault` if the value is wrong.
    private typealias Reader = @Sendable (inout Configuration, ArraySlice<UInt8>) throws -> Void

    private static let readers: [(key: String, read: Reader)] = [
        ("catalogue", text(readCatalogue)), ("api", text { $0.api = $1 }), ("output", folder { $0.output = $1 }),
        ("templates", folder { $0.templates = $1 }),
        ("baseURL", text { $0.baseURL = $1 }), ("language", text { $0.language = $1 }),
        ("connections", number(1...64) { $0.limits.connections = $1 }),
        ("attempts", number(1...20) { $0.retry.attempts = $1 }),
        ("retryDelay", number(0...30, " seconds") { $0.retry.baseDelay = $1 }),
        ("patience", number(1...86_400, " seconds") { $0.bounds.patience = $1 }),
        ("connectTimeout", number(0.1...300, " seconds") { $0.limits.connectTimeout = $1 }),
        ("stallTime", number(1...3_600, " seconds") { $0.limits.stallTime = $1 }),
        ("deadline", number(1...86_400, " seconds") { $0.limits.deadline = $1 }),
        ("redirects", number(0...50) { $0.limits.redirects = $1 }),
        (
            "maximumRetryAfter",
            number(0...86_400, " seconds") { ($0.retry.maximumRetryAfter, $0.limits.maximumPause) = ($1, $1) }
        ),
        // Documents and pictures are completely in memory. A document is also part of a row in the archive, and SQLite
        // limits a row to 10^9 bytes (https://sqlite.org/limits.html, "Maximum length of a string or BLOB").
        ("maximumDocument", number(1_024...999_000_000, " bytes") { $0.bounds.maximumDocument = $1 }),
        ("maximumPicture", number(1_024...999_000_000, " bytes") { $0.bounds.maximumPicture = $1 }),
        ("maximumPixels", number(1...1_000_000_000) { $0.bounds.maximumPixels = $1 }),
        ("maximumCapture", number(1_000_000...1_000_000_000_000_000, " bytes") { $0.bounds.maximumCapture = $1 }),
        ("maximumRecords", number(1...1_000_000_000) { $0.bounds.maximumRecords = $1 }),
        ("callsPerMinute", number(1...100_000) { $0.callsPerMinute = $1 }),
        ("refusalDelay", number(0...3_600, " seconds") { $0.refusalDelay = $1 }),
        ("searches", { $0.searches = Array($1) }), ("secrets", readSecrets), ("contact", text { $0.contact = $1 }),
    ]

    /// The maximum size of a configuration file in bytes. One search needs a few hundred bytes.
    private static let maximumSize = 1 << 20

    init() {}

    /// The name of the configured catalogue, or the path of its folder. For a file with searches the default is iTunes.
    var catalogueChoice: String {
        catalogue ?? (searches == nil ? KnownCatalogue.rickandmorty : KnownCatalogue.itunes).rawValue
    }

    /// The members that a new project keeps, such as the number of attempts: those that do not name an API or a folder.
    var kept: [JSON.Member] {
        get throws {
            let others = ["catalogue", "api", "output", "templates", "baseURL", "searches", "secrets"]
            return file.bytes.isEmpty ? [] : try JSON(file.bytes).members?.filter { !others.contains($0.key) } ?? []
        }
    }

    /// Reads a file. Its paths are relative to the file's folder, or to the working folder if the file is a pipe.
    init(_ path: String) throws {
        let bytes = try Failure.with(.wrongUsage) { try File.read(path, limit: Self.maximumSize, mayBePipe: true) }
        file = TemplateFile(name: path, file: path, bytes: bytes)
        self = try reading { bytes in
            var configuration = self
            var known: Set<String> = []
            for member in try JSONSlices.memberRanges(in: bytes, at: bytes.indices) {
                let name = String(decoding: bytes[member.name], as: UTF8.self)
                func failure(_ reason: String) -> TemplateError { file.error(at: member.name.lowerBound - 1, reason) }
                guard let reader = Self.readers.first(where: { $0.key == name }) else {
                    let keys = Self.readers.map(\.key).joined(separator: ", ")
                    throw failure("there is no key \(name.quoted); the keys are: \(keys)")
                }
                guard known.insert(name).inserted else { throw failure("the key \(name.quoted) exists twice") }
                try ContentFault.inside(name) { try reader.read(&configuration, bytes[member.value]) }
            }
            return configuration
        }
        // If a shell passes a pipe by name, the path is below /dev (fd(4)).
        let isPipe = FileStatus(path)?.isRegular != true && path.hasPrefix("/dev/")
        let folder = isPipe ? "" : path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        output = output.map { $0.hasPrefix("/") ? $0 : folder + $0 }
        templates = templates.map { $0.hasPrefix("/") ? $0 : folder + $0 }
        catalogue = catalogue.map { !$0.contains("/") || $0.hasPrefix("/") ? $0 : folder + $0 }
    }

    /// The roots from which a capture starts, such as searches.
    func roots(_ declaration: RootDeclaration) throws -> [Root] {
        try reading { _ in try ContentFault.inside("searches") { try declaration.roots(searches ?? []) } }
    }

    /// Runs work on the file, and adds the position of the value to its faults.
    private func reading<Result>(_ work: ([UInt8]) throws -> Result) throws -> Result {
        try Failure.with(.wrongUsage) { try file.read(work) }
    }
}

/// The types of values. For texts and numbers, null is the same as a missing key.
extension Configuration {
    private static func text(_ store: @escaping @Sendable (inout Configuration, String) throws -> Void) -> Reader {
        { configuration, value in
            if value.elementsEqual("null".utf8) { return }
            try store(&configuration, try JSONText.intact(try JSONText.decoded(value)))
        }
    }

    private static func readCatalogue(_ configuration: inout Configuration, _ word: String) throws {
        guard word.contains("/") ? !word.utf8.contains(0) : PortableName.accepts(word) else {
            throw ContentFault("", "is \(word.quoted), neither the name of a catalogue nor the path of its folder")
        }
        configuration.catalogue = word
    }

    private static func readSecrets(_ configuration: inout Configuration, _ value: ArraySlice<UInt8>) throws {
        guard let elements = try JSON(Array(value), { $0 }).elements else { throw ContentFault("", "is not an array") }
        configuration.secrets = try elements.enumerated().map { index, element in
            guard let name = element.text else { throw ContentFault("[\(index)]", "is not a string") }
            guard Secrets.isName(name) else {
                throw ContentFault("", "has \(name.quoted), which is not the name of an environment variable")
            }
            return name
        }
    }

    private static func folder(_ store: @escaping @Sendable (inout Configuration, String) -> Void) -> Reader {
        text { configuration, path in
            guard !path.isEmpty else { throw ContentFault("", "is empty; it names a folder") }
            // The system would ignore the rest of the path after a zero byte.
            guard !path.utf8.contains(0) else { throw ContentFault("", "has a zero byte; remove it") }
            store(&configuration, path)
        }
    }

    private static func number<Number: Comparable & LosslessStringConvertible & Sendable>(
        _ range: ClosedRange<Number>, _ unit: String = "",
        _ store: @escaping @Sendable (inout Configuration, Number) -> Void
    ) -> Reader {
        { configuration, value in
            if value.elementsEqual("null".utf8) { return }
            let bounds = ["\(range.lowerBound)", "\(range.upperBound)"].map {
                $0.hasSuffix(".0") ? "\($0.dropLast(2))" : $0
            }
            let allowed = "\(bounds[0]) to \(bounds[1])\(unit)"
            // 1e3 is a whole number too. For others, the message has the allowed values, so the cause is not needed.
            let digits = (try? JSONText.integer(value)).map { "\($0)" } ?? String(decoding: value, as: UTF8.self)
            guard let number = Number(digits), !"\(number)".hasSuffix("inf") else {
                throw ContentFault("", "is not a \(Number.self == Int.self ? "whole " : "")number from \(allowed)")
            }
            guard range.contains(number) else { throw ContentFault("", "is \(number), not \(allowed)") }
            store(&configuration, number)
        }
    }
}
