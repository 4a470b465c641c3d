import Archive
import Catalogue
import FoundationEssentials
import HTMLCheck
import Pages
import Platform

extension SiteBuild {
    /// Renders and checks a part of the site, without publishing it: its files in `parts/2-of-3`, the list of their
    /// digests in `parts/2-of-3.sha256`, and its manifest in `parts/2-of-3.json`. An existing part is removed first.
    ///
    /// Links are checked against the paths of the complete site. `merge` checks fragments on pages of other parts.
    package func write(_ part: Shard, below output: String) throws -> BuildReport {
        let root = try Folder.open(output)
        try root.makeAll("parts")
        // Only a complete part has a manifest, so the manifest is removed first and written last.
        for file in [part.manifest, part.list] { try File.remove(file, in: root) }
        let key = try partKey()
        let plan = try plan()
        let list = Locked(try File(new: part.list, in: root))
        var tree = try newTree(part.folder, in: root, plan.index)
        tree.digests = list
        let (report, unchecked) = try renderFiles(of: plan, part, in: tree.folder, to: tree)
        if isCancelled() { throw SiteError.cancelled }
        try list.withLock { try $0.finishWriting() }
        let manifest = PartManifest(
            part: "\(part)", key: key, files: plan.index.count, report: report,
            list: try SHA256(ofFile: part.list, in: root).hex, links: unchecked)
        try manifest.write(to: part.manifest, in: root)
        return report
    }

    /// Merges all parts of the site in the hidden tree.
    ///
    /// The parts may be damaged or malicious. Every file must have the digest in its part's list, and all parts
    /// together must have the number of files of the site.
    package func merge(_ count: Int, into site: SiteFolder, key: String) throws -> PreparedSite {
        try site.refuseForeignSite(for: catalogue.name)
        let (parts, root, partKey) = (Shard.all(of: count), try Folder.open(site.output), try partKey())
        let missing = parts.filter { FileStatus($0.manifest, in: root) == nil }.map { "\($0.number)" }
        guard missing.isEmpty else {
            let names = missing.prefix(10).joined(separator: ", ") + (missing.count > 10 ? ", …" : "")
            let subject = missing.count == 1 ? "part \(names) of \(count) is" : "parts \(names) of \(count) are"
            throw SiteError.refused("\(subject) missing or not finished; nothing is published")
        }
        // Manifests are read again when they are needed, because all of them together may need too much memory.
        func manifest(_ part: Shard) throws -> PartManifest { try PartManifest(of: part, in: root, key: partKey) }
        let first = try manifest(parts[0])
        let (files, rootHash) = (first.files, first.report.rootHash)
        var pages = 0
        for part in parts {
            let manifest = try manifest(part)
            try part.require(
                manifest.files == files && manifest.report.rootHash == rootHash, "describes another site than part 1")
            pages += manifest.report.pages
        }
        return try prepare(site, key: key) { output in
            let merger = PartMerger(build: self, root: root, output: output)
            let results = resultsOnAllCores(parts) { try merger.add($0, PartManifest(of: $0, in: root, key: partKey)) }
            for result in results { try result.get() }
            let index = merger.index.withLock { $0 }
            try SiteError.require(
                index.count == files,
                "all parts together have \(index.count) files, but the site has \(files); nothing is published")
            var faults = FaultTally()
            for part in parts {
                let missingFragments = try SitePageChecker.faults(in: manifest(part).links) { page in
                    index.contains(page.utf8)
                        ? try File.read(page, in: output.folder, limit: PageChecker.maximumBytes) : nil
                }
                faults.add(missingFragments)
            }
            guard faults.count == 0 else { throw SiteError.pages(faults) }
            var report = output.report
            (report.pages, report.rootHash, report.note) = (pages, rootHash, first.report.note)
            return (report, index)
        }
    }

    /// The key that all parts of a site have in common. It has the program's digest, because copies differ in time.
    private func partKey() throws -> String { try key(program: Self.programDigest.get().hex) }

    private static let programDigest = Result { try SHA256(ofFile: "/proc/self/exe") }
}

/// A part of a site's files (`--part 2/3`), for one of several processes. All shards together are the complete site.
///
/// A shard has a contiguous range of the batches of each page set, and therefore of the records in the API's order.
package struct Shard: Sendable, Equatable, CustomStringConvertible {
    package let number: Int
    package let count: Int

    package static let whole = Shard(number: 1, count: 1)
}

extension Shard {
    /// Parses "2/3"; nil if the text is invalid or there are more than 10,000 shards.
    package init?(_ text: String) {
        let numbers = text.split(separator: "/", omittingEmptySubsequences: false).map { Int($0) }
        guard numbers.count == 2, let number = numbers[0], let count = numbers[1], (1...10_000).contains(count),
            (1...count).contains(number)
        else { return nil }
        self.init(number: number, count: count)
    }

