import Platform

/// Writes a zip whose files are stored as they are (APPNOTE.TXT 6.3.10), so that readers find them at an offset without
/// unpacking.
struct ZipWriter: ~Copyable {
    private var file: FileWriter
    private var entries: [ZipEntry] = []
    private var open: (entry: ZipEntry, checksum: CRC32)?
    private let time: UInt32
    private let limit: UInt64

    /// - Parameters:
    ///   - time: when all files are said to be last changed.
    ///   - limit: from where on sizes and offsets are written long; lower in tests only.
    init(_ path: String, time: PackageTime, limit: UInt64 = ZipEntry.limit) throws(SnapshotError) {
        do { file = try FileWriter(path) } catch { throw .file(error) }
        self.time = time.dos
        self.limit = limit
    }

    /// Adds a file of these bytes, which are gone through twice.
    mutating func add(_ name: String, _ pieces: some Sequence<[UInt8]>) throws(SnapshotError) {
        var checksum = CRC32()
        var size: UInt64 = 0
        for piece in pieces {
            checksum.update(piece)
            size += UInt64(piece.count)
        }
        let entry = ZipEntry(
            name: Array(name.utf8), offset: UInt64(file.count), size: size, checksum: checksum.value,
            isLong: size >= limit)
        try write(entry.header(time: time))
        for piece in pieces { try write(piece) }
        entries.append(entry)
    }

    /// Begins a file whose length is not known yet.
    mutating func begin(_ name: String) throws(SnapshotError) {
        let entry = ZipEntry(name: Array(name.utf8), offset: UInt64(file.count), isLong: true)
        try write(entry.header(time: time))
        open = (entry, CRC32())
    }

    /// Adds bytes to the file that was begun.
    mutating func append(_ bytes: [UInt8]) throws(SnapshotError) {
        open?.entry.size += UInt64(bytes.count)
        open?.checksum.update(bytes)
        try write(bytes)
    }

    /// Ends the file that was begun: its header is written again, now that its length is known.
    mutating func end() throws(SnapshotError) {
        guard var entry = open?.entry, let checksum = open?.checksum else { return }
        entry.checksum = checksum.value
        do { try file.patch(entry.header(time: time), at: Int64(entry.offset)) } catch { throw .file(error) }
        entries.append(entry)
        open = nil
    }

    /// Writes the list of all files, and closes the zip.
    mutating func finish() throws(SnapshotError) {
        try write(ZipEntry.ending(entries, at: UInt64(file.count), time: time, limit: limit))
        do { try file.finish() } catch { throw .file(error) }
    }

    private mutating func write(_ bytes: [UInt8]) throws(SnapshotError) {
        do { try file.append(bytes) } catch { throw .file(error) }
    }
}
