import Archive
import Catalogue
import Platform
import Site
import Synchronization

extension Run {
    /// Sends the published site to a target of rclone.
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
    var showProgress: (_ done: Int, _ all: Int) -> Void = { _, _ in }
    private let id: String

    private static let folder = ".amber"
    private static let progress = "progress"
    /// The milliseconds that a deploy keeps its lock after the time limit of its next step.
    private static let reserve: Int64 = 900_000
    private static let longestLock: Int64 = 86_400_000

    init(_ rclone: Rclone, site: String, catalogue: String) throws {
        (self.rclone, self.catalogue) = (rclone, catalogue)
        self.site = try Folder.open(site, followsLink: false)
        source = Folder.realPath(site) ?? site
        id = try Self.prefix(site: source) + UInt64.random(in: 0...UInt64.max).padded(16, radix: 16)
    }

    /// The start of the ids of all deploys of a site from this machine. With it, a deploy recognises the lock of a
    /// killed one.
    static func prefix(site: String) throws -> String {
        let machine = try File.readingIfExists("/etc/machine-id")?.read(64) ?? []
        let name = try File(reading: "/proc/sys/kernel/hostname").read(256)
        return SHA256(of: machine + name + site.utf8).prefixInHex(bytes: 8)
    }

    /// - Returns: the changes that were made, or would be made.
    func run(isDryRun: Bool) throws -> DeployPlan {
        let (deployed, manifests, held) = try readState()
        let now = millisecondsSince1970()
        // A later end is a wrong clock, or not from Amber.
        try Failure.require(
            !(now..<now + Self.longestLock).contains(held.until) || held.owner.hasPrefix(id.prefix(16)),
            as: .outputInUse,
            "another deploy to \(rclone.target) runs, or was killed; run again when it has ended, or at "
                + "\(timestamp(milliseconds: held.until)), when its lock ends")
        let files = try readSite()
        let isUnchanged = deployed == files.mapValues { $0.digest }
        let features = isUnchanged ? [] : try rclone.run(["backend", "features", rclone.target])
        let plan = DeployPlan(
            from: deployed, to: files,
            hasHeaders: String(decoding: features, as: UTF8.self).contains("\"WriteMimeType\": true"))
        try requireNoOther(since: held)
        try refuseForeignFiles(plan.lines.filter { $0.old == DeployManifest.absent }.map(\.path))
        if !isDryRun, !isUnchanged || held.until != 0 { try send(plan, files, manifests, held) }
        return plan
    }

    private func send(
        _ plan: DeployPlan, _ files: [String: SourceFile], _ earlier: [String], _ held: DeployProgress
    ) throws {
        try requireNoOther(since: held)
        let manifest = DeployManifest(catalogue: catalogue, lines: plan.lines).bytes
        try Failure.require(
            manifest.count <= DeployManifest.limit, as: .outputInUse,
            "the site has too many files for amber deploy: their list has \(manifest.count) bytes, and "
                + "\(DeployManifest.limit) are allowed; copy \(site.path) with another program")
        var progress = held
        progress.owner = id
        // The lock has to last for the longest step.
        let steps = plan.batches.map { Rclone.seconds(for: $0.paths.count, bytes: Int($0.bytes)) }
        let longest = max(steps.max() ?? 0, Rclone.seconds(for: 0, bytes: manifest.count))
        func store() throws {
            let time = min(Int64(longest * 1_000) + Self.reserve, Self.longestLock - 1)
            progress.until = millisecondsSince1970() + time
            try write(progress.bytes, to: Self.progress)
        }
        do {
            try store()
            try write(manifest, to: id)
            try requireLock()
            (progress.id, progress.done) = (id, 0)
            try store()
            if !earlier.isEmpty { try rclone.run(["delete", rclone.path(Self.folder)], for: earlier) }
            for batch in plan.batches {
                try send(batch, files)
                try requireLock()
                progress.done += 1
                try store()
                showProgress(progress.done, plan.batches.count)
            }
        } catch {
            release()
            throw error
        }
        release()
    }

