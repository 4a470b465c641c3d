import Platform

/// Writes a tar, file after file: POSIX ustar, with pax headers where a value has no room.
///
/// Its bytes are a function of what is added and of one time for all: no owner, no names of users, no clock.
public struct TarWriter: ~Copyable {
    private var file: FileWriter
    private let modified: Int64

    /// Makes a tar that is not there yet.
    /// - Parameter modified: seconds since 1970, that all in it is said to be last changed at.
    public init(_ path: String, modified: Int64) throws(SnapshotError) {
        do { file = try FileWriter(path) } catch { throw .file(error) }
        self.modified = max(0, modified)
    }

    /// Adds a folder; its path ends without a slash.
    public mutating func addFolder(_ path: String) throws(SnapshotError) {
        try begin(path, .folder, size: 0)
    }

    /// Adds a file of these bytes.
    public mutating func addFile(_ path: String, _ bytes: [UInt8]) throws(SnapshotError) {
        try begin(path, .file, size: Int64(bytes.count))
        try append(bytes)
        try append([UInt8](repeating: 0, count: TarEntry.padding(behind: Int64(bytes.count))))
    }

    /// Adds a file on disk, a piece at a time.
    /// - Parameter seen: is given each piece that was read.
    public mutating func addFile(_ path: String, from source: String, seen: ([UInt8]) -> Void = { _ in })
        throws(SnapshotError)
    {
        var reader = try FileReader.opened(source)
        try begin(path, .file, size: reader.status.size)
        try reader.forEachPiece(of: source) { piece throws(SnapshotError) in
            seen(piece)
            try append(piece)
        }
        try append([UInt8](repeating: 0, count: TarEntry.padding(behind: reader.status.size)))
    }

    /// Adds one more name of a file that was added before.
    public mutating func addLink(_ path: String, to earlier: String) throws(SnapshotError) {
        try begin(path, .link(to: earlier), size: 0)
    }

    /// Writes the end: two blocks of zeros, filled up to a record, and closes the file.
    public mutating func finish() throws(SnapshotError) {
        let end = file.count + Int64(2 * TarEntry.blockSize)
        let filling = Int((Int64(TarEntry.recordSize) - end % Int64(TarEntry.recordSize)) % Int64(TarEntry.recordSize))
        try append([UInt8](repeating: 0, count: 2 * TarEntry.blockSize + filling))
        do { try file.finish() } catch { throw .file(error) }
    }

    private mutating func begin(_ path: String, _ kind: TarEntry.Kind, size: Int64) throws(SnapshotError) {
        try PackagePath.check(path)
        try append(TarEntry(path: path, kind: kind, size: size, modified: modified).header)
    }

    private mutating func append(_ bytes: [UInt8]) throws(SnapshotError) {
        do { try file.append(bytes) } catch { throw .file(error) }
    }
}
