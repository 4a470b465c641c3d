import Archive

/// What a bag says of its files.
enum BagManifest {
    /// bagit.txt (RFC 8493, section 2.1.1).
    static let declaration = Array("BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n".utf8)

    /// The digests that each bag has; interpolated, they are the parts of its manifests' names.
    enum Algorithm: CaseIterable {
        case sha256
        case sha512
    }

    /// Lines of digest and path.
    static func bytes(_ lines: [(path: String, digests: FileDigests)], _ algorithm: Algorithm) -> [UInt8] {
        var bytes: [UInt8] = []
        for (path, digests) in lines {
            bytes += (algorithm == .sha256 ? digests.sha256.hex : digests.sha512.hex).utf8
            bytes += "  ".utf8
            bytes += escaped(path)
            bytes.append(UInt8(ascii: "\n"))
        }
        return bytes
    }

    /// A path with the three characters escaped that would end or change a line (RFC 8493, section 2.1.3).
    static func escaped(_ path: String) -> [UInt8] {
        var bytes: [UInt8] = []
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "%"): bytes += "%25".utf8
            case UInt8(ascii: "\n"): bytes += "%0A".utf8
            case UInt8(ascii: "\r"): bytes += "%0D".utf8
            default: bytes.append(byte)
            }
        }
        return bytes
    }
}
