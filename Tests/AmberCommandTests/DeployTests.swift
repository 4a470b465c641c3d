import Foundation
import Platform
import TestSupport
import Testing

@testable import AmberCommand

@Suite(.timeLimit(.minutes(2)), .enabled(if: RcloneServer.isHere, "rclone is not installed"))
struct DeployTests {
    private func message(_ body: () throws -> Void) -> String { errorText(body) ?? "no error" }

    /// Whether a run of rclone sends a batch of files.
    private func isBatch(_ arguments: [String]) -> Bool { arguments.starts(with: ["copy", "--ignore-times"]) }

    // Tests/Judges deploys to WebDAV and S3.
    @Test(arguments: ["folder", "sftp"])
    func `Only changed files are sent, and only files of an earlier deploy are deleted`(kind: String) async throws {
        let small = try SmallSite()
        let server =
            kind == "folder" ? nil : try await RcloneServer(kind, folder: small.target, scratch: small.scratch)
        let target = server?.remote
        // The second deploy over SFTP continues where one to the folder ended.
        let first = try small.deploy()
        #expect(Set(first.sent) == Set(small.first.keys) && first.deleted.isEmpty && first.kept == 0)
        #expect(try small.deployed() == small.first)
        try small.scratch.write(small.second)
        let second = try small.deploy(to: target)
        #expect(Set(second.sent) == SmallSite.changed && Set(second.deleted) == SmallSite.removed)
        #expect(second.kept == 3)
        #expect(try small.deployed() == small.second)
        #expect(try contents(of: small.target)["own/notes.txt"] == Data("not Amber's".utf8))
        withExtendedLifetime(server) {}
    }

    @Test func `Pages never link to missing files, also in deploys that continue a killed one`() throws {
        let small = try SmallSite()
        var known: [String: String] = [:]
        for site in [small.first, small.second] {
            try small.scratch.write(site)
            var stop = 0
            var isDone = false
            while !isDone {
                var (runs, isKilled) = (0, false)
                do {
                    // A killed deploy leaves its lock. Its id is in the output folder.
                    try small.deploy { arguments in
                        #expect(try small.deadLinks(knownPages: known) == [], "before \(arguments)")
                        runs += 1
                        isKilled = isKilled || runs > stop && arguments.contains("--ignore-times")
                        if isKilled { throw CancellationError() }
                    }
                    isDone = true
                } catch is CancellationError {
                    stop += 4
                }
            }
            #expect(try small.deployed() == site)
            #expect(try small.deadLinks(knownPages: known) == [])
            known = site
        }
    }

    @Test func `An interrupted deploy continues, and sends at most one batch again`() throws {
        let small = try SmallSite()
        try small.deploy()
        try small.scratch.write(small.second)
        // Each time, the second copy of files sends half of them and fails.
        let program = try small.scratch.write(
            """
            #!/bin/bash
            cd '\(small.scratch.path)' || exit 9
            [ "$1 $2" = "copy --ignore-times" ] || exec rclone "$@"
            list="${*: -1}"
            echo x >>copies
            if [ $(wc -l <copies) = 2 ]; then
                rm copies
                head -n $(( $(wc -l <"$list") / 2 )) "$list" >half
                rclone "${@:1:$#-1}" half
                echo '2026/11/25 22:56:01 ERROR : x: Failed to copy: \(RcloneServer.password)' >&2
                exit 1
            fi
            cat "$list" >>sent
            exec rclone "$@"
            """, to: "rclone.sh")
        #expect(chmod(program, 0o755) == 0)
        var failures = 0
        while true {
            do {
                try small.deploy(program: program)
                break
            } catch let failure as Failure where failures < 20 {
                #expect(failure.description.hasPrefix("rclone copy failed for \(small.target): x: Failed to copy"))
                #expect(failure.code == .outputInUse)
                failures += 1
                #expect(try small.deadLinks(knownPages: small.first) == [])
            }
        }
        #expect(failures > 2)
        #expect(try small.deployed() == small.second)
        let sent = try String(contentsOfFile: small.scratch["sent"], encoding: .utf8).split(separator: "\n")
        #expect(sent.count == SmallSite.changed.count && Set(sent.map(String.init)) == SmallSite.changed)
    }

