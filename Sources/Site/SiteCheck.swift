import Catalogue
import HTMLCheck
import Platform

/// Checks a site on disk: grammar and links as in a build, and each page with libxml2's HTML parser.
package enum SiteCheck {
    /// Checks every page, and the paths of all files.
    /// - Parameters:
    ///   - anchorLimit: the memory for links to fragments, in bytes. When they need more, they are checked and removed.
    ///   - progress: called before each page with the number of finished pages and the number of all pages.
    package static func run(
        _ site: String, anchorLimit: Int = 64 << 20, progress: (_ done: Int, _ of: Int) -> Void = { _, _ in }
    ) throws -> (pages: Int, files: Int, faults: FaultTally) {
        let folder = try Folder.open(site, followsLink: false)
        let files = try folder.files()
        var index = PathIndex()
        var faults = FaultTally()
        func addFault(_ page: String, line: Int = 0, _ message: String) {
            faults.add([PageFault(page: page, line: line, message: message)])
        }
        for file in files {
            guard let path = SitePath(file) else {
                addFault(file, "is not a valid path in a site [path]")
                continue
            }
            if FileStatus(file, in: folder)?.isLink == true { addFault(file, "is a symbolic link [path]") }
            _ = index.insert(path)
        }
        let pages = files.filter { $0.hasSuffix(".html") }
        let limit = PageChecker.maximumBytes
        var checker = SitePageChecker(index)
        func addMissingFragments() throws {
            faults.add(
                try SitePageChecker.faults(in: checker.anchors) { page in
                    page.hasSuffix(".html") ? try File.read(page, in: folder, limit: limit) : nil
                })
            checker = SitePageChecker(index)
        }
        for (number, page) in pages.enumerated() {
            progress(number, pages.count)
            if let size = FileStatus(page, in: folder)?.size, size > limit {
                addFault(page, line: 1, "the page has \(size) bytes, more than \(limit) [page-too-large]")
                continue
            }
            let bytes = try File.read(page, in: folder, limit: limit)
            let found = checker.faults(in: bytes, at: page)
            faults.add(found)
            if checker.anchorBytes > anchorLimit { try addMissingFragments() }
            // On a page that fails the first check, libxml2's HTML parser could take unlimited time and memory.
            guard found.isEmpty else { continue }
            faults.add(
                HTMLParserCheck.faults(in: bytes).map {
                    PageFault(page: page, line: $0.line, message: "libxml2's HTML parser: \($0.ruledMessage)")
                })
        }
        try addMissingFragments()
        return (pages.count, files.count, faults)
    }
}
