import Catalogue
import Platform

/// A configuration file: JSON, every key optional, unknown keys refused. README lists the keys.
struct Configuration: Decodable {
    var api: String?
    var output: String?
    var templates: String?
    var baseURL: String?
    var language: String?
    var connections: Int?
    var attempts: Int?
    var retryDelay: Double?
    var patience: Double?
    var connectTimeout: Double?
    var stallTime: Double?
    var deadline: Double?
    var redirects: Int?
    var maximumRetryAfter: Int?
    var maximumDocument: Int?
    var maximumPicture: Int?
    var maximumPixels: Int?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case api, output, templates, baseURL, language, connections, attempts, retryDelay, patience
        case connectTimeout, stallTime, deadline, redirects, maximumRetryAfter, maximumDocument, maximumPicture, maximumPixels
    }

    /// The defaults.
    init() {}

    /// Reads a file; its paths are relative to its own folder.
    init(_ path: String) throws(Failure) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try File.read(path)
        } catch {
            throw Failure(.wrongUsage, "\(error)")
        }
        self = try Self.read(bytes, path)
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        output = output.map { $0.hasPrefix("/") ? $0 : folder + $0 }
        templates = templates.map { $0.hasPrefix("/") ? $0 : folder + $0 }
    }

    private static func read(_ bytes: [UInt8], _ path: String) throws(Failure) -> Configuration {
        let configuration: Configuration
        do throws(ContentFault) {
            for (name, place) in try JSONSlices.members(of: bytes).sorted(by: { $0.value.lowerBound < $1.value.lowerBound })
            where CodingKeys(rawValue: name) == nil {
                let line = bytes[..<place.lowerBound].count { $0 == UInt8(ascii: "\n") } + 1
                let known = CodingKeys.allCases.map(\.rawValue).joined(separator: ", ")
                throw ContentFault("", "line \(line): there is no key \"\(name)\"; there are: \(known)")
            }
            configuration = try JSONRecord.decode(Configuration.self, from: bytes)
            try configuration.checkRanges()
        } catch {
            throw Failure(.wrongUsage, "\(path): \(error)")
        }
        return configuration
    }

    private func checkRanges() throws(ContentFault) {
        try Self.check("connections", connections, 1...64)
        try Self.check("attempts", attempts, 1...20)
        try Self.check("retryDelay", retryDelay, 0...60, "seconds")
        try Self.check("patience", patience, 1...86_400, "seconds")
        try Self.check("connectTimeout", connectTimeout, 0.1...300, "seconds")
        try Self.check("stallTime", stallTime, 1...3_600, "seconds")
        try Self.check("deadline", deadline, 1...86_400, "seconds")
        try Self.check("redirects", redirects, 0...50)
        try Self.check("maximumRetryAfter", maximumRetryAfter, 0...86_400, "seconds")
        // Both are held in memory whole, and a document is a value in a row of the archive, which takes 10^9 bytes with all that is in
        // it (https://sqlite.org/limits.html, "Maximum length of a string or BLOB").
        try Self.check("maximumDocument", maximumDocument, 1_024...999_000_000, "bytes")
        try Self.check("maximumPicture", maximumPicture, 1_024...999_000_000, "bytes")
        try Self.check("maximumPixels", maximumPixels, 1...1_000_000_000)
    }

    private static func check<Number: Comparable>(
        _ key: String, _ value: Number?, _ range: ClosedRange<Number>, _ unit: String = ""
    ) throws(ContentFault) {
        guard let value, !range.contains(value) else { return }
        func plain(_ number: Number) -> String {
            let text = "\(number)"
            return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
        }
        let limits = "\(plain(range.lowerBound)) to \(plain(range.upperBound))"
        throw ContentFault(key, "is \(value), not \(limits)\(unit.isEmpty ? "" : " \(unit)")")
    }
}
