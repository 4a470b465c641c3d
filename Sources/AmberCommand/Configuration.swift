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

    private enum CodingKeys: String, CodingKey, CaseIterable {
        case api, output, templates, baseURL, language, connections, attempts, retryDelay, patience
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
        if let connections, !(1...64).contains(connections) { throw ContentFault("connections", "is \(connections), not 1 to 64") }
        if let attempts, !(1...20).contains(attempts) { throw ContentFault("attempts", "is \(attempts), not 1 to 20") }
        if let retryDelay, !(0...60).contains(retryDelay) { throw ContentFault("retryDelay", "is \(retryDelay), not 0 to 60 seconds") }
        if let patience, !(1...86_400).contains(patience) { throw ContentFault("patience", "is \(patience), not 1 to 86400 seconds") }
    }
}
