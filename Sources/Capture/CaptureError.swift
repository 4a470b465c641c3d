public import Archive
public import HTTP

/// Why a capture did not make a complete revision. What came in until then is kept, and the next capture goes on from
/// it.
public enum CaptureError: Error, Sendable, CustomStringConvertible {
    /// The API was not reached at all: name, connection, TLS or time-out, and no answer before it.
    case unreachable(HTTPError)
    /// Something without which the revision would have a silent hole cannot be had.
    case incomplete(String)
    /// All is empty that was not before: a server that is ill, more likely than the end of everything. Nothing of it is
    /// kept.
    case empty(String)
    /// A list changed while it was walked; the next capture begins anew.
    case moved(String)
    /// The archive refused.
    case archive(ArchiveError)
    /// An answer cannot be written to this machine's disk.
    case disk(HTTPError)
    /// The task was cancelled.
    case cancelled

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .unreachable(let error): "the API cannot be reached: \(error)"
        case .incomplete(let reason), .empty(let reason): "the capture is not complete: \(reason)"
        case .moved(let reason): "the API changed during the capture: \(reason); run again"
        case .archive(let error): "\(error)"
        case .disk(let error): "the capture cannot go on: \(error)"
        case .cancelled: "the capture was interrupted; what came in is kept, and the next run goes on from there"
        }
    }
}
