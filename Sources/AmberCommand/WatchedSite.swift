import Archive
import Glibc
import HTTPServer
import Platform
import Site

/// A site whose templates are being edited: compiles them when they are saved, lets open pages reload, and publishes.
///
/// The page that is looked at does not wait for all others: until the site is published, pages are made as they are
/// asked for. One thread waits for saves and compiles. A site is published on a thread of its own, since that can take
/// longer than an editor waits.
final class WatchedSite: Sendable {
    /// What open pages are to show.
    struct State: Sendable {
        /// Makes single pages from the templates as they are; nil where they were never right.
        var preview: SitePreview?
        /// Whether the published site is made from them.
        var isPublished = false
        /// What keeps the site from being published for now, such as another program's work or a full disk.
        var obstacle: String?
        /// What is wrong with the templates, as pages show it; nil where nothing is.
        var fault: String?

        /// Makes the pages that are not published yet; nil where the published ones are shown.
        var unpublished: SitePreview? { isPublished || fault != nil ? nil : preview }
    }

    /// How many pages wait for news.
    let newsReaders = Guarded(0)
    /// How many requests wait for a file that is made, or have it made.
    let previewReaders = Guarded(0)
    /// What was made last. Its lock is held while a file is made.
    let previews = Guarded(PreviewCache())
    /// Numbers do not come again when the program is started again.
    let state = Announced(State(), number: millisecondsSince1970())

    let run: Run
    /// The folder of templates, as it was named.
    let templates: String
    private let watcher: FolderWatcher
    private let ended = BlockingQueue<Void>()
    /// How often something was saved. Work on an earlier state is given up.
    private let saves = Guarded(0)
    private let isPublishing = Guarded(false)

    /// The milliseconds without another save after which publishing starts: it takes all cores.
    private static let silence = 250
    /// How often it is looked whether publishing has ended.
    private static let look = 50
    /// The milliseconds until publishing is tried again after an obstacle.
    private static let retry = 1_000

    init(_ run: Run) throws {
        self.run = run
        templates = try run.settings.templates()
        watcher = try Failure.with(.wrongUsage) { [templates] in try FolderWatcher(templates) }
    }
}

extension WatchedSite {
    /// Looks at the templates, and then works on a thread of its own until it is told to end.
    func start() {
        var seen: SHA256?
        look(&seen)
        startThread { [self, seen] in
            do {
                try work(seen)
            } catch {
                run.console.warn("\(error); nothing is watched any more: end with Ctrl-C, and start again")
            }
            ended.push(())
        }
    }

    /// Ends the work; a site that is not published yet is not published.
    func end() {
        state.end()
        watcher.end()
        _ = ended.popAll()
        saves.withLock { $0 += 1 }
        while isPublishing.withLock({ $0 }) { usleep(50_000) }
    }

    private func work(_ seen: SHA256?) throws {
        var seen = seen
        while true {
            let isPublishing = isPublishing.withLock { $0 }
            switch try watcher.wait(milliseconds: isPublishing ? Self.look : untilPublishing) {
            case .end: return
            case .change:
                saves.withLock { $0 += 1 }
                look(&seen)
            case .silence: if !isPublishing { publish() }
            }
        }
    }

    /// Milliseconds without a save after which the site is to be published; nil where it is, or cannot be.
    private var untilPublishing: Int? {
        let state = state.current.value
        guard state.fault == nil, !state.isPublished else { return nil }
        return state.obstacle == nil ? Self.silence : Self.retry
    }

    /// Reads the templates, and lets all open pages show the result.
    /// - Parameter seen: the digest of those that were looked at last.
    private func look(_ seen: inout SHA256?) {
        let before = state.current.value
        let last = seen
        seen = nil
        do {
            let templates = try run.readTemplates(folder)
            seen = templates.digest
            guard seen != last else { return }
            let build = run.siteBuild(try run.revision(nil), try run.compile(templates))
            let preview = try SitePreview(build, after: before.preview)
            saves.withLock { _ in state.set(State(preview: preview)) }
            if before.fault != nil { run.console.say("fixed: showing the saved version") }
        } catch {
            fail(Failure(error), before, since: saves.withLock { $0 })
        }
    }

