import Archive
import Catalogue

/// Reads the API's absolute links as what they mean: a record's kind and number, or a path below the API.
///
/// They name the API's own host, whatever host was asked (API.md), so the host is checked and then forgotten.
struct LinkReader {
    let bases: [String]

    /// The part of a link below the API's address; nil where it leads elsewhere.
    func path(_ link: String) -> String? {
        for base in bases where link.hasPrefix(base + "/") {
            let path = link.dropFirst(base.count + 1)
            let isPlain = path.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "\\") && $0 != UInt8(ascii: "%") }
            let climbs = path.split(separator: "/", omittingEmptySubsequences: false).contains { $0.isEmpty || $0 == "." || $0 == ".." }
            return isPlain && !climbs ? String(path) : nil
        }
        return nil
    }

    /// The record that a link means; nil where it means none of that kind.
    func key(_ link: String, kind: String) -> RecordKey? {
        guard let path = path(link), path.hasPrefix(kind + "/") else { return nil }
        guard let id = Int64(path.dropFirst(kind.count + 1)), id > 0, path == "\(kind)/\(id)" else { return nil }
        return RecordKey(kind, id)
    }
}

/// Sorts a record's links into what may be followed and what may not.
struct LinkSorter {
    let links: LinkReader
    private(set) var references: [Reference] = []
    private(set) var refused: [ContentFault] = []

    init(_ links: LinkReader) {
        self.links = links
    }

    mutating func add(_ link: String, kind: String, at keyPath: @autoclosure () -> String) {
        if let key = links.key(link, kind: kind) {
            references.append(Reference(key, at: keyPath()))
        } else {
            refused.append(ContentFault(keyPath(), "links to \(shortened(link)), which is no \(kind) of this API"))
        }
    }

    mutating func picture(_ link: String, at keyPath: String) -> String? {
        if let path = links.path(link) { return path }
        refused.append(ContentFault(keyPath, "links to \(shortened(link)), which is not below this API's address"))
        return nil
    }

    private func shortened(_ text: String) -> String {
        text.utf8.count <= 200 ? "\"\(text)\"" : "\"\(text.prefix(200))…\""
    }
}
