import Glibc

/// A reader that is tested with arbitrary bytes. It must not trap, and must meet the conditions of `require`.
struct FuzzTarget: Sendable {
    /// The name of the target, of the folder of its corpus, and of its dictionary.
    let name: String
    let run: @Sendable ([UInt8]) -> Void

    static let all: [FuzzTarget] = [
        template, text, record, page, declaration, media, picture, headers, retryAfter, url, html, archiveRows,
        archiveFile, tar, bag, wacz,
    ]

    /// The target in the environment variable FUZZ_TARGET.
    static let chosen: FuzzTarget? = getenv("FUZZ_TARGET").flatMap { name in
        all.first { $0.name == String(cString: name) }
    }
}

/// Traps if a condition is not met. libFuzzer then stores the input as a finding.
func require(_ isTrue: Bool, _ condition: @autoclosure () -> String, line: UInt = #line, file: StaticString = #fileID) {
    if !isTrue { preconditionFailure("broken: \(condition())", file: file, line: line) }
}
