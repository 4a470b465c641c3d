import Catalogue
import HTMLCheck
import Platform

/// Checks a site that stands on disk: grammar and links as in a build, and libxml2's HTML parser as a second opinion.
package struct SiteCheck: Sendable {
    package struct Report: Sendable {
        package let pages: Int
        package let files: Int
        package let faults: FaultTally
    }

    private let folder: String
    /// Links to fragments are looked up when they take about this many bytes.
    var mostAnchorBytes = 64 << 20

    package init(_ folder: String) {
        self.folder = folder
    }

    /// Reads every page.
    /// - Parameter progress: told how many of all pages are done.
    package func run(progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }) throws -> Report {
        let folder = try Folder.open(folder, followsLink: false)
        let files = try folder.files()
        var index = PathIndex()
        var faults = FaultTally()
        for file in files {
            guard let path = SitePath(file) else {
                faults.add([PageFault(page: file, line: 0, message: "is no name for a file in a site [path]")])
                continue
            }
            _ = index.insert(path)
        }
        let pages = files.filter { $0.hasSuffix(".html") }
        let known = Set(pages)
        let checker = SitePageChecker(index)
        func addLostFragments() throws {
            faults.add(
                try SitePageChecker.faults(in: checker.takeAnchors()) { page in
                    known.contains(page) ? try File.read(page, in: folder, limit: PageChecker.maximumBytes) : nil
                })
        }
        for (number, page) in pages.enumerated() {
            progress(number, pages.count)
            if let size = FileStatus(page, in: folder)?.size, size > PageChecker.maximumBytes {
                let reason = "the page has \(size) bytes, more than \(PageChecker.maximumBytes) [page-too-large]"
                faults.add([PageFault(page: page, line: 1, message: reason)])
                continue
            }
            let bytes = try File.read(page, in: folder, limit: PageChecker.maximumBytes)
            let found = checker.faults(in: bytes, at: page)
            faults.add(found)
            if checker.anchorBytes > mostAnchorBytes { try addLostFragments() }
            // On a page that fails the first check, libxml2's HTML parser could take unlimited time and memory.
            guard found.isEmpty else { continue }
            faults.add(
                HTMLParserCheck.faults(in: bytes).map {
                    PageFault(
                        page: page, line: $0.line,
                        message: "libxml2's HTML parser: \($0.message) [\($0.rule.rawValue)]")
                })
        }
        try addLostFragments()
        return Report(pages: pages.count, files: files.count, faults: faults)
    }
}

/// Checks pages as they are made: their grammar, and that every link leads to a place that the site has. One a worker.
final class SitePageChecker {
    /// A fragment on another page that a link names, to be looked for when all pages are there.
    struct Anchor: Hashable {
        let page: String
        let fragment: String
    }

    /// Anchors with the first link that names each.
    typealias Anchors = [Anchor: (from: String, line: Int)]

    private let checker = PageChecker()
    private let index: PathIndex
    private var resolver = LinkResolver()
    /// Links without fragments that are good on pages of a folder, as hashes of both: most links stand on many pages.
    private var known: Set<Int> = []
    private var folder: [UInt8] = []

    /// More than this many known links are forgotten, so that memory stays as it is.
    private static let mostKnown = 8_192

    /// The most distinct links of a page to fragments of other pages. Each is kept until all pages are there.
    static let mostAnchorsOfPage = 10_000

    /// The most bytes of a fragment of another page.
    private static let longestFragment = 1_024

    private(set) var anchors: Anchors = [:]
    /// About how many bytes the anchors take.
    private(set) var anchorBytes = 0
    /// How many anchors the page under check has added.
    private var anchorsOfPage = 0

    init(_ index: PathIndex) {
        self.index = index
    }
}

