import Archive
import Catalogue
import Platform
import Site

extension Deployment {
    func readProgress() throws -> DeployProgress {
        DeployProgress(
            try rclone.run(["cat", rclone.path(Self.folder)], for: DeployProgress.files, acceptsMissing: true))
    }

    func write(_ bytes: [UInt8], to name: String) throws {
        let file = "\(rclone.scratch)/file"
        try File.replace(bytes, at: file)
        try rclone.run(
            ["copyto", "--ignore-times", "--retries", "3", file, rclone.path("\(Self.folder)/\(name)")],
            bytes: bytes.count)
    }

    /// The files at the target, the names of the manifests there, and the progress of the last deploy.
    func readState() throws -> (files: [String: String], manifests: [String], held: DeployProgress) {
        let remote = rclone.path(Self.folder)
        let listed = try rclone.run(["lsf", "--max-depth", "1", "--files-only", remote], acceptsMissing: true)
        let manifests = listed.split(separator: "\n").map { String(decoding: $0, as: UTF8.self) }
            .filter { $0.utf8.count == 32 && $0.allSatisfy(\.isHexDigit) }
        try Failure.require(
            manifests.count <= Self.maximumManifests, as: .outputInUse,
            "\(remote) has \(manifests.count) lists of files; remove all files at the target, or deploy to another one")
        let held = try readProgress()
        let folder = "\(rclone.scratch)/state"
        let limit = DeployManifest.limit
        try Folder.remove(folder)
        try Folder.make(folder)
        if !manifests.isEmpty {
            try rclone.run(
                ["copy", "--max-transfer", "\(2 * limit)B", remote, folder], for: manifests, bytes: 2 * limit)
        }
        let read = try manifests.compactMap { name in
            let bytes = try File.read("\(folder)/\(name)", limit: limit)
            // The first and last line are not those of a file.
            try Failure.require(
                bytes.count { $0 == "\n" } <= DeployManifest.maximumLines + 2, as: .outputInUse,
                "\(remote)/\(name) lists more than \(DeployManifest.maximumLines) files; remove all files at the "
                    + "target, or deploy to another one")
            return DeployManifest(bytes).map { (name, $0) }
        }
        // A manifest that the progress does not name can be half-written. Files of others are refused later.
        try Failure.require(
            !read.isEmpty || !manifests.contains { $0 == held.id }, as: .outputInUse,
            "\(rclone.target)/\(Self.folder) is damaged or of another version of amber; remove all files at the "
                + "target, or deploy to another one")
        for (_, manifest) in read {
            try Failure.require(
                manifest.catalogue == catalogue, as: .outputInUse,
                "\(rclone.target) has a site of the catalogue \(manifest.catalogue), but this site is of "
                    + "\(catalogue); deploy to another target")
        }
        let last = read.first { $0.0 == held.id }?.1
        var files = last?.files(done: held.done) ?? [:]
        // A deploy that holds the lock, but is not named yet, has sent nothing. Any other manifest is of a deploy that
        // ran at the same time, or the progress is lost.
        let others = read.filter { $0.0 != held.id && ($0.0 != held.owner || last == nil) }
        for (index, other) in others.enumerated() {
            for line in other.1.lines where last == nil || line.batch > 0 {
                let isThere = ![nil, DeployManifest.absent, DeployManifest.unknown].contains(files[line.path])
                let isFirst = last == nil && index == 0
                files[line.path] = isFirst || isThere ? line.interrupted : DeployManifest.unknown
            }
        }
        return (files, manifests, held)
    }

    func readSite() throws -> [String: SourceFile] {
        let files = resultsOnAllCores(try site.files()) { [site] path in
            guard SitePath(path) != nil, let size = FileStatus(path, in: site)?.size else {
                throw SiteError.output("\(site.path)/\(path) is not a file of a site; build the site again")
            }
            return (path, (digest: try SHA256(ofFile: path, in: site).hex, size: size))
        }
        return Dictionary(uniqueKeysWithValues: try files.map { try $0.get() })
    }

    /// The files at the target that are not from Amber. Each is looked up: lists omit links, which rclone follows.
    /// - Parameter paths: the paths of new files.
    func foreignFiles(_ paths: [String]) throws -> [String] {
        guard !paths.isEmpty else { return [] }
        let listed = try rclone.run(
            ["lsf", "--recursive", "--files-only", rclone.target], for: paths, acceptsMissing: true)
        let present = Set(listed.split(separator: "\n").map { String(decoding: $0, as: UTF8.self) })
        return paths.filter(present.contains)
    }
}
