import Platform

/// Limits the bytes that a capture stores. Sizes that lists claim are checked before the walk, actual bytes during it.
struct StorageLimit: Sendable {
    let maximum: Int
    /// The bytes that an interrupted run stored.
    let keptBefore: Int
    let disk: DiskReserve
    /// The bytes that this run stored, and an estimate for all list pages: each is as large as its list's first page.
    private let state = Locked<(kept: Int, claimed: Double)>((0, 0))

    /// Counts the bytes of an answer before it is stored.
    /// - Throws: if a limit is exceeded.
    func add(_ bytes: Int) throws {
        try state.withLock { state in
            guard bytes <= maximum - keptBefore - state.kept else {
                throw CaptureError.incomplete(
                    "the answers exceed the \(maximum) bytes that maximumCapture allows; the received answers are "
                        + "kept; raise maximumCapture and run again")
            }
            state.kept += bytes
            if let free = disk.shortage(for: bytes) {
                throw CaptureError.disk(
                    "the archive's disk has only \(free) free bytes; the received answers are kept; free space on the "
                        + "disk and run again")
            }
        }
    }

    /// Compares the size that a list claims with the available space, before the list is walked.
    /// - Parameter size: the bytes of its first page.
    /// - Throws: if there is not enough space.
    func claim(_ kind: String, pages: Int, of size: Int) throws {
        try state.withLock { state in
            state.claimed += Double(pages) * Double(size)
            guard pages > 1 else { return }
            let claim = "the \(kind) list claims \(pages) pages, and its first page has \(size) bytes"
            guard state.claimed <= Double(maximum) else {
                throw CaptureError.incomplete(
                    "\(claim): all lists together would exceed the \(maximum) bytes that maximumCapture allows; raise "
                        + "maximumCapture and run again")
            }
            if let room = disk.room, state.claimed > Double(keptBefore) + Double(room) {
                throw CaptureError.disk(
                    "\(claim): all lists together would exceed the \(room) bytes available on the archive's disk; free "
                        + "space on the disk and run again")
            }
        }
    }
}
