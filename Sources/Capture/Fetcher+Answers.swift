import Archive
import HTTP
import Platform

/// Lets one caller at a time request a path, and shares the accepted answer with the other callers.
final class AnswersByPath: Sendable {
    private enum State {
        case requested(waiting: [CheckedContinuation<Void, Never>])
        case accepted(Exchange)
    }

    private let states = Locked<[String: State]>([:])
}

extension AnswersByPath {
    /// Waits while another caller requests the path.
    /// - Returns: the accepted answer; nil if this caller must request the path and then call `end`.
    func wait(for path: String) async -> Exchange? {
        while true {
            let isFirst = states.withLock { states in
                guard states[path] == nil else { return false }
                states[path] = .requested(waiting: [])
                return true
            }
            if isFirst { return nil }
            if case .accepted(let exchange) = states.withLock({ $0[path] }) { return exchange }
            await withCheckedContinuation { continuation in
                let isOver = states.withLock { states in
                    guard case .requested(let waiting) = states[path] else { return true }
                    states[path] = .requested(waiting: waiting + [continuation])
                    return false
                }
                if isOver { continuation.resume() }
            }
        }
    }

    /// - Parameter exchange: the accepted answer. If it is nil, the next caller requests it.
    func end(_ path: String, _ exchange: Exchange?) {
        let before = states.withLock { states in
            let before = states[path]
            states[path] = exchange.map { .accepted($0) }
            return before
        }
        if case .requested(let waiting) = before { for continuation in waiting { continuation.resume() } }
    }
}

/// Entity tags (RFC 9110, section 8.8.3) that can be sent back to the server.
enum EntityTag {
    /// Servers refuse requests with very long headers.
    private static let maximumLength = 1_024

    /// The tag in an answer's headers; nil if there is none, or if it is malformed.
    static func text(in headers: [UInt8]) -> String? {
        guard let tag = [Header](parsing: headers, only: ["ETag"])["ETag"], tag.utf8.count <= maximumLength else {
            return nil
        }
        let opaque = strong(tag).utf8
        guard opaque.count >= 2, opaque.first == UInt8(ascii: "\""), opaque.last == UInt8(ascii: "\""),
            opaque.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") })
        else { return nil }
        return tag
    }

    /// Whether a 304 may confirm an earlier answer: the tags are equal in a weak comparison, or one is missing.
    static func agree(_ earlier: [UInt8], _ confirming: [UInt8]) -> Bool {
        guard let sent = text(in: earlier), let answered = text(in: confirming) else { return true }
        return strong(sent) == strong(answered)
    }

    private static func strong(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