    static func all(of count: Int) -> [Shard] { (1...count).map { Shard(number: $0, count: count) } }

    /// The name of the shard's folder, such as "2-of-3".
    package var description: String { "\(number)-of-\(count)" }

    /// The batches of page sets that belong to the shard, in order.
    func batches(of sets: [any PageSet]) -> [(set: any PageSet, number: Int)] {
        func share(_ number: Int, of batches: Int) -> Int { (number * batches + count - 1) / count }
        return sets.flatMap { set in
            (share(number - 1, of: set.batchCount)..<share(number, of: set.batchCount)).map { (set, $0) }
        }
    }

    fileprivate var folder: String { "parts/\(self)" }
    /// The list of digests. `sha256sum --check` can read it.
    fileprivate var list: String { "\(folder).sha256" }
    fileprivate var manifest: String { "\(folder).json" }

    fileprivate func fault(_ reason: String) -> SiteError {
        .refused("part \(number) of \(count) \(reason); render this part again; nothing is published")
    }

    fileprivate func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
        guard condition else { throw fault(reason()) }
    }
}

private struct PartManifest: Codable {
    let part: String
    let key: String
    /// The number of files of the complete site.
    let files: Int
    let report: BuildReport
    /// The digest of the list of digests.
    let list: String
    /// The links to fragments of pages of other parts.
    let links: SitePageChecker.Anchors
}

extension PartManifest {
    /// Reads the manifest of a part.
    /// - Parameter key: the key that it must have.
    init(of part: Shard, in root: OpenFolder, key: String) throws {
        do {
            // A manifest may be malicious, so not more than 64 MiB are read.
            let bytes = try File.read(part.manifest, in: root, limit: 64 << 20)
            // Texts with many combining marks take long to compare. A large site has links to more than 100,000 pages.
            try JSONSlices.check(bytes, members: .max)
            self = try JSONDecoder().decode(PartManifest.self, from: Data(bytes))
        } catch {
            throw part.fault("has no valid manifest (\(error))")
        }
        try part.require(
            self.part == "\(part)" && (0..<1 << 40).contains(files) && (0...files).contains(report.pages),
            "has the manifest of another part")
        try part.require(
            self.key.split(separator: " ").last == key.split(separator: " ").last,
            "was rendered with other templates or another catalogue")
        try part.require(
            self.key == key,
            "was rendered from another archive or revision, with another configuration, or by another program")
    }
}

/// Adds the files of parts to a tree, on several threads.
private struct PartMerger: Sendable {
    let build: SiteBuild
    let root: OpenFolder
    let output: TreeWriter
    /// The paths of all files so far.
    let index = Locked(PathIndex())

    func add(_ part: Shard, _ manifest: PartManifest) throws {
        let folder = try root.folder(part.folder)
        let list = try File(reading: part.list, in: root)
        var hasher = DigestHasher()
        var rest: [UInt8] = []
        while case let piece = try list.read(1 << 16), !piece.isEmpty {
            hasher.update(piece)
            let lines = (rest + piece).split(separator: "\n", omittingEmptySubsequences: false)
            for line in lines.dropLast() { try add(line, of: part, in: folder) }
            rest = Array(lines.last ?? [])
            try part.require(rest.count < 2_048, "has a list with a line that is too long")
            build.progress(index.withLock { $0.count }, manifest.files)
            if build.isCancelled() { throw SiteError.cancelled }
        }
        try part.require(
            hasher.finish().hex == manifest.list && rest.isEmpty, "has a list that does not match its digest")
    }

    /// Adds the file of a line such as "9f86…  character/1.html".
    private func add(_ line: ArraySlice<UInt8>, of part: Shard, in folder: OpenFolder) throws {
        let text = String(decoding: line, as: UTF8.self)
        guard let sha256 = SHA256(hex: text.prefix(64)), text.dropFirst(64).hasPrefix("  "),
            let path = SitePath(String(text.dropFirst(66)))
        else { throw part.fault("has a list with the wrong line \(text.quoted)") }
        let isNew = try index.withLock { index in
            let folders = index.folders.count
            guard index.insert(path) else { return false }
            if index.folders.count > folders, let slash = path.text.lastIndex(of: "/") {
                try output.folder.makeAll(String(path.text[..<slash]))
            }
            return true
        }
        try part.require(isNew, "has the file \(path) a second time")
        try part.require(
            output.take(path, sha256, from: folder), "lacks the file \(path), or the file does not match its digest")
    }
}
