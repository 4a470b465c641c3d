import Archive
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

    /// The trees below an output folder.
    public init(output: String) {
        site = "\(output)/site"
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
            return try publishedManifest()?.origin != .sample
        } catch {
            throw .system(error)
        }
    }

    /// - Throws: where a site stands there that Amber did not make: it would be lost.
    func refuseForeignSite() throws {
        let names = try Folder.names(in: site)
        guard !names.isEmpty, try !holdsKnownFile() else { return }
        let marker = Array("<meta name=\"generator\" content=\"Amber".utf8)
        guard names.contains("index.html"), try File.read("\(site)/index.html").firstRange(of: marker) != nil else {
            throw SiteError.foreign(site)
        }
    }

    /// Whether some file of the published site is one that its manifest knows: the folder alone may have been emptied and used anew.
    private func holdsKnownFile() throws -> Bool {
        guard let entries = try publishedManifest()?.entries else { return false }
        let folder = try Folder.open(site)
        return entries.contains { path, entry in entry.holds(for: FileStatus(path, in: folder)) }
    }

    /// Makes the hidden tree ready to be brought up to date: marked as unfinished, or empty where it cannot be trusted.
    func openHidden(origin: Source.Origin) throws -> Manifest {
        var manifest = try self.manifest(of: hidden)
        if manifest?.key == nil {
            try Folder.remove(hidden)
            try Folder.make(hidden)
            manifest = Manifest(key: nil, origin: origin)
        }
        manifest?.key = nil
        manifest?.origin = origin
        let opened = manifest ?? Manifest(key: nil, origin: origin)
        try write(opened, of: hidden)
        return opened
    }

    /// Publishes the hidden tree in one step.
    func exchange(_ manifest: Manifest) throws {
        try write(manifest, of: hidden)
        if FileStatus(site) == nil {
            try File.rename(hidden, to: site)
        } else {
            try Folder.exchange(hidden, site)
        }
        try removeStrayManifests()
    }

    private func manifest(of tree: String) throws(SystemError) -> Manifest? {
        guard let path = manifestPath(of: tree) else { return nil }
        return try Manifest(path)
    }

    private func write(_ manifest: Manifest, of tree: String) throws(SystemError) {
        guard let path = manifestPath(of: tree) else { throw SystemError("find the folder", tree) }
        try manifest.write(to: path)
    }

    private func manifestPath(of tree: String) -> String? {
        FileStatus(tree).map { "\(state)/\($0.inode).manifest" }
    }

    private func removeStrayManifests() throws(SystemError) {
        let kept = [site, hidden].compactMap { manifestPath(of: $0) }
        for name in try Folder.names(in: state) where name.hasSuffix(".manifest") && !kept.contains("\(state)/\(name)") {
            try File.remove("\(state)/\(name)")
        }
    }
}
