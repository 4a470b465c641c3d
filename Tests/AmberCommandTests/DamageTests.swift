import Foundation
import SQLite
import SampleAPI
import TestSupport
import Testing

struct DamageTests {
    private let small: Small
    private let good: [String: Data]
    private var database: String { "\(small.output)/archive/archive.sqlite" }

    init() async throws {
        small = try await Small.built(Universe(seed: 5, characters: 21))
        good = try contents(of: small.site)
    }

    /// Renders with another base URL, so that the existing site is not up to date.
    private func renderWithBaseURL() async throws -> Program.Result {
        try await small.run("render", "--base-url", "https://example.org")
    }

    @Test(arguments: ["header", "truncated", "zeros"])
    func `A damaged archive exits with 3 and a remedy, and a backup repairs it`(how: String) async throws {
        let backup = try Data(contentsOf: URL(fileURLWithPath: database))
        switch how {
        case "header":
            try Damage.overwrite(database, at: 0, count: 16) { _ in Array("not SQLite at all".utf8.prefix(16)) }
        case "truncated":
            try FileHandle(forUpdating: URL(fileURLWithPath: database)).truncate(atOffset: UInt64(backup.count / 3))
        // The first page, which contains SQLite's schema table.
        default: try Damage.overwrite(database, at: 100, count: 3_996) { _ in [UInt8](repeating: 0, count: 3_996) }
        }
        for run in [try await small.run("build"), try await renderWithBaseURL()] {
            run.failed(
                3, "the archive \(database) cannot be used: ", "; restore a backup, or move it away and capture again")
        }
        #expect(try contents(of: small.site) == good)
        try backup.write(to: URL(fileURLWithPath: database))
        for rest in ["-wal", "-shm"] where FileManager.default.fileExists(atPath: database + rest) {
            try FileManager.default.removeItem(atPath: database + rest)
        }
        #expect(try await small.run("build").code == 0)
        #expect(try contents(of: small.site) == good)
    }

    @Test func `A zeroed page of the archive is reported or repaired and never changes the site`() async throws {
        let backup = try Data(contentsOf: URL(fileURLWithPath: database))
        var codes: [Int32: Int] = [:]
        let pages = Array(2..<backup.count / 4_096)
        for page in Soak.all(pages, orOnly: { $0 % 40 == 7 }) {
            try Damage.overwrite(database, at: page * 4_096, count: 4_096) { _ in [UInt8](repeating: 0, count: 4_096) }
            let end = try await small.run("build")
            codes[end.code, default: 0] += 1
            #expect(end.code == 0 || end.code == 3, "page \(page): \(end.errors)")
            #expect(try contents(of: small.site) == good, "page \(page)")
            for rest in ["", "-wal", "-shm"] where FileManager.default.fileExists(atPath: database + rest) {
                try FileManager.default.removeItem(atPath: database + rest)
            }
            try backup.write(to: URL(fileURLWithPath: database))
        }
        #expect(codes[3, default: 0] > 0)
    }

    @Test func `A flipped bit in a record stops rendering, and the next capture repairs it`() async throws {
        let name = small.server.universe.name(of: Universe.Reference(.character, 4))
        try Damage.flip(in: database, after: "{\"id\":4,\"name\":\"\(name.prefix(3))")
        let render = try await renderWithBaseURL()
        render.failed(
            3,
            "the archive is damaged: character 4 does not match its digest; capture again to fetch the damaged parts, or restore a backup"
        )
        #expect(try contents(of: small.site) == good)

        #expect(try await small.run("capture").code == 0)
        let asked = small.server.log.filter { $0.status == 200 }.map(\.target)
        #expect(asked == ["/api/character?page=1"], "only the damaged page is requested")
        #expect(try await renderWithBaseURL().code == 0)
        #expect(try await small.run("render").code == 0)
        #expect(try contents(of: small.site) == good)
        #expect(try ArchiveState(small.output).faults.isEmpty)
    }

