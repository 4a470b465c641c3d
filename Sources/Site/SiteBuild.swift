package import Archive
package import Catalogue
import Platform

/// Builds a revision's site: rendered, checked and written into the hidden tree, then published by one exchange.
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
    ///   - generator: the program and its version, as pages name it.
    ///   - baseURL: where the site will be hosted, without a slash at the end; nil where that is not known.
    ///   - program: tells builds of one version of the program apart.
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
    /// The files of the templates that its pages are made from, by their paths in the folder, whatever stands there by
    /// now.
    package var templateFiles: [(path: String, bytes: [UInt8])] { templates.source.contents }

    /// The digest over everything that the site is a function of.
    package func key() throws -> String {
        try Self.key(
            of: revision, in: archive, catalogue, templates: templates.digest, generator: generator, baseURL: baseURL,
            program: program)
    }

    /// The same before anything is compiled; the parts are those of a build.
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
        // As configured; records may be called by it.
        for root in catalogue.roots { hasher.update("\(root)\n") }
        for state in try RevisionReader(revision, in: archive).history() {
            hasher.update("\(state.number) \(state.digest.hex) \(state.finished) \(state.imported == nil)\n")
        }
        return hasher.finish().hex
    }

    /// Renders and checks every page, and writes those that differ from the published ones into the hidden tree; what
    /// readers see stays as it is.
    /// - Parameters:
    ///   - progress: told how many of all pages are done.
    ///   - isCancelled: asked now and then, by all workers; once it says so, the build ends with `cancelled`.
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

    /// Builds the site, or a part of it, into a folder of its own, without publishing.
    /// - Parameters:
    ///   - path: the folder, which is made; what is there is removed.
    ///   - output: the folder that it is below: links are followed on the way to that one only. By default the one
    ///     that it lies in.
    ///   - limit: the most bytes of its files, pictures aside; the build fails once they have more.
    ///
    /// Of a part, links are looked for in the whole site; the fragments that they name on pages of other parts are not.
    package func write(
        to path: String, below output: String? = nil, part: Part = .whole, limit: Int64? = nil,
        progress: @escaping @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in },
        isCancelled: @escaping @Sendable () -> Bool = { false }
    ) throws -> BuildReport {
        let plan = try plan()
        let (index, pages) = try index(plan.sets)
        let folder = try Self.emptyFolder(path, below: output)
        for below in index.folders.sorted() { try folder.makeAll(String(below)) }
        return try make(
            Job(
                plan: plan, part: part, index: index, pages: pages / part.count, folder: folder, progress: progress,
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

    /// Removes what the new site does not have: pages no longer made, and files that Amber never made.
    private func removeLeftovers(in folder: OpenFolder, _ index: PathIndex) throws {
        var isLess = false
        try folder.forEachFile { file throws(SystemError) in
            guard !index.contains(file.utf8) else { return }
            try File.remove(file, in: folder)
            isLess = true
        }
        guard isLess else { return }
        // Folders that nothing of the site lies in any more.
        var needed: Set<Substring> = []
        for place in index.folders {
            needed.insert(place)
            for slash in place.indices where place[slash] == "/" { needed.insert(place[..<slash]) }
        }
        for below in try folder.folders() where !needed.contains(below[...]) { try folder.remove(below) }
    }
}

/// A site that is whole and checked, and waits to be seen.
package struct PreparedSite: Sendable {
    let site: SiteFolder
    let manifest: ManifestWriter
    let key: String
    let source: Source
    package let report: BuildReport

    /// Publishes it in one step: who looks sees the old site or this one.
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
    /// Files written or linked; the others were there already.
    package internal(set) var written = 0
    package internal(set) var files = 0
    package internal(set) var bytes: Int64 = 0
    /// The digest of all answers of the API, in hexadecimal; nil for a site that does not show it.
    package internal(set) var rootHash: String?
    /// Seconds by stage: render, check, publish. Work of several workers side by side counts once.
    package internal(set) var seconds: [String: Double] = [:]
}
