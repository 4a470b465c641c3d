import Archive
import Catalogue
import Platform
import Site
import Synchronization

extension Run {
    /// Sends the published site to a target of rclone.
    func deploy() throws -> ExitCode {
        let isDryRun = arguments.has(.dryRun)
        let target = try DeployTarget(arguments.operands.count == 1 ? arguments.operands[0] : "")
        guard FileStatus("\(site.site)/index.html") != nil else { throw noSite }
        let lock = try lockOutput()
        defer { withExtendedLifetime(lock) {} }
        let catalogue = try site.catalogueOfUnchangedSite()
        let state = try Folder.open("\(settings.output)/.amber", followsLink: false)
        try state.remove("deploy")
        try state.make("deploy")
        var deployment = try Deployment(
            Rclone(target: target, scratch: "\(state.path)/deploy", lock: lock), site: site.site, catalogue: catalogue,
            // A target may contain secrets, so the name of its file has only a digest.
            ownIDs: "\(state.path)/deploy-\(SHA256(of: target.text.utf8).prefixInHex(bytes: 8)).id")
        let isComplete = try completeness("complete").elementsEqual("true".utf8)
        // The release of the lock takes two runs of rclone.
        Interruption.grace.store(20, ordering: .relaxed)
        deployment.showProgress = { console.progress("deploy", done: $0, of: $1) }
        let plan = try deployment.run(isDryRun: isDryRun)
        console.clear()

        let counts =
            "\(Summary.grouped(plan.sent.count)) files (\(Summary.size(plan.bytes))) \(isDryRun ? "to send" : "sent"), "
            + "\(Summary.grouped(plan.deleted.count)) \(isDryRun ? "to delete" : "deleted"), "
            + "\(Summary.grouped(plan.kept)) unchanged: \(target.shown)"
        let paths = plan.sent.map { "send   \($0)" } + plan.deleted.map { "delete \($0)" }
        output(
            [
                "target": .text(target.shown), "sent": .integer(plan.sent.count), "bytes": .integer(Int(plan.bytes)),
                "deleted": .integer(plan.deleted.count), "unchanged": .integer(plan.kept),
                "complete": .flag(isComplete), "dryRun": .flag(isDryRun),
            ], lines: (isDryRun ? paths : []) + [counts])
        if !isComplete { console.warn("the deployed site has gaps; see completeness.html") }
        return isComplete ? .done : .publishedWithGaps
    }
}

/// Sends the changed files of a site to a target, and deletes those that the site no longer has.
///
/// At any time between two runs of rclone, pages that readers can reach refer only to files that exist.
struct Deployment {
    private var rclone: Rclone
    private let site: OpenFolder
    /// The absolute path of the site, because rclone uses the part of another path before a colon as a remote.
    private let source: String
    private let catalogue: String
    /// A file with the ids of the last deploys from this output folder to the target, in case they were killed.
    private let ownIDs: String
    var showProgress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    private let id = (0..<2).map { _ in UInt64.random(in: 0...UInt64.max).padded(16, radix: 16) }.joined()

    private enum Name {
        static let manifest = ".amber/manifest"
        static let plan = ".amber/plan"
        static let progress = ".amber/progress"
    }
    /// The milliseconds that a deploy keeps its lock after the time limit of its next step.
    private static let reserve: Int64 = 900_000
    private static let longestLock: Int64 = 86_400_000

    init(_ rclone: Rclone, site: String, catalogue: String, ownIDs: String) throws {
        (self.rclone, self.catalogue, self.ownIDs) = (rclone, catalogue, ownIDs)
        self.site = try Folder.open(site, followsLink: false)
        source = Folder.realPath(site) ?? site
    }

