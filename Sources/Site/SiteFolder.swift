package import Archive
import Glibc
import Platform

/// The published site and the hidden tree that becomes the next site, both below the output folder.
///
/// A build updates the hidden tree, and then exchanges it with the published tree in one step. So readers see either
/// the old site or the new one. The name of a manifest has the inode of its tree, which an exchange keeps.
///
/// The path of the output folder may contain symbolic links. Below the output folder, no symbolic link is followed.
package struct SiteFolder: Sendable {
    let output: String
    /// Called before each change on disk, with its description. A test can throw an error to stop the build.
    var willChange: @Sendable (String) throws -> Void = { _ in }

    private enum Name {
        static let site = "site"
        static let state = ".amber"
        static let hidden = ".amber/next"
    }

    package init(output: String) { self.output = output }

    package var site: String { "\(output)/\(Name.site)" }
    var hidden: String { "\(output)/\(Name.hidden)" }
}

extension SiteFolder {
    /// Opens the published site, and reads its manifest; nil if there is no site.
    func published() throws -> (folder: OpenFolder, manifest: Manifest?)? {
        guard let root = try Folder.openIfExists(output), FileStatus(Name.site, in: root) != nil else { return nil }
        return (try root.folder(Name.site), try manifest(of: Name.site, in: root))
    }

    /// Whether the published site was rendered from real data or its origin is not known.
    package func mayContainRealData() throws -> Bool {
        guard let (folder, manifest) = try published(), try !folder.names().isEmpty else { return false }
        return manifest?.origin != Source.Origin.sample.rawValue
    }

    /// - Parameter catalogue: the name of the catalogue that will be published here.
    /// - Throws: `SiteError` for files that Amber did not create, or a site of another catalogue, which would be lost.
    package func refuseForeignSite(for catalogue: String) throws {
        guard let (folder, manifest) = try published(), case let names = try folder.names(), !names.isEmpty else {
            return
        }
        // The folder may now contain files of another program, so a page must be Amber's.
        let pages = manifest == nil ? ["index.html"] : names.filter { $0.hasSuffix(".html") }
        let marker = Array("<meta name=\"generator\" content=\"Amber".utf8)
        let hasMarker = try pages.contains { page in
            // In pages of Amber, the marker is in one of the first lines.
            try FileStatus(page, in: folder)?.isRegular == true
                && File(reading: page, in: folder).read(4_096).firstRange(of: marker) != nil
        }
        // The user's own templates may lack the marker.
        guard try hasMarker || manifest?.tree == TreeState(of: folder) else {
            throw SiteError.output(
                "\(site) contains files that Amber did not create; move them away, or choose another --output")
        }
        if let present = manifest?.catalogue, present != catalogue {
            throw SiteError.output(
                "\(site) contains a site of the catalogue \(present), but this build is for \(catalogue); choose "
                    + "another --output, or move that site away")
        }
    }

    /// The name of the catalogue of the published site.
    /// - Throws: `SiteError` if a file was changed since the site was built.
    package func catalogueOfUnchangedSite() throws -> String {
        guard case let (folder, manifest?)? = try published(), try manifest.tree == TreeState(of: folder) else {
            throw SiteError.output("files in \(site) changed since it was built; build it again")
        }
        return manifest.catalogue
    }

    /// Whether the published site was built with other templates or another catalogue. False if this is not known.
    package func wasBuiltWithOtherTemplates(than templates: SHA256) throws -> Bool {
        let key = try published()?.manifest?.key
        return key?.split(separator: " ").dropFirst().first.map { $0 != templates.hex } ?? false
    }

    /// The report of the published site, if a build would produce the same site and no file was changed.
    /// - Parameters:
    ///   - key: the key of the build (`SiteBuild.key`).
    ///   - archive: the archive with the pictures.
    package func reportIfUpToDate(key: String, from archive: ArchiveFolder) throws -> BuildReport? {
        guard case let (folder, manifest?)? = try published(), manifest.key == key,
            try manifest.tree == TreeState(of: folder), try manifest.pictures == Self.pictures(of: archive)
        else { return nil }
        var report = manifest.report
        report.written = 0
        return report
    }

    /// The state of the pictures in an archive. The site has hard links to them.
    static func pictures(of archive: ArchiveFolder) throws -> TreeState {
        let folder = try Folder.open(archive.path)
        guard FileStatus("assets", in: folder)?.isFolder == true else { return TreeState() }
        return try TreeState(of: folder.folder("assets"))
    }

    /// Marks the hidden tree as unfinished. Without a valid manifest of a finished build, it is created again.
    /// - Returns: the folder of the tree, and whether the tree is empty.
    func openHidden(for source: Source) throws -> (folder: OpenFolder, isNew: Bool) {
        let root = try Folder.open(output)
        let isNew = try manifest(of: Name.hidden, in: root)?.key.isEmpty ?? true
        if isNew {
            try willChange("remove the hidden tree")
            try root.remove(Name.hidden)
            try willChange("create the hidden tree")
            try root.makeAll(Name.hidden)
        }
        try requireOneFileSystem(root)
        try willChange("mark the hidden tree as unfinished")
        try mark(Manifest(of: source), in: root)
        return (try root.folder(Name.hidden), isNew)
    }

    /// Writes the manifest of the hidden tree.
    private func mark(_ manifest: Manifest, in root: OpenFolder) throws {
        guard let path = Self.manifestName(of: Name.hidden, in: root) else {
            throw SystemError("find the folder", "\(root.path)/\(Name.hidden)", code: ENOENT)
        }
        try manifest.write(to: path, in: root)
    }

    /// Checks that both trees are on the same file system, because the exchange at the end requires this.
    private func requireOneFileSystem(_ root: OpenFolder) throws {
        // The output folder may be a symbolic link, so the device of its target is compared.
        guard let device = FileStatus(Name.hidden, in: root)?.device,
            let published = FileStatus(Name.site, in: root) ?? FileStatus("\(output)/.")
        else { return }
        guard published.device == device else { throw SystemError("exchange \(hidden) with", site, code: EXDEV) }
    }

    /// Publishes the hidden tree.
    func exchange(_ manifest: Manifest) throws {
        let root = try Folder.open(output)
        try willChange("mark the hidden tree as finished")
        try mark(manifest, in: root)
        // Manifests of trees that no longer exist, and drafts of builds that were killed. This comes before the
        // exchange, because an error after it would seem to be a failed publication.
        let kept = [Name.site, Name.hidden].compactMap { Self.manifestName(of: $0, in: root) }
        try willChange("remove stray manifests")
        let state = try root.folder(Name.state)
        for name in try state.names() where name.hasSuffix(".manifest") || name.hasSuffix(".manifest.new") {
            if !kept.contains("\(Name.state)/\(name)") { try File.remove(name, in: state) }
        }
        try willChange("exchange")
        switch FileStatus(Name.site, in: root) {
        case nil: try File.rename(Name.hidden, to: Name.site, in: root)
        case let status? where status.isFolder: try Folder.exchange(Name.hidden, Name.site, in: root)
        default: throw SystemError("exchange \(hidden) with", site, code: ELOOP)
        }
    }

    private func manifest(of tree: String, in root: OpenFolder) throws -> Manifest? {
        try Self.manifestName(of: tree, in: root).flatMap { try Manifest($0, in: root) }
    }

    private static func manifestName(of tree: String, in root: OpenFolder) -> String? {
        // A symbolic link may have the same inode as a folder that was removed.
        guard let status = FileStatus(tree, in: root), status.isFolder else { return nil }
        return "\(Name.state)/\(status.inode).manifest"
    }
}
