import Foundation
import SQLite
import SampleAPI
import TestSupport
import Testing

struct MachineTests {
    private static let mounts = ConditionTrait.enabled(
        if: Machine.canMount, "small file systems cannot be mounted here")

    private func serve(_ generation: Int, _ small: Small) {
        var behaviour = Behaviour()
        if generation > 0 { behaviour.revise(small.server.universe) }
        small.server.behaviour = behaviour
    }

    /// The sites of both generations, built on a normal disk.
    private func references(_ small: Small) async throws -> [[String: Data]] {
        var sites: [[String: Data]] = []
        for generation in [0, 1] {
            serve(generation, small)
            #expect(try await small.run("build", output: "\(small.scratch.path)/reference\(generation)").code == 0)
            sites.append(try siteState(of: "\(small.scratch.path)/reference\(generation)/site"))
        }
        #expect(sites[0] != sites[1])
        return sites
    }

    /// A site on a small disk, and the expected sites of both generations.
    private func siteOnDisk() async throws -> (small: Small, sites: [[String: Data]], disk: Disk, output: String) {
        let small = try Small(universe: Universe(seed: 5, characters: 21))
        let sites = try await references(small)
        let disk = try await Disk(65_536)
        let output = "\(disk.path)/out"
        serve(0, small)
        #expect(try await small.run("build", output: output).code == 0)
        return (small, sites, disk, output)
    }

    @Test(Self.mounts)
    func `A full disk ends a build with exit 6 and the old site, and the next one resumes`() async throws {
        let (small, sites, disk, output) = try await siteOnDisk()
        let whole = try disk.used()
        try FileManager.default.removeItem(atPath: output)

        var stages: Set<String> = []
        // First an empty output with more and more room, then an existing site with little room.
        let rooms = [1, 3, 6, 9, 11, 13, 15].map { (room: whole * $0 / 10, stands: false) }
        for (room, stands) in rooms + [0, 1, 2, 4, 6].map({ ($0 * whole / 8, true) }) {
            if FileManager.default.fileExists(atPath: output) { try FileManager.default.removeItem(atPath: output) }
            if stands {
                serve(0, small)
                #expect(try await small.run("build", output: output).code == 0)
            }
            let limit = max(64, room + (stands ? try disk.used() : 0))
            try await disk.remount("size=\(limit)k")
            serve(1, small)
            let end = try await small.run("build", output: output)
            let story = "\(room) of \(whole) KiB: \(end.code) \(end.errors)"
            stages.insert(end.code == 0 ? "none" : end.errors.contains("[2/3]") ? "render" : "capture")
            if end.code != 0 {
                #expect(end.code == 6, "\(story)")
                #expect(end.errors.contains("free space ") || end.errors.contains("free some space "), "\(story)")
            }
            let before = stands ? sites[0] : [:]
            #expect(try siteState(of: "\(output)/site") == (end.code == 0 ? sites[1] : before), "\(story)")
            try await disk.remount("size=64m")
            #expect(try ArchiveState(output).faults.isEmpty, "\(story)")
            try await small.run("build", output: output).succeeded()
            #expect(try siteState(of: "\(output)/site") == sites[1], "\(story)")
        }
        #expect(stages.isSuperset(of: ["capture", "render"]), "\(stages)")
    }

