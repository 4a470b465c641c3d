import Archive
import Capture
import Catalogue
import HTTPServer
import Mustache
import Platform
import Site
import Snapshot

/// The program's exit codes. docs/reference.md describes them.
enum ExitCode: Int32, CaseIterable {
    case done = 0
    case wrongUsage = 2
    case notCaptured = 3
    case doneWithGaps = 4
    case pageFails = 5
    case outputInUse = 6
    case verificationFails = 7
    case interrupted = 130
    case terminated = 143

    var summary: String {
        switch self {
        case .done: "done"
        case .wrongUsage: "wrong usage or configuration"
        case .notCaptured:
            "the data cannot be captured, or the archive is damaged or has no suitable revision; the site is unchanged"
        case .doneWithGaps: "done, but with gaps: the summary and completeness.html list what the server lacks"
        case .pageFails: "a page, template or part fails its check; the site is unchanged"
        case .outputInUse:
            "the output is in use, cannot be written, or contains files that Amber did not create or a site of "
                + "another catalogue; or a port is in use; or rclone failed"
        case .verificationFails: "a check of the verb verify failed; its line shows the first difference"
        case .interrupted: "interrupted by SIGINT; the next run continues from there"
        case .terminated: "interrupted by SIGTERM; the next run continues from there"
        }
    }
}

/// An error that ends the program: its message and exit code.
struct Failure: Error, CustomStringConvertible {
    let code: ExitCode
    /// One sentence, or the lines of a report on templates and pages.
    let lines: [String]

    var description: String { lines.joined(separator: "\n") }

    init(_ code: ExitCode, _ line: String) { self.init(code: code, lines: [line]) }

    static func usage(_ reason: String) -> Failure { Failure(.wrongUsage, reason) }

    /// Throws a failure unless a condition holds.
    static func require(
        _ condition: Bool, as code: ExitCode = .wrongUsage, _ reason: @autoclosure () -> String
    ) throws {
        if !condition { throw Failure(code, reason()) }
    }

    /// Returns a value, or throws a failure if there is none.
    static func require<Value>(
        _ value: Value?, as code: ExitCode = .wrongUsage, _ reason: @autoclosure () -> String
    ) throws -> Value {
        guard let value else { throw Failure(code, reason()) }
        return value
    }

    private init(code: ExitCode, lines: [String]) { (self.code, self.lines) = (code, lines) }

    /// The only place that maps errors to exit codes.
    init(_ error: any Error) {
        switch error {
        case let error as Failure: self = error
        case let error as ArchiveError where error.isInterruption: self.init(SiteError.cancelled)
        case SiteError.cancelled, CaptureError.cancelled: self.init(Interruption.code ?? .interrupted, "\(error)")
        case SiteError.output(let reason): self.init(.outputInUse, reason)
        case let error as SiteError: self.init(code: .pageFails, lines: error.lines)
        case let error as TemplateError: self.init(code: .pageFails, lines: error.lines)
        case let fault as ContentFault: self.init(.notCaptured, "a record in the archive cannot be read: \(fault)")
        // Errors such as a full disk or a missing permission can be fixed. A damaged archive must be captured again.
        case let error as ArchiveError: self.init(error.isRefusal ? .outputInUse : .notCaptured, "\(error)")
        case is SystemError, is ServerError, CaptureError.disk, SnapshotError.alreadyExists:
            self.init(.outputInUse, "\(error)")
        default: self.init(.notCaptured, "\(error)")
        }
    }

    /// Runs work and converts its errors to failures with this code.
    /// - Parameter start: the start of the message.
    static func with<Value>(_ code: ExitCode, _ start: String = "", _ work: () throws -> Value) throws -> Value {
        do {
            return try work()
        } catch {
            let lines = Failure(error).lines
            throw Failure(code: code, lines: [start + (lines.first ?? "")] + lines.dropFirst())
        }
    }
}
