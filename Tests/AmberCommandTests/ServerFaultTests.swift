import Foundation
import HTTPServer
import Platform
import SampleAPI
import TestSupport
import Testing

struct ServerFaultTests {
    /// A published site, a server whose data has changed since, and the site of that data from a build without faults.
    private struct Shared: Sendable {
        let small: Small
        let faulty: FaultyServer
        let undisturbed: [String: Data]
    }

    private static let shared = Task<Shared, any Error> {
        let small = try Small(behaviour)
        let faulty = try FaultyServer(before: small.server.port)
        try await small.run("build", api: faulty.apiURL).succeeded()
        small.server.behaviour = revised
        let scratch = try ScratchFolder()
        try await small.run("build", api: faulty.apiURL, output: scratch.path).succeeded()
        return Shared(small: small, faulty: faulty, undisturbed: try contents(of: scratch["site"]))
    }

    private static let behaviour = Behaviour(hidden: [Universe.Reference(.location, 2)])
    private static var revised: Behaviour {
        var behaviour = behaviour
        behaviour.revise(Small.universe)
        return behaviour
    }

    private let small: Small
    private let faulty: FaultyServer
    private let old: [String: Data]
    private let undisturbed: [String: Data]

    init() async throws {
        let shared = try await Self.shared.value
        small = try await Small(copyOf: shared.small, Self.revised)
        (faulty, undisturbed) = (shared.faulty, shared.undisturbed)
        faulty.setFaults([])
        try faulty.restart()
        _ = faulty.takeLog()
        old = try contents(of: small.site)
    }

    private func build(_ more: String...) async throws -> Program.Result {
        try await Program.start(small.arguments("build", more, api: faulty.apiURL)).wait()
    }

