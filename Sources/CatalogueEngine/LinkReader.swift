import Archive
import Catalogue

/// Parses the API's absolute links into a record's kind and number, or a path below the API's address.
///
/// Links always have the API's own host, even if another host was requested (docs/apis.md). So the host is checked and
/// then dropped.
struct LinkReader: Sendable {
    let bases: [String]
    let kinds: [String]

    /// Longer links are refused and listed as gaps. RFC 9110, section 4.1, recommends that servers accept 8,000 bytes.
    private static let longest = 2_048

    /// The path of a link below the API's address; nil if it leads elsewhere.
    fileprivate func rest(of link: String) -> Substring.UTF8View.SubSequence? {
        guard link.utf8.count <= Self.longest else { return nil }
        for base in bases where link.utf8.starts(with: base.utf8) {
            let rest = link.utf8.dropFirst(base.utf8.count)
            guard rest.first == "/" else { continue }
            let path = rest.dropFirst()
            return isPlain(path) ? path : nil
        }
        return nil
    }

    /// Whether a path is visible ASCII without escapes and without empty, "." or ".." segments.
    private func isPlain(_ path: Substring.UTF8View.SubSequence) -> Bool {
        var dots = 0
        var length = 0
        for byte in path {
            switch byte {
            case "/":
                guard length > 0, dots != length || length > 2 else { return false }
                dots = 0
                length = 0
                continue
            case ".": dots += 1
            case "\\", "%": return false
            default: guard byte > 0x20, byte < 0x7F else { return false }
            }
            length += 1
        }
        return length > 0 && (dots != length || length > 2)
    }

    /// The key of the record that a link or an id refers to; nil if there is none.
    func key(_ link: String, kind: String) -> RecordKey? {
        if let id = Int64(link), id > 0, "\(id)" == link { return RecordKey(kind, id) }
        return rest(of: link).flatMap { Self.key($0, kind: kind) }
    }

    /// The key of the record at a path below the API's address; nil if it is not a record of the kind.
    fileprivate static func key(_ path: Substring.UTF8View.SubSequence, kind: String) -> RecordKey? {
        guard path.starts(with: kind.utf8) else { return nil }
        let digits = path.dropFirst(kind.utf8.count + 1)
        guard path.dropFirst(kind.utf8.count).first == "/", let first = digits.first, ("1"..."9").contains(first),
            let id = Int64(Substring(digits))
        else { return nil }
        return RecordKey(kind, id)
    }
}

/// Separates a record's links into valid and refused ones.
struct LinkSorter {
    let links: LinkReader
    private(set) var references: [Reference] = []
    private var named: [ContentFault] = []
    private var others = 0

    /// The maximum number of listed refused links of a record. A body of 32 MiB can contain eleven million.
    private static let mostNamed = 1_000

    init(_ links: LinkReader) {
        self.links = links
    }

    /// The faults of the first refused links, and the number of the others.
    var refused: [ContentFault] {
        guard others > 0 else { return named }
        return named + [
            ContentFault("", others == 1 ? "and one more link is refused" : "and \(others) more links are refused")
        ]
    }

    mutating func add(_ links: [String], kind: String, in member: String) {
        for (index, link) in links.enumerated() { add(link, kind: kind, at: "\(member)[\(index)]") }
    }

    mutating func add(_ link: String, kind: String, at keyPath: @autoclosure () -> String) {
        if let key = links.key(link, kind: kind) {
            references.append(Reference(key, at: keyPath()))
        } else {
            refuse(ContentFault(keyPath(), "links to \(link.quoted), which is no \(kind) of this API"))
        }
    }

    mutating func picture(_ link: String, at keyPath: String) -> String? {
        if let path = links.rest(of: link) {
            // A picture with the path of a list page or record would replace that answer.
            let isAnswer =
                path.contains { $0 == "?" || $0 == "#" || $0 == "," }
                || links.kinds.contains { LinkReader.key(path, kind: $0) != nil }
            if !isAnswer { return String(decoding: path, as: UTF8.self) }
            refuse(ContentFault(keyPath, "links to \(link.quoted), which is not a picture's address"))
            return nil
        }
        refuse(ContentFault(keyPath, "links to \(link.quoted), which is not below this API's address"))
        return nil
    }

    /// Refuses a record whose own address is that of another record. The address can be missing.
    mutating func check(_ url: String, is key: RecordKey, at keyPath: String) {
        guard !url.isEmpty, links.key(url, kind: key.kind) != key else { return }
        refuse(ContentFault(keyPath, "is \(url.quoted), though the record is \(key)"))
    }

    private mutating func refuse(_ fault: @autoclosure () -> ContentFault) {
        guard named.count < Self.mostNamed else {
            others += 1
            return
        }
        named.append(fault())
    }
}
