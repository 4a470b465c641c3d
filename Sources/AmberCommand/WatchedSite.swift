import Archive
import Platform
import Site

/// Watches the templates of a site: compiles them when they are saved, reloads open pages, and publishes the site.
///
/// An open page does not wait until the site is published: until then, each page is rendered when it is requested.
/// One thread does the rest: it waits for saved files, compiles the templates and publishes. A save cancels it.
final class WatchedSite: Sendable {
    struct State: Sendable {
        /// Renders single pages from the newest valid templates; nil if no version of the templates was valid.
        var preview: SitePreview?
        /// Whether the published site was rendered from the current templates.
        var isPublished = false
        /// The error in the templates, as pages show it; nil if there is none.
        var fault: String?

        /// Renders pages that are not yet published; nil if the published pages are current.
        var unpublished: SitePreview? { isPublished || fault != nil ? nil : preview }
    }

    /// The requests that wait for a new state. Each uses a thread and a connection, even if its browser is closed.
    let stateReaders = Window(width: 50)
    /// The requests that wait for a rendered file, so that other requests have threads and connections.
    let previewReaders = Window(width: 20)
    /// The published pages that are read to insert the script. Each is in memory twice.
    let pageReaders = Window(width: 20)
    /// Locked while a file is rendered.
    let rendering = Locked(())
    /// The current state and its number, which begins with the time, so that numbers differ after a restart.
    let state = VersionedValue(State(), number: millisecondsSince1970())

    let run: Run
    /// The folder of templates, as the user wrote it.
    let templates: String
    private let watcher: FolderWatcher
    /// Becomes version 1 when the thread has ended.
    private let ended = VersionedValue((), number: 0)

    /// Publishing starts after this many milliseconds without another save, because it uses all cores.
    private static let publishDelay = 250
    /// The milliseconds until the next attempt to publish after an obstacle.
    private static let retryDelay = 1_000

    init(_ run: Run) throws {
        self.run = run
        templates = try run.settings.templates()
        watcher = try Failure.with(.wrongUsage) { [templates] in
            try FolderWatcher(templates, run.settings.catalogueFolder.path)
        }
    }

    /// Reads the templates, and starts a thread that watches them until `end()` is called.
    func start() {
        let seen = reload(after: nil)
        startThread { [self] in
            do {
                try watch(seen)
            } catch {
                run.console.warn("\(error); templates are no longer watched: end with Ctrl-C and start again")
            }
            ended.set(())
        }
    }

    /// Stops watching, cancels publishing that is in progress, and waits for the thread.
    func end() {
        state.end()
        watcher.end()
        ended.wait(after: 0)
    }

    private func watch(_ seen: SHA256?) throws {
        var seen = seen
        /// The reason why the site cannot be published at the moment, such as another process or a full disk.
        var obstacle: String?
        while true {
            let current = state.current.value
            let delay = obstacle == nil ? Self.publishDelay : Self.retryDelay
            switch try watcher.wait(milliseconds: current.unpublished == nil ? nil : delay) {
            case .end: return
            case .silence:
                if publish(current, &obstacle) { continue }
                fallthrough
            case .change:
                obstacle = nil
                seen = reload(after: seen)
            }
        }
    }

    /// Reads the templates and shows the result in all open pages.
    /// - Parameter last: the digest of the templates that were read last.
    /// - Returns: the digest of the templates; nil if they are not valid.
    private func reload(after last: SHA256?) -> SHA256? {
        let before = state.current.value
        do {
            let templates = try run.readTemplates(folder, catalogue: catalogue)
            guard try templates.digest != last || before.preview.map(isNewest) == false else { return last }
            var run = run
            try Failure.with(.pageFails) { try run.settings.readCatalogue() }
            let build = run.siteBuild(try run.revision(nil), try run.compile(templates))
            state.set(State(preview: try SitePreview(build, after: before.preview)))
            if before.fault != nil { run.console.say("fixed: showing the saved version") }
            return templates.digest
        } catch {
            show(Failure(error), before)
            return nil
        }
    }

    /// Whether the archive has no newer revision than that of a preview.
    private func isNewest(_ preview: SitePreview) throws -> Bool {
        let own = preview.build.revision
        return try RevisionReader.newest(in: run.archive) { $0 == own.source }?.number == own.number
    }

    private func show(_ failure: Failure, _ before: State) {
        state.set(State(preview: before.preview, fault: pageText(of: failure)))
        // The terminal shows paths as the user wrote them.
        run.console.warn(
            failure.lines.map { line in
                line.replacing("\(folder)/", with: "\(templates)/").replacing(
                    "\(catalogue)/", with: "\(run.settings.catalogueFolder.path)/")
            })
    }

    /// Publishes the current preview, until it is published or something is saved.
    /// - Returns: false if the archive has a newer revision.
    private func publish(_ current: State, _ obstacle: inout String?) -> Bool {
        guard let preview = current.unpublished else { return true }
        do {
            // The lock is held only during publishing, so that captures can run in between.
            let lock = try run.lockOutput()
            defer { withExtendedLifetime(lock) {} }
            // Another process can have captured a newer revision. It is shown before it is published.
            guard try isNewest(preview) else { return false }
            let start = ContinuousClock.now
            var build = preview.build
            build.isCancelled = { [watcher] in watcher.hasEvent }
            let key = try build.key()
            let known = try run.site.reportIfUpToDate(key: key, from: run.archive)
            let prepared = try known == nil ? build.prepare(run.site, key: key) : nil
            try prepared?.publish()
            state.set(State(preview: preview, isPublished: true), notifies: false)
            if let written = prepared?.report.written, written > 0 {
                let time = Summary.time(start.duration(to: .now) / .seconds(1))
                run.console.say("published: \(Summary.counted(written, "file", "files")) written in \(time)")
            }
        } catch SiteError.cancelled {
        } catch {
            // A page that failed its check would fail again. After other errors, publishing is tried again.
            let failure = Failure(error)
            if failure.code == .pageFails {
                show(failure, current)
            } else if obstacle != "\(failure)" {
                run.console.warn(
                    "\(failure); this server shows the new pages, and they are published when this is resolved")
                obstacle = "\(failure)"
            }
        }
        return true
    }

    /// The absolute paths of the templates and of the catalogue's folder. `relative` searches messages for them.
    private var folder: String { Self.absolute(templates) }
    private var catalogue: String { Self.absolute(run.settings.catalogueFolder.path) }

    private static func absolute(_ path: String) -> String { Folder.realPath(path) ?? path }

    /// The text of a failure for a page. Every client can read it, so its paths are relative to the template folder.
    func pageText(of failure: Failure) -> String {
        guard failure.code == .pageFails else {
            return "The site cannot be published now. The terminal shows the reason."
        }
        return Self.relative(Self.relative("\(failure)", to: folder), to: catalogue)
    }

    /// Replaces paths in a folder by relative ones. A path begins at the start of the text, after a space or a quote.
    static func relative(_ text: String, to folder: String) -> String {
        let parts = text.split(separator: folder, omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(parts[0])) { shown, after in
            let isPath = shown.last.map { $0.isWhitespace || $0 == "\"" } ?? true
            if isPath, after.first == "/" {
                shown += after.dropFirst()
            } else if isPath, after.first.map({ " :;,\"".contains($0) }) ?? true {
                shown += "the folder of templates\(after)"
            } else {
                shown += "\(folder)\(after)"
            }
        }
    }
}
