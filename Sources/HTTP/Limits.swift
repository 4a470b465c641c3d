/// The client's bounds in time and number.
public struct Limits: Sendable, Equatable {
    /// Requests under way at once.
    public var connections = 8
    /// Seconds to make a connection.
    public var connectTimeout = 10.0
    /// An answer slower than this many bytes a second for `stallTime` seconds is given up.
    public var stallSpeed = 1024
    /// Seconds of too slow an answer before it is given up.
    public var stallTime = 30.0
    /// Seconds that any request may take, before what its size adds.
    public var deadline = 60.0
    /// Bytes that add a second each to the deadline.
    public var deadlineSpeed = 10_000.0
    /// Redirects followed at most, all within the allowed origins.
    public var redirects = 10
    /// Bodies up to this size stay in memory.
    public var memorySize = 1 << 20
    /// While answers of this many bytes are in use, no new transfer starts.
    public var heldSize = 32 << 20
    /// Bytes of headers taken at most, those of 1xx answers before it included.
    public var headersSize = 256 << 10

    /// The bounds that the design sets.
    public init() {}
}
