/// One request on its way: made when the request line is read, gone when libmicrohttpd has done with it.
///
/// Only the connection's own thread touches it.
final class Exchange {
    let target: String
    let start: ContinuousClock.Instant
    var headersRead = false
    private var finished: (@Sendable () -> Void)?

    init(target: String) {
        self.target = target
        self.start = .now
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
