import HTMLCheck

/// Checks pages as they are made: their grammar, and that every link leads to a place that the site has. One a worker.
final class SitePageChecker {
    /// A fragment on another page that a link names, to be looked for when all pages are there.
    struct Anchor: Hashable, Sendable {
        let page: String
        let fragment: String
        /// The first link that names it.
        let from: String
        let line: Int

        static func == (left: Anchor, right: Anchor) -> Bool {
            left.page == right.page && left.fragment == right.fragment
        }

        func hash(into hasher: inout Hasher) {
            hasher.combine(page)
            hasher.combine(fragment)
        }
    }

    private let checker = PageChecker()
    private let index: PathIndex
    private var resolver = LinkResolver()
    /// Links without fragments that are good on pages of a folder, as hashes of both: most links stand on many pages.
    private var known: Set<Int> = []
    /// The folder of the page under check.
    private var folder: [UInt8] = []

    /// More than this many known links are forgotten, so that memory stays as it is.
    private static let mostKnown = 8_192

    /// The most distinct links of a page to fragments of other pages. Each is kept until all pages are there.
    static let mostAnchorsOfPage = 10_000

    /// The most bytes of a fragment of another page.
    private static let longestFragment = 1_024

    private(set) var anchors: Set<Anchor> = []
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
            enter(page)
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
    func takeAnchors() -> Set<Anchor> {
        defer {
            anchors = []
            anchorBytes = 0
        }
        return anchors
    }

    private func enter(_ page: UnsafeBufferPointer<UInt8>) {
        folder = Array(page[..<(page.lastIndex(of: UInt8(ascii: "/")) ?? 0)])
        anchorsOfPage = 0
        if known.count > Self.mostKnown { known.removeAll(keepingCapacity: true) }
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
            if hasFragment, !resolver.path.elementsEqual(page) {
                // It is kept until all pages are there.
                guard resolver.fragment.count <= Self.longestFragment else {
                    return "the link \"\(Self.shown(target))\" has a fragment of more than "
                        + "\(Self.longestFragment) bytes [link]"
                }
                return add(
                    Anchor(
                        page: String(decoding: resolver.path, as: UTF8.self),
                        fragment: String(decoding: resolver.fragment, as: UTF8.self),
                        from: String(decoding: page, as: UTF8.self), line: line))
            }
            return nil
        }
    }

    /// - Returns: what is wrong where the page has too many.
    private func add(_ anchor: Anchor) -> String? {
        guard anchors.insert(anchor).inserted else { return nil }
        anchorsOfPage += 1
        // The strings, their heads and the place in the set.
        anchorBytes += anchor.page.utf8.count + anchor.fragment.utf8.count + anchor.from.utf8.count + 200
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
        in anchors: Set<Anchor>, read: (String) throws -> [UInt8]?, isElsewhere: (String) -> Bool = { _ in false }
    ) rethrows -> [PageFault] {
        let checker = PageChecker()
        var faults: [PageFault] = []
        for (page, wanted) in Dictionary(grouping: anchors, by: \.page) where !isElsewhere(page) {
            let ids = try read(page).map { Set(checker.check($0).ids) } ?? []
            for anchor in wanted where !ids.contains(anchor.fragment) {
                faults.append(
                    PageFault(
                        page: anchor.from, line: anchor.line,
                        message: "\(page) has nothing with the id \"\(shown(anchor.fragment.utf8))\" [link]"))
            }
        }
        return faults
    }
}
