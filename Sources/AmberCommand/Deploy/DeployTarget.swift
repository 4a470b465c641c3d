import Glibc
import Platform

/// A target of a deploy: a path that rclone understands, such as `remote:bucket/path`.
struct DeployTarget {
    let text: String
    /// The target without the parameters of a connection string, which may be secrets.
    private(set) var shown: String
    /// The values of these parameters.
    private var secrets: [String] = []

    /// The parameters of connection strings that messages may contain.
    private static let harmless: Set<Substring> = ["url", "host", "port", "provider", "endpoint", "region", "vendor"]

    init(_ text: String) throws {
        try Failure.require(
            !text.isEmpty && !text.hasPrefix("-") && !text.utf8.contains(0),
            "deploy requires one target of rclone: amber deploy remote:bucket/path")
        self.text = text
        shown = text
        // A connection string, such as `:webdav,url="https://…",pass=…:path`. A path on this machine has a
        // slash before its first comma.
        if let match = text.prefixMatch(of: /(:?[^:,\/]*),((?:"[^"]*"|'[^']*'|[^:"'])*:|.*)/) {
            shown = "\(match.1),…:\(text[match.range.upperBound...])"
            secrets = match.2.split(separator: ",").compactMap { parameter in
                let parts = parameter.split(separator: "=", maxSplits: 1)
                let isHarmless = parts.count == 2 && Self.harmless.contains(parts[0])
                return isHarmless ? nil : parts.last.map { String($0.trimmed { "\"':".contains($0) }) }
            }
        }
        shown = redacted(shown)
    }

    /// The path of a file at the target.
    func path(_ name: String) -> String {
        text.hasSuffix("/") || text.hasSuffix(":") ? text + name : "\(text)/\(name)"
    }

    /// A message of rclone without the secrets of the target, passwords in addresses, and signatures in queries.
    func redacted(_ message: String) -> String {
        // rclone also prints it as a quoted string.
        let named = message.replacing(text, with: shown).replacing(text.replacing("\"", with: "\\\""), with: shown)
        return secrets.filter { $0.utf8.count > 2 }.reduce(named) { $0.replacing($1, with: "…") }
            .replacing(/:\/\/[^\/@ ]*@/, with: "://…@").replacing(/(https?:[^ "?]*)\?[^ "]*/) { "\($0.1)?…" }
    }
}

/// Runs rclone for one target.
struct Rclone {
    let target: DeployTarget
    /// A folder for the output of rclone and lists of files.
    let scratch: String
    /// Held until rclone ends, even if this process is killed.
    let lock: FileLock?
    var program = "rclone"
    /// Called before each run. A test can throw an error to stop the deploy.
    var willRun: ([String]) throws -> Void = { _ in }
    var isCancelled: () -> Bool = { Interruption.code != nil }

    private static let common = [
        "--ask-password=false", "--retries", "1", "--low-level-retries", "3", "--contimeout", "20s", "--timeout", "60s",
        "--stats", "0", "--dry-run=false", "--ignore-existing=false",
    ]

    /// The time limit of a run: five minutes, and more for many files and bytes. 20 kB/s are enough for every run.
    static func seconds(for files: Int, bytes: Int) -> Double { 300 + Double(files) / 5 + Double(bytes) / 20_000 }

    /// - Parameters:
    ///   - arguments: the command with its options.
    ///   - paths: the only paths below the target that the command is for; nil for all.
    ///   - bytes: the number of bytes to transfer, for the time limit.
    ///   - limit: the maximum number of bytes of the output.
    ///   - acceptsMissing: whether a missing file or folder counts as empty.
    @discardableResult
    func run(
        _ arguments: [String], for paths: [String]? = nil, bytes: Int = 0, limit: Int = 1 << 16,
        acceptsMissing: Bool = false
    ) throws -> [UInt8] {
        try willRun(arguments)
        let seconds = Self.seconds(for: paths?.count ?? 0, bytes: bytes)
        var options = Self.common
        if let paths {
            let list = "\(scratch)/paths"
            try File.replace(Array(paths.map { $0 + "\n" }.joined().utf8), at: list)
            options += ["--no-traverse", "--files-from-raw", list]
        }
        let outcome: ChildProcess.Outcome
        do {
            outcome = try ChildProcess.run(
                program, arguments + options, scratch: scratch, seconds: seconds, outputLimit: limit, holding: lock,
                isCancelled: isCancelled)
        } catch let error as SystemError where error.action == "start" && error.code == ENOENT {
            throw Failure.usage("deploy needs rclone, which is not installed; on Debian: apt install rclone")
        }
        if isCancelled(), outcome.code != 0 {
            throw Failure(
                Interruption.code ?? .interrupted, "the deploy was interrupted; the next one continues from there")
        }
        // Exit codes 3 and 4: a folder or file was not found (https://rclone.org/docs/#exit-code).
        if acceptsMissing, [3, 4].contains(outcome.code) { return [] }
        guard outcome.code == 0, !outcome.exceeded else {
            let reason =
                outcome.exceeded
                ? "it took longer than \(Int(seconds)) s, so the connection may be too slow, or it printed too much"
                : reason(outcome)
            throw Failure(.outputInUse, "rclone \(arguments[0]) failed for \(target.shown): \(reason)")
        }
        return outcome.output
    }

    /// The first error that rclone printed.
    private func reason(_ outcome: ChildProcess.Outcome) -> String {
        let lines = String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n").map {
            // Lines begin with a date and a time.
            $0.replacing(/^[0-9\/]{10} [0-9:]{8} (ERROR *: *)?/, with: "")
        }
        let line = lines.first { !$0.hasPrefix("NOTICE") } ?? "exit code \(outcome.code)"
        let shown = target.redacted(String(line))
        return shown.count > 300 ? "\(shown.prefix(300))…" : shown
    }
}
