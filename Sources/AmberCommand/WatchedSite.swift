import Archive
import HTTPServer
import Platform
import Site

/// A site whose templates are being worked at: looks at them when they are saved, tells the pages that are open, and publishes.
///
/// The page that is looked at does not wait for all others: until the site is published, pages are made as they are asked for.
final class WatchedSite: Sendable {
    /// What the pages that are open are to show.
    struct State: Sendable {
        /// What makes single pages from the templates as they are; nil where they were never right.
        var preview: SitePreview?
        /// Whether the published site is made from them.
        var isPublished = false
        /// What keeps the site from being published for now, such as another program's work or a full disk; nil where nothing does.
        var obstacle: String?
        /// What is wrong with the templates; nil where nothing is.
        var fault: String?
    }

    /// Numbers do not come again when the program is started again.
    let state = Announced(State(), number: millisecondsSince1970())

    /// The folder of templates that is watched.
    let templates: String
    private let run: Run
    private let watcher: FolderWatcher
    private let ended = BlockingQueue<Void>()

    /// Publishing waits until so many milliseconds went by without another save: it takes all cores.
    private static let silence = 250
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

    private func work(_ seen: SHA256?) throws(SystemError) {
        var seen = seen
        while true {
            switch try watcher.wait(milliseconds: untilPublishing) {
            case .end: return
            case .change: look(&seen)
            case .silence: publish()
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
        do throws(Failure) {
            let templates = try run.readTemplates()
            seen = templates.source.digest
            guard seen != last else { return }
            let build = run.siteBuild(try run.revision(nil), try templates.compiledFolder())
            do throws(SiteError) {
                state.set(State(preview: try SitePreview(build, after: before.preview)))
            } catch {
                throw run.failure(error)
            }
        } catch {
            fail(error.sentence)
        }
    }

    private func fail(_ sentence: String) {
        var failed = state.current.value
        failed.fault = sentence
        failed.isPublished = false
        state.set(failed)
        run.console.warn(sentence)
    }

    /// Publishes what the pages show already, unless something is saved meanwhile.
    private func publish() {
        let before = state.current.value
        guard let preview = before.preview else { return }
        do throws(Failure) {
            // Held only while something is published, so that captures can run between.
            let lock = try run.lockOutput()
            defer { withExtendedLifetime(lock) {} }
            let start = ContinuousClock.now
            let report = try run.publish(preview.build) { [watcher] in
                // A watcher that fails says so when it is waited for.
                Interruption.code != nil || (try? watcher.hasChanged()) != false
            }
            guard let report else { return }
            state.set(State(preview: preview, isPublished: true), isNews: false)
            let time = start.duration(to: .now) / .seconds(1)
            if report.written > 0 {
                run.console.say("published: \(Summary.grouped(report.written)) files written in \(Summary.time(time))")
            }
        } catch {
            // Pages that fail their check do so again; what the machine refuses may pass.
            if error.code == .pageFails { fail(error.sentence) } else { wait(for: error.sentence, before) }
        }
    }

    private func wait(for obstacle: String, _ before: State) {
        guard before.obstacle != obstacle else { return }
        run.console.warn("\(obstacle); the pages shown here are those of the templates, and are published afterwards")
        var waiting = before
        waiting.obstacle = obstacle
        state.set(waiting, isNews: false)
    }
}

extension Run {
    /// Brings the published site up to date.
    /// - Returns: nil where the work was given up.
    func publish(_ build: SiteBuild, isCancelled: @escaping @Sendable () -> Bool) throws(Failure) -> BuildReport? {
        do throws(SiteError) {
            let key = try build.key()
            if let standing = try site.standing(key: key, from: archive) { return standing }
            let prepared = try build.prepare(site, key: key, isCancelled: isCancelled)
            try prepared.publish()
            return prepared.report
        } catch {
            if case .cancelled = error { return nil }
            throw failure(error)
        }
    }
}
