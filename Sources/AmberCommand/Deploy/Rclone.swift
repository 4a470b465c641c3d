import Glibc
import Platform

struct Rclone {
    /// A path that rclone understands, such as `remote:bucket/path`.
    let target: String
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

    /// With this variable rclone starts in half the time, because it does not make a table that only its interactive
    /// commands need (source: commit 2f889d79 of github.com/gdamore/tcell).
    private static let variables = ["TCELL_MINIMIZE": "1"]

    /// The path of a file at the target.
    func path(_ name: String) -> String {
        target.hasSuffix("/") || target.hasSuffix(":") ? target + name : "\(target)/\(name)"
    }

    /// The absolute path of a local target, which need not exist; nil for a remote. Symbolic links are resolved.
    static func localPath(_ target: String) -> String? {
        guard target.hasPrefix("/") || !target.prefix(while: { $0 != "/" }).contains(":") else { return nil }
        let absolute = target.hasPrefix("/") ? target : "\(Folder.realPath(".") ?? "")/\(target)"
        var existing: [Substring] = []
        // rclone resolves ".." before it looks at the disk.
        for part in absolute.split(separator: "/") where part != "." {
            if part == ".." { _ = existing.popLast() } else { existing.append(part) }
        }
        for count in (0...existing.count).reversed() {
            if let path = Folder.realPath("/" + existing[..<count].joined(separator: "/")) {
                return ([path] + existing[count...].map(String.init)).joined(separator: "/")
            }
        }
        return absolute
    }

    /// The time limit of a run: five minutes, and more for many files and bytes. 20 kB/s are enough for files of up to
    /// 1.7 GB. It is less than a day, so that the lock of a deploy lasts longer.
    static func seconds(for files: Int, bytes: Int) -> Double {
        min(300 + Double(files) / 5 + Double(bytes) / 20_000, 85_000)
    }

    /// - Parameters:
    ///   - arguments: the command with its options. They replace common ones, because rclone uses the last value.
    ///   - paths: the only paths below the target that the command is for; nil for all.
    ///   - bytes: the number of bytes to transfer, for the time limit.
    ///   - acceptsMissing: whether a missing file or folder counts as empty.
    /// - Returns: the output.
    @discardableResult
    func run(
        _ arguments: [String], for paths: [String]? = nil, bytes: Int = 0, acceptsMissing: Bool = false
    ) throws -> [UInt8] {
        try willRun(arguments)
        let seconds = Self.seconds(for: paths?.count ?? 0, bytes: bytes)
        var options: [String] = []
        if let paths {
            let list = "\(scratch)/paths"
            try File.replace(Array(paths.map { $0 + "\n" }.joined().utf8), at: list)
            options += ["--no-traverse", "--files-from-raw", list]
        }
        let outcome: ChildProcess.Outcome
        do {
            outcome = try ChildProcess.run(
                program, arguments.prefix(1) + Self.common + arguments.dropFirst() + options,
                variables: Self.variables, scratch: scratch, seconds: seconds, outputLimit: DeployManifest.limit,
                holding: lock, isCancelled: isCancelled)
        } catch let error as SystemError where error.action == "start" && error.code == ENOENT {
            throw Failure.usage("deploy needs rclone, which is not installed; on Debian: apt install rclone")
        }
        if isCancelled(), outcome.code != 0 {
            throw Failure(
                Interruption.code ?? .interrupted, "the deploy was interrupted; the next one continues from there")
        }
        // Exit codes 3 and 4: a folder or file was not found (https://rclone.org/docs/#exit-code).
        let isMissing = acceptsMissing && [3, 4].contains(outcome.code)
        try Failure.require(
            (outcome.code == 0 || isMissing) && !outcome.exceeded, as: .outputInUse,
            "rclone \(arguments[0]) failed for \(target): "
                + (outcome.exceeded
                    ? "it took longer than \(Int(seconds)) s, so the connection may be too slow, or it printed too much"
                    : Self.reason(outcome)))
        return outcome.output
    }

    /// The first error that rclone printed, without the passwords and signatures of addresses.
    private static func reason(_ outcome: ChildProcess.Outcome) -> String {
        let lines = String(decoding: outcome.errors, as: UTF8.self).split(separator: "\n").map {
            // Lines begin with a date and a time.
            $0.replacing(/^[0-9\/]{10} [0-9:]{8} (ERROR *: *)?/, with: "")
        }
        let line = redacted(lines.first { !$0.hasPrefix("NOTICE") }.map(String.init) ?? "exit code \(outcome.code)")
        return line.count > 300 ? "\(line.prefix(300))…" : line
    }

    /// A message without the passwords and signatures of addresses. Words after its first 2,000 bytes are left out,
    /// because the search takes quadratic time. No word is cut, because a part of a password would not be recognised.
    static func redacted(_ message: String) -> String {
        let isLong = message.utf8.count > maximumMessage
        let end =
            isLong ? message.utf8.prefix(maximumMessage).lastIndex(of: " ") ?? message.startIndex : message.endIndex
        return message[..<end].replacing(/:\/\/[^\/@ ]*@/, with: "://…@")
            .replacing(/(https?:[^ "?]*)\?[^ "]*/) { "\($0.1)?…" } + (isLong ? "…" : "")
    }

    private static let maximumMessage = 2_000
}
