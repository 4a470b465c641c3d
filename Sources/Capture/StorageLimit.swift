import Platform

/// Bounds what a capture writes to the disk: the bytes of the answers that it keeps, and before that what its lists
/// claim to have.
final class StorageLimit: Sendable {
    private struct State {
        /// Bytes kept: bodies and headers, those of an interrupted run included.
        var kept: Int
        /// Bytes that all pages of the lists have, if they are as large as each list's first page.
        var claimed = 0
    }

    private let maximum: Int
    private let keptBefore: Int
    private let disk: DiskReserve
    private let state: Guarded<State>

    /// - Parameters:
    ///   - keptBefore: bytes that an interrupted run has kept.
    ///   - freeSpace: the free bytes on the archive's disk.
    init(maximum: Int, keptBefore: Int, freeSpace: @escaping @Sendable () -> Int?) {
        self.maximum = maximum
        self.keptBefore = keptBefore
        disk = DiskReserve(freeSpace)
        state = Guarded(State(kept: keptBefore))
    }
}

extension StorageLimit {
    /// Counts an answer that is about to be kept.
    func take(_ bytes: Int) throws(CaptureError) {
        try state.withLock { (state) throws(CaptureError) in
            guard bytes <= maximum - state.kept else {
                throw .incomplete(
                    """
                    its answers have more than the \(maximum) bytes that maximumCapture allows; what came in is kept: \
                    raise maximumCapture and run again
                    """)
            }
            state.kept += bytes
            if let free = disk.shortage(for: bytes) {
                throw .incomplete(
                    """
                    the archive's disk has only \(free) bytes left; what came in is kept: make room there and run again
                    """)
            }
        }
    }

    /// Compares what a list claims with the space that there is, before it is walked.
    /// - Parameter size: the bytes of its first page.
    func claim(_ kind: String, pages: Int, of size: Int) throws(CaptureError) {
        let (product, isHuge) = pages.multipliedReportingOverflow(by: size)
        let bytes = isHuge ? Int.max : product
        try state.withLock { (state) throws(CaptureError) in
            let (sum, isHuger) = state.claimed.addingReportingOverflow(bytes)
            state.claimed = isHuger ? Int.max : sum
            guard pages > 1 else { return }
            let claim = "the \(kind) list claims \(pages) pages, and its first has \(size) bytes"
            guard state.claimed <= maximum else {
                throw .incomplete(
                    """
                    \(claim): with it the lists have more than the \(maximum) bytes that maximumCapture allows; raise \
                    it \
                    and run again
                    """)
            }
            if let room = disk.room, state.claimed - keptBefore > room {
                throw .incomplete(
                    """
                    \(claim): with it the lists have more than the \(room) bytes that can be used on the archive's \
                    disk; \
                    make room there and run again
                    """)
            }
        }
    }
}
