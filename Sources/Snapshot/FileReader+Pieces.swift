import Platform

extension FileReader {
    /// How much of a file is in memory at once.
    static let pieceSize = 1 << 20

    static func opened(_ path: String) throws(SnapshotError) -> FileReader {
        do { return try FileReader(path) } catch { throw .file(error) }
    }

    /// Reads the whole file, which must be as long as it was when it was opened.
    mutating func forEachPiece(of path: String, _ body: ([UInt8]) throws(SnapshotError) -> Void) throws(SnapshotError) {
        var count: Int64 = 0
        while true {
            let piece: [UInt8]
            do { piece = try read(Self.pieceSize) } catch { throw .file(error) }
            guard !piece.isEmpty else { break }
            count += Int64(piece.count)
            guard count <= status.size else { break }
            try body(piece)
        }
        guard count == status.size else { throw .changed("\(path) changed its length while it was read") }
    }
}
