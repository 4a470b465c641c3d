/// The members of an object in JSON text, by name: a tenth of a decoder's work.
///
/// A plain text is taken from the bytes as it stands; anything else goes through `JSONRecord`, whose faults these are,
/// each with the place that it is about. Texts are given as they can be shown (`showable`).
public struct JSONFields: Sendable {
    private let bytes: [UInt8]
    private let places: [(name: Range<Int>, value: Range<Int>)]
    /// Where this object stands in the outermost one; empty for that itself.
    private let path: String

    /// The object that the bytes are.
    public init(_ bytes: [UInt8]) throws(ContentFault) {
        try self.init(bytes, at: bytes.indices, path: "")
    }

    private init(_ bytes: [UInt8], at place: Range<Int>, path: String) throws(ContentFault) {
        self.bytes = bytes
        self.path = path
        let first = bytes[place].first { $0 != 32 && $0 != 9 && $0 != 10 && $0 != 13 }
        guard first == UInt8(ascii: "{") || first == nil else {
            throw ContentFault(
                path, bytes[place].elementsEqual("null".utf8) ? "is null, not an object" : "is not an object")
        }
        do throws(ContentFault) {
            places = try JSONSlices.places(in: bytes, at: place)
        } catch {
            throw path.isEmpty ? error : error.inside(path)
        }
    }
}

extension JSONFields {
    /// A text.
    public func text(_ name: StaticString) throws(ContentFault) -> String {
        let place = try place(name)
        if let text = JSONRecord.plain(bytes, at: place) { return text.showable }
        return try decode(String.self, place, "\(name)").showable
    }

    /// A text; nil where there is none of that name, or something else.
    public func textIfAny(_ name: StaticString) -> String? {
        do throws(ContentFault) {
            return try text(name)
        } catch {
            return nil
        }
    }

    /// A whole number.
    public func integer(_ name: StaticString) throws(ContentFault) -> Int64 {
        let place = try place(name)
        if place.count <= 18, bytes[place].allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
            bytes[place.lowerBound] != UInt8(ascii: "0")
        {
            return bytes[place].reduce(0) { 10 * $0 + Int64($1 - UInt8(ascii: "0")) }
        }
        do throws(ContentFault) {
            return try decode(Int64.self, place, "\(name)")
        } catch {
            guard bytes[place].allSatisfy({ "+-.0123456789eE".utf8.contains($0) }) else { throw error }
            let digits = String(decoding: bytes[place].prefix(40), as: UTF8.self) + (place.count > 40 ? "…" : "")
            throw ContentFault(error.keyPath, "is \(digits), not a whole number of 64 bits")
        }
    }

    /// A number, whole or not.
    public func number(_ name: StaticString) throws(ContentFault) -> Double {
        try decode(Double.self, try place(name), "\(name)")
    }

    /// Whether there is a member of that name.
    public func has(_ name: StaticString) -> Bool {
        do throws(ContentFault) {
            _ = try place(name)
            return true
        } catch {
            return false
        }
    }

    /// A list of texts.
    public func texts(_ name: StaticString) throws(ContentFault) -> [String] {
        let place = try place(name)
        guard bytes[place.lowerBound] == UInt8(ascii: "[") else { return try decode([String].self, place, "\(name)") }
        let elements = try elements(place, name)
        var texts: [String] = []
        texts.reserveCapacity(elements.count)
        for element in elements {
            guard let text = JSONRecord.plain(bytes, at: element) else {
                return try decodedTexts(elements, at: place, name)
            }
            texts.append(text.showable)
        }
        return texts
    }

    /// How many elements a list has.
    public func count(_ name: StaticString) throws(ContentFault) -> Int {
        try elements(try place(name), name).count
    }

    /// An object within this one.
    public func object(_ name: StaticString) throws(ContentFault) -> JSONFields {
        try JSONFields(bytes, at: try place(name), path: path.isEmpty ? "\(name)" : "\(path).\(name)")
    }

    /// The value at a path of member names; nil where there is none.
    func value(at path: [String]) throws(ContentFault) -> JSONValue? {
        var places = places
        for (depth, name) in path.enumerated() {
            guard let place = Self.place(name, among: places, bytes) else { return nil }
            if depth == path.count - 1 { return JSONValue(bytes, at: place, depth: depth + 2) }
            guard bytes[place.lowerBound] == UInt8(ascii: "{") else { return nil }
            places = try JSONSlices.places(in: bytes, at: place)
        }
        return nil
    }

    /// Checks that all of it is JSON, also the members that nothing reads.
    public func check() throws(ContentFault) {
        do throws(ContentFault) {
            try JSONGrammar.check(bytes)
        } catch {
            for place in places {
                do throws(ContentFault) {
                    try JSONGrammar.check(Array(bytes[place.value]))
                } catch {
                    throw error.inside(String(decoding: bytes[place.name].prefix(100), as: UTF8.self).onOneLine)
                }
            }
            throw error
        }
    }
}

extension JSONFields {
    /// Of repeated names the first counts, as in JSONDecoder.
    private func place(_ name: StaticString) throws(ContentFault) -> Range<Int> {
        let wanted = UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount)
        for place in places where Self.reads(place.name, as: wanted, bytes) { return place.value }
        throw located(ContentFault("\(name)", "is missing"))
    }

    private static func place(_ name: String, among places: [(name: Range<Int>, value: Range<Int>)], _ bytes: [UInt8])
        -> Range<Int>?
    {
        var name = name
        return name.withUTF8 { wanted in places.first { reads($0.name, as: wanted, bytes) }?.value }
    }

    /// Whether a name reads as what is wanted: letters, which have no other escape than `\u0041` (RFC 8259, section 7).
    private static func reads(_ name: Range<Int>, as wanted: UnsafeBufferPointer<UInt8>, _ bytes: [UInt8]) -> Bool {
        guard name.count > wanted.count else { return name.count == wanted.count && bytes[name].elementsEqual(wanted) }
        var position = name.lowerBound
        for letter in wanted {
            guard position < name.upperBound else { return false }
            if bytes[position] == letter {
                position += 1
            } else {
                guard JSONRecord.unit(bytes, at: position) == UInt32(letter) else { return false }
                position += 6
            }
        }
        return position == name.upperBound
    }

    private func elements(_ place: Range<Int>, _ name: StaticString) throws(ContentFault) -> [Range<Int>] {
        do throws(ContentFault) {
            return try JSONSlices.elements(of: bytes, at: place)
        } catch {
            throw located(error.inside("\(name)"))
        }
    }

    private func decodedTexts(_ elements: [Range<Int>], at place: Range<Int>, _ name: StaticString) throws(ContentFault)
        -> [String]
    {
        do throws(ContentFault) {
            return try decode([String].self, place, "\(name)").map(\.showable)
        } catch {
            // The decoder does not always say which it was.
            for (index, element) in elements.enumerated() where JSONRecord.plain(bytes, at: element) == nil {
                _ = try decode(String.self, element, "\(name)[\(index)]")
            }
            throw error
        }
    }

    private func decode<Value: Decodable>(_ type: Value.Type, _ place: Range<Int>, _ name: String) throws(ContentFault)
        -> Value
    {
        do throws(ContentFault) {
            return try JSONRecord.decode(type, from: bytes[place])
        } catch {
            throw located(error.inside(name))
        }
    }

    private func located(_ fault: ContentFault) -> ContentFault { path.isEmpty ? fault : fault.inside(path) }
}
