import Archive
import HTTP
import Platform

/// Lets one caller at a time request a path, and remembers the accepted answer for the others.
final class AnswersByPath: Sendable {
    private enum State {
        case asked(waiting: [CheckedContinuation<Void, Never>])
        case accepted(Exchange)
    }

    private let states = Guarded<[String: State]>([:])
}

extension AnswersByPath {
    /// - Returns: the accepted answer; nil if the caller has to request it, and then to call `end`.
    func wait(for path: String) async -> Exchange? {
        while true {
            let isFirst = states.withLock { states in
                guard states[path] == nil else { return false }
                states[path] = .asked(waiting: [])
                return true
            }
            if isFirst { return nil }
            if case .accepted(let exchange) = states.withLock({ $0[path] }) { return exchange }
            await withCheckedContinuation { continuation in
                let isOver = states.withLock { states in
                    guard case .asked(let waiting) = states[path] else { return true }
                    states[path] = .asked(waiting: waiting + [continuation])
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
        if case .asked(let waiting) = before { for continuation in waiting { continuation.resume() } }
    }
}

/// Entity tags (RFC 9110, section 8.8.3) that can be sent back to the server.
enum EntityTag {
    /// A longer one would make requests that servers refuse.
    private static let longest = 1_024

    /// The tag among an answer's header fields; nil if there is none, or it is malformed.
    static func text(in headers: [UInt8]) -> String? {
        guard let tag = [Header](parsing: headers, only: ["ETag"])["ETag"], tag.utf8.count <= longest else {
            return nil
        }
        let opaque = strong(tag).utf8
        guard opaque.count >= 2, opaque.first == UInt8(ascii: "\""), opaque.last == UInt8(ascii: "\""),
            opaque.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") })
        else { return nil }
        return tag
    }

    /// Whether a 304 may confirm an earlier answer: the tags are equal, weakly compared, or one of them is missing.
    static func agree(_ earlier: [UInt8], _ confirming: [UInt8]) -> Bool {
        guard let asked = text(in: earlier), let answered = text(in: confirming) else { return true }
        return strong(asked) == strong(answered)
    }

    private static func strong(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