    private func send(_ batch: DeployBatch, _ files: [String: SourceFile]) throws {
        if batch.isDeletion {
            try rclone.run(["delete", rclone.target], for: batch.paths)
            return
        }
        try requireUnchanged(batch.paths, files)
        let headers = batch.headers.split(separator: "\n").flatMap { ["--header-upload", String($0)] }
        try rclone.run(
            ["copy", "--ignore-times"] + headers + [source, rclone.target], for: batch.paths,
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
            "another deploy to \(rclone.target) began during this one, which stops here; run again when the "
                + "other has ended")
    }

    /// Reading the site and looking for files at the target can take minutes. Each deploy changes the progress.
    private func requireNoOther(since held: DeployProgress) throws {
        try Failure.require(
            readProgress() == held, as: .outputInUse,
            "another deploy to \(rclone.target) began or ended during this one, which has changed nothing; run "
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
        try? last.write(progress.bytes, to: Self.progress)
    }
}

// MARK: Reading

extension Deployment {
    private func readProgress() throws -> DeployProgress {
        let file = rclone.path("\(Self.folder)/\(Self.progress)")
        return DeployProgress(try rclone.run(["cat", file], acceptsMissing: true)) ?? DeployProgress()
    }

    private func write(_ bytes: [UInt8], to name: String) throws {
        let file = "\(rclone.scratch)/file"
        try File.replace(bytes, at: file)
        try rclone.run(
            ["copyto", "--ignore-times", file, rclone.path("\(Self.folder)/\(name)")], bytes: bytes.count)
    }

    /// The files at the target, the names of the manifests there, and the progress of the last deploy.
    private func readState() throws -> (files: [String: String], manifests: [String], held: DeployProgress) {
        let folder = "\(rclone.scratch)/state"
        try Folder.remove(folder)
        let limit = DeployManifest.limit
        try rclone.run(
            ["copy", rclone.path(Self.folder), folder, "--max-depth", "1", "--max-transfer", "\(2 * limit + 65_536)B"],
            bytes: 2 * limit, acceptsMissing: true)
        let names = try Folder.files(below: folder)
        let held = names.contains(Self.progress) ? DeployProgress(try File.read("\(folder)/\(Self.progress)")) : nil
        let manifests = names.filter { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) }
        let read = try manifests.compactMap { name in
            DeployManifest(try File.read("\(folder)/\(name)", limit: limit)).map { (name, $0) }
        }
        // A manifest that the progress does not name can be half-written. Files of others are refused later.
        try Failure.require(
            !read.isEmpty || !manifests.contains { $0 == held?.id }, as: .outputInUse,
            "\(rclone.target)/\(Self.folder) is damaged or of another version of amber; remove all files at the "
                + "target, or deploy to another one")
        for (_, manifest) in read {
            try Failure.require(
                manifest.catalogue == catalogue, as: .outputInUse,
                "\(rclone.target) has a site of the catalogue \(manifest.catalogue), but this site is of "
                    + "\(catalogue); deploy to another target")
        }
        let last = read.first { $0.0 == held?.id }?.1
        var files = last?.files(done: held?.done ?? 0) ?? [:]
        // A deploy that holds the lock, but is not named yet, has sent nothing. Any other manifest is of a deploy that
        // ran at the same time.
        for (name, manifest) in read where name != held?.id && (name != held?.owner || last == nil) {
            for line in manifest.lines where last == nil || line.batch > 0 { files[line.path] = DeployManifest.unknown }
        }
        return (files, manifests, held ?? DeployProgress())
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
            ["lsf", "--recursive", "--files-only", rclone.target], for: paths, acceptsMissing: true)
        let present = Set(listed.split(separator: "\n").map { String(decoding: $0, as: UTF8.self) })
        let foreign = paths.filter(present.contains)
        let names =
            foreign.prefix(3).joined(separator: ", ") + (foreign.count > 3 ? " and \(foreign.count - 3) more" : "")
        try Failure.require(
            foreign.isEmpty, as: .outputInUse,
            "\(rclone.target) has files that amber did not put there: \(names); move them away, or deploy to "
                + "another target")
    }
}
