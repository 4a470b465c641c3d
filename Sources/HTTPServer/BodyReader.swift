/// A body handed over piece by piece, where it is made, or sent slowly, or cut short.
final class BodyReader {
    let size: Int
    private let misbehaviour: ServerAnswer.Misbehaviour?
    private let piece: (_ offset: Int, _ most: Int) -> [UInt8]
    private let interrupt: Interrupt
    private let exchange: Exchange

    init(
        size: Int, misbehaviour: ServerAnswer.Misbehaviour?, interrupt: Interrupt, exchange: Exchange,
        piece: @escaping (_ offset: Int, _ most: Int) -> [UInt8]
    ) {
        self.size = size
        self.misbehaviour = misbehaviour
        self.interrupt = interrupt
        self.exchange = exchange
        self.piece = piece
    }

    /// - Returns: how many bytes were written; 0 or less ends the connection.
    func read(from offset: Int, into buffer: UnsafeMutablePointer<CChar>, most: Int) -> Int {
        var most = most
        switch misbehaviour {
        case .truncated(let end):
            if offset >= end { return cut() }
            most = min(most, end - offset)
        case .slow(let bytes, let interval):
            if offset > 0, !interrupt.sleep(interval) { return cut() }
            most = min(most, max(bytes, 1))
        case .hang, .reset, nil:
            break
        }

        let bytes = piece(offset, most)
        if bytes.isEmpty { return cut() }
        let count = min(bytes.count, most)
        if offset + count >= size { exchange.finish() }
        UnsafeMutableRawPointer(buffer).copyMemory(from: bytes, byteCount: count)
        return count
    }

    private func cut() -> Int {
        exchange.finish()
        return -1
    }
}