    private func fail(_ failure: Failure, _ before: State, since number: Int) {
        var failed = before
        failed.fault = shown(failure)
        failed.isPublished = false
        set(failed, since: number, isNews: true)
        run.console.warn(failure.lines)
    }

    /// Sets what came of publishing, unless something was saved meanwhile.
    private func set(_ news: State, since number: Int, isNews: Bool = false) {
        saves.withLock { saves in
            if saves == number { state.set(news, isNews: isNews) }
        }
    }

    /// Publishes what the pages show already, unless something is saved meanwhile.
    private func publish() {
        let before = state.current.value
        guard let preview = before.preview else { return }
        let number = saves.withLock { $0 }
        isPublishing.withLock { $0 = true }
        startThread { [self] in
            defer { isPublishing.withLock { $0 = false } }
            do {
                // Held only while something is published, so that captures can run between.
                let lock = try run.lockOutput()
                defer { withExtendedLifetime(lock) {} }
                let start = ContinuousClock.now
                let written = try run.publish(preview.build) { [saves] in
                    Interruption.code != nil || saves.withLock { $0 != number }
                }
                set(State(preview: preview, isPublished: true), since: number)
                let time = Summary.time(start.duration(to: .now) / .seconds(1))
                if written > 0 { run.console.say("published: \(Summary.grouped(written)) files written in \(time)") }
            } catch SiteError.cancelled {
            } catch {
                // Pages that fail their check do so again; what the machine refuses may pass.
                let failure = Failure(error)
                if failure.code == .pageFails {
                    fail(failure, before, since: number)
                } else if before.obstacle != "\(failure)" {
                    run.console.warn(
                        "\(failure); the pages shown here are those of the templates, and are published afterwards")
                    var waiting = before
                    waiting.obstacle = "\(failure)"
                    set(waiting, since: number)
                }
            }
        }
    }
}

extension Run {
    /// Brings the published site up to date.
    /// - Returns: how many files were written.
    fileprivate func publish(_ build: SiteBuild, isCancelled: @escaping @Sendable () -> Bool) throws -> Int {
        let key = try build.key()
        if let published = try site.standing(key: key, from: archive) { return published.written }
        let prepared = try build.prepare(site, key: key, isCancelled: isCancelled)
        try prepared.publish()
        return prepared.report.written
    }
}

extension WatchedSite {
    /// The folder of templates from the root on, so that it can be found in messages.
    private var folder: String { Folder.realPath(templates) ?? templates }

    /// The text of a failure for a page. Every client of this server can read the page, so paths are relative to the
    /// template folder, and no other paths are shown.
    func shown(_ failure: Failure) -> String {
        guard failure.code == .pageFails else { return "The site cannot be published now. The terminal says why." }
        return Self.relative("\(failure)", to: folder)
    }

    /// A text with the paths in a folder relative to it. A path begins the text or follows a space or a quote, and
    /// ends with its folder's name.
    static func relative(_ text: String, to folder: String) -> String {
        var shown = ""
        var rest = text[...]
        while let place = rest.firstRange(of: folder) {
            let (before, after) = (rest[..<place.lowerBound].last ?? shown.last ?? " ", rest[place.upperBound...])
            let isPath = before.isWhitespace || before == "\""
            shown += rest[..<place.lowerBound]
            rest = after
            if isPath, after.first == "/" {
                rest = after.dropFirst()
            } else if isPath, after.first.map({ " :;,\"".contains($0) }) ?? true {
                shown += "the folder of templates"
            } else {
                shown += folder
            }
        }
        return shown + rest
    }
}
