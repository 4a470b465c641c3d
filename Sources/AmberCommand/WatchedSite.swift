import Archive
import Glibc
import HTTPServer
import Platform
import Site

/// Watches the templates of a site: compiles them when they are saved, reloads open pages, and publishes the site.
///
/// An open page does not wait until the complete site is published. Until then, each page is rendered when it is
/// requested. One thread waits for saved files and compiles the templates. Publishing runs on a separate thread,
/// because it can take longer than the time between two saves.
final class WatchedSite: Sendable {
    struct State: Sendable {
        /// Renders single pages from the newest valid templates; nil if no version of the templates was valid.
        var preview: SitePreview?
        /// Whether the published site was rendered from the current templates.
        var isPublished = false
        /// The reason why the site cannot be published at the moment, such as another process or a full disk.
        var obstacle: String?
        /// The error in the templates, as pages show it; nil if there is none.
        var fault: String?

        /// Renders pages that are not yet published; nil if the published pages are current.
        var unpublished: SitePreview? { isPublished || fault != nil ? nil : preview }
    }

    /// The number of requests that wait for a new state.
    let stateReaders = Locked(0)
    /// The number of requests that wait for a rendered file.
    let previewReaders = Locked(0)
    /// The files rendered last. Its lock is held while a file is rendered.
    let previews = Locked(PreviewCache())
    /// The current state with its number. The first number is the time of the start, so numbers do not repeat after a
    /// restart.
    let state = VersionedValue(State(), number: millisecondsSince1970())

    let run: Run
    /// The folder of templates, as the user wrote it.
    let templates: String
    private let watcher: FolderWatcher
    private let ended = BlockingQueue<Void>()
    /// The number of saves. Work that began before the last save is cancelled.
    private let saves = Locked(0)
    private let isPublishing = Locked(false)

    /// Publishing starts after this many milliseconds without another save, because it uses all cores.
    private static let publishDelay = 250
    /// The milliseconds between two checks whether publishing has ended.
    private static let publishCheckInterval = 50
    /// The milliseconds until the next attempt to publish after an obstacle.
    private static let retryDelay = 1_000

    init(_ run: Run) throws {
        self.run = run
        templates = try run.settings.templates()
        watcher = try Failure.with(.wrongUsage) { [templates] in
            try FolderWatcher(templates, run.settings.catalogueFolder.path)
        }
    }
}

extension WatchedSite {
    /// Reads the templates, and starts a thread that watches them until `end()` is called.
    func start() {
        var seen: SHA256?
        reload(&seen)
        startThread { [self, seen] in
            do {
                try work(seen)
            } catch {
                run.console.warn("\(error); templates are no longer watched: end with Ctrl-C and start again")
            }
            ended.push(())
        }
    }

