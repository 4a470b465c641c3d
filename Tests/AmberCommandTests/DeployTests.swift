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
        // The second deploy over SFTP continues where one to the folder ended.
        let first = try small.deploy()
        #expect(Set(first.sent) == Set(small.first.keys) && first.deleted.isEmpty && first.kept == 0)
        #expect(try small.deployed() == small.first)
        try small.scratch.write(small.second)
        let second = try small.deploy(
            to: server.map { _ in "server:" }, program: server?.program ?? "rclone")
        #expect(Set(second.sent) == SmallSite.changed && Set(second.deleted) == SmallSite.removed)
        #expect(second.kept == 3)
        #expect(try small.deployed() == small.second)
        #expect(try contents(of: small.target)["own/notes.txt"] == Data("not Amber's".utf8))
        withExtendedLifetime(server) {}
    }

    @Test(arguments: [false, true])
    func `Pages never link to missing files, also in deploys that continue a killed one`(isLost: Bool) throws {
        let small = try SmallSite()
        var known: [String: String] = [:]
        for site in [small.first, small.second] {
            try small.scratch.write(site)
            var stop = 0
            var isDone = false
            while !isDone {
                var (runs, isKilled) = (0, false)
                do {
                    // A killed deploy leaves its lock, which the next deploy of this site knows.
                    try small.deploy(maximumFiles: isLost ? 1 : 4) { arguments in
                        let dead = try small.deadLinks(knownPages: known)
                        #expect(dead == [], "before \(arguments)")
                        runs += 1
                        // Without its progress, a deploy is known by its list of files alone.
                        let isKill = isLost ? isBatch(arguments) : arguments.contains("--ignore-times")
                        isKilled = isKilled || runs > stop && isKill
                        if isKilled { throw CancellationError() }
                    }
                    isDone = true
                } catch is CancellationError {
                    stop += isLost ? 30 : 12
                    if isLost { try small.loseProgress() }
                }
            }
            #expect(try small.deployed() == site)
            #expect(try small.deadLinks(knownPages: known) == [])
            known = site
        }
    }

    @Test func `A page stays if the transfer of its new content fails`() throws {
        let small = try SmallSite()
        try small.deploy()
        try small.scratch.write(small.second)
        // A folder in the place of the incomplete file, so that rclone cannot write it.
        try small.scratch.write("x", to: "target/.amber/batch/index.html/x")
        #expect(message { try small.deploy() }.hasPrefix("rclone copy failed for \(small.target): "))
        #expect(try small.deployed()["index.html"] == small.first["index.html"])
        try FileManager.default.removeItem(atPath: "\(small.target)/.amber/batch/index.html")
        try small.scratch.write("old", to: "target/.amber/batch/interrupted.html")
        try small.deploy()
        #expect(try small.deployed() == small.second)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(small.target)/.amber").count == 3)
    }

    @Test func `A deploy that was stopped until its lock ends sends nothing more`() throws {
        let small = try SmallSite()
        var time = millisecondsSince1970()
        var batches = 0
        let text = message {
            let stop: ([String]) -> Void = { arguments in
                batches += isBatch(arguments) ? 1 : 0
                if arguments[0] == "copyto", batches == 2 { time += 10_000_000 }
            }
            try small.deploy(willRun: stop) { time }
        }
        #expect(text == "the deploy was stopped for so long that its lock ends; run again")
        #expect(batches == 2)
        try small.deploy()
        #expect(try small.deployed() == small.first)
    }

    @Test func `The progress survives a failed transfer of one of its files`() throws {
        let small = try SmallSite()
        try small.deploy()
        let last = try small.progress()
        for damage in ["", "\n", "\n\(last.number + 1) x", "\n\(last.number + 1) x 0 0 y"] {
            var next = last
            next.number += 1
            try small.scratch.write(damage, to: "target/.amber/\(next.file)")
            #expect(try small.progress() == last)
            #expect(try small.deploy(dryRun: true).sent == [])
        }
        for number in ["-1", "\(Int.max)", "9223372036854775808", "x"] {
            #expect(DeployProgress(Array("\n\(number) x 0 0 y\n".utf8)) == DeployProgress())
        }
    }

    @Test func `A target with many lists of files is refused`() throws {
        let small = try SmallSite()
        for number in 0..<9 {
            try small.scratch.write("x", to: "target/.amber/\(String(repeating: "\(number)", count: 32))")
        }
        #expect(message { try small.deploy() }.hasPrefix("\(small.target)/.amber has 9 lists of files; remove all"))
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

    @Test func `A deploy that was killed before its first batch has changed nothing`() throws {
        let small = try SmallSite()
        try small.deploy()
        try small.scratch.write(small.second)
        var writes = 0
        #expect(throws: CancellationError.self) {
            try small.deploy { arguments in
                writes += arguments[0] == "copyto" ? 1 : 0
                // The first write is the lock, the second one the list of files.
                if writes == 3 { throw CancellationError() }
            }
        }
        let plan = try small.deploy(dryRun: true)
        #expect(plan.lines.allSatisfy { $0.old != "?" } && Set(plan.sent) == SmallSite.changed)
        try small.deploy()
        #expect(try small.deployed() == small.second)
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
        try small.scratch.write("of another site", to: "other/index.html")
        // This deploy begins while the other one holds the lock.
        var messages: [String] = []
        try small.deploy { arguments in
            guard isBatch(arguments), messages.isEmpty else { return }
            messages.append(message { try small.deploy(from: "other") })
        }
        #expect(messages.count == 1)
        #expect(messages[0].hasPrefix("another deploy to \(small.target) runs, or was killed; run again when it has"))
        #expect(try small.deployed() == small.first)

        // Another deploy takes the lock in the middle.
        try small.scratch.write(small.second)
        let lost = message {
            try small.deploy { arguments in
                if isBatch(arguments) { try small.lock(until: 0, owner: "b") }
            }
        }
        #expect(lost.hasPrefix("another deploy to \(small.target) began during this one, which stops here; run again"))
        #expect(try small.progress().owner == "b")
        try small.deploy()
        #expect(try small.deployed() == small.second)
    }

    @Test(arguments: ["backend", "--recursive"])
    func `A deploy that begins and ends while another one looks at the target is noticed`(command: String) throws {
        let small = try SmallSite()
        try small.deploy()
        try small.scratch.write(small.second)
        var isFirst = true
        let lost = message {
            try small.deploy { arguments in
                guard arguments.contains(command), isFirst else { return }
                isFirst = false
                try small.lock(until: 0, owner: "other")
            }
        }
        #expect(lost.hasSuffix("began or ended during this one, which has changed nothing; run again"))
        #expect(try small.deployed() == small.first)
    }

    @Test func `A lock of a killed deploy ends at its time, and at once for its own output folder`() throws {
        let small = try SmallSite()
        let time = millisecondsSince1970()
        try small.lock(until: time + 60_000, owner: "killed")
        #expect(message { try small.deploy() }.contains("when its lock ends"))
        try small.lock(until: time + 60_000, owner: try Deployment.prefix(site: small.scratch["site"]) + "killed")
        try small.deploy()
        #expect(try small.deployed() == small.first)
        for end in [time - 1, time + 90_000_000] {
            try small.lock(until: end, owner: "killed")
            try small.deploy()
            #expect(try small.progress().until == 0)
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
        let name = "target/.amber/" + (try small.progress().id)
        let manifest = try small.scratch.text(name)
        let lines = try #require(DeployManifest(Array(manifest.utf8))).lines
        let foreign = DeployManifest(catalogue: "else", lines: lines)
        try small.scratch.write(String(decoding: foreign.bytes, as: UTF8.self), to: name)
        #expect(message { try small.deploy() }.contains("has a site of the catalogue else, but this site is of small"))
        try small.scratch.write(String(manifest.dropLast(100)), to: name)
        #expect(message { try small.deploy() }.contains("/.amber is damaged or of another version of amber; remove"))

        // A first deploy was killed while it wrote its manifest.
        let other = try SmallSite()
        try other.scratch.write("half", to: "target/.amber/\(String(repeating: "0", count: 32))")
        try other.deploy()
        #expect(try other.deployed() == other.first)
    }

    @Test func `All files are sent if the progress is lost, and those that two deploys may have changed`() throws {
        let small = try SmallSite()
        try small.deploy()
        try small.loseProgress()
        #expect(Set(try small.deploy().sent) == Set(small.first.keys))
        #expect(try small.deploy().sent == [])
        // Another deploy that began with this one changed a style before it stopped.
        let lines = [
            DeployManifest.Line(path: "feed.xml", old: "?", new: "?"),
            DeployManifest.Line(path: "style.css", old: "?", new: "?", batch: 1),
        ]
        let other = DeployManifest(catalogue: "small", lines: lines).bytes
        try small.scratch.write(
            String(decoding: other, as: UTF8.self), to: "target/.amber/\(String(repeating: "0", count: 32))")
        try small.scratch.write("changed", to: "target/style.css")
        // Files with other names are not read.
        let foreign = DeployManifest(catalogue: "else", lines: lines).bytes
        try small.scratch.write(String(decoding: foreign, as: UTF8.self), to: "target/.amber/a\nb")
        #expect(try small.deploy().sent == ["style.css"])
        #expect(try small.deployed() == small.first)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(small.target)/.amber").count == 4)
    }

    @Test(arguments: ["../x", "/etc/x", "a//b", "a/../b", ".amber/plan", "a b", "a\nb", "a\u{0}b", "COM1", ""])
    func `A manifest with a path that leads out of the site is refused`(path: String) {
        let line = DeployManifest.Line(path: path, old: "?", new: "?")
        let bytes = DeployManifest(catalogue: "c", lines: [line]).bytes
        #expect(DeployManifest(bytes) == nil)
    }

    @Test func `A manifest with a path twice, a wrong digest, or a wrong batch is refused`() {
        func read(_ lines: [DeployManifest.Line]) -> DeployManifest? {
            DeployManifest(DeployManifest(catalogue: "c", lines: lines).bytes)
        }
        let line = DeployManifest.Line(path: "a", old: "-", new: "?", batch: 1)
        #expect(read([line])?.lines.first?.old == "-")
        #expect(read([line, line]) == nil)
        #expect(read([DeployManifest.Line(path: "a", old: "-", new: "?", batch: -1)]) == nil)
        var bytes = DeployManifest(catalogue: "c", lines: [line]).bytes
        for count in 0..<bytes.count { #expect(DeployManifest(Array(bytes.prefix(count))) == nil) }
        bytes[20] ^= 1
        #expect(DeployManifest(bytes) == nil)
    }

    @Test func `The progress of a plan says what is at the target`() {
        let lines =
            [1, 2, 3].map { DeployManifest.Line(path: "\($0)", old: "-", new: "?", batch: $0) }
            + [DeployManifest.Line(path: "kept", old: "?", new: "?")]
        let plan = DeployManifest(catalogue: "c", lines: lines)
        #expect(Set(plan.files(done: 0).keys) == ["1", "kept"])
        #expect(Set(plan.files(done: 1).keys) == ["1", "2", "kept"])
        #expect(Set(plan.files(done: 3).keys) == ["1", "2", "3", "kept"])
    }

    @Test func `Messages of rclone are shown without secrets`() {
        #expect(
            Rclone.redacted("\"http://h:1/\" https://me:word@h/x?X-Amz-Signature=abc: 403")
                == "\"http://h:1/\" https://…@h/x?… 403")
    }

    @Test func `A wrong password is reported without it`() async throws {
        let small = try SmallSite()
        let server = try await RcloneServer("webdav", folder: small.target, scratch: small.scratch, user: "stranger")
        let text = message { try small.deploy(to: "server:", program: server.program) }
        #expect(text.hasPrefix("rclone lsf failed for server:: ") && text.contains("401"), "\(text)")
        #expect(!text.contains(RcloneServer.password) && text.count < 300, "\(text)")
        withExtendedLifetime(server) {}
    }

    @Test func `A missing rclone is reported`() throws {
        let small = try SmallSite()
        #expect(
            message { try small.deploy(program: "no-such-rclone") }
                == "deploy needs rclone, which is not installed; on Debian: apt install rclone")
    }
}

extension ScratchFolder {
    func text(_ name: String) throws -> String { try String(contentsOfFile: self[name], encoding: .utf8) }
}
