import Capture

extension FuzzTarget {
    /// A picture's first bytes.
    static let picture = FuzzTarget(name: "picture") { bytes in
        // An error means that it is no picture.
        guard let header = try? PictureHeader.read(bytes) else { return }
        require(header.width > 0 && header.height > 0, "a picture has a size: \(header)")
        require(header.width < 1 << 32 && header.height < 1 << 32, "no format can tell a larger size: \(header)")
        require((try? PictureHeader.read(bytes + bytes)) == header, "what follows the header changes nothing")
        // A capture keeps whole files, but what they are does not hang on it.
        for length in stride(from: bytes.count, to: 0, by: -max(1, bytes.count / 16)) {
            let cut = try? PictureHeader.read(Array(bytes[..<length]))
            require(cut == nil || cut == header, "a cut picture is the same or none: \(length) of \(bytes.count)")
        }
    }
}