extension SitePageChecker {
    /// What is wrong with a page, at most `PageChecker.maximumFaults`; empty where it is good.
    func faults(in bytes: [UInt8], at path: String) -> [PageFault] {
        let report = checker.check(bytes)
        var faults = report.faults.map {
            PageFault(page: path, line: $0.line, message: "\($0.message) [\($0.rule.rawValue)]")
        }
        var path = path
        path.withUTF8 { page in
            folder = Array(page[..<(page.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
            anchorsOfPage = 0
            if known.count > Self.mostKnown { known.removeAll(keepingCapacity: true) }
            report.forEachLink { target, line in
                let most = PageChecker.maximumFaults
                guard faults.count < most, let message = fault(in: target, on: page, line) else { return }
                faults.append(
                    PageFault(
                        page: String(decoding: page, as: UTF8.self), line: line,
                        message: faults.count < most - 1
                            ? message
                            : "the page has more than \(most - 1) faults, and no more links were checked [link]"))
            }
        }
        return faults
    }

    /// Hands over the anchors found so far, and keeps them no longer.
    func takeAnchors() -> Anchors {
        defer {
            anchors = [:]
            anchorBytes = 0
        }
        return anchors
    }

    private func fault(in target: UnsafeBufferPointer<UInt8>, on page: UnsafeBufferPointer<UInt8>, _ line: Int)
        -> String?
    {
        // With a random key for each process. Otherwise a broken link could be made that has the hash of a good one.
        var hasher = Hasher()
        hasher.combine(folder)
        hasher.combine(bytes: UnsafeRawBufferPointer(target))
        let hash = hasher.finalize()
        if known.contains(hash) { return nil }
        switch resolver.resolve(target, on: page) {
        case .external: return nil
        case .malformed(let reason): return "\(reason): \"\(Self.shown(target))\" [link]"
        case .page(let hasFragment):
            guard index.contains(resolver.path) else {
                return "the link \"\(Self.shown(target))\" leads to no page or file of the site [link]"
            }
            if !hasFragment { known.insert(hash) }
            guard hasFragment, !resolver.path.elementsEqual(page) else { return nil }
            // It is kept until all pages are there.
            guard resolver.fragment.count <= Self.longestFragment else {
                return "the link \"\(Self.shown(target))\" has a fragment of more than \(Self.longestFragment) bytes "
                    + "[link]"
            }
            let anchor = Anchor(
                page: String(decoding: resolver.path, as: UTF8.self),
                fragment: String(decoding: resolver.fragment, as: UTF8.self))
            return anchors[anchor] == nil ? add(anchor, from: String(decoding: page, as: UTF8.self), line) : nil
        }
    }

    /// - Returns: what is wrong where the page has too many.
    private func add(_ anchor: Anchor, from page: String, _ line: Int) -> String? {
        anchors[anchor] = (page, line)
        anchorsOfPage += 1
        // The strings, their heads and the place in the table.
        anchorBytes += anchor.page.utf8.count + anchor.fragment.utf8.count + page.utf8.count + 200
        guard anchorsOfPage > Self.mostAnchorsOfPage else { return nil }
        return "the page has more than \(Self.mostAnchorsOfPage) links to fragments of other pages [link]"
    }

    /// A link for a message, which is cut where it is long.
    private static func shown(_ text: some Collection<UInt8>) -> String {
        String(decoding: text.prefix(200), as: UTF8.self) + (text.count > 200 ? "…" : "")
    }
}

extension SitePageChecker {
    /// Looks for the fragments that links on other pages name.
    /// - Parameters:
    ///   - read: the bytes of a page; nil where it is no page.
    ///   - isElsewhere: whether a page is not here to be looked at.
    static func faults(
        in anchors: Anchors, read: (String) throws -> [UInt8]?, isElsewhere: (String) -> Bool = { _ in false }
    ) rethrows -> [PageFault] {
        let checker = PageChecker()
        var faults: [PageFault] = []
        for (page, wanted) in Dictionary(grouping: anchors, by: \.key.page) where !isElsewhere(page) {
            let ids = try read(page).map { Set(checker.check($0).ids) } ?? []
            for (anchor, link) in wanted where !ids.contains(anchor.fragment) {
                let reason = "\(page) has nothing with the id \"\(shown(anchor.fragment.utf8))\" [link]"
                faults.append(PageFault(page: link.from, line: link.line, message: reason))
            }
        }
        return faults
    }
}
