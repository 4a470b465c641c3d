import Foundation
import Platform
import TestSupport
import Testing

@testable import AmberCommand

@Suite(.timeLimit(.minutes(2)), .enabled(if: RcloneServer.isHere, "rclone is not installed"))
struct DeployInterruptionTests {
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
                        let isKill = isLost ? SmallSite.isBatch(arguments) : arguments.contains("--ignore-times")
                        isKilled = isKilled || runs > stop && isKill
                        if isKilled { throw CancellationError() }
                    }
                    isDone = true
                } catch is CancellationError {
                    stop += isLost ? 45 : 16
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
        try small.deploy(program: "rclone")
        try small.scratch.write(small.second)
        // A folder in the place of the incomplete file, so that rclone cannot write it.
        try small.scratch.write("x", to: "target/.amber/batch/index.html/x")
        #expect(
            (errorText { try small.deploy(program: "rclone") } ?? "").hasPrefix(
                "rclone copy failed for \(small.target): "))
        #expect(try small.deployed()["index.html"] == small.first["index.html"])
        try FileManager.default.removeItem(atPath: "\(small.target)/.amber/batch/index.html")
        try small.scratch.write("old", to: "target/.amber/batch/interrupted.html")
        try small.deploy(program: "rclone")
        #expect(try small.deployed() == small.second)
        #expect(try FileManager.default.contentsOfDirectory(atPath: "\(small.target)/.amber").count == 3)
    }

    @Test func `A deploy that was stopped until its lock ends sends nothing more`() throws {
        let small = try SmallSite()
        var time = millisecondsSince1970()
        var batches = 0
        let text = errorText {
            let stop: ([String]) -> Void = { arguments in
                batches += SmallSite.isBatch(arguments) ? 1 : 0
                if arguments[0] == "copyto", batches == 2 { time += 10_000_000 }
            }
            try small.deploy(willRun: stop) { time }
        }
        #expect(text == "the deploy was stopped for longer than its lock lasts; run again")
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
            #expect(DeployProgress(Array("\n\(number) x 0 0 y\n".utf8)) == DeployProgress([]))
        }
    }

    @Test func `An interrupted deploy continues, and sends at most one batch again`() throws {
        let small = try SmallSite()
        try small.deploy(program: "rclone")
        try small.scratch.write(small.second)
        // Each time, the second copy of files sends half of them and fails.
        let program = try small.scratch.write(
            """
            #!/bin/bash
            cd '\(small.scratch.path)' || exit 9
            [[ "$1 $*" = "copy "*" --ignore-times "* ]] || exec rclone "$@"
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
                batches += SmallSite.isBatch(arguments) ? 1 : 0
                if batches == 3 { throw CancellationError() }
            }
        }
        #expect(try small.deployed()["character/3.html"] != nil)
        try small.scratch.write(small.first)
        #expect(try small.deploy().deleted.contains("character/3.html"))
        #expect(try small.deployed() == small.first)
        #expect(try small.deploy().kept == small.first.count)
    }
}
