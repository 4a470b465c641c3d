import Capture

extension FuzzTarget {
    /// A picture.
    static let picture = FuzzTarget(name: "picture") { bytes in
        // An error means that it is not a picture.
        guard let header = try? PictureHeader.read(bytes) else { return }
        require(header.width > 0 && header.height > 0, "a picture has a size: \(header)")
        require(header.width < 1 << 32 && header.height < 1 << 32, "no format has larger sizes: \(header)")
        // With `try?`, an error is nil.
        let repeated = try? PictureHeader.read(bytes + bytes)
        require(repeated.map { $0 == header } == true, "bytes after the end change nothing")
        // A truncated picture is refused, or its cut is after the end.
        for length in stride(from: bytes.count, to: 0, by: -max(1, bytes.count / 16)) {
            // An error means that the truncated picture is refused.
            let cut = try? PictureHeader.read(Array(bytes[..<length]))
            require(
                cut.map { $0 == header } != false,
                "a truncated picture is the same or refused: \(length) of \(bytes.count)")
        }
    }
}
