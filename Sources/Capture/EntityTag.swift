import Platform

/// Entity tags (RFC 9110, section 8.8.3) that can be sent back to the server.
enum EntityTag {
    /// The tag in an answer's headers; nil if there is none, or if it is malformed.
    static func text(in headers: [UInt8]) -> String? {
        guard let tag = [Header](parsing: headers, only: ["ETag"])["ETag"] else { return nil }
        let opaque = strong(tag).utf8
        // Servers refuse requests with very long headers.
        guard tag.utf8.count <= 1_024, opaque.count >= 2, opaque.first == "\"", opaque.last == "\"",
            opaque.dropFirst().dropLast().allSatisfy({ $0 > 0x20 && $0 != 0x7F && $0 != "\"" })
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
