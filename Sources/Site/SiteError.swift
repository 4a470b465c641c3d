/// The reason why a site cannot be built or published. The published site stays unchanged.
package enum SiteError: Error, CustomStringConvertible {
    case pages(FaultTally)
    /// The templates or records cannot be rendered as a site.
    case refused(String)
    case output(String)
    case cancelled

    package var description: String { lines.joined(separator: "\n") }

    /// The lines of the description. A line may quote a text that contains a line feed.
    package var lines: [String] {
        switch self {
        case .pages(let faults): faults.lines
        case .refused(let reason), .output(let reason): [reason]
        case .cancelled: ["the build was interrupted; the site is unchanged, and the next run builds it"]
        }
    }

    static func diskIsFull(_ path: String, free: Int) -> SiteError {
        .output(
            "the disk of \(path) has only \(free) bytes left, which are reserved for other programs; free some space "
                + "and run again")
    }
}

struct PageFault: Error, Equatable, CustomStringConvertible {
    let page: String
    let line: Int
    /// The error, with the name of the rule.
    let message: String

    /// "character/5.html:12: <img> has no alt attribute [missing-attribute]"
    var description: String { "\(page):\(line): \(message)" }

    /// Pages in higher folders come first: for an error in a card, the list page comes before the pages of records.
    fileprivate var order: (Int, String, Int, String) { (page.count { $0 == "/" }, page, line, message) }
}

/// The faults of a site's pages: their number, and each kind with the first page that has it. A template causes the
/// same fault on all its pages.
package struct FaultTally: Sendable {
    package private(set) var count = 0
    private var kinds: [String: Kind] = [:]

    /// The most kinds that are shown. Further kinds are usually consequences of these.
    private static let mostKinds = 10
    /// The most kinds that are kept. Further kinds are only counted.
    private static let mostKept = 1_000
    /// The most characters of a line that are shown.
    private static let mostShown = 160

    private struct Kind {
        let first: PageFault
        /// Lines of the first page. The page itself is not written, so it cannot be looked at.
        let excerpt: [String]
        var pages: Int

        var line: String { "\(first)" + (pages == 1 ? "" : ", and on \(pages - 1) more page\(pages == 2 ? "" : "s")") }
    }
}

extension FaultTally {
    /// Adds all faults of one page.
    /// - Parameters:
    ///   - page: the bytes of the page; nil if they are not available.
    ///   - templates: the names of its template and of all templates that it includes.
    mutating func add(_ faults: [PageFault], of page: [UInt8]? = nil, templates: @autoclosure () -> [String] = []) {
        count += faults.count
        var seen: Set<[String]> = []
        for fault in faults {
            // Line numbers differ from page to page, so digits do not count.
            let name = String(fault.message.filter { !$0.isNumber })
            let known = kinds[name]
            guard known != nil || kinds.count < Self.mostKept else { continue }
            var kind =
                known.flatMap { $0.first.order <= fault.order ? $0 : nil }
                ?? Kind(first: fault, excerpt: Self.excerpt(fault, page, templates()), pages: known?.pages ?? 0)
            if seen.insert([fault.page, name]).inserted { kind.pages += 1 }
            kinds[name] = kind
        }
    }

    mutating func add(_ other: FaultTally) {
        count += other.count
        kinds.merge(other.kinds) { one, another in
            var first = one.first.order <= another.first.order ? one : another
            first.pages = one.pages + another.pages
            return first
        }
    }

    /// The first fault of each kept kind.
    package var firsts: [String] { sorted.map(\.line) }

    private var sorted: [Kind] { kinds.values.sorted { $0.first.order < $1.first.order } }

    /// The first kinds with their lines, and the number of faults.
    fileprivate var lines: [String] {
        let rest = kinds.count - Self.mostKinds
        return sorted.prefix(Self.mostKinds).flatMap { [$0.line] + $0.excerpt }
            + (rest > 0 ? ["and \(rest) more kinds"] : [])
            + [count == 1 ? "one fault; nothing is published" : "\(count) faults; nothing is published"]
    }

    /// The lines that a fault names, and the templates that may have caused it.
    private static func excerpt(_ fault: PageFault, _ page: [UInt8]?, _ templates: [String]) -> [String] {
        guard let page, let own = templates.first else { return [] }
        let lines = page.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
        let opened = fault.message.firstMatch(of: /of line (\d+)/).flatMap { Int($0.1) }
        let shown = [opened, fault.line].compactMap(\.self).filter { lines.indices.contains($0 - 1) }.map { number in
            let text = String(decoding: lines[number - 1].prefix(4 * mostShown), as: UTF8.self).drop {
                $0 == " " || $0 == "\t"
            }
            return "    \(number): \(text.count > mostShown ? "\(text.prefix(mostShown))…" : String(text))"
        }
        let others = templates.dropFirst().joined(separator: ", ")
        return shown + ["    from \(own).mustache\(others.isEmpty ? "" : ", or what it includes: \(others)")"]
    }
}
