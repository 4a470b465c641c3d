import Foundation
import Platform
import TestSupport

@testable import AmberCommand

/// A small handwritten site, functions that deploy it, and checks of the files at the target.
struct SmallSite {
    let scratch: ScratchFolder
    /// The folder of the target.
    var target: String { scratch["target"] }

    /// The commands of rclone that a deploy runs, for a local folder. A deploy runs about forty. rclone needs a tenth
    /// of a second for each, and this program a few milliseconds. Tests of rclone's own behaviour run rclone.
    private static let local = #"""
        #!/bin/bash
        # The paths are in a file if the last options are: --no-traverse --files-from-raw FILE
        set -e
        list=
        [ "${@: -2:1}" != --files-from-raw ] || { list=${@: -1}; set -- "${@:1:$#-3}"; }
        from=${@: -2:1} to=${@: -1}
        # rclone accepts paths that do not exist.
        existing() { while IFS= read -r path; do [ ! -f "$1/$path" ] || echo "$path"; done <"$list"; }
        # Amber moves a batch through a remote of both folders: "batch=FOLDER" "site=FOLDER"
        folder() { [[ "$*" =~ \"$name=([^\"]*)\" ]]; echo "${BASH_REMATCH[1]}"; }
        case $1 in
        backend) echo '"Move": true, "WriteMimeType": false, "PartialUploads": false' ;;
        copyto) mkdir -p "${to%/*}"; cp "$from" "$to.partial"; mv "$to.partial" "$to" ;;
        purge) [ -d "$to" ] || exit 3; rm -r "$to" ;;
        lsf) [ -d "$to" ] || exit 3
            if [ "$list" ]; then existing "$to"; else find "$to" -maxdepth 1 -type f -printf '%f\n'; fi ;;
        cat) [ -d "$to" ] || exit 3; cd "$to"; existing . | xargs -r -d '\n' cat ;;
        delete) cd "$to"; existing . | xargs -r -d '\n' rm ;;
        copy) mkdir -p "$to"; cd "$from"; existing . | xargs -r -d '\n' cp --parents -t "$to" ;;
        move) to=$(name=site folder "$@"); cd "$(name=batch folder "$@")"
            existing . | xargs -r -d '\n' cp --parents -t "$to"
            existing . | xargs -r -d '\n' rm ;;
        *) echo "unknown command $1" >&2; exit 1 ;;
        esac
        """#

    /// A program that takes the place of rclone in tests that run it often.
    var local: String { scratch["local-rclone"] }

    init() throws {
        scratch = try ScratchFolder()
        try scratch.write(Self.local, to: "local-rclone")
        guard chmod(local, 0o755) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
        try scratch.write("not Amber's", to: "target/own/notes.txt")
        try scratch.write(first)
    }

    /// The paths of `first` that are changed or new in `second`.
    static let changed: Set = [
        "index.html", "list.html", "ru/index.html", "character/2.html", "style.css", "search-index.js",
        "character/3.html", "character/4.html", "de/index.html", "avatar/3.png",
    ]
    static let removed: Set = ["character/1.html", "avatar/1.png"]

    let first = [
        "index.html": page("list.html", "character/1.html", "character/2.html", "ru/index.html", "search-index.js"),
        "list.html": page("index.html", "character/1.html", "character/2.html"),
        "ru/index.html": page("../index.html", "../character/1.html"),
        "character/1.html": page("../index.html", "2.html", "../avatar/1.png", "../list.html"),
        "character/2.html": page("../index.html", "1.html", "../avatar/2.png", "../list.html"),
        "avatar/1.png": "one", "avatar/2.png": "two", "style.css": "body {}", "search-index.js": "[1, 2]",
        "api/character/1.json": "{}", "feed.xml": "<feed/>",
    ]

    /// New characters link to each other, a language is added, and character 1 is removed.
    var second: [String: String] {
        let site = [
            "index.html": Self.page("list.html", "character/2.html", "character/3.html", "de/index.html"),
            "list.html": Self.page("index.html", "character/2.html", "character/3.html", "character/4.html"),
            "ru/index.html": Self.page("../index.html", "../character/4.html", "../de/index.html"),
            "de/index.html": Self.page("../index.html", "../character/4.html"),
            "character/2.html": Self.page("../index.html", "3.html", "../avatar/2.png", "../list.html"),
            "character/3.html": Self.page("../index.html", "4.html", "../avatar/3.png", "../de/index.html"),
            "character/4.html": Self.page("../index.html", "3.html", "../avatar/2.png"),
            "avatar/3.png": "three", "style.css": "body { margin: 0 }", "search-index.js": "[2, 3, 4]",
        ]
        return first.merging(site) { $1 }.filter { !Self.removed.contains($0.key) }
    }

    private static func page(_ links: String...) -> String {
        links.map { "<a href=\"\($0)\">a</a>\n" }.joined()
    }
}

extension ScratchFolder {
    /// Replaces the site by these files.
    func write(_ files: [String: String]) throws {
        try? FileManager.default.removeItem(atPath: self["site"])
        for (path, text) in files { try write(text, to: "site/\(path)") }
    }
}

extension SmallSite {
    /// A deploy to a target; to the folder of this site if there is none.
    /// - Parameters:
    ///   - program: the program to run; `local` if there is none.
    ///   - willRun: called before each run of the program.
    @discardableResult
    func deploy(
        to target: String? = nil, dryRun: Bool = false, program: String? = nil, from site: String = "site",
        maximumFiles: Int = DeployBatch.maximumFiles, willRun: @escaping ([String]) throws -> Void = { _ in },
        now: @escaping () -> Int64 = { millisecondsSince1970() }
    ) throws -> DeployPlan {
        let folder = scratch["run-\(UUID().uuidString)"]
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let rclone = Rclone(
            target: target ?? self.target, scratch: folder, lock: nil, program: program ?? local, willRun: willRun)
        var deployment = try Deployment(rclone, site: scratch[site], catalogue: "small")
        (deployment.maximumFiles, deployment.now) = (maximumFiles, now)
        return try deployment.run(isDryRun: dryRun)
    }

    /// Whether a run of rclone sends a batch of files.
    static func isBatch(_ arguments: [String]) -> Bool { arguments.starts(with: ["copy", "--ignore-times"]) }

    /// The files at the target, without those of the test and of the manifest.
    func deployed() throws -> [String: String] {
        try contents(of: target).mapValues { String(decoding: $0, as: UTF8.self) }
            .filter { !$0.key.hasPrefix(".amber/") && $0.key != "own/notes.txt" }
    }

    /// The progress of the last deploy, from the target.
    func progress() throws -> DeployProgress {
        DeployProgress(
            DeployProgress.files.flatMap { Array((try? scratch.text("target/.amber/\($0)").utf8) ?? "".utf8) })
    }

    /// Changes the progress as another deploy would.
    func lock(until: Int64, owner: String) throws {
        var progress = try progress()
        (progress.number, progress.id, progress.until, progress.owner) = (progress.number + 1, "-", until, owner)
        try scratch.write(String(decoding: progress.bytes, as: UTF8.self), to: "target/.amber/\(progress.file)")
    }

    func loseProgress() throws {
        for name in DeployProgress.files where FileManager.default.fileExists(atPath: "\(target)/.amber/\(name)") {
            try FileManager.default.removeItem(atPath: "\(target)/.amber/\(name)")
        }
    }

    /// The links to missing files in all pages that readers can reach from the index, and in all known pages.
    func deadLinks(knownPages: [String: String] = [:]) throws -> [String] {
        let files = try deployed()
        var (queue, seen, dead): ([String], Set<String>, [String]) = ([], [], [])
        queue = (knownPages.keys + ["index.html"]).filter { $0.hasSuffix(".html") && files[$0] != nil }
        while let path = queue.popLast() {
            guard seen.insert(path).inserted, let text = files[path] else { continue }
            for match in text.matches(of: /href="([^"]+)"/) {
                let folder = (path as NSString).deletingLastPathComponent
                let linked = ("/\(folder)/\(match.1)" as NSString).standardizingPath.dropFirst()
                if files[String(linked)] == nil { dead.append("\(path) -> \(linked)") }
                queue.append(String(linked))
            }
        }
        return dead
    }
}

/// A server of rclone for a folder, on a free port of 127.0.0.1.
final class RcloneServer: Sendable {
    /// If servers are required, the tests fail without rclone. Otherwise they are skipped.
    static var isHere: Bool { Tool.isInstalled("rclone") || getenv("AMBER_REQUIRE_SERVERS") != nil }
    static let password = "secret-of-the-target"

    /// A program that runs rclone with the remote `server:`, which is the server's root.
    let program: String
    private let process: Running

    /// - Parameters:
    ///   - kind: webdav or sftp.
    ///   - user: the user of the remote. The server knows only the user amber.
    init(_ kind: String, folder: String, scratch: ScratchFolder, user: String = "amber") async throws {
        let (listener, port) = try Loopback.listen(on: 0)
        close(listener)
        process = try Running(
            "/usr/bin/rclone",
            [
                "serve", kind, "--addr", "127.0.0.1:\(port)", "--user", "amber", "--pass", Self.password,
                "--cache-dir", scratch["cache"], folder,
            ])
        let obscured = try await Running("/usr/bin/rclone", ["obscure", Self.password]).wait().output
        let place = kind == "sftp" ? "host = 127.0.0.1\nport = \(port)" : "url = http://127.0.0.1:\(port)/"
        try scratch.write(
            "[server]\ntype = \(kind)\n\(place)\nuser = \(user)\npass = \(obscured)", to: "rclone.conf")
        program = try scratch.write(
            "#!/bin/sh\nexec rclone --config '\(scratch["rclone.conf"])' \"$@\"\n", to: "rclone-server")
        guard chmod(program, 0o755) == 0 else { throw CocoaError(.fileWriteNoPermission) }
        while process.isRunning {
            let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            defer { close(connection) }
            if Loopback.connect(connection, to: port) { return }
            try await Task.sleep(for: .milliseconds(20))
        }
        throw CocoaError(.executableLoad, userInfo: ["errors": process.errorsSoFar])
    }

    deinit { process.send(SIGTERM) }
}
