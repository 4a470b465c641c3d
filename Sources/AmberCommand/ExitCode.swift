import Archive
import Capture
import Catalogue
import HTTPServer
import Mustache
import Platform
import Site
import Snapshot

/// How the program ends; README lists them.
public enum ExitCode: Int32, CaseIterable, Sendable {
    case done = 0
    case wrongUsage = 2
    case notCaptured = 3
    case publishedWithGaps = 4
    case pageFails = 5
    case outputInUse = 6
    case verificationFails = 7
    case interrupted = 130
    case terminated = 143

    /// What it means, for the manual.
    var summary: String {
        switch self {
        case .done: "done"
        case .wrongUsage: "wrong usage or configuration"
        case .notCaptured:
            "the source cannot be captured completely, or the archive is damaged; the site stays as it was"
        case .publishedWithGaps:
            "published, with gaps: what could not be had is listed in the summary and on the about page"
        case .pageFails: "a page or template fails its check; the site stays as it was"
        case .outputInUse:
            "the output is in use, cannot be written, or holds what Amber did not make, or made of another API; or a "
                + "port is taken"
        case .verificationFails: "a check of verify fails: its line names the first difference"
        case .interrupted: "interrupted by SIGINT; the next run goes on from there"
        case .terminated: "interrupted by SIGTERM; the next run goes on from there"
        }
    }
}

/// An end that is not `done`: what to tell the person, and the code.
struct Failure: Error, CustomStringConvertible {
    let code: ExitCode
    /// One sentence, or the lines of a report on templates and pages.
    let lines: [String]

    /// The lines as one text.
    var sentence: String { lines.joined(separator: "\n") }
    var description: String { sentence }

    init(_ code: ExitCode, _ sentence: String) {
        self.init(code, lines: [sentence])
    }

    init(_ code: ExitCode, lines: [String]) {
        self.code = code
        self.lines = lines
    }

    /// What an error of any stage ends the program with.
    init(_ error: any Error) {
        let code: ExitCode
        switch error {
        case let error as Failure:
            self = error
            return
        case CaptureError.archive(let error):
            self.init(error)
            return
        case CaptureError.cancelled, SiteError.cancelled: code = Interruption.code ?? .interrupted
        // The disk or its rights refused the archive. A damaged archive has to be captured again.
        case let error as ArchiveError: code = error.isRefusal ? .outputInUse : .notCaptured
        case is SystemError, is ServerError, CaptureError.disk, SnapshotError.standing:
            code = .outputInUse
        case SiteError.output: code = .outputInUse
        case SnapshotError.key: code = .wrongUsage
        case let fault as ContentFault:
            self.init(.notCaptured, "a record in the archive cannot be read: \(fault)")
            return
        case let error as SiteError:
            self.init(.pageFails, lines: error.lines)
            return
        case let error as TemplateError:
            self.init(.pageFails, lines: error.lines)
            return
        default: code = .notCaptured
        }
        self.init(code, "\(error)")
    }
}
