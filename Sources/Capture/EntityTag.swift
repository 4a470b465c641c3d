import HTTP

/// Entity tags (RFC 9110, section 8.8.3), as far as they can be sent back to the server.
enum EntityTag {
    /// A longer one would make requests that servers refuse.
    private static let longest = 1_024

    /// The tag among an answer's header fields; nil where there is none, or none that is well formed.
    static func text(in headers: [UInt8]) -> String? {
        guard let tag = [Header](parsing: headers, only: ["ETag"])["ETag"], tag.utf8.count <= longest else {
            return nil
        }
        let opaque = (tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...]).utf8
        guard opaque.count >= 2, opaque.first == UInt8(ascii: "\""), opaque.last == UInt8(ascii: "\"") else {
            return nil
        }
        guard opaque.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != UInt8(ascii: "\"") }) else {
            return nil
        }
        return tag
    }

    /// Whether an answer that confirms an earlier one may mean it: the tags are equal, weakly compared, or one says
    /// none.
    static func agree(_ earlier: [UInt8], _ confirming: [UInt8]) -> Bool {
        guard let asked = text(in: earlier), let answered = text(in: confirming) else { return true }
        return strong(asked) == strong(answered)
    }

    private static func strong(_ tag: String) -> Substring { tag.hasPrefix("W/") ? tag.dropFirst(2) : tag[...] }
}
