import Catalogue
package import Platform

/// The rules for all requests to an API.
package struct RequestDeclaration: Sendable {
    let rateLimit: CallRate?
    /// The maximum number of connections; nil for that of the configuration.
    package let connections: Int?
    /// Fields of the header of each request to the API. Values can have placeholders such as `{env:TOKEN}`.
    package let headers: [Header]

    static let keys = ["perMinute", "perSecond", "refusal", "connections", "headers"]

    /// Fields that Amber sets itself.
    private static let ownFields = [
        "accept-encoding", "connection", "content-length", "host", "if-none-match", "range", "transfer-encoding",
        "user-agent",
    ]

    init(_ request: DeclarationObject) throws {
        let perSecond = try request.integer("perSecond", 1...1_000, default: 0)
        try require(
            perSecond == 0 || request.value("perMinute") == nil, request.path("perSecond"),
            "is of no use beside \"perMinute\"")
        let perMinute = try request.integer("perMinute", 1...100_000, default: perSecond > 0 ? 60 * perSecond : 60)
        let refusal = try request.integer("refusal", 400...599, default: 429)
        let isLimited = ["perMinute", "perSecond", "refusal"].contains { request.value($0) != nil }
        rateLimit = isLimited ? (perMinute, refusal) : nil
        connections = try request.optionalInteger("connections", 1...64)
        headers = try request.pairs("headers").map { name, value in
            let header = Header(name, value)
            if let fault = Self.fault(of: header) {
                throw ContentFault("\(request.path("headers")).\(name)", fault)
            }
            return header
        }
    }

    /// Why a catalogue cannot set a field of the header of requests; nil if it can.
    package static func fault(of header: Header) -> String? {
        let isName = header.name.utf8.allSatisfy { $0.isLetter || $0.isDigit || "-_".utf8.contains($0) }
        guard isName, !header.name.isEmpty, !ownFields.contains(header.name.lowercased()) else {
            return "is not a field of a header that a catalogue can set"
        }
        let isValue = header.value.utf8.allSatisfy { $0 >= 0x20 && $0 < 0x7F }
        return isValue ? nil : "has a character that a header cannot have"
    }
}

extension CatalogueDeclaration {
    /// All texts of requests that can have placeholders for environment variables.
    package var requestTexts: [String] { request.headers.map(\.value) + rules.map(\.endpoint.path) + [lookup.path] }
}
