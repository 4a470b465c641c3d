import Platform

/// The reason why a site cannot be built or published. The published site is unchanged.
package enum SiteError: Error, CustomStringConvertible {
    case pages(FaultTally)
    /// The templates or records cannot be rendered as a site.
    case refused(String)
    case output(String)
    case cancelled

    package var description: String { lines.joined(separator: "\n") }

    /// The lines of the description. A line may contain a line feed if it quotes a text.
    package var lines: [String] {
        switch self {
        case .pages(let faults): faults.lines
        case .refused(let reason), .output(let reason): [reason]
        case .cancelled: ["the build was interrupted; the site is unchanged, and the next run builds it"]
        }
    }

    /// - Throws: `refused` with the reason, unless the condition is true.
    static func require(_ condition: Bool, _ reason: @autoclosure () -> String) throws {
        guard condition else { throw SiteError.refused(reason()) }
    }
}

struct PageFault: Error, Equatable, CustomStringConvertible {
    let page: String
    let line: Int
    /// The error, followed by the name of the rule in brackets.
    let message: String

    /// Example: `character/5.html:12: <img> has no alt attribute [missing-attribute]`.
    var description: String { "\(page):\(line): \(message)" }

    /// Pages in higher folders come first. For an error in a card, this is the list page and not a page of a record.
    fileprivate var order: (Int, String, Int, String) { (page.count { $0 == "/" }, page, line, message) }
}

/// Counts the faults of a site's pages, and stores the first of each kind. A template can repeat a fault on many pages.
package struct FaultTally: Sendable {
    package private(set) var count = 0
    private var kinds: [String: Kind] = [:]

    /// The maximum number of kinds that are shown. Further kinds are usually consequences of the first kinds.
    private static let shownKindLimit = 10
    /// The maximum number of characters that are shown of a line.
    private static let shownLineLength = 160

    private struct Kind {
        let first: PageFault
        /// Lines of the first page that has the fault. They are stored, because the page itself is not written.
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
        // Line numbers differ between pages, so digits are not part of the name.
        for (name, faults) in Dictionary(grouping: faults, by: { String($0.message.filter { !$0.isNumber }) }) {
            guard let first = faults.min(by: { $0.order < $1.order }) else { continue }
            let isFirst = kinds[name].map { first.order < $0.first.order } ?? true
            let excerpt = isFirst ? Self.excerpt(first, page, templates()) : []
            add(Kind(first: first, excerpt: excerpt, pages: Set(faults.map(\.page)).count), name)
        }
    }

    mutating func add(_ other: FaultTally) {
        count += other.count
        for (name, kind) in other.kinds { add(kind, name) }
    }

    private mutating func add(_ kind: Kind, _ name: String) {
        guard let known = kinds[name] else {
            // Faults of further kinds are only counted.
            if kinds.count < 1_000 { kinds[name] = kind }
            return
        }
        kinds[name] = known.first.order <= kind.first.order ? known : kind
        kinds[name]?.pages = known.pages + kind.pages
    }

    /// One line for each stored kind: its first fault, and the number of further pages.
    package var firstFaults: [String] { sorted.map(\.line) }

    private var sorted: [Kind] { kinds.values.sorted { $0.first.order < $1.first.order } }

    /// The first kinds with their excerpts, and the number of all faults.
    fileprivate var lines: [String] {
        var lines = sorted.prefix(Self.shownKindLimit).flatMap { [$0.line] + $0.excerpt }
        let rest = kinds.count - Self.shownKindLimit
        if rest > 0 { lines.append("and \(rest) more kinds") }
        return lines + [count == 1 ? "one fault; nothing is published" : "\(count) faults; nothing is published"]
    }

    /// The lines of the page to which a fault refers, and the templates that may have caused the fault.
    private static func excerpt(_ fault: PageFault, _ page: [UInt8]?, _ templates: [String]) -> [String] {
        guard let page, let own = templates.first else { return [] }
        let lines = page.split(separator: "\n", omittingEmptySubsequences: false)
        let opened = fault.message.firstMatch(of: /of line (\d+)/).flatMap { Int($0.1) }
        let shown = [opened, fault.line].compactMap(\.self).filter { lines.indices.contains($0 - 1) }.map { number in
            let text = String(decoding: lines[number - 1].prefix(4 * shownLineLength), as: UTF8.self).drop {
                $0 == " " || $0 == "\t"
            }
            return "    \(number): \(text.count > shownLineLength ? "\(text.prefix(shownLineLength))…" : String(text))"
        }
        let others = templates.dropFirst().joined(separator: ", ")
        return shown + ["    from \(own).mustache\(others.isEmpty ? "" : ", or what it includes: \(others)")"]
    }
}
