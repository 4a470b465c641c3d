/// The members of an object in JSON text that is known to be good, as an archived record is: a tenth of a decoder's work.
///
/// A plain text is taken from the bytes as it stands; anything else goes through `JSONRecord`, whose faults these are.
public struct JSONFields: Sendable {
    private let bytes: [UInt8]
    private let places: [(name: Range<Int>, value: Range<Int>)]

    /// The object that the bytes are.
    public init(_ bytes: [UInt8]) throws(ContentFault) {
        try self.init(bytes, at: bytes.indices)
    }

    private init(_ bytes: [UInt8], at place: Range<Int>) throws(ContentFault) {
        self.bytes = bytes
        places = try JSONSlices.places(in: bytes, at: place)
    }
}

extension JSONFields {
    /// A text.
    public func text(_ name: StaticString) throws(ContentFault) -> String {
        let place = try place(name)
        if let text = plain(place) { return text }
        return try decode(String.self, place, name)
    }

    /// A whole number.
    public func integer(_ name: StaticString) throws(ContentFault) -> Int64 {
        let place = try place(name)
        if place.count <= 18, bytes[place].allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            bytes[place.lowerBound] != UInt8(ascii: "0")
        {
            return bytes[place].reduce(0) { 10 * $0 + Int64($1 - UInt8(ascii: "0")) }
        }
        return try decode(Int64.self, place, name)
    }

    /// A list of texts.
    public func texts(_ name: StaticString) throws(ContentFault) -> [String] {
        let place = try place(name)
        guard bytes[place.lowerBound] == UInt8(ascii: "[") else { return try decode([String].self, place, name) }
        var texts: [String] = []
        for element in try JSONSlices.elements(of: bytes, at: place) {
            guard let text = plain(element) else { return try decode([String].self, place, name) }
            texts.append(text)
        }
        return texts
    }

    /// How many elements a list has.
    public func count(_ name: StaticString) throws(ContentFault) -> Int {
        try JSONSlices.elements(of: bytes, at: try place(name)).count
    }

    /// An object within this one.
    public func object(_ name: StaticString) throws(ContentFault) -> JSONFields {
        try JSONFields(bytes, at: try place(name))
    }

    /// Of repeated names the first counts, as in JSONDecoder.
    private func place(_ name: StaticString) throws(ContentFault) -> Range<Int> {
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        for place in places where place.name.count == wanted.count && bytes[place.name].elementsEqual(wanted) { return place.value }
        // A name may be written with escapes, though hardly any is.
        for place in places where bytes[place.name].contains(UInt8(ascii: "\\")) {
            let quoted = place.name.lowerBound - 1..<place.name.upperBound + 1
            if try JSONRecord.decode(String.self, from: bytes[quoted]) == "\(name)" { return place.value }
        }
        throw ContentFault("\(name)", "is missing")
    }

    /// A text without escapes; nil for anything else.
    private func plain(_ place: Range<Int>) -> String? {
        guard bytes[place.lowerBound] == UInt8(ascii: "\""), place.count >= 2 else { return nil }
        let inner = bytes[place.lowerBound + 1..<place.upperBound - 1]
        guard inner.allSatisfy({ $0 >= 0x20 && $0 != UInt8(ascii: "\\") }) else { return nil }
        return String(validating: inner, as: UTF8.self)
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ place: Range<Int>, _ name: StaticString) throws(ContentFault) -> Value {
        do throws(ContentFault) {
            return try JSONRecord.decode(type, from: bytes[place])
        } catch {
            throw error.inside("\(name)")
        }
    }
}
