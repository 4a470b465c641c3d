import Catalogue
import ITunes
import Platform

/// A configuration file: JSON, every key optional, unknown keys refused. README lists the keys.
struct Configuration: Decodable {
    var catalogue: KnownCatalogue?
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
    var maximumCapture: Int?
    var maximumRecords: Int?
    var callsPerMinute: Int?
    var refusalDelay: Double?
    /// Read by themselves, so that what is wrong with one has its place.
    var searches: [Search]?

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case catalogue, api, output, templates, baseURL, language, connections, attempts, retryDelay, patience
        case connectTimeout, stallTime, deadline, redirects, maximumRetryAfter, maximumDocument, maximumPicture,
            maximumPixels
        case maximumCapture, maximumRecords
        case callsPerMinute, refusalDelay
    }

    /// The most bytes of a file; searches are some hundred bytes each.
    private static let longest = 1 << 20

    private static let known = CodingKeys.allCases.map(\.rawValue) + ["searches"]

    /// The defaults.
    init() {}

    /// The catalogue: searches are of one kind only.
    var known: KnownCatalogue { catalogue ?? (searches == nil ? .rickandmorty : .itunes) }

    /// Reads a file; its paths are relative to its own folder, those of a pipe to the working folder.
    init(_ path: String) throws(Failure) {
        let bytes: [UInt8]
        do throws(SystemError) {
            bytes = try File.read(path, limit: Self.longest, mayBePipe: true)
        } catch {
            throw Failure(.wrongUsage, "\(error)")
        }
        self = try Self.read(bytes, path)
        // A shell's pipe is a link below /dev (fd(4)).
        let isPipe = FileStatus(path)?.isRegular != true && path.hasPrefix("/dev/")
        let folder = isPipe ? "" : path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        output = output.map { $0.hasPrefix("/") ? $0 : folder + $0 }
        templates = templates.map { $0.hasPrefix("/") ? $0 : folder + $0 }
    }

    private static func read(_ bytes: [UInt8], _ path: String) throws(Failure) -> Configuration {
        if let problem = JSONSlices.problem(in: bytes) {
            throw Failure(.wrongUsage, "\(path): line \(line(at: problem.offset, in: bytes)): \(problem.reason)")
        }
        let places: [(name: Range<Int>, value: Range<Int>)]
        let members: [String: Range<Int>]
        do throws(ContentFault) {
            places = try JSONSlices.places(in: bytes, at: bytes.indices)
            members = try JSONSlices.members(of: bytes)
        } catch {
            throw Failure(.wrongUsage, "\(path): \(error)")
        }
        for place in places {
            let name = String(decoding: bytes[place.name], as: UTF8.self)
            guard !known.contains(name) else { continue }
            throw Failure(
                .wrongUsage,
                "\(path): line \(line(at: place.value.lowerBound, in: bytes)): there is no key \(name.quoted); there are: "
                    + "\(known.joined(separator: ", "))")
        }
        do throws(ContentFault) {
            if let place = members["catalogue"] { try checkCatalogue(bytes[place]) }
            var configuration = try JSONRecord.decode(Configuration.self, from: bytes)
            if let place = members["searches"] { configuration.searches = try searches(bytes, at: place) }
            try configuration.checkRanges()
            return configuration
        } catch {
            let fault = named(error, members, in: bytes)
            throw Failure(
                .wrongUsage,
                "\(path): line \(line(at: JSONSlices.offset(of: fault.keyPath, in: bytes), in: bytes)): \(fault)")
        }
    }

    private static func checkCatalogue(_ bytes: ArraySlice<UInt8>) throws(ContentFault) {
        let word: String
        do throws(ContentFault) {
            word = try JSONRecord.decode(String.self, from: bytes)
        } catch {
            throw error.inside("catalogue")
        }
        guard KnownCatalogue(rawValue: word) == nil else { return }
        throw ContentFault(
            "catalogue",
            "is \(word.quoted); allowed: \(KnownCatalogue.allCases.map(\.rawValue).joined(separator: ", "))")
    }

    /// The line on which something stands.
    private static func line(at offset: Int, in bytes: [UInt8]) -> Int {
        bytes[..<offset].count { $0 == UInt8(ascii: "\n") } + 1
    }

    /// Of a number that cannot be decoded the decoder does not tell the name.
    private static func named(
        _ fault: ContentFault, _ members: [String: Range<Int>], in bytes: [UInt8]
    ) -> ContentFault {
        guard fault.keyPath.isEmpty else { return fault }
        for (name, place) in members.sorted(by: { $0.value.lowerBound < $1.value.lowerBound }) {
            do throws(ContentFault) {
                _ = try JSONRecord.decode(
                    Configuration.self, from: Array("{\"\(name)\":".utf8) + bytes[place] + [UInt8(ascii: "}")])
            } catch {
                return ContentFault(name, "is out of range, or not a whole number where one is needed")
            }
        }
        return fault
    }

    private func checkRanges() throws(ContentFault) {
        for (key, path) in [("output", output), ("templates", templates)] {
            guard let path else { continue }
            guard !path.isEmpty else { throw ContentFault(key, "is empty; it names a folder") }
            // The system would read the path only up to the zero byte.
            guard !path.utf8.contains(0) else { throw ContentFault(key, "has a zero byte; remove it") }
        }
        try Self.check("connections", connections, 1...64)
        try Self.check("attempts", attempts, 1...20)
        try Self.check("retryDelay", retryDelay, 0...60, "seconds")
        try Self.check("patience", patience, 1...86_400, "seconds")
        try Self.check("connectTimeout", connectTimeout, 0.1...300, "seconds")
        try Self.check("stallTime", stallTime, 1...3_600, "seconds")
        try Self.check("deadline", deadline, 1...86_400, "seconds")
        try Self.check("redirects", redirects, 0...50)
        try Self.check("maximumRetryAfter", maximumRetryAfter, 0...86_400, "seconds")
        // Both are held in memory whole, and a document is a value in a row of the archive, which takes 10^9 bytes with
        // all that is in it (https://sqlite.org/limits.html, "Maximum length of a string or BLOB").
        try Self.check("maximumDocument", maximumDocument, 1_024...999_000_000, "bytes")
        try Self.check("maximumPicture", maximumPicture, 1_024...999_000_000, "bytes")
        try Self.check("maximumPixels", maximumPixels, 1...1_000_000_000)
        try Self.check("maximumCapture", maximumCapture, 1_000_000...1_000_000_000_000_000, "bytes")
        try Self.check("maximumRecords", maximumRecords, 1...1_000_000_000)
        try Self.check("callsPerMinute", callsPerMinute, 1...100_000)
        try Self.check("refusalDelay", refusalDelay, 0...3_600, "seconds")
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