    @Test(Self.mounts)
    func `A disk that fills up during a large download ends the capture with exit 6`() async throws {
        let small = try Small(universe: Universe(seed: 5, characters: 21))
        var behaviour = Behaviour()
        let header: [UInt8] = [
            0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 9, 0, 0, 0, 9,
            8, 6,
        ]
        // The rest of the header, a chunk of 4 MiB, and the end. A capture accepts this as a complete picture.
        let data =
            [UInt8](repeating: 0, count: 7) + [0, 0x40, 0, 0] + Array("IDAT".utf8)
            + [UInt8](repeating: 7, count: 4 + 4 << 20)
        let picture = header + data + [0, 0, 0, 0] + Array("IEND".utf8) + [0xAE, 0x42, 0x60, 0x82]
        behaviour.avatarOverrides = [3: picture]
        small.server.behaviour = behaviour
        let disk = try await Disk(3_072)
        let output = "\(disk.path)/out"
        let full = try await small.run("build", output: output)
        #expect(full.code == 6, "\(full.errors)")
        // The body fills the disk. Another picture or the database may notice it first.
        #expect(
            full.errors.contains("No space left on device; free space there and run again")
                || full.errors.contains("database or disk is full (SQLite's code 13); free space on its disk"),
            "\(full.errors)")
        #expect(try ArchiveState(output).faults.isEmpty)
        try await disk.remount("size=64m")
        #expect(try await small.run("build", output: output).code == 0)
        #expect(try Data(contentsOf: URL(fileURLWithPath: "\(output)/site/avatar/3.png")).count == picture.count)
    }

    @Test(Self.mounts) func `A read-only output ends the build with exit 6 and stays unchanged`() async throws {
        let (small, sites, disk, output) = try await siteOnDisk()
        try await disk.remount("ro")
        serve(1, small)
        let end = try await small.run("build", output: output)
        end.failed(
            6,
            "cannot open the lock \(output)/.amber/lock: Read-only file system; make the file system writable, or choose another folder"
        )
        #expect(try siteState(of: "\(output)/site") == sites[0])
        #expect(try await Program.start(["check", "--output", output]).wait().code == 0, "what only reads still works")
        try await disk.remount("rw")
        #expect(try await small.run("build", output: output).code == 0)
        #expect(try siteState(of: "\(output)/site") == sites[1])
    }

    @Test(Self.mounts)
    func `The archive may be on another file system, and a linked hidden tree is refused`() async throws {
        let small = try Small(universe: Universe(seed: 5, characters: 21))
        let sites = try await references(small)
        let disk = try await Disk(65_536)
        let files = FileManager.default
        let output = small.output
        try files.createDirectory(atPath: output, withIntermediateDirectories: true)
        try files.createDirectory(atPath: "\(disk.path)/archive", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: "\(output)/archive", withDestinationPath: "\(disk.path)/archive")
        for generation in [0, 1] {
            serve(generation, small)
            #expect(try await small.run("build", output: output).code == 0)
            #expect(try siteState(of: small.site) == sites[generation])
        }
        let copy = try files.attributesOfItem(atPath: "\(small.site)/avatar/1.png")
        #expect(copy[.referenceCount] as? Int == 1)
        let prints = try fingerprint(of: small.site)
        let again = try await small.run("build", "--json", output: output)
        #expect(try again.summary()["written"] as? Int == 0, "a copy is as good as a link")
        #expect(try fingerprint(of: small.site) == prints)
        // A damaged original is fetched again, and its copy is replaced too.
        let picture = try #require(
            try files.subpathsOfDirectory(atPath: "\(disk.path)/archive/assets").first { $0.count > 60 })
        try Damage.flip(in: "\(disk.path)/archive/assets/\(picture)", at: 100)
        #expect(try await small.run("build", output: output).code == 0)
        #expect(try siteState(of: small.site) == sites[1])

        try files.removeItem(atPath: "\(output)/.amber")
        try files.createDirectory(atPath: "\(disk.path)/hidden", withIntermediateDirectories: true)
        try files.createSymbolicLink(atPath: "\(output)/.amber", withDestinationPath: "\(disk.path)/hidden")
        serve(0, small)
        let end = try await small.run("build", output: output)
        end.failed(6, "\(output)/.amber: it is a symbolic link; replace the link with the file or folder itself\n")
        #expect(!end.errors.contains("[3/3]"), "it is said before the work")
        #expect(try siteState(of: small.site) == sites[1])
        try files.removeItem(atPath: "\(output)/.amber")
        #expect(try await small.run("build", output: output).code == 0)
        #expect(try siteState(of: small.site) == sites[0])
    }

    @Test(Self.mounts) func `An output that is a link to another file system gets its first site`() async throws {
        let small = try Small(universe: Universe(seed: 5, characters: 21))
        let sites = try await references(small)
        let disk = try await Disk(65_536)
        try FileManager.default.createSymbolicLink(atPath: small.output, withDestinationPath: disk.path)
        for generation in [0, 1] {
            serve(generation, small)
            try await small.run("build").succeeded()
            #expect(try siteState(of: "\(disk.path)/site") == sites[generation])
        }
        #expect(try FileManager.default.destinationOfSymbolicLink(atPath: small.output) == disk.path)
    }

    @Test(.enabled(if: Machine.canBecomeNobody, "setpriv cannot run the program as another user here"))
    func `A user without permissions gets exit 6 or 5, and the site stays unchanged`() async throws {
        let small = try Small(universe: Universe(seed: 5, characters: 21))
        let sites = try await references(small)
        let files = FileManager.default
        serve(0, small)
        #expect(try await small.run("build").code == 0)
        serve(1, small)
        func isRefused(_ arguments: [String], _ code: Int32, _ sentence: String) async throws {
            let end = try await Machine.runAsNobody(arguments)
            #expect(end.code == code, "\(end.errors)")
            #expect(end.errors.contains(sentence), "\(end.errors)")
            #expect(try siteState(of: small.site) == sites[0])
        }
        func open(_ path: String, _ mode: Int) throws {
            try files.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
        }
        let remedy = "Permission denied; give the user who runs amber permission, or choose another folder"
        try await isRefused(small.arguments("build"), 6, "cannot open the lock \(small.output)/.amber/lock: \(remedy)")
        try open("\(small.output)/.amber", 0o777)
        try open("\(small.output)/.amber/lock", 0o666)
        try await isRefused(small.arguments("build"), 6, "\(small.output)/archive/incoming: \(remedy)")
        try open("\(small.output)/archive", 0o777)
        try await isRefused(
            small.arguments("build"), 6,
            "the archive \(small.output)/archive/archive.sqlite cannot be used: attempt to write a readonly database (SQLite's code "
        )
        try await isRefused(
            small.arguments("render", ["--base-url", "https://example.org"]), 6, "\(small.site)")
        try open("\(small.output)/archive/archive.sqlite", 0o600)
        try await isRefused(
            small.arguments("render"), 6, "cannot read \(small.output)/archive/archive.sqlite: \(remedy)")
        let templates = "\(small.scratch.path)/Templates"
        try files.copyItem(atPath: "\(Program.root)/Templates", toPath: templates)
        try open("\(templates)/layout.mustache", 0)
        try await isRefused(
            small.arguments("render", ["--templates", templates]), 5,
            "cannot read \(templates)/layout.mustache: \(remedy)")
        #expect(try ArchiveState(small.output).faults.isEmpty)
        #expect(try await small.run("build").code == 0)
        #expect(try siteState(of: small.site) == sites[1])
    }
}
