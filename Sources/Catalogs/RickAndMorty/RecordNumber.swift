import Catalogue

/// What all three kinds of record have in common.
protocol Numbered {
    var id: Int64 { get }
}

extension Numbered {
    /// Scripts on pages hold numbers up to 2^53 - 1 exactly (ECMA-262, Number.MAX_SAFE_INTEGER).
    static func check(_ id: Int64) throws(ContentFault) {
        guard id > 0, id < 1 << 53 else { throw ContentFault("id", "is \(id), not 1 to 9007199254740991") }
    }
}
