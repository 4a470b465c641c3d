/// One thing that a verification looked at: what it claims, and the first thing that contradicts it.
public struct Proof: Sendable, Equatable {
    /// What it is about: "archive", "site", or a package's name.
    public let subject: String
    /// What holds, or would hold, with its figures: "1,003 records are the bytes that were captured".
    public let claim: String
    /// The first difference; nil where the claim holds.
    public let fault: String?
    /// Whether this was not checked; `claim` says what, and why.
    public let isSkipped: Bool

    /// A proof with its outcome.
    public init(_ subject: String, _ claim: String, fault: String? = nil) {
        self.subject = subject
        self.claim = claim
        self.fault = fault
        isSkipped = false
    }

    /// A check that was not made.
    public init(_ subject: String, notProved what: String, because reason: String) {
        self.subject = subject
        claim = "not proved: \(what): \(reason)"
        fault = nil
        isSkipped = true
    }

    /// Runs a check: what it throws is its fault.
    public static func of(
        _ subject: String, _ check: () throws -> (claim: String, fault: String?), orElse claim: String
    ) -> Proof {
        do {
            let outcome = try check()
            return Proof(subject, outcome.claim, fault: outcome.fault)
        } catch {
            return Proof(subject, claim, fault: "\(error)")
        }
    }
}
