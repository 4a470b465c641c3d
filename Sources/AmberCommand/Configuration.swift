import Capture
import Catalogue
import HTTP
import ITunes
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
    /// Nil for a catalogue that captures lists.
    private(set) var searches: [Search]?

    /// The type and range of a key's value, and the code that stores the value.
    private enum Setting {
        case text(@Sendable (inout Configuration, String) -> Void)
        case folder(@Sendable (inout Configuration, String) -> Void)
        case whole(ClosedRange<Int>, String = "", @Sendable (inout Configuration, Int) -> Void)
        case seconds(ClosedRange<Double>, @Sendable (inout Configuration, Double) -> Void)
        case catalogue, searches
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
        func failure(at offset: Int, _ reason: String) -> Failure {
            let line = bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
            return Failure(.wrongUsage, "\(path): line \(line): \(reason)")
        }
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
                let fault = fault.keyPath.hasPrefix(name) ? fault : fault.inside(name)
                throw failure(at: JSONSlices.offset(of: fault.keyPath, in: bytes), "\(fault)")
            }
        }
        // If a shell passes a pipe by name, the path is below /dev (fd(4)).
        let isPipe = FileStatus(path)?.isRegular != true && path.hasPrefix("/dev/")
        let folder = isPipe ? "" : path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        output = output.map { $0.hasPrefix("/") ? $0 : folder + $0 }
        templates = templates.map { $0.hasPrefix("/") ? $0 : folder + $0 }
        catalogue = catalogue.map { !$0.contains("/") || $0.hasPrefix("/") ? $0 : folder + $0 }
    }

    private mutating func set(_ setting: Setting, _ bytes: [UInt8], _ valueRange: Range<Int>) throws {
        let value = bytes[valueRange]
        switch setting {
        case .text, .folder, .whole, .seconds: if value.elementsEqual("null".utf8) { return }
        case .catalogue, .searches: break
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
        case .searches: searches = try Self.searches(bytes, at: valueRange)
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

/// Reading of the key "searches", a list of objects. Only the member "term" is required.
extension Configuration {
    /// - Throws: `ContentFault` for the first error, with its index in the list.
    private static func searches(_ bytes: [UInt8], at range: Range<Int>) throws -> [Search] {
        guard bytes[range].first == UInt8(ascii: "[") else {
            throw ContentFault("", "is not a list of searches such as [{\"term\": \"love\"}]")
        }
        let elements = try JSONSlices.elements(of: bytes, at: range)
        guard elements.count <= Search.most else {
            throw ContentFault("", "has \(elements.count) searches; at most \(Search.most) are allowed")
        }
        var searches: [Search] = []
        var indexes: [Search: Int] = [:]
        for (index, valueRange) in elements.enumerated() {
            do {
                let search = try search(Array(bytes[valueRange]))
                if let first = indexes.updateValue(index, forKey: search) {
                    throw ContentFault("", "is the same as searches[\(first)]")
                }
                searches.append(search)
            } catch let fault as ContentFault {
                throw fault.inside("searches[\(index)]")
            }
        }
        guard !searches.isEmpty else { throw ContentFault("", "is empty; at least one search is required") }
        return searches
    }

    private static let members = ["term", "media", "country", "explicit", "limit"]

    private static func search(_ bytes: [UInt8]) throws -> Search {
        guard bytes.first == UInt8(ascii: "{") else {
            throw ContentFault("", "is not an object such as {\"term\": \"love\"}")
        }
        for memberRange in try JSONSlices.memberRanges(in: bytes, at: bytes.indices) {
            let name = String(decoding: bytes[memberRange.name].prefix(100), as: UTF8.self)
            guard !members.contains(name) else { continue }
            throw ContentFault(name, "is unknown; allowed: \(members.joined(separator: ", "))")
        }
        let values = try JSONSlices.members(of: bytes)
        func choice<Value>(_ name: String, _ choices: [(word: String, value: Value)]) throws -> Value {
            guard let valueRange = values[name] else { return choices[0].value }
            let word = decoded(String.self, bytes[valueRange])
            if let choice = choices.first(where: { $0.word == word }) { return choice.value }
            let allowed = choices.map(\.word).joined(separator: ", ")
            throw ContentFault(name, "is \(word?.quoted ?? "not a string"); allowed: \(allowed)")
        }
        guard let valueRange = values["term"] else {
            throw ContentFault("term", "is missing; it contains the words to search for")
        }
        guard let term = decoded(String.self, bytes[valueRange]) else { throw ContentFault("term", "is not a string") }
        guard !term.isBlank else { throw ContentFault("term", "is blank; it contains the words to search for") }
        guard term.utf8.count <= 200 else {
            throw ContentFault("term", "is longer than 200 bytes")
        }
        guard !term.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw ContentFault("term", "contains a line break or another control character")
        }
        var limit = Search.usualLimit
        if let valueRange = values["limit"] {
            let number = decoded(Int.self, bytes[valueRange])
            guard let number, Search.limits.contains(number) else {
                let (low, high) = (Search.limits.lowerBound, Search.limits.upperBound)
                throw ContentFault(
                    "limit", "is \(number.map(String.init) ?? "not a whole number"); allowed: \(low) to \(high)")
            }
            limit = number
        }
        return Search(
            term, try choice("media", Search.Medium.allCases.map { ($0.rawValue, $0) }),
            in: try choice("country", Search.Store.allCases.map { ($0.rawValue, $0) }),
            explicit: try choice("explicit", [("yes", true), ("no", false)]), limit: limit)
    }

    static func json(_ searches: [Search]) -> JSON {
        .list(
            searches.map { search in
                .object([
                    ("term", .text(search.term)), ("media", .text(search.medium.rawValue)),
                    ("country", .text(search.store.rawValue)),
                    ("explicit", .text(search.explicit ? "yes" : "no")), ("limit", .integer(search.limit)),
                ])
            })
    }
}
