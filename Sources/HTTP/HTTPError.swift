/// Why a request brought no usable answer.
public struct HTTPError: Error, Sendable, Equatable, CustomStringConvertible {
    /// The class of the error, which decides what happens next.
    public enum Cause: Sendable, Equatable {
        case name
        case connect
        case tls
        /// Silence, or too slow for too long.
        case timeout
        /// The connection ended before the answer was complete.
        case truncated
        /// The answer is complete and its content is wrong; another time it may be right.
        case content
        /// A status that is not an answer to the request.
        case status(Int)
        /// The answer cannot be accepted: too large, encoded, not what was requested, a redirect elsewhere.
        case refused
        /// The answer is not HTTP, or another error of libcurl.
        case protocolFault
        /// This process may not open as many files and sockets as it needs.
        case descriptors
        case disk
        case cancelled
    }

    package let cause: Cause
    package let url: String
    /// The rest of a sentence whose subject is the URL.
    package let reason: String

    package init(_ cause: Cause, url: String, reason: String) {
        self.cause = cause
        self.url = url
        self.reason = reason
    }

    /// One sentence: the URL and what happened.
    public var description: String { "\(url): \(reason)" }

    /// Whether the cause is on this machine, so that it says nothing about the URL.
    package var isLocal: Bool { [.descriptors, .disk, .cancelled].contains(cause) }

    /// Whether the server itself was not reached.
    package var isUnreachable: Bool { [.name, .connect, .tls, .timeout].contains(cause) }
}

extension String {
    /// Text from a server for a sentence: not too long, and without characters that move a cursor or turn the line
    /// around.
    var shown: String {
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(200) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: shown.append("\u{FFFD}")
            default: shown.append(scalar)
            }
        }
        return String(shown) + (unicodeScalars.count > 200 ? "…" : "")
    }
}
