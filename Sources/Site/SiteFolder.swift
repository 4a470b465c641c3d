package import Archive
import Glibc
import Platform

/// The published site and the hidden tree that becomes the next site, both below the output folder.
///
/// A build updates the hidden tree, and then exchanges it with the published tree in one step. So readers see either
/// the old site or the new one. The name of a manifest contains the inode of its tree, which an exchange does not
/// change.
///
/// The path of the output folder may contain symbolic links. Below the output folder, no symbolic link is followed.
package struct SiteFolder: Sendable {
    package let site: String
    let hidden: String
    private let output: String
    /// Called before each change on disk, with a description of the change. A test can throw an error to stop the
    /// build.
    var willChange: @Sendable (String) throws -> Void = { _ in }

    private enum Name {
        static let site = "site"
        static let state = ".amber"
        static let hidden = ".amber/next"
        static let draft = ".amber/next.manifest.new"
    }

    package init(output: String) {
        self.output = output
        site = "\(output)/\(Name.site)"
        hidden = "\(output)/\(Name.hidden)"
    }
}

extension SiteFolder {
    /// Opens the published site; nil if there is none.
    func openSite() throws -> OpenFolder? {
        guard let root = try Folder.openIfExists(output), FileStatus(Name.site, in: root) != nil else { return nil }
        return try root.folder(Name.site)
    }

    func publishedManifest() throws -> Manifest? {
        guard let root = try Folder.openIfExists(output) else { return nil }
        return try manifest(of: Name.site, in: root)
    }

    /// Whether the published site was rendered from real data or its origin is not known.
    package func mayContainRealData() throws -> Bool {
        guard let folder = try openSite(), try !folder.names().isEmpty else { return false }
        return try publishedManifest()?.facts.origin != .sample
    }

    /// - Parameter catalogue: the name of the catalogue that will be published here.
    /// - Throws: `SiteError` if the folder contains files that Amber did not create, or a site of another catalogue.
    ///   Publishing would destroy it.
    package func refuseForeignSite(for catalogue: String) throws {
        guard let folder = try openSite(), try !folder.names().isEmpty else { return }
        // The folder may now contain files of another program, so at least one file must match the manifest.
        if let manifest = try publishedManifest(), manifest.matchesAnyFile(in: folder) {
            let present = manifest.facts.catalogue
            guard present == catalogue else {
                throw SiteError.output(
                    "\(site) contains a site of the catalogue \(present), but this build is for \(catalogue); choose "
                        + "another --output, or move that site away")
            }
            return
        }
        let marker = Array("<meta name=\"generator\" content=\"Amber".utf8)
        // In pages of Amber, the marker is in one of the first lines.
        guard let index = try File.readingIfExists("index.html", in: folder),
            try index.read(4_096).firstRange(of: marker) != nil
        else {
            throw SiteError.output(
                "\(site) contains files that Amber did not create; move them away, or choose another --output")
        }
    }

    /// Whether the published site was built with other templates or with another catalogue; false if this is unknown.
    package func wasBuiltWithOtherTemplates(than templates: SHA256) throws -> Bool {
        // The keys of earlier versions have no second part.
        try publishedManifest()?.facts.key.split(separator: " ").dropFirst().first.map { $0 != templates.hex } ?? false
    }

    /// The report of the published site, if a build would produce the same site and no file was changed.
    /// - Parameters:
    ///   - key: the key of the build (`SiteBuild.key`).
    ///   - archive: the archive with the pictures.
    package func reportIfUpToDate(key: String, from archive: ArchiveFolder, workers: Int = processorCount) throws
        -> BuildReport?
    {
        guard let manifest = try publishedManifest(), manifest.facts.key == key, let folder = try openSite(),
            manifest.matchesAllFiles(in: folder, archive: try Folder.open(archive.path), workers: workers)
        else { return nil }
        let facts = manifest.facts
        return BuildReport(
            pages: facts.pages, files: facts.files, bytes: facts.bytes,
            rootHash: facts.rootHash.isEmpty ? nil : facts.rootHash)
    }

    /// Prepares the hidden tree for a build and marks it as unfinished. Without a valid manifest of a finished build,
    /// the tree is first removed and created again.
    /// - Returns: the folder of the tree, and whether the tree is empty.
    func openHidden(for source: Source) throws -> (folder: OpenFolder, isNew: Bool) {
        let root = try Folder.open(output)
        let isNew = try manifest(of: Name.hidden, in: root)?.facts.key.isEmpty ?? true
        if isNew {
            try willChange("remove the hidden tree")
            try root.remove(Name.hidden)
            try willChange("create the hidden tree")
            try root.makeAll(Name.hidden)
        }
        try requireOneFileSystem(root)
        try willChange("mark the hidden tree as unfinished")
        try manifestDraft().finish(
            Manifest.Facts(catalogue: source.catalogue, origin: source.origin),
            at: try requiredManifest(of: Name.hidden, in: root))
        return (try root.folder(Name.hidden), isNew)
    }

    func manifestDraft() throws -> ManifestWriter {
        try ManifestWriter(Name.draft, in: try Folder.open(output))
    }

    /// Checks that both trees are on the same file system, because the exchange at the end requires this.
    private func requireOneFileSystem(_ root: OpenFolder) throws {
        // The output folder may be a symbolic link, so the device of its target is compared.
        guard let device = FileStatus(Name.hidden, in: root)?.device,
            let published = FileStatus(Name.site, in: root) ?? FileStatus("\(output)/.")
        else { return }
        guard published.device == device else { throw SystemError("exchange \(hidden) with", site, code: EXDEV) }
    }

    func exchange(_ manifest: ManifestWriter, _ facts: Manifest.Facts) throws {
        let root = try Folder.open(output)
        try willChange("mark the hidden tree as finished")
        try manifest.finish(facts, at: try requiredManifest(of: Name.hidden, in: root))
        // This comes before the exchange. After the exchange, an error would be reported although the site is
        // published.
        try removeStrayManifests(root)
        try willChange("exchange")
        switch FileStatus(Name.site, in: root) {
        case nil: try File.rename(Name.hidden, to: Name.site, in: root)
        case let status? where status.isFolder: try Folder.exchange(Name.hidden, Name.site, in: root)
        default: throw SystemError("exchange \(hidden) with", site, code: ELOOP)
        }
    }

    private func manifest(of tree: String, in root: OpenFolder) throws -> Manifest? {
        guard let path = Self.manifestName(of: tree, in: root) else { return nil }
        return try Manifest(path, in: root)
    }

    private func requiredManifest(of tree: String, in root: OpenFolder) throws -> String {
        guard let path = Self.manifestName(of: tree, in: root) else {
            throw SystemError("find the folder", "\(root.path)/\(tree)", code: ENOENT)
        }
        return path
    }

    private static func manifestName(of tree: String, in root: OpenFolder) -> String? {
        // A symbolic link may have the same inode as a folder that was removed.
        guard let status = FileStatus(tree, in: root), status.isFolder else { return nil }
        return "\(Name.state)/\(status.inode).manifest"
    }

    /// Removes manifests of trees that no longer exist, and manifest drafts of builds that were killed.
    private func removeStrayManifests(_ root: OpenFolder) throws {
        let kept = [Name.site, Name.hidden].compactMap { Self.manifestName(of: $0, in: root) }
        try willChange("remove stray manifests")
        let state = try root.folder(Name.state)
        for name in try state.names() where name.hasSuffix(".manifest") || name.hasSuffix(".manifest.new") {
            if !kept.contains("\(Name.state)/\(name)") { try File.remove(name, in: state) }
        }
    }
}
