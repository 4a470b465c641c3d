import Archive
import HTTPServer
import Platform
import Site

/// A site whose templates are being worked at: looks at them when they are saved, tells the pages that are open, and
/// publishes.
///
/// The page that is looked at does not wait for all others: until the site is published, pages are made as they are
/// asked for.
final class WatchedSite: Sendable {
    /// What the pages that are open are to show.
    struct State: Sendable {
        /// What makes single pages from the templates as they are; nil where they were never right.
        var preview: SitePreview?
        /// Whether the published site is made from them.
        var isPublished = false
        /// What keeps the site from being published for now, such as another program's work or a full disk; nil where
        /// nothing does.
        var obstacle: String?
        /// What is wrong with the templates, as pages show it; nil where nothing is.
        var fault: String?

        /// What makes the pages that are not published yet; nil where the published ones are shown.
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

    /// The folder of templates that is watched.
    let templates: String
    let run: Run
    private let watcher: FolderWatcher
    private let ended = BlockingQueue<Void>()
    /// Told when the thread that publishes has ended.
    private let done = BlockingQueue<Void>()
    /// How often something was saved: what is being published is given up where that differs from what it was at the
    /// beginning.
    private let saves = Guarded(0)

    /// Publishing waits until so many milliseconds went by without another save: it takes all cores.
    private static let silence = 250
    /// How often it is looked whether it has ended.
    private static let look = 50
    /// Where something keeps it from that, it is tried again after so many milliseconds.
    private static let retry = 1_000

    init(_ run: Run) throws(Failure) {
        self.run = run
        templates = try run.templatesFolder()
        do throws(SystemError) {
            watcher = try FolderWatcher(templates)
        } catch {
            throw Failure(.wrongUsage, "\(error)")
        }
    }
}

extension WatchedSite {
    /// Looks at the templates, and then works on a thread of its own until it is told to end.
    func start() {
        var seen: SHA256?
        look(&seen)
        startThread { [self, seen] in
            do throws(SystemError) {
                try work(seen)
            } catch {
                run.console.warn("\(error); nothing is watched any more: end with Ctrl-C, and start again")
            }
            ended.push(())
        }
    }

    /// Ends the work, what it is at being left as it was.
    func end() {
        state.end()
        watcher.end()
        _ = ended.popAll()
    }

    /// Looks at what is saved as soon as it is, also while a thread of its own publishes.
    private func work(_ seen: SHA256?) throws(SystemError) {
        var seen = seen
        var isPublishing = false
        defer { if isPublishing { _ = done.popAll() } }
        while true {
            if isPublishing, !done.popAll(within: 0).isEmpty { isPublishing = false }
            switch try watcher.wait(milliseconds: isPublishing ? Self.look : untilPublishing) {
            case .end:
                saves.withLock { $0 += 1 }
                return
            case .change:
                saves.withLock { $0 += 1 }
                look(&seen)
            case .silence where isPublishing: continue
            case .silence:
                isPublishing = true
                let number = saves.withLock { $0 }
                startThread { [self] in
                    publish(number)
                    done.push(())
                }
            }
        }
    }

    /// Milliseconds without a save after which the site is to be published; nil where it is, or cannot be.
    private var untilPublishing: Int? {
        let state = state.current.value
        guard state.fault == nil, !state.isPublished else { return nil }
        return state.obstacle == nil ? Self.silence : Self.retry
    }

    /// Reads the templates, and has all open pages show what came of it.
    /// - Parameter seen: the digest of those that were looked at last.
    private func look(_ seen: inout SHA256?) {
        let before = state.current.value
        let last = seen
        seen = nil
        do {
            let templates = try run.readTemplates()
            seen = templates.source.digest
            guard seen != last else { return }
            let build = run.siteBuild(try run.revision(nil), try templates.compiledFolder())
            let preview = try SitePreview(build, after: before.preview)
            saves.withLock { _ in state.set(State(preview: preview)) }
            if before.fault != nil { run.console.say("mended: pages show what was saved") }
        } catch {
            fail(Failure(error), before, since: saves.withLock { $0 })
        }
    }

    private func fail(_ failure: Failure, _ before: State, since number: Int) {
        var failed = before
        failed.fault = shown(failure)
        failed.isPublished = false
        set(failed, since: number, isNews: true)
        run.console.warn(lines: failure.lines)
    }

    /// Sets what came of publishing, unless something was saved meanwhile.
    private func set(_ news: State, since number: Int, isNews: Bool = false) {
        saves.withLock { saves in
            if saves == number { state.set(news, isNews: isNews) }
        }
    }

    /// Publishes what the pages show already, unless something is saved meanwhile.
    /// - Parameter number: how often something was saved before.
    private func publish(_ number: Int) {
        let before = state.current.value
        guard let preview = before.preview else { return }
        do {
            // Held only while something is published, so that captures can run between.
            let lock = try run.lockOutput()
            defer { withExtendedLifetime(lock) {} }
            let start = ContinuousClock.now
            let report = try run.publish(preview.build) { [saves] in
                Interruption.code != nil || saves.withLock { $0 != number }
            }
            guard let report else { return }
            set(State(preview: preview, isPublished: true), since: number)
            let time = start.duration(to: .now) / .seconds(1)
            if report.written > 0 {
                run.console.say("published: \(Summary.grouped(report.written)) files written in \(Summary.time(time))")
            }
        } catch {
            // Pages that fail their check do so again; what the machine refuses may pass.
            let failure = Failure(error)
            if failure.code == .pageFails {
                fail(failure, before, since: number)
            } else {
                wait(for: failure.sentence, before, since: number)
            }
        }
    }

    private func wait(for obstacle: String, _ before: State, since number: Int) {
        guard before.obstacle != obstacle else { return }
        run.console.warn("\(obstacle); the pages shown here are those of the templates, and are published afterwards")
        var waiting = before
        waiting.obstacle = obstacle
        set(waiting, since: number)
    }
}

extension Run {
    /// Brings the published site up to date.
    /// - Returns: nil where the work was given up.
    func publish(_ build: SiteBuild, isCancelled: @escaping @Sendable () -> Bool) throws -> BuildReport? {
        do {
            let key = try build.key()
            if let standing = try site.standing(key: key, from: archive) { return standing }
            let prepared = try build.prepare(site, key: key, isCancelled: isCancelled)
            try prepared.publish()
            return prepared.report
        } catch SiteError.cancelled {
            return nil
        }
    }
}
