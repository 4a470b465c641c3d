import Catalogue
import HTMLCheck
import Platform

/// Checks a site on disk. It checks grammar and links like a build, and parses each page with libxml2's HTML parser
/// too.
package struct SiteCheck: Sendable {
    package struct Report: Sendable {
        package let pages: Int
        package let files: Int
        package let faults: FaultTally
    }

    private let folder: String
    /// Links to fragments are checked in batches of about this many bytes.
    var mostAnchorBytes = 64 << 20

    package init(_ folder: String) {
        self.folder = folder
    }

    /// Checks every page.
    /// - Parameter progress: called before each page with the numbers of finished pages and of all pages.
    package func run(progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }) throws -> Report {
        let folder = try Folder.open(folder, followsLink: false)
        let files = try folder.files()
        var index = PathIndex()
        var faults = FaultTally()
        for file in files {
            guard let path = SitePath(file) else {
                faults.add([PageFault(page: file, line: 0, message: "is not a valid path in a site [path]")])
                continue
            }
            if FileStatus(file, in: folder)?.isLink == true {
                faults.add([PageFault(page: file, line: 0, message: "is a symbolic link [path]")])
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

/// Checks the grammar and the links of pages during a build. Each worker has its own checker.
final class SitePageChecker {
    /// A fragment of another page that a link refers to. It is checked after all pages are written.
    struct Anchor: Hashable {
        let page: String
        let fragment: String
    }

    /// Anchors, each with the first link that refers to it.
    typealias Anchors = [Anchor: (from: String, line: Int)]

    private let checker = PageChecker()
    private let index: PathIndex
    private var resolver = LinkResolver()
    /// Valid links without fragments, as hashes of the link and the page's folder. Most links are on many pages.
    private var known: Set<Int> = []
    private var folder: [UInt8] = []

    /// At this number, all known links are removed, which limits the memory.
    private static let mostKnown = 8_192

    /// The maximum distinct links of a page to fragments of other pages. They stay in memory until all pages are
    /// written.
    static let mostAnchorsOfPage = 10_000

    /// The maximum bytes of a fragment of another page.
    private static let longestFragment = 1_024

    private(set) var anchors: Anchors = [:]
    /// The approximate memory of the anchors, in bytes.
    private(set) var anchorBytes = 0
    /// The number of anchors that the current page has added.
    private var anchorsOfPage = 0

    init(_ index: PathIndex) {
        self.index = index
    }
}

extension SitePageChecker {
    /// Checks a page.
    /// - Returns: at most `PageChecker.maximumFaults` faults.
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

    /// Returns the anchors found so far, and removes them from the checker.
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
        // Swift seeds the hash randomly in each process. Otherwise someone could craft a broken link with the hash of a
        // valid one.
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
            // The fragment stays in memory until all pages are written.
            guard resolver.fragment.count <= Self.longestFragment else {
                return "the link \"\(Self.shown(target))\" has a fragment longer than \(Self.longestFragment) bytes "
                    + "[link]"
            }
            let anchor = Anchor(
                page: String(decoding: resolver.path, as: UTF8.self),
                fragment: String(decoding: resolver.fragment, as: UTF8.self))
            return anchors[anchor] == nil ? add(anchor, from: String(decoding: page, as: UTF8.self), line) : nil
        }
    }

    /// - Returns: a fault if the page has too many anchors.
    private func add(_ anchor: Anchor, from page: String, _ line: Int) -> String? {
        anchors[anchor] = (page, line)
        anchorsOfPage += 1
        // The strings, and about 200 bytes for their headers and the entry in the dictionary.
        anchorBytes += anchor.page.utf8.count + anchor.fragment.utf8.count + page.utf8.count + 200
        guard anchorsOfPage > Self.mostAnchorsOfPage else { return nil }
        return "the page has more than \(Self.mostAnchorsOfPage) links to fragments of other pages [link]"
    }

    /// A link or fragment for a message, shortened to 200 bytes.
    private static func shown(_ text: some Collection<UInt8>) -> String {
        String(decoding: text.prefix(200), as: UTF8.self) + (text.count > 200 ? "…" : "")
    }
}

extension SitePageChecker {
    /// Checks that the pages contain the fragments that links on other pages refer to.
    /// - Parameters:
    ///   - read: returns the bytes of a page; nil if the file is not a page.
    ///   - isInOtherShard: whether a page belongs to another shard. Such pages are not checked.
    static func faults(
        in anchors: Anchors, read: (String) throws -> [UInt8]?, isInOtherShard: (String) -> Bool = { _ in false }
    ) rethrows -> [PageFault] {
        let checker = PageChecker()
        var faults: [PageFault] = []
        for (page, wanted) in Dictionary(grouping: anchors, by: \.key.page) where !isInOtherShard(page) {
            let ids = try read(page).map { Set(checker.check($0).ids) } ?? []
            for (anchor, link) in wanted where !ids.contains(anchor.fragment) {
                let reason = "\(page) has no element with the id \"\(shown(anchor.fragment.utf8))\" [link]"
                faults.append(PageFault(page: link.from, line: link.line, message: reason))
            }
        }
        return faults
    }
}