    /// - Returns: the changes that were made, or would be made.
    func run(isDryRun: Bool) throws -> DeployPlan {
        let (deployed, base, isFinished, held) = try readState()
        let now = millisecondsSince1970()
        // A later end is a wrong clock, or not from Amber.
        try Failure.require(
            !(now..<now + Self.longestLock).contains(held.until) || isOwn(held.owner), as: .outputInUse,
            "another deploy to \(rclone.target.shown) runs, or was killed; run again when it has ended, or at "
                + "\(timestamp(milliseconds: held.until)), when its lock ends")
        let files = try readSite()
        let isUnchanged = deployed == files.mapValues { $0.digest }
        let features = isUnchanged ? [] : try rclone.run(["backend", "features", rclone.target.text])
        let plan = DeployPlan(
            from: deployed, to: files,
            hasHeaders: String(decoding: features, as: UTF8.self).contains("\"WriteMimeType\": true"))
        try requireNoOther(since: held)
        try refuseForeignFiles(plan.lines.filter { $0.old == DeployManifest.absent }.map(\.path))
        if !isDryRun, !isUnchanged || !isFinished || held.until != 0 { try send(plan, files, base, held) }
        return plan
    }

    private func send(_ plan: DeployPlan, _ files: [String: SourceFile], _ base: String, _ held: DeployProgress) throws
    {
        try requireNoOther(since: held)
        // If this deploy is killed now, the lock still has its old owner.
        try File.replace(Array("\(held.owner) \(id)".utf8), at: ownIDs)
        var manifest = DeployManifest(id: id, base: base, catalogue: catalogue, lines: plan.lines)
        let planned = manifest.bytes
        try Failure.require(
            planned.count <= DeployManifest.limit, as: .outputInUse,
            "the site has too many files for amber deploy: their list has \(planned.count) bytes, and "
                + "\(DeployManifest.limit) are allowed; copy \(site.path) with another program")
        var progress = held
        progress.owner = id
        /// Writes the progress, and keeps the lock for the next batch and the writing of the manifest.
        func store(before batch: DeployBatch? = nil) throws {
            let seconds =
                Rclone.seconds(for: batch?.paths.count ?? 0, bytes: Int(batch?.bytes ?? 0))
                + Rclone.seconds(for: 0, bytes: 2 * planned.count)
            progress.until = millisecondsSince1970() + Int64(seconds * 1_000) + Self.reserve
            try write(progress.bytes, to: Name.progress)
        }
        do {
            try store()
            try write(planned, to: Name.plan)
            try requireLock()
            (progress.plan, progress.done) = (id, 0)
            for batch in plan.batches {
                try store(before: batch)
                try send(batch, files)
                try requireLock()
                progress.done += 1
                showProgress(progress.done, plan.batches.count)
            }
            manifest.lines = plan.lines.compactMap {
                $0.new == DeployManifest.absent ? nil : DeployManifest.Line(path: $0.path, old: $0.new, new: $0.new)
            }
            try write(manifest.bytes, to: Name.manifest)
        } catch {
            release()
            throw error
        }
        release()
    }

    private func send(_ batch: DeployBatch, _ files: [String: SourceFile]) throws {
        if batch.isDeletion {
            try rclone.run(["delete", rclone.target.text], for: batch.paths)
            return
        }
        try requireUnchanged(batch.paths, files)
        let headers = batch.headers.flatMap { ["--header-upload", $0] }
        try rclone.run(
            ["copy", "--ignore-times"] + headers + [source, rclone.target.text], for: batch.paths,
            bytes: Int(batch.bytes))
        // rclone reads the files itself, so this is checked again.
        try requireUnchanged(batch.paths, files)
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
    /// rclone cannot create a file only if it is missing. So two deploys that begin at the same moment both get the
    /// lock, and one of them notices it here.
    private func requireLock() throws {
        try Failure.require(
            readProgress().owner == id, as: .outputInUse,
            "another deploy to \(rclone.target.shown) began during this one, which stops here; run again when the "
                + "other has ended")
    }

    private func isOwn(_ owner: String) throws -> Bool {
        let ids = try File.readingIfExists(ownIDs)?.read(256) ?? []
        return String(decoding: ids, as: UTF8.self).split(separator: " ").contains { $0 == owner }
    }

    /// Reading the site and looking for files at the target can take minutes. Each deploy changes the progress.
    private func requireNoOther(since held: DeployProgress) throws {
        try Failure.require(
            readProgress() == held, as: .outputInUse,
            "another deploy to \(rclone.target.shown) began or ended during this one, which has changed nothing; run "
                + "again"
        )
    }

    /// Releases the lock, so that the next deploy does not have to wait.
    private func release() {
        var last = self
        last.rclone.isCancelled = { false }
        // `try?`, because the lock ends by itself if one of the two runs fails.
        guard var progress = try? last.readProgress(), progress.owner == id else { return }
        progress.until = 0
        // `try?`, for the same reason.
        try? last.write(progress.bytes, to: Name.progress)
    }
}

// MARK: Reading

extension Deployment {
    private func readProgress() throws -> DeployProgress {
        let bytes = try rclone.run(["cat", rclone.target.path(Name.progress)], acceptsMissing: true)
        return DeployProgress(bytes) ?? DeployProgress()
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let file = "\(rclone.scratch)/file"
        try File.replace(bytes, at: file)
        try rclone.run(["copyto", "--ignore-times", file, rclone.target.path(name)], bytes: bytes.count)
    }

