public import HTTPServer

/// How a sample server behaves: as the live service does, unless told otherwise.
public struct Behaviour: Sendable {
    /// Added before each answer.
    public var latency: Duration = .zero

    /// Records that the lists leave out (and do not count), and that are answered by id.
    public var hidden: Set<Universe.Reference> = []

    /// Bytes to serve in place of a record's own, in lists too; they need not be JSON.
    public var replaced: [Universe.Reference: [UInt8]] = [:]

    /// Bytes to serve in place of a portrait, by the character's id.
    public var avatarOverrides: [Int: [UInt8]] = [:]

    /// Rows to serve in place of a library's own, by id; they need not be JSON.
    public var replacedMedia: [Int64: [UInt8]] = [:]

    /// 0 for the universe as it is; in later generations a few records and portraits differ (`Universe.isRevised`).
    public var generation = 0

    /// Whether requests are written down; they are counted in any case.
    public var keepsLog = true

    /// Changes answers before they are sent.
    public var filter: (any AnswerFilter)?

    /// As the live service.
    public init() {}
}

/// Changes what a server answers.
public protocol AnswerFilter: Sendable {
    /// Called for each answer, many at a time.
    func change(_ answer: inout ServerAnswer, to request: ServerRequest)
}
