import Archive
import Platform
import Site

extension Run {
    /// Makes one of several parts of a site into a folder of its own.
    /// - Parameter text: which one, as 2/3.
    func renderPart(_ text: String, of named: String?) throws -> ExitCode {
        guard let part = Part(text) else {
            throw Failure(
                .wrongUsage,
                "--part takes a part and how many there are, as 2/3 for the second of three, not \"\(text)\"")
        }
        let lock = try lockOutput("part-\(part).lock")
        defer { withExtendedLifetime(lock) {} }
        let templates = try loadTemplates()
        let revision = try revision(named)
        let folder = "\(settings.output)/parts/\(part)"
        let before = try archived(revision, as: revision.source.origin == .sample ? "sample" : "archive")
        console.say("[1/1] render and check part \(part.number) of \(part.count)")
        let report = try siteBuild(revision, templates).write(
            to: "parts/\(part)", below: settings.output, part: part,
            progress: { done, all in console.progress("[1/1] render and check", done: done, of: all) },
            isCancelled: { Interruption.code != nil })
        console.clear()
        console.say(
            "part \(part.number) of \(part.count) is in \(folder); the parts copied into one folder are the site")
        return finish(Self.summary(before, of: report), place: nil)
    }
}
