/// Why a request brought no answer that counts, by classes that decide what happens next.
public struct HTTPError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The class of the fault.
    public enum Cause: Sendable, Equatable {
        /// The host's name could not be resolved.
        case name
        /// No connection could be made.
        case connect
        /// The TLS handshake or the certificate failed.
        case tls
        /// Silence, or too slow for too long.
        case timeout
        /// The connection ended before the answer was whole.
        case truncated
        /// The answer came whole and is not what it should be; another time it may.
        case content
        /// A status that is not an answer to the request.
        case status(Int)
        /// The answer came but cannot be accepted: too large, encoded, not what was asked for, a redirect elsewhere.
        case refused
        /// The answer is not HTTP, or libcurl met something else.
        case protocolFault
        /// This process may not open as many files and sockets as it needs.
        case descriptors
        /// The answer could not be written to disk.
        case disk
        /// The task was cancelled.
        case cancelled
    }

    /// The class of the fault.
    public let cause: Cause
    /// What was asked for.
    public let url: String
    /// The rest of a sentence whose subject is the URL.
    public let reason: String

    /// A fault with its URL and reason.
    public init(_ cause: Cause, url: String, reason: String) {
        self.cause = cause
        self.url = url
        self.reason = reason
    }

    /// One sentence: the URL and what happened.
    public var description: String { "\(url): \(reason)" }

    /// Whether the fault is this machine's: it says nothing of what was asked for.
    public var isLocal: Bool {
        switch cause {
        case .descriptors, .disk, .cancelled: true
        default: false
        }
    }

    /// Whether the server itself was not reached: name, connection, TLS or time-out.
    public var isUnreachable: Bool {
        switch cause {
        case .name, .connect, .tls, .timeout: true
        default: false
        }
    }
}
