import Archive
import Glibc
import Platform

/// The published site and the hidden tree that becomes the next one, both below the output folder.
///
/// Two trees are kept: the hidden one is brought up to date by its manifest and then exchanged with the published one in one
/// step, so that readers see the old site or the new one. A manifest is named by its tree's inode, which an exchange moves along.
public struct SiteFolder: Sendable {
    /// What readers see.
    public let site: String
    let hidden: String
    private let state: String
    /// Told before each change of what is on disk, what it is; tests end the work there.
    var willChange: @Sendable (String) throws(SystemError) -> Void = { _ in }

    /// The trees below an output folder. Where the site is a link to a folder, that folder is the site, and the link stays.
    public init(output: String) {
        let place = "\(output)/site"
        site = FileStatus(place)?.isLink == true ? Folder.realPath(place) ?? place : place
        state = "\(output)/.amber"
        hidden = "\(state)/next"
    }
}

extension SiteFolder {
    /// The published site's manifest; nil where there is none.
    func publishedManifest() throws(SystemError) -> Manifest? { try manifest(of: site) }

    /// Whether the published site was made from real data, or is not known to be made from the sample.
    public func holdsRealData() throws(SiteError) -> Bool {
        do {
            guard try !Folder.names(in: site).isEmpty else { return false }
            return try publishedManifest()?.facts.origin != .sample
        } catch {
            throw .system(error)
        }
    }

    /// - Parameter catalogue: the name of that whose site is to stand here.
    /// - Throws: where a site stands there that Amber did not make, or made of another catalogue: it would be lost.
    public func refuseForeignSite(for catalogue: String) throws(SiteError) {
        do {
            if FileStatus(site)?.isLink == true { throw SystemError("follow the link", site, code: ENOENT) }
            let names = try Folder.names(in: site)
            guard !names.isEmpty else { return }
            if let manifest = try publishedManifest(), try holdsFile(of: manifest) {
                let standing = manifest.facts.catalogue
                guard standing == catalogue else { throw SiteError.otherCatalogue(site, is: standing, wanted: catalogue) }
                return
            }
            let marker = Array("<meta name=\"generator\" content=\"Amber".utf8)
            guard names.contains("index.html"), try File.read("\(site)/index.html").firstRange(of: marker) != nil else {
                throw SiteError.foreign(site)
            }
        } catch {
            throw SiteError(error)
        }
    }

    /// Whether some file of the published site is one that its manifest knows: the folder alone may have been emptied and used anew.
    private func holdsFile(of manifest: Manifest) throws -> Bool {
        let folder = try Folder.open(site)
        for place in manifest.segments {
            let isNone = try manifest.segment(at: place)?.forEach { path, entry in
                path.baseAddress.map { !entry.holds(for: FileStatus($0, in: folder)) } ?? true
            }
            if isNone == false { return true }
        }
        return false
    }

    /// Makes the hidden tree ready to be brought up to date: marked as unfinished, or empty where it cannot be trusted.
    /// - Returns: what it holds; nil for an empty one.
    func openHidden(for source: Source) throws -> Manifest? {
        var manifest = try self.manifest(of: hidden)
        if manifest?.facts.key == nil {
            try willChange("remove the hidden tree")
            try Folder.remove(hidden)
            try willChange("make the hidden tree")
            try Folder.make(hidden)
            manifest = nil
        }
        try requireOneFileSystem()
        try willChange("mark the hidden tree as unfinished")
        // The one that was read stays open behind the name that is taken from it.
        try manifestDraft().finish(
            Manifest.Facts(key: nil, catalogue: source.catalogue, origin: source.origin), at: try requiredManifestPath(of: hidden))
        return manifest
    }

    /// Where a build notes what it makes, until the tree is whole.
    func manifestDraft() throws(SystemError) -> ManifestWriter { try ManifestWriter("\(state)/next.manifest.new") }

    /// What cannot be exchanged in the end is better known before all the work.
    private func requireOneFileSystem() throws(SystemError) {
        let parent = String(site[..<(site.lastIndex(of: "/") ?? site.startIndex)])
        // Behind the output there may be a link: what counts is where it leads to.
        guard let device = FileStatus(hidden)?.device, let seen = FileStatus(site) ?? FileStatus("\(parent)/.") else { return }
        guard seen.device == device else { throw SystemError("exchange \(hidden) with", site, code: EXDEV) }
    }

    /// Publishes the hidden tree in one step.
    func exchange(_ manifest: ManifestWriter, _ facts: Manifest.Facts) throws {
        try willChange("mark the hidden tree as finished")
        try manifest.finish(facts, at: try requiredManifestPath(of: hidden))
        // Before the exchange: what fails behind it would be told of a site that is published.
        try removeStrayManifests()
        try willChange("exchange")
        if FileStatus(site) == nil {
            try File.rename(hidden, to: site)
        } else {
            try Folder.exchange(hidden, site)
        }
    }

    private func manifest(of tree: String) throws(SystemError) -> Manifest? {
        guard let path = manifestPath(of: tree) else { return nil }
        return try Manifest(path)
    }

    private func requiredManifestPath(of tree: String) throws(SystemError) -> String {
        guard let path = manifestPath(of: tree) else { throw SystemError("find the folder", tree) }
        return path
    }

    private func manifestPath(of tree: String) -> String? {
        FileStatus(tree).map { "\(state)/\($0.inode).manifest" }
    }

    /// A manifest, or the draft of one that a killed build left.
    private static func isManifest(_ name: String) -> Bool { name.hasSuffix(".manifest") || name.hasSuffix(".manifest.new") }

    private func removeStrayManifests() throws(SystemError) {
        let kept = [site, hidden].compactMap { manifestPath(of: $0) }
        try willChange("remove stray manifests")
        for name in try Folder.names(in: state) where Self.isManifest(name) && !kept.contains("\(state)/\(name)") {
            try File.remove("\(state)/\(name)")
        }
    }
}
