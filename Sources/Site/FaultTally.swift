/// The faults of a site's pages: how many, and each kind with the page where it is first. A template makes the same one
/// on all its pages.
public struct FaultTally: Sendable {
    /// How many there are.
    public private(set) var count = 0
    private var kinds: [String: (first: Told, pages: Int)] = [:]

    /// More kinds than this follow from others.
    private static let mostKinds = 10
    /// More kinds than this are counted only.
    private static let mostKept = 1_000
    /// Characters of a line that are shown.
    private static let mostShown = 160

    /// A fault with its line, since the page is not there to be looked at.
    private struct Told {
        let fault: PageFault
        let excerpt: [String]
    }

    /// No faults.
    init() {}
}

extension FaultTally {
    /// Adds faults, those of a page all at once.
    /// - Parameters:
    ///   - page: its bytes; nil where they are not at hand.
    ///   - templates: the names of its template and of all that it leads to.
    mutating func add(_ faults: [PageFault], of page: [UInt8]? = nil, templates: @autoclosure () -> [String] = []) {
        count += faults.count
        var seen: Set<String> = []
        for fault in faults {
            // Lines that are named differ from page to page.
            let kind = String(fault.message.filter { !$0.isNumber })
            let known = kinds[kind]
            guard known != nil || kinds.count < Self.mostKept else { continue }
            let isNew = seen.insert("\(fault.page) \(kind)").inserted
            let first = known.map(\.first).flatMap { $0.fault.order <= fault.order ? $0 : nil }
            kinds[kind] = (
                first ?? Told(fault: fault, excerpt: Self.excerpt(fault, page, templates())),
                (known?.pages ?? 0) + (isNew ? 1 : 0)
            )
        }
    }

    /// Adds those that another thread found.
    mutating func add(_ other: FaultTally) {
        count += other.count
        kinds.merge(other.kinds) { one, another in
            (one.first.fault.order <= another.first.fault.order ? one.first : another.first, one.pages + another.pages)
        }
    }

    /// Each kind that is kept, where it is first.
    public var firsts: [String] { sorted.map { Self.line($0.first, pages: $0.pages) } }

    private var sorted: [(first: Told, pages: Int)] {
        kinds.values.sorted { $0.first.fault.order < $1.first.fault.order }
    }

    private static func line(_ first: Told, pages: Int) -> String {
        "\(first.fault)" + (pages == 1 ? "" : ", and on \(pages - 1) more page\(pages == 2 ? "" : "s")")
    }

    /// The kinds that come first with their lines, and how many faults there are.
    var lines: [String] {
        let sorted = sorted
        let shown = sorted.prefix(Self.mostKinds).map { first, pages in [Self.line(first, pages: pages)] + first.excerpt
        }
        let rest = sorted.count - shown.count
        return shown.flatMap(\.self) + (rest > 0 ? ["and \(rest) more kinds"] : [])
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

extension PageFault {
    /// Pages that are higher up come first: of a card's fault the list, not one of all languages' pages.
    fileprivate var order: (Int, String, Int, String) { (page.count { $0 == "/" }, page, line, message) }
}
