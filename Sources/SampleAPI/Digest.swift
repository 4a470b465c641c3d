import CCrypto

/// Entity tags as Express makes them: length in hexadecimal, and 27 characters of the SHA-1 in base64.
enum Digest {
    static func entityTag(_ body: [UInt8]) -> String {
        "W/\"" + String(body.count, radix: 16) + "-" + base64(sha1(body)).prefix(27) + "\""
    }

    /// - Returns: twenty bytes.
    static func sha1(_ bytes: [UInt8]) -> [UInt8] {
        var digest = [UInt8](repeating: 0, count: Int(SHA_DIGEST_LENGTH))
        _ = SHA1(bytes, bytes.count, &digest)
        return digest
    }

    static func base64(_ bytes: [UInt8]) -> String {
        // EVP_EncodeBlock writes four characters for three bytes, and a zero.
        var text = [UInt8](repeating: 0, count: (bytes.count + 2) / 3 * 4 + 1)
        let length = EVP_EncodeBlock(&text, bytes, Int32(bytes.count))
        return String(decoding: text[..<Int(length)], as: UTF8.self)
    }
}
