import Archive
import Catalogue
import Platform
import Site
import Synchronization

extension Run {
    func deploy() throws -> ExitCode {
        let isDryRun = arguments.has(.dryRun)
        let target = arguments.operands.first ?? ""
        try Failure.require(
            arguments.operands.count == 1 && !target.isEmpty && !target.hasPrefix("-") && !target.utf8.contains(0),
            "deploy requires one target of rclone: amber deploy remote:bucket/path")
        // A connection string has a comma before its first slash and colon.
        try Failure.require(
            target.prefixMatch(of: /:?[^:\/]*,.*:/) == nil,
            "a target with parameters is refused, because other users of this machine can see it in the list of "
                + "processes; store the parameters with: rclone config")
        guard FileStatus("\(site.site)/index.html") != nil else { throw noSite }
        let own = (Folder.realPath(settings.output) ?? settings.output) + "/"
        try Failure.require(
            Rclone.localPath(target).map { "\($0)/".hasPrefix(own) } != true,
            "the target \(target) is in amber's own output folder; deploy to another folder")
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        let catalogue = try site.catalogueOfUnchangedSite()
        let state = try Folder.open("\(settings.output)/.amber", followsLink: false)
        try state.remove("deploy")
        try state.make("deploy")
        var deployment = try Deployment(
            Rclone(target: target, scratch: "\(state.path)/deploy", lock: lock), site: site.site, catalogue: catalogue)
        let isComplete = try completeness("complete").elementsEqual("true".utf8)
        // The release of the lock takes two runs of rclone.
        Interruption.grace.store(20, ordering: .relaxed)
        deployment.showProgress = { console.progress("deploy", done: $0, of: $1) }
        let plan = try deployment.run(isDryRun: isDryRun)
        console.clear()

        let counts =
            "\(Summary.grouped(plan.sent.count)) files (\(Summary.size(plan.bytes))) \(isDryRun ? "to send" : "sent"), "
            + "\(Summary.grouped(plan.deleted.count)) \(isDryRun ? "to delete" : "deleted"), "
            + "\(Summary.grouped(plan.kept)) unchanged: \(target)"
        let paths = plan.sent.map { "send   \($0)" } + plan.deleted.map { "delete \($0)" }
        output(
            [
                "target": .text(target), "sent": .integer(plan.sent.count), "bytes": .integer(Int(plan.bytes)),
                "deleted": .integer(plan.deleted.count), "unchanged": .integer(plan.kept),
                "complete": .flag(isComplete), "dryRun": .flag(isDryRun),
            ], lines: (isDryRun ? paths : []) + [counts])
        if !isComplete { console.warn("the deployed site has gaps; see completeness.html") }
        return isComplete ? .done : .doneWithGaps
    }
}

/// Sends the changed files of a site to a target, and deletes those that the site no longer has.
///
/// At any time between two runs of rclone, pages that readers can reach refer only to files that exist.
struct Deployment {
    var rclone: Rclone
    let site: OpenFolder
    /// The absolute path of the site, because rclone uses the part of another path before a colon as a remote.
    private let source: String
    let catalogue: String
    var showProgress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    let id: String
    /// Tests have smaller batches, and a clock of their own.
    var maximumFiles = DeployBatch.maximumFiles
    var now = { millisecondsSince1970() }

    static let folder = ".amber"
    /// The milliseconds that a deploy keeps its lock after the time limit of its next step.
    private static let reserve: Int64 = 900_000
    private static let longestLock: Int64 = 86_400_000
    /// Two deploys that run at the same time leave two manifests, and a killed one leaves another.
    static let maximumManifests = 8

    init(_ rclone: Rclone, site: String, catalogue: String) throws {
        (self.rclone, self.catalogue) = (rclone, catalogue)
        self.site = try Folder.open(site, followsLink: false)
        source = Folder.realPath(site) ?? site
        id = try Self.prefix(site: source) + UInt64.random(in: 0...UInt64.max).padded(16, radix: 16)
    }

    /// The start of the ids of a site's deploys from this machine. It identifies the lock of a killed deploy.
    static func prefix(site: String) throws -> String {
        let machine = try File.readingIfExists("/etc/machine-id")?.read(64) ?? []
        let name = try File(reading: "/proc/sys/kernel/hostname").read(256)
        return SHA256(of: machine + name + site.utf8).prefixInHex(bytes: 8)
    }

    /// - Returns: the changes that were made, or would be made.
    func run(isDryRun: Bool) throws -> DeployPlan {
        let (deployed, manifests, held) = try readState()
        let now = now()
        // A later end is a wrong clock, or not from Amber.
        try Failure.require(
            !(now..<now + Self.longestLock).contains(held.until) || held.owner.hasPrefix(id.prefix(16)),
            as: .outputInUse,
            "another deploy to \(rclone.target) runs, or was killed; run again when it has ended, or at "
                + "\(timestamp(milliseconds: held.until)), when its lock ends")
        let files = try readSite()
        let isUnchanged = deployed == files.mapValues { $0.digest }
        let features = isUnchanged ? [] : try rclone.run(["backend", "features", rclone.target])
        func can(_ feature: String) -> Bool {
            String(decoding: features, as: UTF8.self).contains("\"\(feature)\": true")
        }
        let plan = DeployPlan(from: deployed, to: files, hasHeaders: can("WriteMimeType"), maximumFiles: maximumFiles)
        // Targets with one of the other two features replace a file in one step.
        let isStaged = can("Move") && !can("WriteMimeType") && !can("PartialUploads")
        let foreign = try foreignFiles(plan.lines.filter { $0.old == DeployManifest.absent }.map(\.path))
        // Reading the site and looking for files at the target can take minutes. Each deploy changes the progress.
        try Failure.require(
            readProgress() == held, as: .outputInUse,
            "another deploy to \(rclone.target) began or ended during this one, which has changed nothing; run again")
        let more = foreign.count > 3 ? " and \(foreign.count - 3) more" : ""
        try Failure.require(
            foreign.isEmpty, as: .outputInUse,
            "\(rclone.target) has files that amber did not put there: \(foreign.prefix(3).joined(separator: ", "))"
                + "\(more); move them away, or deploy to another target")
        if !isDryRun, !isUnchanged || held.until != 0 { try send(plan, files, manifests, held, isStaged: isStaged) }
        return plan
    }

