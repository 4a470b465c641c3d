public import HTTP

/// The bounds of a capture.
public struct CaptureSettings: Sendable {
    /// The API's address, without a slash at the end.
    public var api: String
    /// Pages of one list in flight at most.
    public var waveWidth = 3
    /// Cards under assembly at most; a walk waits while there are as many.
    public var openCards = 256
    /// Documents over this many bytes are refused.
    public var maximumDocument = 32 << 20
    /// Pictures over this many bytes are refused.
    public var maximumPicture = 16 << 20
    /// Pictures of more pixels are refused.
    public var maximumPixels = 40_000_000
    /// Bytes of answers that a capture keeps at most, headers included, and those of the interrupted capture that it
    /// continues.
    public var maximumCapture = 50_000_000_000
    /// Records that a capture takes at most, those included that others name. Each takes about 150 bytes of memory.
    public var maximumRecords = 1_500_000
    /// Answers with more records are refused.
    public var maximumRecordsPerAnswer = 25_000
    /// References that the records of one answer have at most. A record with which there are more is refused.
    public var maximumReferencesPerAnswer = 50_000
    /// Records that no list brings, beyond which the capture is given up: each may name others, for ever.
    public var maximumExtras = 250_000
    /// An interrupted capture is taken up when it began at most this many seconds ago.
    public var resumeWithin = 86_400.0
    /// How many calls the server allows, pictures not counted; nil for as many as connections take.
    public var budget: CallBudget?
    /// Seconds without one accepted answer after which the capture gives up.
    public var patience = 600.0
    /// Whether documents are asked for on the condition that they have changed. A server whose entity tags do not
    /// change with the content makes lists contradict themselves; without conditions it cannot.
    public var asksConditionally = true

    /// The design's bounds, for an API at an address.
    public init(api: String) {
        self.api = api
    }
}
