import HTTPServer
import Platform
import SampleAPI

extension AmberCommand {
    /// Serves the published site until interrupted.
    static func serveSite(_ arguments: Arguments, _ settings: Settings) async throws -> ExitCode {
        let site = "\(settings.output)/site"
        guard FileStatus("\(site)/index.html") != nil else {
            throw Failure(.wrongUsage, "there is no site in \(site) yet; make one with: \(settings.next.line(.build))")
        }
        _ = try Folder.open(settings.output).folder("site")
        let hosts = try allowedHosts(arguments)
        let port = try arguments.integer(.port, in: 0...65_535) ?? 8_000
        let watched = arguments.has(.watch) ? try WatchedSite(Run(.serve, settings, SampleSettings(arguments))) : nil
        let answers = SiteAnswers(files: StaticFiles(folder: site), watched: watched)
        let server = try HTTPServer(port: port, hosts: hosts) { answers.answer($0) }
        watched?.start()
        let watching = watched.map { "; what is saved in \($0.templates) is shown" } ?? ""
        Console(isQuiet: settings.isQuiet, isVerbose: false).say(
            "\(site) is on http://127.0.0.1:\(server.port)\(watching) (end with Ctrl-C)")
        await untilInterrupted()
        watched?.end()
        server.stop()
        return .done
    }

    /// Serves the sample universe until interrupted.
    static func serveSample(_ arguments: Arguments) async throws -> ExitCode {
        let sample = try SampleSettings(arguments)
        let universe = sample.universe
        var behaviour = Behaviour()
        behaviour.replaced = sample.replaced(in: universe)
        behaviour.latency = .milliseconds(try arguments.integer(.latency, in: 0...60_000) ?? 0)
        behaviour.keepsLog = false
        let hosts = try allowedHosts(arguments)
        let port = try arguments.integer(.port, in: 0...65_535) ?? 8_090
        let server = try SampleServer(universe, port: port, hosts: hosts, behaviour: behaviour)
        let console = Console(isQuiet: arguments.has(.quiet), isVerbose: false)
        let media = "\(KnownCatalogue.itunes.name(of: sample)) on \(server.rootURL)"
        console.say("\(sample.name) is on \(server.apiURL), \(media) (end with Ctrl-C)")
        await untilInterrupted()
        server.stop()
        return .done
    }

    private static func allowedHosts(_ arguments: Arguments) throws(Failure) -> [String] {
        let hosts = arguments.all(.allowHost)
        if let wrong = hosts.first(where: { !HostNames.isValid($0[...]) }) {
            throw Failure(
                .wrongUsage,
                "--allow-host takes a host name without a port, such as amber.example.org, not \"\(wrong)\"")
        }
        return hosts
    }

    private static func untilInterrupted() async {
        while !Task.isCancelled {
            // A cancelled sleep ends early, which is what it is for.
            try? await Task.sleep(for: .seconds(3_600))
        }
    }
}
