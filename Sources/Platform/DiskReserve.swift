/// The space on a disk that Amber does not use: a tenth of the space that is free at the beginning, at most 5 GB.
public final class DiskReserve: Sendable {
    private let freeSpace: @Sendable () -> Int?
    private let size: Int
    /// The bytes above the reserve at the beginning; nil where the system does not say.
    public let room: Int?
    private let untilLook = Guarded(0)

    /// Bytes between two looks at the disk.
    private static let step = 64 << 20

    /// - Parameter freeSpace: the free bytes on the disk, as `Folder.freeSpace` gives them.
    public init(_ freeSpace: @escaping @Sendable () -> Int?) {
        self.freeSpace = freeSpace
        let free = freeSpace()
        size = min((free ?? 0) / 10, 5_000_000_000)
        room = free.map { [size] in $0 - size }
    }

    /// Counts bytes that are about to be written.
    /// - Returns: the free bytes, where fewer than the reserve would be left; nil where there is space.
    public func shortage(for bytes: Int) -> Int? {
        let isTime = untilLook.withLock { left in
            left -= bytes
            guard left <= 0 else { return false }
            left = Self.step
            return true
        }
        guard isTime, let free = freeSpace(), free - bytes < size else { return nil }
        // The next one looks again.
        untilLook.withLock { $0 = 0 }
        return free
    }
}