    private func send(
        _ plan: DeployPlan, _ files: [String: SourceFile], _ earlier: [String], _ held: DeployProgress, isStaged: Bool
    ) throws {
        let manifest = DeployManifest(catalogue: catalogue, lines: plan.lines).bytes
        try Failure.require(
            manifest.count <= DeployManifest.limit && plan.lines.count <= DeployManifest.maximumLines, as: .outputInUse,
            "the site has too many files for amber deploy: their list has \(plan.lines.count) lines and "
                + "\(manifest.count) bytes, and \(DeployManifest.maximumLines) lines and \(DeployManifest.limit) "
                + "bytes are allowed; copy \(site.path) with another program")
        var progress = held
        progress.owner = id
        // The lock has to last for the longest step.
        let steps = plan.batches.map { Rclone.seconds(for: $0.paths.count, bytes: Int($0.bytes)) }
        let longest = max(steps.max() ?? 0, Rclone.seconds(for: 0, bytes: manifest.count))
        func store() throws {
            let time = min(Int64(longest * 1_000) + Self.reserve, Self.longestLock - 1)
            progress.until = now() + time
            progress.number += 1
            try write(progress.bytes, to: progress.file)
        }
        defer { release() }
        try store()
        try write(manifest, to: id)
        try requireLock()
        (progress.id, progress.done) = (id, 0)
        try store()
        if !earlier.isEmpty { try rclone.run(["delete", rclone.path(Self.folder)], for: earlier) }
        for (batch, seconds) in zip(plan.batches, steps) {
            // This process or the machine can have been stopped for any time.
            try Failure.require(
                now() + Int64(seconds * 1_000) < progress.until, as: .outputInUse,
                "the deploy was stopped for longer than its lock lasts; run again")
            try send(batch, files, isStaged: isStaged)
            try requireLock()
            progress.done += 1
            try store()
            showProgress(progress.done, plan.batches.count)
        }
        // An interrupted deploy can have left files there.
        if isStaged { try rclone.run(["purge", stage], acceptsMissing: true) }
    }

    /// A folder at the target for the files of a batch that are not complete yet.
    private var stage: String { rclone.path("\(Self.folder)/batch") }

    private func send(_ batch: DeployBatch, _ files: [String: SourceFile], isStaged: Bool) throws {
        if batch.isDeletion {
            try rclone.run(["delete", rclone.target], for: batch.paths)
            return
        }
        try requireUnchanged(batch.paths, files)
        let headers = batch.headers.split(separator: "\n").flatMap { ["--header-upload", String($0)] }
        try rclone.run(
            ["copy", "--ignore-times", "--retries", "3"] + headers + [source, isStaged ? stage : rclone.target],
            for: batch.paths, bytes: Int(batch.bytes))
        // rclone reads the files itself, so this is checked again.
        try requireUnchanged(batch.paths, files)
        guard isStaged else { return }
        // rclone cannot move files to the folder above. Through a remote of its type "combine", the two are separate.
        let folders = ["batch": stage, "site": rclone.target].map {
            "\"\($0)=\($1.replacing("\"", with: "\"\""))\""
        }
        try rclone.run(
            ["move", "--ignore-times", "--combine-upstreams", folders.joined(separator: " ")]
                + [":combine:batch", ":combine:site"], for: batch.paths)
    }

    private func requireUnchanged(_ paths: [String], _ files: [String: SourceFile]) throws {
        for path in paths {
            try Failure.require(
                SHA256(ofFile: path, in: site).hex == files[path]?.digest, as: .outputInUse,
                "\(site.path)/\(path) changed during the deploy; build the site again, then deploy it")
        }
    }
}

// MARK: The lock

extension Deployment {
    /// rclone replaces existing files. So two deploys can get the lock at once, and one of them notices it here.
    private func requireLock() throws {
        try Failure.require(
            readProgress().owner == id, as: .outputInUse,
            "another deploy to \(rclone.target) began during this one, which stops here; run again when the "
                + "other has ended")
    }

    /// Releases the lock, so that the next deploy does not have to wait.
    private func release() {
        var last = self
        last.rclone.isCancelled = { false }
        // `try?`, because the lock ends by itself if one of the two runs fails.
        guard var progress = try? last.readProgress(), progress.owner == id else { return }
        progress.until = 0
        progress.number += 1
        // `try?`, for the same reason.
        try? last.write(progress.bytes, to: progress.file)
    }
}