    @Test(arguments: ["flipped", "short", "gone", "replaced"])
    func `A damaged or missing picture is detected by its hash and fetched again`(how: String) async throws {
        let files = FileManager.default
        let assets = "\(small.output)/archive/assets"
        let seen = "\(small.site)/avatar/2.png"
        let inode = try files.attributesOfItem(atPath: seen)[.systemFileNumber] as? Int
        let name = try #require(
            try files.subpathsOfDirectory(atPath: assets).first {
                try files.attributesOfItem(atPath: "\(assets)/\($0)")[.systemFileNumber] as? Int == inode
            })
        let file = "\(assets)/\(name)"
        let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
        switch how {
        case "flipped": try Damage.flip(in: file, at: bytes.count / 2)
        case "short":
            try files.setAttributes([.posixPermissions: 0o644], ofItemAtPath: file)
            try FileHandle(forUpdating: URL(fileURLWithPath: file)).truncate(atOffset: 10)
        case "gone": try files.removeItem(atPath: file)
        default:
            // The archive has a new file with the same bytes, and the site's file is damaged.
            try files.copyItem(atPath: file, toPath: "\(file).copy")
            try files.removeItem(atPath: file)
            try files.moveItem(atPath: "\(file).copy", toPath: file)
            try Damage.flip(in: seen, at: bytes.count / 2)
        }
        let causes = [
            "flipped": "does not match its digest", "short": "has 10 bytes instead of \(bytes.count)",
            "gone": "is missing",
        ]
        if let what = causes[how] {
            let shown = try contents(of: small.site)
            let render = try await renderWithBaseURL()
            #expect(render.code == 3)
            #expect(try contents(of: small.site) == shown)
            #expect(
                render.errors.contains("the archive is damaged: the picture \(file) \(what); capture again to "),
                "\(render.errors)")
        }
        try await small.run("build").succeeded()
        #expect(
            small.server.log.filter { $0.status == 200 }.map(\.target)
                == (how == "replaced" ? [] : ["/api/character/avatar/2.jpeg"]))
        #expect(try Data(contentsOf: URL(fileURLWithPath: file)) == bytes)
        #expect(try contents(of: small.site) == good)
        let facts = try files.attributesOfItem(atPath: file)
        #expect(facts[.posixPermissions] as? Int == 0o444)
        #expect(try files.attributesOfItem(atPath: seen)[.systemFileNumber] as? Int == facts[.systemFileNumber] as? Int)
        if how == "flipped" || how == "short" {
            #expect(facts[.systemFileNumber] as? Int == inode, "repaired in place")
        }
    }

    @Test func `An archive of a newer version of Amber stays unchanged, exit 3`() async throws {
        try Connection(database, .readWrite).execute("PRAGMA user_version = 99")
        func archived() throws -> [String: String] {
            // Each run creates the folder for temporary files again.
            try fingerprint(of: "\(small.output)/archive").filter { $0.key != "incoming" }
        }
        let before = try archived()
        for run in [try await small.run("build"), try await renderWithBaseURL()] {
            run.failed(
                3,
                "the schema has version 99, but this version of Amber supports versions up to 7; use a newer version of Amber"
            )
        }
        #expect(try contents(of: small.site) == good)
        #expect(before["archive.sqlite"] != nil)
        #expect(try archived() == before)
        try Connection(database, .readWrite).execute("PRAGMA user_version = 7")
        #expect(try await small.run("build").code == 0)
    }

    @Test func `The output and the archive may be symbolic links, other folders may not`() async throws {
        let files = FileManager.default
        let real = "\(small.scratch.path)/real"
        try files.moveItem(atPath: "\(small.output)/archive", toPath: real)
        try files.createSymbolicLink(atPath: "\(small.output)/archive", withDestinationPath: real)
        try files.createSymbolicLink(atPath: "\(small.scratch.path)/link", withDestinationPath: small.output)
        #expect(try await renderWithBaseURL().code == 0)
        #expect(try contents(of: small.site) != good)
        try await Program.run(
            "render", "--api", small.server.apiURL, "--output", "\(small.scratch.path)/link"
        ).succeeded()
        #expect(try contents(of: small.site) == good)
        #expect(try files.destinationOfSymbolicLink(atPath: "\(small.output)/archive") == real)
        for name in ["site", ".amber", "cards", "parts", "snapshots"] {
            let place = "\(small.output)/\(name)"
            try files.createDirectory(atPath: place, withIntermediateDirectories: true)
            try files.moveItem(atPath: place, toPath: "\(small.scratch.path)/moved")
            try files.createSymbolicLink(atPath: place, withDestinationPath: "\(small.scratch.path)/moved")
            let before = try fingerprint(of: "\(small.scratch.path)/moved")
            let refused = try await renderWithBaseURL()
            refused.failed(6, "\(place): it is a symbolic link; replace the link with the file or folder itself\n")
            #expect(try fingerprint(of: "\(small.scratch.path)/moved") == before)
            try files.removeItem(atPath: place)
            try files.moveItem(atPath: "\(small.scratch.path)/moved", toPath: place)
        }
    }

    @Test func `A clock that is set back fails no build and keeps no answer forever`() async throws {
        var behaviour = Behaviour(faults: [Fault(.contains("avatar/7."), times: nil, .hang(.seconds(3_600)))])
        behaviour.revise(small.server.universe)
        small.server.behaviour = behaviour
        let running = try Program.start(small.arguments("build"))
        while running.isRunning, try ArchiveState(small.output).kept.count < 20 { usleep(5_000) }
        running.send(SIGKILL)
        _ = try await running.wait()
        // Dates ten years ahead look as if the clock was set back since.
        let later = 10 * 366 * 86_400_000
        try Connection(database, .readWrite).execute(
            """
            UPDATE revision SET started = started + \(later), finished = finished + \(later), confirmed = confirmed + \(later);
            UPDATE exchange SET received = received + \(later)
            """)
        let future = Date(timeIntervalSinceNow: Double(later / 1_000))
        for name in try contents(of: small.site).keys {
            try FileManager.default.setAttributes([.modificationDate: future], ofItemAtPath: "\(small.site)/\(name)")
        }
        behaviour.faults = []
        small.server.behaviour = behaviour
        small.server.resetLog()
        try await small.run("build").succeeded()
        #expect(
            small.server.log.contains { $0.target == "/api/character?page=1" },
            "answers from the future are requested again")
        let made = try contents(of: small.site)
        let fresh = "\(small.scratch.path)/fresh"
        try await small.run("build", output: fresh).succeeded()
        let others = try differing(made, contents(of: "\(fresh)/site"))
        // A revision is not dated before the previous one. The about page and the lists show its date.
        let dated = ["about.html", "episodes.html", "index.html", "locations.html"]
        #expect(others == dated + dated.map { "ru/\($0)" })
    }

    @Test func `Templates edited during a build apply to the next, and invalid ones exit with 5`() async throws {
        let files = FileManager.default
        let templates = "\(small.scratch.path)/Templates"
        try files.copyItem(atPath: "\(Program.root)/Templates", toPath: templates)
        var behaviour = Behaviour()
        behaviour.revise(small.server.universe)
        small.server.behaviour = behaviour
        let fresh = "\(small.scratch.path)/fresh"
        #expect(try await small.run("build", output: fresh).code == 0)
        behaviour.faults = [Fault(.contains("avatar/7."), .hang(.seconds(1)))]
        small.server.behaviour = behaviour
        small.server.resetLog()
        let running = try Program.start(small.arguments("build", ["--templates", templates]))
        while running.isRunning, !small.server.log.contains(where: { $0.target.contains("avatar/7.") }) {
            usleep(1_000)
        }
        try edit("\(templates)/layout.mustache") { $0.replacing("</body>", with: "<p>edited</p></body>") }
        try small.scratch.write("p{}", to: "Templates/style.css")
        #expect(running.isRunning)
        #expect(try await running.wait().code == 0)
        let made = try contents(of: small.site)
        let others = try differing(made, contents(of: "\(fresh)/site"))
        #expect(others.isEmpty, "\(others)")
        #expect(try await small.run("render", "--templates", templates).code == 0)
        let edited = try contents(of: small.site)
        #expect(edited["style.css"]?.starts(with: Data("p{}".utf8)) == true)
        #expect(edited["index.html"] != made["index.html"])
        try files.removeItem(atPath: templates)
        let lost = try await small.run("build", "--templates", templates)
        lost.failed(2, "there are no templates in \(templates); name their folder with --templates")
        try files.copyItem(atPath: "\(Program.root)/Templates", toPath: templates)
        try small.scratch.write("{{#open}}", to: "Templates/layout.mustache")
        try await small.run("build", "--templates", templates).failed(5, "\(templates)/layout.mustache:1:4: ")
        #expect(try contents(of: small.site) == edited)
    }
}
