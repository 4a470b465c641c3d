import Catalogue
import HTMLCheck
import Platform

/// Checks a site that stands on disk: grammar and links as in a build, and libxml2's HTML parser as a second opinion.
public struct SiteCheck: Sendable {
    /// What was looked at, and what is wrong with it.
    public struct Report: Sendable {
        /// Pages read.
        public let pages: Int
        /// Files of any kind.
        public let files: Int
        /// Every fault, counted and by kinds.
        public let faults: FaultTally
    }

    private let folder: String
    /// Links to fragments are looked up when they take about this many bytes.
    var mostAnchorBytes = 64 << 20

    /// A check of the site in a folder.
    public init(_ folder: String) {
        self.folder = folder
    }

    /// Reads every page.
    /// - Parameter progress: told how many of all pages are done.
    public func run(progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }) throws(SiteError) -> Report {
        do {
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
                    faults.add([
                        PageFault(
                            page: page, line: 1,
                            message:
                                "the page has \(size) bytes, more than \(PageChecker.maximumBytes) [page-too-large]")
                    ])
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
        } catch {
            throw SiteError(error)
        }
    }
}
