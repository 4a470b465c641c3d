import Capture
import Catalogue
import CatalogueEngine
import HTTP
import Platform

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
    /// The limits of a capture. `Settings` adds the API.
    var bounds = CaptureSettings(api: "")
    private(set) var callsPerMinute: Int?
    private(set) var refusalDelay: Double?
    /// The environment variables that the catalogue may use in requests.
    private(set) var secrets: [String] = []
    /// An address that the User-Agent of requests has.
    private(set) var contact: String?
    /// The JSON of the calls from which a capture starts; nil for a catalogue that captures lists.
    private(set) var searches: [UInt8]?
    /// The file, for the positions of errors.
    private var file: (path: String, bytes: [UInt8]) = ("", [])

    /// The type and range of a key's value, and the code that stores the value.
    private enum Setting {
        case text(@Sendable (inout Configuration, String) -> Void)
        case folder(@Sendable (inout Configuration, String) -> Void)
        case whole(ClosedRange<Int>, String = "", @Sendable (inout Configuration, Int) -> Void)
        case seconds(ClosedRange<Double>, @Sendable (inout Configuration, Double) -> Void)
        case catalogue, searches, secrets
    }

    private static let settings: [(key: String, setting: Setting)] = [
        ("catalogue", .catalogue), ("api", .text { $0.api = $1 }), ("output", .folder { $0.output = $1 }),
        ("templates", .folder { $0.templates = $1 }), ("baseURL", .text { $0.baseURL = $1 }),
        ("language", .text { $0.language = $1 }),
        ("connections", .whole(1...64) { $0.limits.connections = $1 }),
        ("attempts", .whole(1...20) { $0.retry.attempts = $1 }),
        ("retryDelay", .seconds(0...60) { $0.retry.baseDelay = $1 }),
        ("patience", .seconds(1...86_400) { $0.bounds.patience = $1 }),
        ("connectTimeout", .seconds(0.1...300) { $0.limits.connectTimeout = $1 }),
        ("stallTime", .seconds(1...3_600) { $0.limits.stallTime = $1 }),
        ("deadline", .seconds(1...86_400) { $0.limits.deadline = $1 }),
        ("redirects", .whole(0...50) { $0.limits.redirects = $1 }),
        ("maximumRetryAfter", .whole(0...86_400, "seconds") { $0.retry.maximumRetryAfter = $1 }),
        // Documents and pictures are completely in memory. A document is also part of a row in the archive, and SQLite
        // limits a row to 10^9 bytes (https://sqlite.org/limits.html, "Maximum length of a string or BLOB").
        ("maximumDocument", .whole(1_024...999_000_000, "bytes") { $0.bounds.maximumDocument = $1 }),
        ("maximumPicture", .whole(1_024...999_000_000, "bytes") { $0.bounds.maximumPicture = $1 }),
        ("maximumPixels", .whole(1...1_000_000_000) { $0.bounds.maximumPixels = $1 }),
        ("maximumCapture", .whole(1_000_000...1_000_000_000_000_000, "bytes") { $0.bounds.maximumCapture = $1 }),
        ("maximumRecords", .whole(1...1_000_000_000) { $0.bounds.maximumRecords = $1 }),
        ("callsPerMinute", .whole(1...100_000) { $0.callsPerMinute = $1 }),
        ("refusalDelay", .seconds(0...3_600) { $0.refusalDelay = $1 }), ("searches", .searches),
        ("secrets", .secrets), ("contact", .text { $0.contact = $1 }),
    ]

    /// The maximum size of a configuration file in bytes. One search needs a few hundred bytes.
    private static let maximumSize = 1 << 20

    init() {}

    /// The name of the configured catalogue, or the path of its folder. Without the key "catalogue", it is iTunes for a
    /// file with searches.
    var catalogueChoice: String {
        catalogue ?? (searches == nil ? KnownCatalogue.rickandmorty : KnownCatalogue.itunes).rawValue
    }

    /// Reads a file. Its paths are relative to the file's folder, or to the working folder if the file is a pipe.
    init(_ path: String) throws {
        let bytes = try Failure.with(.wrongUsage) { try File.read(path, limit: Self.maximumSize, mayBePipe: true) }
        file = (path, bytes)
        if let problem = JSONSlices.firstFault(in: bytes) { throw failure(at: problem.offset, problem.reason) }
        let (memberRanges, values) = try Failure.with(.wrongUsage, "\(path): ") {
            (try JSONSlices.memberRanges(in: bytes, at: bytes.indices), try JSONSlices.members(of: bytes))
        }
        let keys = Self.settings.map(\.key)
        for memberRange in memberRanges {
            let name = String(decoding: bytes[memberRange.name], as: UTF8.self)
            guard !keys.contains(name) else { continue }
            throw failure(
                at: memberRange.value.lowerBound,
                "there is no key \(name.quoted); the keys are: \(keys.joined(separator: ", "))")
        }
        let members = values.sorted { $0.value.lowerBound < $1.value.lowerBound }
        for (name, valueRange) in members {
            guard let setting = Self.settings.first(where: { $0.key == name })?.setting else { continue }
            do {
                try set(setting, bytes, valueRange)
            } catch let fault as ContentFault {
                throw failure(fault.inside(name))
            }
        }
        // If a shell passes a pipe by name, the path is below /dev (fd(4)).
        let isPipe = FileStatus(path)?.isRegular != true && path.hasPrefix("/dev/")
        let folder = isPipe ? "" : path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        output = output.map { $0.hasPrefix("/") ? $0 : folder + $0 }
        templates = templates.map { $0.hasPrefix("/") ? $0 : folder + $0 }
        catalogue = catalogue.map { !$0.contains("/") || $0.hasPrefix("/") ? $0 : folder + $0 }
    }

    private func failure(at offset: Int, _ reason: String) -> Failure {
        let line = file.bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
        return Failure(.wrongUsage, "\(file.path): line \(line): \(reason)")
    }

    private func failure(_ fault: ContentFault) -> Failure {
        failure(at: JSONSlices.offset(of: fault.keyPath, in: file.bytes), "\(fault)")
    }

    /// The calls from which a capture starts.
    func roots(_ declaration: RootDeclaration) throws -> [Root] {
        do {
            return try declaration.roots(searches ?? [])
        } catch let error as ContentFault {
            throw failure(error.inside("searches"))
        }
    }

    private mutating func set(_ setting: Setting, _ bytes: [UInt8], _ valueRange: Range<Int>) throws {
        let value = bytes[valueRange]
        switch setting {
        case .text, .folder, .whole, .seconds: if value.elementsEqual("null".utf8) { return }
        case .catalogue, .searches, .secrets: break
        }
        switch setting {
        case .text(let set): set(&self, try JSONDecoding.decode(String.self, from: value))
        case .folder(let set):
            let path = try JSONDecoding.decode(String.self, from: value)
            guard !path.isEmpty else { throw ContentFault("", "is empty; it names a folder") }
            // The system would ignore the rest of the path after a zero byte.
            guard !path.utf8.contains(0) else { throw ContentFault("", "has a zero byte; remove it") }
            set(&self, path)
        case .whole(let range, let unit, let set):
            set(
                &self,
                try Self.number(value, range, "a whole number", "\(range.lowerBound) to \(range.upperBound)", unit))
        case .seconds(let range, let set):
            let limits = "\(Self.text(of: range.lowerBound)) to \(Self.text(of: range.upperBound))"
            set(&self, try Self.number(value, range, "a number", limits, "seconds"))
        case .catalogue:
            let word = try JSONDecoding.decode(String.self, from: value)
            guard word.contains("/") ? !word.utf8.contains(0) : PortableName.accepts(word) else {
                throw ContentFault("", "is \(word.quoted), neither the name of a catalogue nor the path of its folder")
            }
            catalogue = word
        case .searches: searches = Array(value)
        case .secrets:
            secrets = try JSONDecoding.decode([String].self, from: value)
            if let name = secrets.first(where: { !Secrets.isName($0) }) {
                throw ContentFault("", "has \(name.quoted), which is not the name of an environment variable")
            }
        }
    }

    private static func number<Number: Comparable & Decodable>(
        _ bytes: ArraySlice<UInt8>, _ range: ClosedRange<Number>, _ word: String, _ limits: String, _ unit: String
    ) throws -> Number {
        guard let number = decoded(Number.self, bytes) else {
            throw ContentFault("", "is not \(word), or out of range")
        }
        guard range.contains(number) else {
            throw ContentFault("", "is \(number), not \(limits)\(unit.isEmpty ? "" : " \(unit)")")
        }
        return number
    }

    private static func decoded<Value: Decodable>(_ type: Value.Type, _ bytes: ArraySlice<UInt8>) -> Value? {
        // The caller reports the allowed values, so the cause is not needed.
        try? JSONDecoding.decode(type, from: bytes)
    }

    private static func text(of number: Double) -> String {
        number == number.rounded() ? "\(Int(number))" : "\(number)"
    }
}