    @Test func `A list page that keeps failing is reported with its cause, and the site is unchanged`() async throws {
        // CaptureTests covers the slow faults.
        let slow = ["silence", "a byte a second", "1 GiB body", "endless body"]
        let quick = ServerFault.selected.filter {
            $0.nature == .lost && !slow.contains($0.name) && !$0.name.contains("with Retry-After")
        }
        #expect(quick.count >= (Soak.minutes == nil ? 6 : Soak.isShort ? 3 : 20))
        for fault in quick {
            faulty.setFaults([FaultyServer.Fault(times: nil, fault.action) { $0 == "/api/character?page=2" }])
            let run = try await build()
            #expect(run.code == 3, "\(fault.name)")
            let lines = run.errors.split(separator: "\n").filter { $0.hasPrefix("amber: ") }
            #expect(
                lines.count == 1 && lines[0].contains("\(faulty.apiURL)/character?page=2: "),
                "\(fault.name): \(run.errors)")
            #expect(fault.isNamed(in: String(lines.first ?? "")), "\(fault.name): \(run.errors)")
            #expect(try contents(of: small.site) == old, "\(fault.name)")
        }
        #expect(undisturbed != old)
        faulty.setFaults([])
        #expect(try await build().code == 0)
        let others = try differing(contents(of: small.site), undisturbed)
        #expect(others.isEmpty, "\(others)")
    }

    @Test(arguments: ServerFault.lists.map(\.name))
    func `A list that changes is requested again, and if it keeps changing, the capture ends`(name: String) async throws
    {
        let fault = try #require(ServerFault.lists.first { $0.name == name })
        faulty.setFaults([FaultyServer.Fault(times: nil, fault.action) { $0 == "/api/character?page=2" }])
        let failed = try await build()
        failed.failed(3, "the same again in the last attempt")
        #expect(failed.errors.components(separatedBy: "reading the list again").count == 3, "\(failed.errors)")
        #expect(try contents(of: small.site) == old)

        faulty.setFaults([FaultyServer.Fault(times: 1, fault.action) { $0 == "/api/character?page=2" }])
        let run = try await build().succeeded()
        #expect(run.errors.components(separatedBy: "reading the list again").count == 2, "\(run.errors)")
        #expect(
            try comparableFiles(contents(of: small.site))["index.html"] == comparableFiles(undisturbed)["index.html"])
    }

    @Test func `A server that stops ends the capture, and the next run requests only the rest`() async throws {
        faulty.setFaults([FaultyServer.Fault(.down(for: nil)) { $0 == "/api/character/avatar/30.jpeg" }])
        let run = try await build()
        run.failed(3, "and the server fails for other requests too; the received answers are kept, run again later")
        #expect(try contents(of: small.site) == old)
        let before = Set(faulty.takeLog().filter { [200, 304].contains($0.status) }.map(\.target))
        #expect(before.count > 20)

        try faulty.restart()
        try await build().succeeded()
        let twice = faulty.takeLog().filter { before.contains($0.target) }
        // The answers in transit on the eight connections were not stored.
        #expect(twice.count <= 8, "\(twice)")
    }

    @Test func `A record or picture that keeps failing is a gap, and nothing else is missing`() async throws {
        let names = [
            "reset before the first byte", "500 with the API's client-error body", "200 with HTML",
            "redirect to another host",
            "nested 10,000 deep",
        ]
        for fault in ServerFault.selected where names.contains(fault.name) {
            let targets = ["/api/location/2", "/api/character/avatar/7.jpeg"]
            faulty.setFaults([FaultyServer.Fault(times: nil, fault.action) { targets.contains($0) }])
            let run = try await build()
            #expect(run.code == 4, "\(fault.name): \(run.errors)")
            let gaps = run.output.split(separator: "\n").filter { $0.hasPrefix("          ") }
            #expect(gaps.count == 2, "\(fault.name): \(gaps)")
            // Gaps with the same reason are one line.
            for gap in gaps where !gap.contains("--json lists them all") {
                #expect(gap.contains("location/2: ") || gap.contains("avatar/7.jpeg: "), "\(fault.name): \(gap)")
            }
            // The lists by the values that only this location has are lost, too.
            let byValue = { (path: String) in ["location-type/", "dimension/"].contains { path.contains($0) } }
            let lost = Set(undisturbed.keys).subtracting(try contents(of: small.site).keys).filter { !byValue($0) }
            let mayBeLost: Set = [
                "location/2.html", "ru/location/2.html", "api/location/2.json", "avatar/7.png",
                "api/character/avatar/7.jpeg",
            ]
            #expect(lost.isSubset(of: mayBeLost), "\(fault.name): \(lost)")
        }
        faulty.setFaults([])
        #expect(try await build().code == 0)
        #expect(try comparableFiles(contents(of: small.site)).keys.sorted() == comparableFiles(old).keys.sorted())
    }

    @Test func `A server that fails after its lists ends the capture and causes no gaps`() async throws {
        let pages = Locked(0)
        let isIll: @Sendable (String) -> Bool = { target in
            if target.contains("avatar/3") { return true }
            guard target == "/api/character?page=1" else { return false }
            return pages.withLock {
                $0 += 1
                return $0 > 1
            }
        }
        for answer in [
            FaultyServer.Reply(503),
            FaultyServer.Reply(200, [("Content-Type", "text/html")], Array("<h1>Back soon</h1>".utf8)),
        ] {
            // The second run continues the first one and has its lists.
            pages.withLock { $0 = min($0, 1) }
            faulty.setFaults([FaultyServer.Fault(times: nil, .answer { _ in answer }, on: isIll)])
            try await build().failed(3, "and the server fails for other requests too")
            #expect(try contents(of: small.site) == old)
        }
        faulty.setFaults([])
        #expect(try await build().code == 0)
        let others = try differing(contents(of: small.site), undisturbed)
        #expect(others.isEmpty, "\(others)")
    }

    @Test func `Lists that have all become empty end the capture, and the published site is unchanged`() async throws {
        let empty = FaultyServer.Reply(
            200, [("Content-Type", "application/json")],
            Array(#"{"info":{"count":0,"pages":0,"next":null,"prev":null},"results":[]}"#.utf8)
        )
        faulty.setFaults([FaultyServer.Fault(times: nil, .answer { _ in empty }) { $0.contains("page=1") }])
        let run = try await build()
        run.failed(
            3, "are all empty, but the newest revision has 55 records; if this is correct, move the archive away")
        #expect(try contents(of: small.site) == old)
    }

    @Test func `An invalid certificate is an error that does not change the site, and a valid certificate works`()
        async throws
    {
        try small.scratch.write(TLSIdentities.authority, to: "authority.pem")
        let trust = ["SSL_CERT_FILE": small.scratch["authority.pem"]]
        let cases: [(TLSIdentity, String)] = [
            (TLSIdentities.unknownAuthority, "unable to get local issuer certificate"),
            (TLSIdentities.expired, "certificate has expired"),
            (TLSIdentities.otherName, "no alternative certificate subject name matches target"),
        ]
        for (identity, words) in cases {
            let asked = Locked(0)
            let server = try HTTPServer(identity: identity) { _ in
                asked.withLock { $0 += 1 }
                return ServerAnswer()
            }
            let api = "https://127.0.0.1:\(server.port)/api"
            let run = try await Program.start(
                small.arguments("build", ["--source", "live"], api: api), environment: trust
            ).wait()
            #expect(run.code == 3)
            #expect(
                run.errors.hasPrefix("amber: the API cannot be reached: \(api)/")
                    && run.errors.contains("TLS failed: ")
                    && run.errors.contains(words) && run.errors.split(separator: "\n").count == 1, "\(run.errors)")
            #expect(asked.withLock { $0 } == 0)
            #expect(try contents(of: small.site) == old)
        }
        let responder = Responder(Small.universe)
        let server = try HTTPServer(identity: TLSIdentities.good) { responder.answer($0) }
        try await Program.start(
            small.arguments("build", ["--source", "live"], api: "https://127.0.0.1:\(server.port)/api"),
            environment: trust
        ).wait().succeeded()
    }
}
