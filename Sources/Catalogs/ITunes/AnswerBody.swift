import Catalogue

/// The JSON object of an answer: behind line feeds, and within a call where it is a script (JSONP). Source:
/// docs/apis.md, 2.
struct AnswerBody {
    /// The object's bytes.
    let bytes: [UInt8]
    /// Where it begins in the answer.
    let start: Int
    private let results: Range<Int>

    /// Finds the object, and whether it is an answer.
    /// - Throws: what it is instead: the service's own word of a mistake, or that results are missing or not as many as
    ///   it says.
    init(_ body: [UInt8]) throws(ContentFault) {
        let place = Self.object(in: body)
        bytes = Array(body[place])
        start = place.lowerBound
        let members = try JSONSlices.members(of: bytes)
        if let error = members["errorMessage"] {
            throw ContentFault("errorMessage", "says \(JSONRecord.said(bytes[error])) where results belong")
        }
        guard let results = members["results"] else { throw ContentFault("results", "is missing") }
        self.results = results
        let count = try JSONFields(bytes).integer("resultCount")
        let found = try rows().count
        guard count == found else {
            throw ContentFault("resultCount", "is \(count), though there are \(found) results")
        }
    }

    /// The object of a record, which was looked at when it was captured.
    init(record bytes: [UInt8]) throws(ContentFault) {
        self.bytes = bytes
        start = 0
        guard let results = try JSONSlices.members(of: bytes)["results"] else {
            throw ContentFault("results", "is missing")
        }
        self.results = results
    }

    /// Where the object lies in the answer.
    var place: Range<Int> { start..<start + bytes.count }

    /// Where the results lie in the object.
    func rows() throws(ContentFault) -> [Range<Int>] {
        do throws(ContentFault) {
            return try JSONSlices.elements(of: bytes, at: results)
        } catch {
            throw error.inside("results")
        }
    }

    /// From the first brace to the last; of a call `name(…);` what is between its brackets. Anything else is left
    /// whole, for the reader of JSON to say what is wrong with it.
    private static func object(in body: [UInt8]) -> Range<Int> {
        let blank: Set<UInt8> = [32, 9, 10, 13]
        guard let first = body.firstIndex(where: { !blank.contains($0) }),
            let last = body.lastIndex(where: { !blank.contains($0) })
        else {
            return body.indices
        }
        // Some servers put an empty comment before the call.
        let whole = (body[first...last].starts(with: "/**/".utf8) ? first + 4 : first)..<last + 1
        guard let first = whole.first, isNameStart(body[first]),
            let open = body[whole].firstIndex(of: UInt8(ascii: "(")),
            let close = body[whole].lastIndex(of: UInt8(ascii: ")")), open < close,
            body[first..<open].allSatisfy({ isNameStart($0) || $0 == UInt8(ascii: ".") || (48...57).contains($0) })
        else { return whole }
        let inner = open + 1..<close
        guard let start = body[inner].firstIndex(where: { !blank.contains($0) }),
            let end = body[inner].lastIndex(where: { !blank.contains($0) })
        else { return inner }
        return start..<end + 1
    }

    private static func isNameStart(_ byte: UInt8) -> Bool {
        (65...90).contains(byte) || (97...122).contains(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "$")
    }
}