    /// The files at the target, the id of their manifest, whether the last deploy has finished, and its progress.
    private func readState() throws -> (
        files: [String: String], base: String, isFinished: Bool, held: DeployProgress
    ) {
        let folder = "\(rclone.scratch)/state"
        try Folder.remove(folder)
        let limit = DeployManifest.limit
        try rclone.run(
            ["copy", rclone.target.text, folder, "--max-transfer", "\(2 * limit + 65_536)B"],
            for: [Name.progress, Name.plan, Name.manifest], bytes: 2 * limit, acceptsMissing: true)
        let stored = try [Name.progress, Name.plan, Name.manifest].map {
            FileStatus("\(folder)/\($0)") == nil ? [] : try File.read("\(folder)/\($0)", limit: limit)
        }
        let held = DeployProgress(stored[0]) ?? DeployProgress()
        let (plan, manifest) = (DeployManifest(stored[1]), DeployManifest(stored[2]))
        try Failure.require(
            manifest != nil || plan != nil || stored[2].isEmpty, as: .outputInUse,
            "\(rclone.target.shown)/\(Name.manifest) is damaged or of another version of amber; remove all files "
                + "there, or deploy to another target")
        for catalogue in [manifest, plan].compactMap({ $0?.catalogue }) {
            try Failure.require(
                catalogue == self.catalogue, as: .outputInUse,
                "\(rclone.target.shown) has a site of the catalogue \(catalogue), but this site is of "
                    + "\(self.catalogue); deploy to another target")
        }
        let base = manifest?.id ?? "-"
        guard let plan, plan.id != base else { return (manifest?.files(done: 0) ?? [:], base, manifest != nil, held) }
        if manifest == nil || plan.base == base {
            // Batches are counted only after the plan is written.
            return (
                plan.files(done: held.plan == plan.id ? held.done : held.owner == plan.id ? -1 : nil), base, false, held
            )
        }
        // Two deploys ran at the same time.
        let files = plan.files(done: nil).merging(manifest?.files(done: 0) ?? [:]) { $1 }
        return (files.mapValues { _ in DeployManifest.unknown }, base, false, held)
    }

    private func readSite() throws -> [String: SourceFile] {
        let paths = try site.files()
        let files = resultsOnAllCores(paths.count) { [site] index in
            let path = paths[index]
            guard SitePath(path) != nil, let size = FileStatus(path, in: site)?.size else {
                throw SiteError.output("\(site.path)/\(path) is not a file of a site; build the site again")
            }
            return (path, (digest: try SHA256(ofFile: path, in: site).hex, size: size))
        }
        return Dictionary(uniqueKeysWithValues: try files.map { try $0.get() })
    }

    /// Refuses to replace files at the target that Amber did not put there. Each is looked up, because a list of the
    /// target lacks symbolic links, and rclone writes to the files that they lead to.
    private func refuseForeignFiles(_ paths: [String]) throws {
        guard !paths.isEmpty else { return }
        let listed = try rclone.run(
            ["lsf", "--recursive", "--files-only", rclone.target.text], for: paths,
            limit: DeployManifest.limit, acceptsMissing: true)
        let present = Set(listed.split(separator: "\n").map { String(decoding: $0, as: UTF8.self) })
        let foreign = paths.filter(present.contains)
        let names =
            foreign.prefix(3).joined(separator: ", ") + (foreign.count > 3 ? " and \(foreign.count - 3) more" : "")
        try Failure.require(
            foreign.isEmpty, as: .outputInUse,
            "\(rclone.target.shown) has files that amber did not put there: \(names); move them away, or deploy to "
                + "another target")
    }
}
