/// How a sample server behaves: as the live service does, unless told otherwise.
public struct Behaviour: Sendable {
    /// Added before each answer.
    public var latency: Duration = .zero

    /// Records that the lists leave out (and do not count), and that are answered by id.
    public var hidden: Set<Universe.Reference> = []

    /// What is to go wrong. The first fault that matches and has times left is committed.
    public var faults: [Fault] = []

    /// Bytes to serve in place of a record's own, in lists too; they need not be JSON.
    public var replaced: [Universe.Reference: [UInt8]] = [:]

    /// Bytes to serve in place of a portrait, by the character's id.
    public var avatarOverrides: [Int: [UInt8]] = [:]

    /// Rows to serve in place of a library's own, by id; they need not be JSON.
    public var replacedMedia: [Int64: [UInt8]] = [:]

    /// How many calls of `/search` and `/lookup` are answered in any so many seconds; those above are refused, and
    /// count too. nil for no limit.
    public var callsPerWindow: (calls: Int, seconds: Double)?

    /// 0 for the universe as it is; in later generations a few records and portraits differ (`Universe.isRevised`).
    public var generation = 0

    /// Whether requests are written down; they are counted in any case.
    public var keepsLog = true

    /// As the live service.
    public init() {}

    /// As the live service, but late, or faulty.
    public init(latency: Duration = .zero, faults: [Fault] = [], hidden: Set<Universe.Reference> = []) {
        self.latency = latency
        self.faults = faults
        self.hidden = hidden
    }
}
