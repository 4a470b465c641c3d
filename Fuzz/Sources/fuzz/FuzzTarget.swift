import Glibc

/// One reader, tried with any bytes whatever. Beyond not trapping it is held to what it promises.
struct FuzzTarget: Sendable {
    /// What the folder of its corpus and its dictionary are called.
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    static let all: [FuzzTarget] = [
        template, text, record, page, media, picture, headers, retryAfter, url, html, archiveRows, archiveFile, tar,
        bag, wacz,
    ]

    /// The target that the environment names.
    static let chosen: FuzzTarget? = getenv("FUZZ_TARGET").flatMap { name in
        all.first { $0.name == String(cString: name) }
    }
}

/// Ends the run, and so keeps the input as a find, where a promise is broken.
func require(_ isKept: Bool, _ promise: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
    if !isKept { preconditionFailure("broken: \(promise())", file: file, line: line) }
}
