import Archive
import Catalogue
import Platform

/// The trees that stand from builds before: the hidden one, which is brought up to date, and the published one, whose
/// files can have a second name there.
///
/// A batch whose inputs are those of then is not made again. Its pages were checked then, by the same program; their
/// links still lead somewhere, as nothing is kept from a tree that has a place which the new site lacks.
struct PreviousTrees: Sendable {
    private let archive: OpenArchive?

    /// One of the trees.
    struct Tree: Sendable {
        let manifest: Manifest
        let folder: OpenFolder
    }

    private let hidden: Tree?
    private let published: Tree?
    private let keepsHidden: Bool
    private let keepsPublished: Bool
    /// The folder that is brought up to date.
    private let target: OpenFolder?

    /// No trees: everything is made.
    init() { self.init(nil, nil, nil, nil) }

    /// - Parameters:
    ///   - hidden: what the hidden tree holds.
    ///   - published: what readers see.
    ///   - target: the hidden tree's folder.
    ///   - index: the places of the new site.
    ///   - archive: where its pictures are from.
    init(hidden: Tree?, published: Tree?, target: OpenFolder, _ index: PathIndex, _ archive: OpenArchive)
        throws(SystemError)
    {
        self.hidden = hidden
        self.published = published
        self.target = target
        self.archive = archive
        keepsHidden = try Self.hasOnlyPlaces(of: index, hidden)
        keepsPublished = try Self.hasOnlyPlaces(of: index, published)
    }

    private static func hasOnlyPlaces(of index: PathIndex, _ tree: Tree?) throws(SystemError) -> Bool {
        guard let manifest = tree?.manifest else { return false }
        if manifest.facts.places == index.digest { return true }
        for place in manifest.segments {
            guard let segment = try manifest.segment(at: place) else { return false }
            let isInside = segment.forEach { path, _ in index.contains(UnsafeRawBufferPointer(path).dropLast()) }
            guard isInside else { return false }
        }
        return true
    }

    /// Fragments that links on kept pages may name.
    var anchors: Set<SitePageChecker.Anchor> {
        var anchors: Set<SitePageChecker.Anchor> = []
        if keepsHidden, let hidden { anchors.formUnion(hidden.manifest.facts.anchors) }
        if keepsPublished, let published { anchors.formUnion(published.manifest.facts.anchors) }
        return anchors
    }

    /// Whether the hidden tree has files of an earlier build.
    var holdsFiles: Bool { hidden != nil }

    /// The same trees, from which nothing is kept: all is made and compared.
    var comparedOnly: PreviousTrees { PreviousTrees(hidden, published, target, archive) }

    private init(_ hidden: Tree?, _ published: Tree?, _ target: OpenFolder?, _ archive: OpenArchive?) {
        (self.hidden, self.published, self.target, self.archive) = (hidden, published, target, archive)
        (keepsHidden, keepsPublished) = (false, false)
    }
}

extension PreviousTrees {
    /// What is known of a batch's files in the hidden tree.
    func known(_ id: Manifest.SegmentID) throws(SystemError) -> [String: Manifest.Entry] {
        try hidden?.manifest.segment(id)?.entries ?? [:]
    }

    /// Keeps a batch that was made from the same: in the hidden tree as it is, or by second names of the published
    /// tree's files.
    /// - Returns: what is known of its files; nil where it has to be made.
    func keep(_ id: Manifest.SegmentID, _ inputs: Inputs, at places: [SitePath]) throws(SystemError) -> ManifestSegment?
    {
        if keepsHidden, let hidden, let segment = try standing(id, inputs, at: places, in: hidden) { return segment }
        guard keepsPublished, let published, let target,
            let segment = try standing(id, inputs, at: places, in: published)
        else {
            return nil
        }
        var fault: SystemError?
        let isWhole = segment.forEach { path, _ in
            guard let start = path.baseAddress else { return false }
            do throws(SystemError) {
                return try File.link(start, of: published.folder, to: start, in: target) != .refused
            } catch {
                fault = error
                return false
            }
        }
        if let fault { throw fault }
        return isWhole ? segment : nil
    }

    private func standing(
        _ id: Manifest.SegmentID, _ inputs: Inputs, at places: [SitePath], in tree: Tree
    ) throws(SystemError) -> ManifestSegment? {
        guard let archive, let segment = try tree.manifest.segment(id), segment.inputs == inputs,
            segment.hasFiles(at: places),
            segment.holds(in: tree.folder, madeFrom: archive)
        else { return nil }
        return segment
    }
}

extension PageSet {
    /// The places of all files of a batch, in the order in which they are made.
    func paths(inBatch batch: Int) -> [SitePath] {
        pagePaths(inBatch: batch) + picturePaths(inBatch: batch) + filePaths(inBatch: batch)
    }
}
