/// How the program ends; README lists them.
public enum ExitCode: Int32, Sendable {
    case done = 0
    case wrongUsage = 2
    case notCaptured = 3
    case publishedWithGaps = 4
    case pageFails = 5
    case outputInUse = 6
    case verificationFails = 7
    case interrupted = 130
    case terminated = 143
}

/// An end that is not `done`: what to tell the person, and the code.
struct Failure: Error, CustomStringConvertible {
    let code: ExitCode
    let sentence: String

    var description: String { sentence }

    init(_ code: ExitCode, _ sentence: String) {
        self.code = code
        self.sentence = sentence
    }
}
