import Platform

/// The faults of a build's pages: how many, and each kind with the page where it is first. A template makes the same one on all its pages.
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
        let excerpt: String

        func isBefore(_ other: PageFault) -> Bool { (fault.page, fault.line) <= (other.page, other.line) }
    }

    /// No faults.
    init() {}
}

extension FaultTally {
    /// Adds the faults of one page.
    /// - Parameters:
    ///   - page: its bytes; nil where they are not at hand.
    ///   - template: the name of its template.
    mutating func add(_ faults: [PageFault], of page: [UInt8]? = nil, template: String = "") {
        count += faults.count
        var seen: Set<String> = []
        for fault in faults {
            // Lines that are named differ from page to page.
            let kind = String(fault.message.filter { !$0.isNumber })
            let known = kinds[kind]
            guard known != nil || kinds.count < Self.mostKept else { continue }
            let isNew = page == nil || seen.insert(kind).inserted
            let first = known.map(\.first).flatMap { $0.isBefore(fault) ? $0 : nil }
            kinds[kind] = (
                first ?? Told(fault: fault, excerpt: Self.excerpt(fault.line, page, template)), (known?.pages ?? 0) + (isNew ? 1 : 0)
            )
        }
    }

    /// Adds those that another thread found.
    mutating func add(_ other: FaultTally) {
        count += other.count
        kinds.merge(other.kinds) { one, another in
            (one.first.isBefore(another.first.fault) ? one.first : another.first, one.pages + another.pages)
        }
    }

    /// Each kind where it is first, and how many faults there are.
    var told: String {
        let sorted = kinds.values.sorted { ($0.first.fault.page, $0.first.fault.line) < ($1.first.fault.page, $1.first.fault.line) }
        let shown = sorted.prefix(Self.mostKinds).map { first, pages in
            let more = pages == 1 ? "" : ", and on \(pages - 1) more page\(pages == 2 ? "" : "s")"
            return "\(first.fault)\(more)\n\(first.excerpt)"
        }
        let rest = sorted.count - shown.count
        return shown.joined() + (rest > 0 ? "and \(rest) more kinds\n" : "")
            + (count == 1 ? "one fault; nothing is published" : "\(count) faults; nothing is published")
    }

    private static func excerpt(_ line: Int, _ page: [UInt8]?, _ template: String) -> String {
        guard let page, line > 0 else { return "" }
        let lines = page.split(separator: UInt8(ascii: "\n"), maxSplits: line, omittingEmptySubsequences: false)
        guard lines.count >= line else { return "" }
        let text = String(decoding: lines[line - 1], as: UTF8.self).drop { $0 == " " || $0 == "\t" }
        let shown = text.count > mostShown ? "\(text.prefix(mostShown))…" : String(text)
        return "    \(shown)\n    from \(template).mustache, or what it includes\n"
    }
}
