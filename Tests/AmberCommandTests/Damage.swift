import Foundation
import SQLite

/// Damages files as a disk does, also read-only files. Size and modification time are unchanged.
enum Damage {
    static func flip(in path: String, at offset: Int, bit: Int = 0) throws {
        try overwrite(path, at: offset) { $0.map { $0 ^ UInt8(1 << bit) } }
    }

    static func overwrite(_ path: String, at offset: Int, count: Int = 1, _ change: (Data) -> [UInt8]) throws {
        var status = stat()
        guard stat(path, &status) == 0 else { throw CocoaError(.fileNoSuchFile) }
        chmod(path, 0o644)
        let file = try FileHandle(forUpdating: URL(fileURLWithPath: path))
        try file.seek(toOffset: UInt64(offset))
        let old = try file.read(upToCount: count) ?? Data()
        try file.seek(toOffset: UInt64(offset))
        try file.write(contentsOf: Data(change(old)))
        try file.close()
        chmod(path, status.st_mode)
        guard utimensat(AT_FDCWD, path, [status.st_atim, status.st_mtim], 0) == 0 else {
            throw CocoaError(.fileWriteUnknown)
        }
    }

    /// Flips one bit of the byte that follows `bytes`.
    static func flip(in path: String, after bytes: String) throws {
        let file = try Data(contentsOf: URL(fileURLWithPath: path))
        guard let found = file.range(of: Data(bytes.utf8)) else { throw CocoaError(.fileReadCorruptFile) }
        try flip(in: path, at: found.upperBound)
    }
}
