import Platform

/// One request on its way: made when the request line is read, gone when libmicrohttpd has done with it.
///
/// Only the connection's own thread touches it.
final class Exchange {
    let target: String
    let start: ContinuousClock.Instant
    /// nil until they are read.
    var headers: RequestHeaders?
    private var finished: (@Sendable () -> Void)?
    private var held: (bytes: Int, budget: Guarded<Int>)?

    init(target: String) {
        self.target = target
        self.start = .now
    }

    deinit {
        if let held { held.budget.withLock { $0 += held.bytes } }
    }

    /// Takes bytes from a budget until the exchange ends.
    /// - Returns: whether the budget had enough bytes left.
    func hold(_ bytes: Int, of budget: Guarded<Int>) -> Bool {
        let isHeld = budget.withLock { left in
            guard bytes <= left else { return false }
            left -= bytes
            return true
        }
        if isHeld { held = (bytes, budget) }
        return isHeld
    }

    func onFinish(_ call: (@Sendable () -> Void)?) {
        finished = call
    }

    func finish() {
        let call = finished
        finished = nil
        call?()
    }
}
