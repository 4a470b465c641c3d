package import Archive
package import Catalogue
import Platform

/// Builds the site of a revision. It renders, checks and writes the pages into a hidden tree, then exchanges that tree
/// with the published one.
package struct SiteBuild: Sendable {
    let catalogue: any Catalogue
    let templates: TemplateFolder
    let revision: Revision
    let archive: ArchiveFolder
    let generator: String
    let baseURL: String?
    let program: String
    let workers: Int

    /// - Parameters:
    ///   - generator: the name and version of the program, for the pages.
    ///   - baseURL: the URL at which the site will be hosted, without a slash at the end; nil if it is not known.
    ///   - program: identifies the build of the program, since several builds can have the same version.
    package init(
        of revision: Revision, in archive: ArchiveFolder, _ catalogue: any Catalogue, _ templates: TemplateFolder,
        generator: String, baseURL: String? = nil, program: String = "", workers: Int = processorCount
    ) {
        self.catalogue = catalogue
        self.templates = templates
        self.revision = revision
        self.archive = archive
        self.generator = generator
        self.baseURL = baseURL
        self.program = program
        self.workers = workers
    }
}

extension SiteBuild {
    /// The template files of this build, by their paths in the folder. Later changes in the folder are not included.
    package var templateFiles: [(path: String, bytes: [UInt8])] { templates.source.contents }

    /// The digest of all inputs of the site. Two builds with the same key produce the same site.
    package func key() throws -> String {
        try Self.key(
            of: revision, in: archive, catalogue, templates: templates.digest, generator: generator, baseURL: baseURL,
            program: program)
    }

    /// Computes the key from the parts of a build, before the templates are compiled.
    package static func key(
        of revision: Revision, in archive: ArchiveFolder, _ catalogue: any Catalogue, templates: SHA256,
        generator: String, baseURL: String?, program: String
    ) throws -> String {
        var hasher = SHA256Hasher()
        for part in [
            revision.source.api, revision.source.origin.rawValue, templates.hex, generator, baseURL ?? "", program,
        ] {
            hasher.update("\(part)\n")
        }
        // The configured addresses: records may contain links to them.
        for root in catalogue.roots { hasher.update("\(root)\n") }
        for state in try RevisionReader(revision, in: archive).history() {
            hasher.update("\(state.number) \(state.digest.hex) \(state.finished) \(state.imported == nil)\n")
        }
        return hasher.finish().hex
    }

    /// Renders and checks every page, and writes the changed ones into the hidden tree. The published site stays
    /// unchanged.
    /// - Parameters:
    ///   - progress: called with the numbers of finished pages and of all pages.
    ///   - isCancelled: called regularly by all workers. When it returns true, the build throws `SiteError.cancelled`.
    package func prepare(
        _ site: SiteFolder, key: String, progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> PreparedSite {
        try site.refuseForeignSite(for: catalogue.name)
        let plan = try plan()
        let (index, pages) = try index(plan.sets)
        let published = try site.publishedManifest().flatMap { _ in try site.openSite() }
        let (target, isNew) = try site.openHidden(for: revision.source)
        for folder in index.folders.sorted() { try target.makeAll(String(folder)) }
        let manifest = try site.manifestDraft()
        let output = TreeWriter(
            folder: target, isNew: isNew, published: published, archive: try Folder.open(archive.path),
            manifest: manifest)
        let report = try make(
            Job(
                plan: plan, index: index, pages: pages, folder: target, progress: progress, isCancelled: isCancelled),
            output)
        if !isNew { try removeLeftovers(in: target, index) }
        if isCancelled() { throw SiteError.cancelled }
        return PreparedSite(site: site, manifest: manifest, key: key, source: revision.source, report: report)
    }

    /// Builds the site or one shard of it into a separate folder, without publishing it. For a shard, links are checked
    /// against the whole site, except fragments on pages of other shards.
    /// - Parameters:
    ///   - path: the folder to create. An existing folder is removed first.
    ///   - output: a folder that contains `path`, which is then relative to it. Symbolic links are followed up to this
    ///     folder only. By default the parent folder.
    ///   - limit: the maximum bytes of the files, without pictures; the build fails if they have more.
    package func write(
        to path: String, below output: String? = nil, shard: Shard = .whole, limit: Int64? = nil,
        progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> BuildReport {
        let plan = try plan()
        let (index, pages) = try index(plan.sets)
        let folder = try Self.emptyFolder(path, below: output)
        for below in index.folders.sorted() { try folder.makeAll(String(below)) }
        return try make(
            Job(
                plan: plan, shard: shard, index: index, pages: pages / shard.count, folder: folder, progress: progress,
                isCancelled: isCancelled),
            TreeWriter(folder: folder, archive: try Folder.open(archive.path), limit: limit))
    }
}

extension SiteBuild {
    private static func emptyFolder(_ path: String, below output: String?) throws(SystemError) -> OpenFolder {
        let slash = path.lastIndex(of: "/")
        let above = output ?? slash.map { path.startIndex == $0 ? "/" : String(path[..<$0]) } ?? "."
        let name = output == nil ? slash.map { String(path[path.index(after: $0)...]) } ?? path : path
        try Folder.make(above)
        let root = try Folder.open(above)
        try root.remove(name)
        try root.makeAll(name)
        return try root.folder(name)
    }

    /// Removes files that are not in the new site: old pages, and files that Amber did not write.
    private func removeLeftovers(in folder: OpenFolder, _ index: PathIndex) throws {
        var hasRemoved = false
        try folder.forEachFile { file throws(SystemError) in
            guard !index.contains(file.utf8) else { return }
            try File.remove(file, in: folder)
            hasRemoved = true
        }
        guard hasRemoved else { return }
        // Remove the folders that no file of the site needs.
        var needed: Set<Substring> = []
        for place in index.folders {
            needed.insert(place)
            for slash in place.indices where place[slash] == "/" { needed.insert(place[..<slash]) }
        }
        for below in try folder.folders() where !needed.contains(below[...]) { try folder.remove(below) }
    }
}

/// A complete and checked site that is not published yet.
package struct PreparedSite: Sendable {
    let site: SiteFolder
    let manifest: ManifestWriter
    let key: String
    let source: Source
    package let report: BuildReport

    /// Publishes the site in one step. Readers see either the old site or the new one, never a mixture.
    package func publish() throws {
        try site.exchange(
            manifest,
            Manifest.Facts(
                key: key, catalogue: source.catalogue, origin: source.origin, pages: report.pages, files: report.files,
                bytes: report.bytes, rootHash: report.rootHash ?? ""))
    }
}

package struct BuildReport: Sendable {
    /// Pages rendered and checked.
    package internal(set) var pages = 0
    /// Files written or linked; the other files were reused.
    package internal(set) var written = 0
    package internal(set) var files = 0
    package internal(set) var bytes: Int64 = 0
    /// The root hash of the site, in hexadecimal; nil if the site does not show it.
    package internal(set) var rootHash: String?
    /// Seconds of each stage (render, check, publish). Parallel work is counted once.
    package internal(set) var seconds: [String: Double] = [:]
}
