/// Why a site cannot be built or published. What is published stays as it is.
package enum SiteError: Error, CustomStringConvertible {
    /// Pages fail their check.
    case pages(FaultTally)
    /// Templates or records make no site.
    case refused(String)
    /// The output cannot take the site.
    case output(String)
    case cancelled

    package var description: String { lines.joined(separator: "\n") }

    /// The description's lines: several for pages. What they quote may hold a line feed.
    package var lines: [String] {
        switch self {
        case .pages(let faults): faults.lines
        case .refused(let reason), .output(let reason): [reason]
        case .cancelled: ["the build was interrupted; the site stays as it was, and the next run builds it"]
        }
    }

    static func diskIsFull(_ path: String, free: Int) -> SiteError {
        .output(
            "the disk of \(path) has only \(free) bytes left, which are for other programs; make room there and run "
                + "again")
    }
}

struct PageFault: Error, Equatable, CustomStringConvertible {
    let page: String
    let line: Int
    /// What is wrong, with the rule's name.
    let message: String

    /// "character/5.html:12: <img> has no alt attribute [missing-attribute]"
    var description: String { "\(page):\(line): \(message)" }

    /// Pages that are higher up come first: of a card's fault the list, not one of all languages' pages.
    fileprivate var order: (Int, String, Int, String) { (page.count { $0 == "/" }, page, line, message) }
}

/// The faults of a site's pages: how many, and each kind with the page where it is first. A template makes the same one
/// on all its pages.
package struct FaultTally: Sendable {
    package private(set) var count = 0
    private var kinds: [String: Kind] = [:]

    /// More kinds than this follow from others.
    private static let mostKinds = 10
    /// More kinds than this are counted only.
    private static let mostKept = 1_000
    /// Characters of a line that are shown.
    private static let mostShown = 160

    private struct Kind {
        let first: PageFault
        /// Lines of the first page, since it is not there to be looked at.
        let excerpt: [String]
        var pages: Int

        var line: String { "\(first)" + (pages == 1 ? "" : ", and on \(pages - 1) more page\(pages == 2 ? "" : "s")") }
    }
}

extension FaultTally {
    /// Adds faults, those of a page all at once.
    /// - Parameters:
    ///   - page: its bytes; nil where they are not at hand.
    ///   - templates: the names of its template and of all that it leads to.
    mutating func add(_ faults: [PageFault], of page: [UInt8]? = nil, templates: @autoclosure () -> [String] = []) {
        count += faults.count
        var seen: Set<[String]> = []
        for fault in faults {
            // Lines that are named differ from page to page.
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

    /// Adds those that another thread found.
    mutating func add(_ other: FaultTally) {
        count += other.count
        kinds.merge(other.kinds) { one, another in
            var first = one.first.order <= another.first.order ? one : another
            first.pages = one.pages + another.pages
            return first
        }
    }

    /// Each kind that is kept, where it is first.
    package var firsts: [String] { sorted.map(\.line) }

    private var sorted: [Kind] { kinds.values.sorted { $0.first.order < $1.first.order } }

    /// The kinds that come first with their lines, and how many faults there are.
    fileprivate var lines: [String] {
        let rest = kinds.count - Self.mostKinds
        return sorted.prefix(Self.mostKinds).flatMap { [$0.line] + $0.excerpt }
            + (rest > 0 ? ["and \(rest) more kinds"] : [])
            + [count == 1 ? "one fault; nothing is published" : "\(count) faults; nothing is published"]
    }

    /// The lines that a fault names, where it is last, and the templates that they may be from.
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
