package import Archive
import Catalogue
package import Pages
import Platform

/// Builds the site of a revision in a hidden tree. `PreparedSite` then exchanges this tree with the published one.
package struct SiteBuild: Sendable {
    package let catalogue: any SiteCatalogue
    let templates: TemplateFolder
    package let revision: Revision
    package let archive: ArchiveFolder
    package let generator: String
    let baseURL: String?
    let program: String
    let workers: Int
    /// Called with the number of finished pages and the number of all pages; in a merge, with those of files.
    package var progress: @Sendable (_ done: Int, _ of: Int) -> Void = { _, _ in }
    /// Called regularly by all workers. When it returns true, the build throws `SiteError.cancelled`.
    package var isCancelled: @Sendable () -> Bool = { false }

    /// - Parameters:
    ///   - generator: the name and version of the program, for the pages.
    ///   - baseURL: the URL at which the site will be hosted, without a slash at the end; nil if it is not known.
    ///   - program: identifies the executable file, because several builds of the program can have the same version.
    package init(
        of revision: Revision, in archive: ArchiveFolder, _ catalogue: any SiteCatalogue, _ templates: TemplateFolder,
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
    /// The files of the templates and of the catalogue, with their paths in a package.
    package var templateFiles: [(path: String, bytes: [UInt8])] {
        let source = templates.source
        return source.contents.map { ("templates/\($0.path)", $0.bytes) }
            + source.catalogueContents.map { ("catalogue/\($0.path)", $0.bytes) }
    }

    /// The digest of all inputs of the site. Two builds with the same key produce the same site.
    /// - Parameter program: nil for that of the build.
    package func key(program: String? = nil) throws -> String {
        try Self.key(
            of: revision, in: archive, catalogue, templates: templates.digest, generator: generator, baseURL: baseURL,
            program: program ?? self.program)
    }

    /// Computes the key from the parts of a build, before the templates are compiled; it ends with theirs.
    package static func key(
        of revision: Revision, in archive: ArchiveFolder, _ catalogue: any SiteCatalogue, templates: SHA256,
        generator: String, baseURL: String?, program: String
    ) throws -> String {
        let source = revision.source
        let own = [source.api, source.origin.rawValue, templates.hex, generator, baseURL ?? "", program]
        // The configured roots are part of the key, because pages depend on them.
        let roots = catalogue.roots.map { "\($0)" }
        let states = try RevisionReader(revision, in: archive).history().map { state in
            "\(state.number) \(state.digest.hex) \(state.finished) \(state.imported == nil)\n"
                + (state.captureDigest?.hex ?? "")
        }
        return "\(SHA256(of: (own + roots + states).map { "\($0)\n" }.joined().utf8).hex) \(templates.hex)"
    }

    /// Renders and checks every page, and writes the changed ones into the hidden tree.
    package func prepare(_ site: SiteFolder, key: String) throws -> PreparedSite {
        try site.refuseForeignSite(for: catalogue.name)
        let plan = try plan()
        return try prepare(site, key: key, plan.index) { output in
            (try renderFiles(of: plan, in: output.folder, to: output).report, plan.index)
        }
    }

    /// Prepares a site in the hidden tree.
    /// - Parameters:
    ///   - index: the paths of all files; nil if no page is rendered.
    ///   - fill: writes all files, and returns their paths.
    func prepare(
        _ site: SiteFolder, key: String, _ index: PathIndex? = nil,
        _ fill: (TreeWriter) throws -> (BuildReport, PathIndex)
    ) throws -> PreparedSite {
        let before = try site.published()
        let published = before?.manifest == nil ? nil : before?.folder
        let (target, isNew) = try site.openHidden(for: revision.source)
        var manifest = Manifest(of: revision.source)
        manifest.pictures = try SiteFolder.pictures(of: archive)
        manifest.checker = program.isEmpty ? "" : "\(generator) \(program) \(templates.digest.hex)"
        var isChecked = !manifest.checker.isEmpty && manifest.checker == before?.manifest?.checker
        if isChecked, let index {
            // If the new site lacks a file, all pages are checked, because unchanged pages can have links to it. All
            // pages are also checked if the published tree cannot be read, so the error is not needed.
            let isRead: Void? = try? published?.forEachFile { if !index.contains($0.utf8) { isChecked = false } }
            isChecked = isChecked && isRead != nil
        }
        var output = try writer(in: target, index)
        (output.isNew, output.published, output.isChecked) = (isNew, published, isChecked)
        let (report, index) = try fill(output)
        manifest.report = report
        // Files that are not in the new site are old pages, or files of other programs.
        if !isNew { try target.removeFiles(unless: { index.contains($0.utf8) }) }
        if isCancelled() { throw SiteError.cancelled }
        (manifest.key, manifest.tree) = (key, output.tree)
        return PreparedSite(site: site, manifest: manifest)
    }

    /// Builds the site into a separate folder, without publishing it.
    /// - Parameters:
    ///   - path: the folder to create. An existing folder is removed first.
    ///   - output: the folder to which `path` is relative. Symbolic links are followed in the path of this folder, but
    ///     not in `path`.
    ///   - limit: the maximum total size of the files in bytes, without pictures. If they are larger, the build fails.
    package func write(to path: String, below output: String, limit: Int64? = nil) throws -> BuildReport {
        let plan = try plan()
        try Folder.make(output)
        var tree = try newTree(path, in: Folder.open(output), plan.index)
        tree.limit = limit
        return try renderFiles(of: plan, in: tree.folder, to: tree).report
    }

    /// Creates a folder with the folders of a site. An existing folder is removed first.
    func newTree(_ path: String, in root: OpenFolder, _ index: PathIndex) throws -> TreeWriter {
        try root.remove(path)
        try root.makeAll(path)
        return try writer(in: root.folder(path), index)
    }

    private func writer(in folder: OpenFolder, _ index: PathIndex?) throws -> TreeWriter {
        for below in (index?.folders ?? []).sorted() { try folder.makeAll(String(below)) }
        let disk = DiskReserve { Folder.freeSpace(folder.path) }
        return TreeWriter(folder: folder, archive: try Folder.open(archive.path), disk: disk)
    }
}

/// A complete and checked site that is not published yet.
package struct PreparedSite: Sendable {
    let site: SiteFolder
    let manifest: Manifest
    package var report: BuildReport { manifest.report }

    /// Publishes the site in one step. At any time, readers see either the complete old site or the complete new site.
    package func publish() throws { try site.exchange(manifest) }
}

package struct BuildReport: Sendable, Equatable, Codable {
    /// The number of pages that were rendered and checked.
    package internal(set) var pages = 0
    /// The number of files that were written or linked. All other files were reused.
    package internal(set) var written = 0
    package internal(set) var files = 0
    package internal(set) var bytes: Int64 = 0
    /// The root hash of the site in hexadecimal; nil if the site does not have one.
    package internal(set) var rootHash: String?
    /// A sentence for the builder of the site; nil for none.
    package internal(set) var note: String?
}
