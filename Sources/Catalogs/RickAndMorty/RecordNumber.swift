import Catalogue

/// What all three kinds of record have in common.
protocol Numbered {
    var id: Int64 { get }

    init(_ fields: JSONFields) throws(ContentFault)
}

extension Numbered {
    /// A record as it came from a server: looked at as a whole.
    init(decoding bytes: some Sequence<UInt8>) throws(ContentFault) {
        let fields = try JSONFields(Array(bytes))
        try self.init(fields)
        try fields.check()
        // Scripts on pages hold numbers up to 2^53 - 1 exactly (ECMA-262, Number.MAX_SAFE_INTEGER).
        guard id > 0, id < 1 << 53 else { throw ContentFault("id", "is \(id), not 1 to 9007199254740991") }
    }

    /// An archived record, which was looked at when it was captured.
    init(archived bytes: [UInt8]) throws(ContentFault) {
        try self.init(JSONFields(bytes))
    }
}
