/// Why a server could not start: what was wanted, and what the system answered.
public struct ServerError: Error, Equatable, Sendable, CustomStringConvertible {
    /// What went wrong, as a complete sentence that says what to do.
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    static func portInUse(_ port: Int) -> ServerError {
        ServerError(
            "Port \(port) on 127.0.0.1 is in use by another program. Choose another one, or 0 for any that is free.")
    }
}
