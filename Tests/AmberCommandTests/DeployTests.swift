import Foundation
import Platform
import TestSupport
import Testing

@testable import AmberCommand

@Suite(.timeLimit(.minutes(2)), .enabled(if: RcloneServer.isHere, "rclone is not installed"))
struct DeployTests {
    private func message(_ body: () throws -> Void) -> String { errorText(body) ?? "no error" }

    // Tests/Judges deploys to WebDAV and S3.
    @Test(arguments: ["folder", "sftp"])
    func `Only changed files are sent, and only files of an earlier deploy are deleted`(kind: String) async throws {
        let small = try SmallSite()
        let server =
            kind == "folder" ? nil : try await RcloneServer(kind, folder: small.target, scratch: small.scratch)
        // The second deploy over SFTP continues where one to the folder ended.
        let first = try small.deploy(program: "rclone")
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

    @Test func `A target with many lists of files is refused`() throws {
        let small = try SmallSite()
        for number in 0..<9 {
            try small.scratch.write("x", to: "target/.amber/\(String(repeating: "\(number)", count: 32))")
        }
        #expect(message { try small.deploy() }.hasPrefix("\(small.target)/.amber has 9 lists of files; remove all"))
    }

    @Test func `A list with more than 3 million files is refused`() throws {
        let small = try SmallSite()
        let name = String(repeating: "0", count: 32)
        try small.scratch.write(String(repeating: "\n", count: 3_000_003), to: "target/.amber/\(name)")
        #expect(
            message { try small.deploy() }
                == "\(small.target)/.amber/\(name) lists more than 3000000 files; remove all files at the target, or "
                + "deploy to another one")
        // A list of this length is read. This one is damaged, so it is ignored.
        try small.scratch.write(String(repeating: "\n", count: 3_000_002), to: "target/.amber/\(name)")
        try small.deploy()
        #expect(try small.deployed() == small.first)
    }

    @Test func `A second deploy is refused while one runs, and stops if both began at the same time`() throws {
        let small = try SmallSite()
        try small.scratch.write("of another site", to: "other/index.html")
        // This deploy begins while the other one holds the lock.
        var messages: [String] = []
        try small.deploy { arguments in
            guard SmallSite.isBatch(arguments), messages.isEmpty else { return }
            messages.append(message { try small.deploy(from: "other") })
        }
        #expect(messages.count == 1)
        #expect(messages[0].hasPrefix("another deploy to \(small.target) runs, or was killed; run again when it has"))
        #expect(try small.deployed() == small.first)

        // Another deploy takes the lock in the middle.
        try small.scratch.write(small.second)
        let lost = message {
            try small.deploy { arguments in
                if SmallSite.isBatch(arguments) { try small.lock(until: 0, owner: "b") }
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
        #expect(message { try small.deploy(program: "rclone") } == sentence)
        #expect(try contents(of: small.target).count == 2)
        try FileManager.default.removeItem(atPath: "\(small.target)/index.html")
        try small.deploy(program: "rclone")
        try small.scratch.write("own", to: "target/character/4.html")
        try small.scratch.write(small.second)
        #expect(
            message { try small.deploy(program: "rclone") }
                == sentence.replacing("index.html", with: "character/4.html"))
        #expect(try small.scratch.text("target/character/4.html") == "own")
        // rclone does not list links, but writes to the files that they lead to.
        try FileManager.default.removeItem(atPath: "\(small.target)/character/4.html")
        try FileManager.default.createSymbolicLink(
            atPath: "\(small.target)/character/4.html", withDestinationPath: small.scratch["id"])
        #expect(
            message { try small.deploy(program: "rclone") }
                == sentence.replacing("index.html", with: "character/4.html"))
    }

    @Test func `A file that changes during the deploy is an error`() throws {
        let small = try SmallSite()
        let changed = message {
            try small.deploy { arguments in
                if SmallSite.isBatch(arguments) { try small.scratch.write("changed", to: "site/avatar/2.png") }
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

    @Test func `A long message of rclone is cut between words, so that no part of a secret is shown`() {
        let secret = "https://me:\(String(repeating: "p", count: 3_000))@h/"
        #expect(Rclone.redacted("403 for \(secret)") == "403 for…")
        #expect(Rclone.redacted(secret) == "…")
        let words = String(repeating: "http: ", count: 1_000)
        #expect(Rclone.redacted(words) == words.prefix(1_997) + "…")
        #expect(Rclone.redacted("403 " + words.filter { $0 != " " }) == "403…")
    }

    @Test func `A wrong password is reported without it`() async throws {
        let small = try SmallSite()
        let server = try await RcloneServer("webdav", folder: small.target, scratch: small.scratch, user: "stranger")
        let text = message { try small.deploy(to: "server:", program: server.program) }
        #expect(text.hasPrefix("rclone lsf failed for server:: ") && text.contains("401"), "\(text)")
        #expect(!text.contains(RcloneServer.password) && text.count < 300, "\(text)")
        withExtendedLifetime(server) {}
    }

    @Test func `Options of a command replace the common ones, and a transfer ends before its lock`() throws {
        let small = try SmallSite()
        let program = try small.scratch.write("#!/bin/sh\necho \"$@\"\n", to: "rclone")
        #expect(chmod(program, 0o755) == 0)
        let rclone = Rclone(target: small.target, scratch: small.scratch.path, lock: nil, program: program)
        let words = String(decoding: try rclone.run(["copyto", "--retries", "3", "a", "b"]), as: UTF8.self).split {
            $0.isWhitespace
        }
        #expect(words.first == "copyto" && words.suffix(2) == ["a", "b"])
        let last = try #require(words.lastIndex(of: "--retries"))
        #expect(words[last + 1] == "3")
        #expect(Rclone.seconds(for: 0, bytes: 1_000_000_000) == 50_300)
        #expect(Rclone.seconds(for: 1_000, bytes: 1 << 40) == 85_000)
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
