/// The reason why a request has no usable answer.
public struct HTTPError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The class of the error. It decides whether the request is sent again.
    public enum Cause: Sendable, Equatable {
        case name
        case connect
        case tls
        /// No data, or too little data, for too long.
        case timeout
        /// The connection ended before the answer was complete.
        case truncated
        /// The answer is complete, but its content is invalid. Another attempt may succeed.
        case content
        /// An error status.
        case status(Int)
        /// The answer is not acceptable: it is too large, is encoded, has unexpected content or redirects elsewhere.
        case refused
        /// The answer is not HTTP, or another error of libcurl.
        case protocolFault
        /// The process has reached its limit of open files and sockets.
        case descriptors
        case disk
        case cancelled
    }

    package let cause: Cause
    package let url: String
    /// The end of a sentence whose subject is the URL.
    package let reason: String

    package init(_ cause: Cause, url: String, reason: String) {
        self.cause = cause
        self.url = url
        self.reason = reason
    }

    /// One sentence: the URL and what happened.
    public var description: String { "\(url): \(reason)" }

    /// Whether the cause is on this machine and not on the server.
    package var isLocal: Bool { [.descriptors, .disk, .cancelled].contains(cause) }

    /// Whether the server was not reached.
    package var isUnreachable: Bool { [.name, .connect, .tls, .timeout].contains(cause) }
}
