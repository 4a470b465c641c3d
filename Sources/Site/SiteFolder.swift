package import Archive
import Glibc
import Platform

/// The published site and the hidden tree that becomes the next one, both below the output folder.
///
/// Two trees are kept: the hidden one is brought up to date by its manifest and then exchanged with the published one
/// in one step, so that readers see the old site or the new one. A manifest is named by its tree's inode, which an
/// exchange moves along.
///
/// The output folder may be reached through links; what is below it is found without following any.
package struct SiteFolder: Sendable {
    package let site: String
    let hidden: String
    private let output: String
    /// Told before each change of what is on disk, what it is; tests end the work there.
    var willChange: @Sendable (String) throws(SystemError) -> Void = { _ in }

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
    /// Opens the published site; nil where there is none.
    func openSite() throws(SystemError) -> OpenFolder? {
        guard let root = try openOutput(), FileStatus(Name.site, in: root) != nil else { return nil }
        return try root.folder(Name.site)
    }

    private func openOutput() throws(SystemError) -> OpenFolder? {
        do throws(SystemError) {
            return try Folder.open(output)
        } catch {
            guard error.code == ENOENT else { throw error }
            return nil
        }
    }

    func publishedManifest() throws(SystemError) -> Manifest? {
        guard let root = try openOutput() else { return nil }
        return try manifest(of: Name.site, in: root)
    }

    /// Whether the published site was made from real data, or is not known to be made from the sample.
    package func holdsRealData() throws -> Bool {
        guard let folder = try openSite(), try !folder.names().isEmpty else { return false }
        return try publishedManifest()?.facts.origin != .sample
    }

    /// - Parameter catalogue: the name of that whose site is to stand here.
    /// - Throws: where a site stands there that Amber did not make, or made of another catalogue: it would be lost.
    package func refuseForeignSite(for catalogue: String) throws {
        guard let folder = try openSite(), try !folder.names().isEmpty else { return }
        // The folder may have been emptied and used for something else.
        if let manifest = try publishedManifest(), manifest.holdsFile(in: folder) {
            let present = manifest.facts.catalogue
            guard present == catalogue else {
                throw SiteError.output(
                    "\(site) holds a site of \(present), and this one is of \(catalogue); choose another --output, or "
                        + "move that one away")
            }
            return
        }
        let marker = Array("<meta name=\"generator\" content=\"Amber".utf8)
        // Pages of Amber have it in one of the first lines.
        guard let index = try OpenFile("index.html", in: folder),
            try index.read(at: 0, 4_096).firstRange(of: marker) != nil
        else {
            throw SiteError.output(
                "\(site) holds files that Amber did not make; move them away, or choose another --output")
        }
    }

    /// The published site, where it is the one that a build would make, and nobody has touched it.
    /// - Parameters:
    ///   - key: what tells the build, as `SiteBuild.key` has it.
    ///   - archive: where the pictures are from.
    package func standing(key: String, from archive: ArchiveFolder, workers: Int = processorCount) throws
        -> BuildReport?
    {
        guard let manifest = try publishedManifest(), manifest.facts.key == key, let folder = try openSite(),
            manifest.holds(in: folder, madeFrom: try OpenArchive(archive), workers: workers)
        else { return nil }
        let facts = manifest.facts
        return BuildReport(
            pages: facts.pages, files: facts.files, bytes: facts.bytes,
            rootHash: facts.rootHash.isEmpty ? nil : facts.rootHash)
    }

    /// Makes the hidden tree ready to be brought up to date: marked as unfinished, or empty where it cannot be trusted.
    /// - Returns: its folder, and whether it is empty.
    func openHidden(for source: Source) throws -> (folder: OpenFolder, isNew: Bool) {
        let root = try Folder.open(output)
        let isNew = try manifest(of: Name.hidden, in: root)?.facts.key.isEmpty ?? true
        if isNew {
            try willChange("remove the hidden tree")
            try root.remove(Name.hidden)
            try willChange("make the hidden tree")
            try root.makeAll(Name.hidden)
        }
        try requireOneFileSystem(root)
        try willChange("mark the hidden tree as unfinished")
        try manifestDraft().finish(
            Manifest.Facts(catalogue: source.catalogue, origin: source.origin),
            at: try requiredManifest(of: Name.hidden, in: root))
        return (try root.folder(Name.hidden), isNew)
    }

    /// Where a build notes what it makes, until the tree is whole.
    func manifestDraft() throws(SystemError) -> ManifestWriter {
        try ManifestWriter(Name.draft, in: try Folder.open(output))
    }

    /// What cannot be exchanged in the end is better known before all the work.
    private func requireOneFileSystem(_ root: OpenFolder) throws(SystemError) {
        // Behind the output there may be a link: what counts is where it leads to.
        guard let device = FileStatus(Name.hidden, in: root)?.device,
            let seen = FileStatus(Name.site, in: root) ?? FileStatus("\(output)/.")
        else { return }
        guard seen.device == device else { throw SystemError("exchange \(hidden) with", site, code: EXDEV) }
    }

    func exchange(_ manifest: ManifestWriter, _ facts: Manifest.Facts) throws {
        let root = try Folder.open(output)
        try willChange("mark the hidden tree as finished")
        try manifest.finish(facts, at: try requiredManifest(of: Name.hidden, in: root))
        // Before the exchange: what fails behind it would be told of a site that is published.
        try removeStrayManifests(root)
        try willChange("exchange")
        switch FileStatus(Name.site, in: root) {
        case nil: try File.rename(Name.hidden, to: Name.site, in: root)
        case let status? where status.isFolder: try Folder.exchange(Name.hidden, Name.site, in: root)
        default: throw SystemError("exchange \(hidden) with", site, code: ELOOP)
        }
    }

    private func manifest(of tree: String, in root: OpenFolder) throws(SystemError) -> Manifest? {
        guard let path = Self.manifestName(of: tree, in: root) else { return nil }
        return try Manifest(path, in: root)
    }

    private func requiredManifest(of tree: String, in root: OpenFolder) throws(SystemError) -> String {
        guard let path = Self.manifestName(of: tree, in: root) else {
            throw SystemError("find the folder", "\(root.path)/\(tree)", code: ENOENT)
        }
        return path
    }

    private static func manifestName(of tree: String, in root: OpenFolder) -> String? {
        // A link may have the number of a folder that was removed.
        guard let status = FileStatus(tree, in: root), status.isFolder else { return nil }
        return "\(Name.state)/\(status.inode).manifest"
    }

    /// Removes manifests of other trees, and drafts of manifests that killed builds left.
    private func removeStrayManifests(_ root: OpenFolder) throws(SystemError) {
        let kept = [Name.site, Name.hidden].compactMap { Self.manifestName(of: $0, in: root) }
        try willChange("remove stray manifests")
        let state = try root.folder(Name.state)
        for name in try state.names() where name.hasSuffix(".manifest") || name.hasSuffix(".manifest.new") {
            if !kept.contains("\(Name.state)/\(name)") { try File.remove(name, in: state) }
        }
    }
}
