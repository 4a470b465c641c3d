/// Writes one row: members in the order in which they are named. A value that is missing is a missing member.
struct MediaRow {
    private var writer = JSONWriter(capacity: 2048)
    let store: MediaStore

    init(in store: MediaStore) {
        self.store = store
    }

    /// The finished object.
    var bytes: [UInt8] { writer.bytes + [UInt8(ascii: "}")] }

    private mutating func key(_ name: StaticString) {
        writer.raw(writer.bytes.isEmpty ? "{\"" : ",\"")
        writer.raw(name)
        writer.raw("\":")
    }

    mutating func text(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        key(name)
        writer.string(value)
    }

    mutating func number(_ name: StaticString, _ value: Int?) {
        guard let value else { return }
        key(name)
        writer.number(value)
    }

    mutating func flag(_ name: StaticString, _ value: Bool) {
        key(name)
        if value { writer.raw("true") } else { writer.raw("false") }
    }

    mutating func numbers(_ name: StaticString, _ values: [Int]) {
        key(name)
        list(values) { $0.number($1) }
    }

    mutating func texts(_ name: StaticString, _ values: [String]) {
        key(name)
        list(values) { $0.string($1) }
    }

    /// A price in the store's currency.
    ///
    /// - Parameter cents: in the American store; nil for what is not sold alone, which has a price of -1.
    mutating func price(_ name: StaticString, _ cents: Int?) {
        hundredths(name, cents.map(store.price) ?? -100)
    }

    /// - Parameter value: written with two places.
    mutating func hundredths(_ name: StaticString, _ value: Int) {
        key(name)
        writer.number(value / 100)
        writer.raw(value.magnitude % 100 < 10 ? ".0" : ".")
        writer.number(Int(value.magnitude % 100))
    }

    /// An average in halves, as 4.5.
    mutating func halves(_ name: StaticString, _ value: Int) {
        key(name)
        writer.number(value / 2)
        writer.raw(value % 2 == 0 ? ".0" : ".5")
    }

    /// The pictures' addresses.
    mutating func artwork(_ name: String, with smallest: Bool) {
        func address(_ size: Int) -> String { "\(MediaLibrary.canonicalBase)/artwork/\(name)/\(size)x\(size)bb.jpg" }
        if smallest { text("artworkUrl30", address(30)) }
        text("artworkUrl60", address(60))
        text("artworkUrl100", address(100))
    }

    mutating func sale() {
        text("country", store.country)
        text("currency", store.currency)
    }

    /// The address of a page about something, such as `https://…/us/album/nine-bells/1234567890?uo=4`.
    func page(_ folder: String, _ name: String, _ id: String, song: Int? = nil) -> String {
        let place = "\(MediaLibrary.canonicalBase)/\(store.code.lowercased())/\(folder)/\(Self.slug(name))\(id)"
        return song.map { "\(place)?i=\($0)&uo=4" } ?? "\(place)?uo=4"
    }

    private mutating func list<Value>(_ values: [Value], _ write: (inout JSONWriter, Value) -> Void) {
        writer.raw("[")
        for (index, value) in values.enumerated() {
            if index > 0 { writer.raw(",") }
            write(&writer, value)
        }
        writer.raw("]")
    }

    /// A name as part of an address: small letters and digits, joined by dashes, percent-encoded; with a slash, if
    /// anything is left.
    private static func slug(_ name: String) -> String {
        let words = name.lowercased().split { !$0.isLetter && !$0.isNumber }
        let slug = words.joined(separator: "-").utf8.map { byte in
            byte < 0x80 ? String(UnicodeScalar(byte)) : "%" + String(byte, radix: 16, uppercase: true)
        }
        return slug.isEmpty ? "" : slug.joined() + "/"
    }
}
