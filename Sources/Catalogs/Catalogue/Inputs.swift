public import Archive
public import Mustache

/// A digest of all that something is made from: while it stays the same, so does what is made.
public struct Inputs: Sendable, Hashable {
    /// The first 16 bytes of a SHA-256, as two numbers.
    public let high: UInt64
    /// The second half of them.
    public let low: UInt64

    /// A digest known from before.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// The first half of a digest.
    public init(_ sha256: SHA256) {
        high = sha256.words.0
        low = sha256.words.1
    }
}

/// Takes what something is made from, part by part, and answers its digest. Parts are told apart: no two lists of parts
/// look alike.
public struct InputsHasher: ~Copyable {
    private var hasher = SHA256Hasher()
    private var buffer: [UInt8] = []
    private static let capacity = 1 << 14

    /// A hasher that has seen nothing.
    public init() {}

    /// Adds a number.
    public mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }

    /// Adds a number.
    public mutating func add(_ number: Int64) { add(UInt64(bitPattern: number)) }

    /// Adds 64 bits.
    public mutating func add(_ number: UInt64) {
        withUnsafeBytes(of: number.littleEndian) { buffer.append(contentsOf: $0) }
        if buffer.count >= Self.capacity { flush() }
    }

    /// Adds a flag.
    public mutating func add(_ flag: Bool) { add(flag ? 1 : 0) }

    /// Adds a text; nothing is another part than an empty one.
    public mutating func add(_ text: String?) {
        guard let text else { return add(-1) }
        add(text.utf8.count)
        buffer += text.utf8
    }

    /// Adds a digest.
    public mutating func add(_ inputs: Inputs) {
        add(inputs.high)
        add(inputs.low)
    }

    /// Adds a digest.
    public mutating func add(_ sha256: SHA256) { add(Inputs(sha256)) }

    /// Adds what tells a revision from any other that could have its number.
    public mutating func add(_ revision: Revision) {
        add(revision.number)
        add(revision.digest)
        add(revision.finished)
        add(revision.imported == nil)
    }

    /// Adds a value that a template shows.
    public mutating func add(_ value: Value) {
        switch value {
        case .null: add(0)
        case .flag(let flag):
            add(1)
            add(flag)
        case .integer(let number):
            add(2)
            add(number)
        case .decimal(let number):
            add(3)
            add(number.bitPattern)
        case .text(let text):
            add(4)
            add(text)
        case .html(let bytes):
            add(5)
            add(bytes.count)
            buffer += bytes
        case .list(let values):
            add(6)
            add(values.count)
            for value in values { add(value) }
        case .object(let object):
            add(7)
            add(object.shape.name)
            for value in object.values { add(value) }
        }
    }

    private mutating func flush() {
        hasher.update(buffer)
        buffer.removeAll(keepingCapacity: true)
    }

    /// The digest of all that was added.
    public consuming func finish() -> Inputs {
        hasher.update(buffer)
        return Inputs(hasher.finish())
    }
}
