public import Platform

/// An archive's folder held open, to look at many of its pictures' files.
public struct OpenArchive: Sendable {
    private let folder: OpenFolder

    /// Opens the folder.
    public init(_ archive: ArchiveFolder) throws(SystemError) {
        folder = try Folder.open(archive.path)
    }

    /// The status of the file of a picture; nil where there is none.
    public func status(ofPicture sha256: SHA256) -> FileStatus? {
        // As ArchiveFolder.assetPath has it, without a text for each: a site has thousands.
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: Self.prefix.utf8CodeUnitCount + 67) { path in
            var place = 0
            func append(_ byte: UInt8) {
                path[place] = CChar(bitPattern: byte)
                place += 1
            }
            for byte in UnsafeBufferPointer(start: Self.prefix.utf8Start, count: Self.prefix.utf8CodeUnitCount) {
                append(byte)
            }
            append(Self.digit(sha256.words.0 >> 60))
            append(UInt8(ascii: "/"))
            for word in [sha256.words.0, sha256.words.1, sha256.words.2, sha256.words.3] {
                for shift in stride(from: 60, through: 0, by: -4) { append(Self.digit(word >> UInt64(shift) & 15)) }
            }
            append(0)
            return path.baseAddress.flatMap { FileStatus($0, in: folder) }
        }
    }

    private static let prefix: StaticString = "assets/"

    private static func digit(_ value: UInt64) -> UInt8 {
        UInt8(value) + (value < 10 ? UInt8(ascii: "0") : UInt8(ascii: "a") - 10)
    }
}
