import Archive
import FoundationEssentials
import HTMLCheck
import Platform

/// Checks the grammar and the links of pages during a build. Each worker has its own checker.
final class SitePageChecker {
    /// The page and line of a link.
    struct Place: Codable {
        let from: String
        let line: Int
    }

    /// The fragments of other pages to which pages have links, by page, each with the place of one link. They are
    /// checked after all pages are written.
    typealias Anchors = [String: [String: Place]]

    private let checker = PageChecker()
    private let index: PathIndex
    private var resolver = LinkResolver()
    /// Links without fragments that were checked and are valid, as hashes of the page's folder and the link. Most links
    /// are on many pages. A new hash can overwrite an old one.
    private let knownLinks = UnsafeMutableBufferPointer<Int>.allocate(capacity: 1 << 12)

    /// The maximum number of distinct links from a page to fragments of other pages, because they stay in memory.
    static let maximumAnchorsPerPage = 10_000

    /// The maximum length in bytes of a fragment of another page.
    private static let maximumFragmentLength = 1_024

    private(set) var anchors: Anchors = [:]
    /// The approximate memory for the anchors in bytes.
    private(set) var anchorBytes = 0
    /// Whether a page may lack an id that its published version had.
    private(set) var hasLostIDs = false
    /// The number of anchors that the current page has added.
    private var anchorsOfPage = 0

    init(_ index: PathIndex) {
        self.index = index
        knownLinks.initialize(repeating: 0)
    }

    deinit { knownLinks.deallocate() }
}

extension SitePageChecker {
    /// Checks a page, and stores its links to fragments of other pages in `anchors`.
    /// - Parameter published: the published version, which has no faults.
    /// - Returns: at most `PageChecker.maximumFaults` faults.
    func faults(in bytes: [UInt8], at path: String, after published: [UInt8]? = nil) -> [PageFault] {
        let report = checker.check(bytes)
        if let published, !report.hasIDs(of: published) { hasLostIDs = true }
        var faults = report.faults.map { PageFault(page: path, line: $0.line, message: $0.ruledMessage) }
        if let style = report.style {
            let hash = Data(SHA256(of: style.text).bytes).base64EncodedString()
            if !report.policy.contains("'sha256-\(hash)'") {
                let message = "the policy of the page does not allow its style; add 'sha256-\(hash)' to style-src"
                faults.append(PageFault(page: path, line: style.line, message: "\(message) [inline-style]"))
            }
        }
        var page = path
        page.withUTF8 { page in
            let folder = page[..<(page.lastIndex(of: "/") ?? 0)]
            // The hash has a random key in each process, so a broken link cannot have the hash of a valid one.
            var hasherOfFolder = Hasher()
            hasherOfFolder.combine(folder.count)
            hasherOfFolder.combine(
                bytes: UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(page)[folder.indices]))
            anchorsOfPage = 0
            report.forEachLink { target, line in
                let limit = PageChecker.maximumFaults
                var hasher = hasherOfFolder
                hasher.combine(bytes: UnsafeRawBufferPointer(target))
                let hash = hasher.finalize()
                if knownLinks[hash & (knownLinks.count - 1)] == hash { return }
                guard faults.count < limit, let fault = fault(in: target, hash, on: page, line) else { return }
                let end = "the page has more than \(limit - 1) faults, and no more links were checked [link]"
                faults.append(PageFault(page: path, line: line, message: faults.count < limit - 1 ? fault : end))
            }
        }
        return faults
    }

    /// - Parameter hash: the hash of the page's folder and the link.
    private func fault(
        in target: UnsafeBufferPointer<UInt8>, _ hash: Int, on page: UnsafeBufferPointer<UInt8>, _ line: Int
    ) -> String? {
        func broken(_ reason: String) -> String { "the link \"\(Self.shown(target))\" \(reason) [link]" }
        switch resolver.resolve(target, on: page) {
        case .external: return nil
        case .malformed(let reason): return "\(reason): \"\(Self.shown(target))\" [link]"
        case .page(let hasFragment):
            guard index.contains(resolver.path) else { return broken("leads to no page or file of the site") }
            // The link "/" is allowed on one page only.
            if !hasFragment, target.first != "/" { knownLinks[hash & (knownLinks.count - 1)] = hash }
            guard hasFragment, !resolver.path.elementsEqual(page) else { return nil }
            // The fragment stays in memory until all pages are written.
            guard resolver.fragment.count <= Self.maximumFragmentLength else {
                return broken("has a fragment longer than \(Self.maximumFragmentLength) bytes")
            }
            let path = String(decoding: resolver.path, as: UTF8.self)
            let fragment = String(decoding: resolver.fragment, as: UTF8.self)
            guard anchors[path]?[fragment] == nil else { return nil }
            anchors[path, default: [:]][fragment] = Place(from: String(decoding: page, as: UTF8.self), line: line)
            anchorsOfPage += 1
            // The memory of the strings, and at most 350 bytes for their headers and the entries in two dictionaries.
            anchorBytes += path.utf8.count + fragment.utf8.count + page.count + 350
            guard anchorsOfPage > Self.maximumAnchorsPerPage else { return nil }
            return "the page has more than \(Self.maximumAnchorsPerPage) links to fragments of other pages [link]"
        }
    }

    /// A link or fragment for a message, shortened to 200 bytes.
    private static func shown(_ text: some Collection<UInt8>) -> String {
        String(decoding: text.prefix(200), as: UTF8.self) + (text.count > 200 ? "…" : "")
    }
}

extension SitePageChecker {
    /// Checks that pages contain the fragments to which other pages have links.
    /// - Parameter read: returns the bytes of a page; nil if the file is not a page.
    static func faults(in anchors: Anchors, read: (String) throws -> [UInt8]?) rethrows -> [PageFault] {
        let checker = PageChecker()
        var faults: [PageFault] = []
        for (page, wanted) in anchors {
            let ids = try read(page).map { Set(checker.check($0).ids) } ?? []
            for (fragment, link) in wanted where !ids.contains(fragment) {
                let reason = "\(page) has no element with the id \"\(shown(fragment.utf8))\" [link]"
                faults.append(PageFault(page: link.from, line: link.line, message: reason))
            }
        }
        return faults
    }
}