    /// Stops watching, cancels publishing that is in progress, and waits for the threads.
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
            switch try watcher.wait(milliseconds: isPublishing ? Self.publishCheckInterval : untilPublishing) {
            case .end: return
            case .change: reload(&seen)
            case .silence: if !isPublishing { publish() }
            }
        }
    }

    /// The milliseconds to wait for another save before publishing; nil if there is nothing to publish.
    private var untilPublishing: Int? {
        let state = state.current.value
        guard state.fault == nil, !state.isPublished else { return nil }
        return state.obstacle == nil ? Self.publishDelay : Self.retryDelay
    }

    /// Reads the templates and shows the result in all open pages.
    /// - Parameter seen: the digest of the templates that were read last.
    private func reload(_ seen: inout SHA256?) {
        let before = state.current.value
        let last = seen
        seen = nil
        do {
            let templates = try run.readTemplates(folder, catalogue: catalogue)
            seen = templates.digest
            guard seen != last else { return }
            saves.withLock { $0 += 1 }
            let catalogue = try run.catalogue(of: templates)
            let build = run.siteBuild(
                try run.revision(nil), try run.compile(templates, for: catalogue), catalogue)
            let preview = try SitePreview(build, after: before.preview)
            saves.withLock { _ in state.set(State(preview: preview)) }
            if before.fault != nil { run.console.say("fixed: showing the saved version") }
        } catch {
            saves.withLock { $0 += 1 }
            showFailure(Failure(error), before, since: saves.withLock { $0 })
        }
    }

    private func showFailure(_ failure: Failure, _ before: State, since number: Int) {
        var failed = before
        failed.fault = pageText(of: failure)
        guard failed.fault != before.fault else { return }
        failed.isPublished = false
        setState(failed, since: number, notifies: true)
        run.console.warn(failure.lines)
    }

    /// Sets the state, unless something was saved in the meantime.
    private func setState(_ newState: State, since number: Int, notifies: Bool = false) {
        saves.withLock { saves in
            if saves == number { state.set(newState, notifies: notifies) }
        }
    }

    /// Starts a thread that publishes the current preview. The thread stops if something is saved in the meantime.
    private func publish() {
        let before = state.current.value
        guard let preview = before.preview else { return }
        let number = saves.withLock { $0 }
        isPublishing.withLock { $0 = true }
        startThread { [self] in
            defer { isPublishing.withLock { $0 = false } }
            do {
                // The lock is held only during publishing, so that captures can run in between.
                let lock = try run.lockOutput()
                defer { withExtendedLifetime(lock) {} }
                let start = ContinuousClock.now
                let written = try run.publish(preview.build) { [saves] in
                    Interruption.code != nil || saves.withLock { $0 != number }
                }
                setState(State(preview: preview, isPublished: true), since: number)
                let time = Summary.time(start.duration(to: .now) / .seconds(1))
                if written > 0 { run.console.say("published: \(Summary.grouped(written)) files written in \(time)") }
            } catch SiteError.cancelled {
            } catch {
                // A page that failed its check would fail again. Other errors, such as a full disk, may disappear, so
                // publishing is tried again.
                let failure = Failure(error)
                if failure.code == .pageFails {
                    showFailure(failure, before, since: number)
                } else if before.obstacle != "\(failure)" {
                    run.console.warn(
                        "\(failure); this server shows the new pages, and they are published when this is resolved")
                    var waiting = before
                    waiting.obstacle = "\(failure)"
                    setState(waiting, since: number)
                }
            }
        }
    }
}

extension Run {
    /// Brings the published site up to date.
    /// - Returns: the number of written files.
    fileprivate func publish(_ build: SiteBuild, isCancelled: @escaping @Sendable () -> Bool) throws -> Int {
        let key = try build.key()
        if let published = try site.reportIfUpToDate(key: key, from: archive) { return published.written }
        let prepared = try build.prepare(site, key: key, isCancelled: isCancelled)
        try prepared.publish()
        return prepared.report.written
    }
}

extension WatchedSite {
    /// The absolute path of the templates. Messages contain this form, so `relative` can find it.
    private var folder: String { Folder.realPath(templates) ?? templates }

    /// The absolute path of the catalogue's folder.
    private var catalogue: String {
        let path = run.settings.catalogueFolder.path
        return Folder.realPath(path) ?? path
    }

    /// The text of a failure for a page. Every client of this server can read the page, so paths are relative to the
    /// template folder, and no other paths are shown.
    func pageText(of failure: Failure) -> String {
        guard failure.code == .pageFails else {
            return "The site cannot be published now. The terminal shows the reason."
        }
        let text = Self.relative("\(failure)", to: folder)
        return Self.relative(text, to: catalogue)
    }

    /// Replaces paths in a folder by paths relative to it. A path begins at the start of the text, after a space or
    /// after a quote.
    static func relative(_ text: String, to folder: String) -> String {
        var shown = ""
        var rest = text[...]
        while let match = rest.firstRange(of: folder) {
            let (before, after) = (rest[..<match.lowerBound].last ?? shown.last ?? " ", rest[match.upperBound...])
            let isPath = before.isWhitespace || before == "\""
            shown += rest[..<match.lowerBound]
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