    @Test func `Another site after an interruption leaves no files behind`() throws {
        let small = try SmallSite()
        try small.scratch.write(small.second)
        var batches = 0
        #expect(throws: CancellationError.self) {
            try small.deploy { arguments in
                batches += isBatch(arguments) ? 1 : 0
                if batches == 3 { throw CancellationError() }
            }
        }
        #expect(try small.deployed()["character/3.html"] != nil)
        try small.scratch.write(small.first)
        #expect(try small.deploy().deleted.contains("character/3.html"))
        #expect(try small.deployed() == small.first)
        #expect(try small.deploy().kept == small.first.count)
    }

    @Test func `A second deploy is refused while one runs, and stops if both began at the same time`() throws {
        let small = try SmallSite()
        // This deploy begins while the other one holds the lock.
        var messages: [String] = []
        try small.deploy { arguments in
            guard isBatch(arguments), messages.isEmpty else { return }
            messages.append(message { try small.deploy(id: "other") })
        }
        #expect(messages.count == 1)
        #expect(messages[0].hasPrefix("another deploy to \(small.target) runs, or was killed; run again when it has"))
        #expect(try small.deployed() == small.first)

        // Another deploy takes the lock in the middle.
        try small.scratch.write(small.second)
        let lost = message {
            try small.deploy { arguments in
                if isBatch(arguments) { try small.scratch.write("a 0 0 b\n", to: "target/.amber/progress") }
            }
        }
        #expect(lost.hasPrefix("another deploy to \(small.target) began during this one, which stops here; run again"))
        #expect(try small.scratch.text("target/.amber/progress") == "a 0 0 b\n")
        try small.deploy()
        #expect(try small.deployed() == small.second)
    }

    @Test(arguments: ["backend", "lsf"])
    func `A deploy that begins and ends while another one looks at the target is noticed`(command: String) throws {
        let small = try SmallSite()
        try small.deploy()
        try small.scratch.write(small.second)
        var isFirst = true
        let lost = message {
            try small.deploy { arguments in
                guard arguments[0] == command, isFirst else { return }
                isFirst = false
                try small.scratch.write("- 7 0 other\n", to: "target/.amber/progress")
            }
        }
        #expect(lost.hasSuffix("began or ended during this one, which has changed nothing; run again"))
        #expect(try small.deployed() == small.first)
    }

    @Test func `A lock of a killed deploy ends at its time, and at once for its own output folder`() throws {
        let small = try SmallSite()
        let time = millisecondsSince1970()
        try small.scratch.write("- 0 \(time + 60_000) killed\n", to: "target/.amber/progress")
        #expect(message { try small.deploy() }.contains("when its lock ends"))
        try small.scratch.write("killed", to: "id")
        try small.deploy()
        #expect(try small.deployed() == small.first)
        for end in [time - 1, time + 90_000_000] {
            try small.scratch.write("- 0 \(end) killed\n", to: "target/.amber/progress")
            try small.deploy()
            #expect(try small.scratch.text("target/.amber/progress").contains(" 0 "))
        }
    }

    @Test func `Files of others are neither replaced nor listed as deployed`() throws {
        let small = try SmallSite()
        try small.scratch.write("own", to: "target/index.html")
        let sentence =
            "\(small.target) has files that amber did not put there: index.html; move them away, or deploy to another "
            + "target"
        #expect(message { try small.deploy() } == sentence)
        #expect(try contents(of: small.target).count == 2)
        try FileManager.default.removeItem(atPath: "\(small.target)/index.html")
        try small.deploy()
        try small.scratch.write("own", to: "target/character/4.html")
        try small.scratch.write(small.second)
        #expect(message { try small.deploy() } == sentence.replacing("index.html", with: "character/4.html"))
        #expect(try small.scratch.text("target/character/4.html") == "own")
        // rclone does not list links, but writes to the files that they lead to.
        try FileManager.default.removeItem(atPath: "\(small.target)/character/4.html")
        try FileManager.default.createSymbolicLink(
            atPath: "\(small.target)/character/4.html", withDestinationPath: small.scratch["id"])
        #expect(message { try small.deploy() } == sentence.replacing("index.html", with: "character/4.html"))
    }

    @Test func `A file that changes during the deploy is an error`() throws {
        let small = try SmallSite()
        let changed = message {
            try small.deploy { arguments in
                if isBatch(arguments) { try small.scratch.write("changed", to: "site/avatar/2.png") }
            }
        }
        #expect(changed.hasSuffix("site/avatar/2.png changed during the deploy; build the site again, then deploy it"))
        #expect(try small.deployed()["index.html"] == nil)
    }

    @Test func `A site of another catalogue and a damaged manifest are not replaced`() throws {
        let small = try SmallSite()
        try small.deploy()
        let manifest = try small.scratch.text("target/.amber/manifest")
        try FileManager.default.removeItem(atPath: "\(small.target)/.amber/plan")
        let other = try #require(DeployManifest(Array(manifest.utf8)))
        let foreign = DeployManifest(id: other.id, base: other.base, catalogue: "else", lines: other.lines)
        try small.scratch.write(String(decoding: foreign.bytes, as: UTF8.self), to: "target/.amber/manifest")
        #expect(message { try small.deploy() }.contains("has a site of the catalogue else, but this site is of small"))
        try small.scratch.write(String(manifest.dropLast(100)), to: "target/.amber/manifest")
        #expect(message { try small.deploy() }.contains(".amber/manifest is damaged or of another version of amber"))
    }

    @Test(arguments: ["../x", "/etc/x", "a//b", "a/../b", ".amber/plan", "a b", "a\nb", "a\u{0}b", "COM1", ""])
    func `A manifest with a path that leads out of the site is refused`(path: String) {
        let line = DeployManifest.Line(path: path, old: "?", new: "?")
        let bytes = DeployManifest(id: "1", base: "-", catalogue: "c", lines: [line]).bytes
        #expect(DeployManifest(bytes) == nil)
    }

    @Test func `A manifest with a path twice, a wrong digest, or a wrong batch is refused`() {
        func read(_ lines: [DeployManifest.Line]) -> DeployManifest? {
            DeployManifest(DeployManifest(id: "1", base: "-", catalogue: "c", lines: lines).bytes)
        }
        let line = DeployManifest.Line(path: "a", old: "-", new: "?", batch: 1)
        #expect(read([line])?.lines.first?.old == "-")
        #expect(read([line, line]) == nil)
        #expect(read([DeployManifest.Line(path: "a", old: "-", new: "?", batch: -1)]) == nil)
        var bytes = DeployManifest(id: "1", base: "-", catalogue: "c", lines: [line]).bytes
        for count in 0..<bytes.count { #expect(DeployManifest(Array(bytes.prefix(count))) == nil) }
        bytes[20] ^= 1
        #expect(DeployManifest(bytes) == nil)
    }

    @Test func `The progress of a plan says what is at the target`() {
        let lines =
            [1, 2, 3].map { DeployManifest.Line(path: "\($0)", old: "-", new: "?", batch: $0) }
            + [DeployManifest.Line(path: "kept", old: "?", new: "?")]
        let plan = DeployManifest(id: "1", base: "-", catalogue: "c", lines: lines)
        #expect(Set(plan.files(done: -1).keys) == ["kept"])
        #expect(Set(plan.files(done: 0).keys) == ["1", "kept"])
        #expect(Set(plan.files(done: 1).keys) == ["1", "2", "kept"])
        #expect(Set(plan.files(done: nil).keys) == ["1", "2", "3", "kept"])
    }

    @Test(arguments: [
        ("remote:bucket", "remote:bucket"), ("/srv/a,b:c", "/srv/a,b:c"),
        (":webdav,url=\"http://h:1/\",pass=hidden:a", ":webdav,…:a"), ("s3,secret_access_key='a,b:c':d", "s3,…:d"),
        (":webdav,url=http://user:secret@host/", ":webdav,…://…@host/"), (":s3,key=\"open:d", ":s3,…:"),
    ])
    func `A target is shown without the parameters of its connection string`(text: String, shown: String) throws {
        #expect(try DeployTarget(text).shown == shown)
    }

    @Test func `Messages of rclone are shown without secrets`() throws {
        let target = try DeployTarget(":webdav,url=\"http://h:1/\",user=somebody,pass=hidden:a")
        let shown = target.redacted(
            "\":webdav,url=\\\"http://h:1/\\\",user=somebody,pass=hidden:a\": hidden somebody http://h:1/ "
                + "https://me:word@h/x?X-Amz-Signature=abc: 403")
        #expect(shown == "\":webdav,…:a\": … … http://h:1/ https://…@h/x?… 403")
    }

    @Test func `A wrong password is reported without it`() async throws {
        let small = try SmallSite()
        let server = try await RcloneServer("webdav", folder: small.target, scratch: small.scratch)
        let text = message { try small.deploy(to: server.remote.replacing("user=amber", with: "user=stranger")) }
        #expect(text.hasPrefix("rclone copy failed for :webdav,…:: ") && text.contains("401"), "\(text)")
        #expect(!text.contains("pass=") && !text.contains("stranger") && text.count < 300, "\(text)")
        withExtendedLifetime(server) {}
    }

    @Test func `A missing rclone is reported`() throws {
        let small = try SmallSite()
        #expect(
            message { try small.deploy(program: "no-such-rclone") }
                == "deploy needs rclone, which is not installed; on Debian: apt install rclone")
    }

    @Test func `A run that takes too long or prints too much is ended`() throws {
        let small = try SmallSite()
        func run(_ script: String, seconds: Double) throws -> ChildProcess.Outcome {
            try ChildProcess.run(
                "sh", ["-c", script], scratch: small.scratch.path, seconds: seconds, outputLimit: 1_000, holding: nil
            ) { false }
        }
        #expect(try run("trap '' TERM; echo started; sleep 60 & wait; wait", seconds: 0.2).code == -SIGKILL)
        let loud = try run("while :; do echo word; done", seconds: 60)
        #expect(loud.exceeded && loud.code == -SIGTERM && loud.output.count == 1_000)
        #expect(try run("while :; do echo word >&2; done", seconds: 60).exceeded)
        #expect(try run("exit 7", seconds: 60).code == 7)
    }

    @Test func `A lock stays held while the child runs`() throws {
        let small = try SmallSite()
        var lock = try FileLock(small.scratch["lock"])
        _ = try ChildProcess.run(
            "sh", ["-c", "sleep 1 >/dev/null & exit 0"], scratch: small.scratch.path, seconds: 60, outputLimit: 10,
            holding: lock
        ) { false }
        withExtendedLifetime(lock) {}
        lock = nil
        #expect(try FileLock(small.scratch["lock"]) == nil)
    }
}

extension ScratchFolder {
    func text(_ name: String) throws -> String { try String(contentsOfFile: self[name], encoding: .utf8) }
}
