import Archive
import Catalogue
import HTMLCheck
import Platform

/// Parses the API's absolute links into a record's kind and number, or a path below the API's address.
///
/// Links have the API's own host, even if another one was requested (docs/apis.md), so it is checked and dropped.
///
/// It is a class, because the values of each record keep it, and copying a structure copies all its references.
final class LinkReader: Sendable {
    /// The base addresses of links in the data: the API's own address, and further ones from the caller.
    let bases: [String]
    let kinds: Set<String>
    /// The beginnings of the paths of links to records, by kind.
    private let folders: [String: [String]]
    /// The kinds by these paths. Lists that differ in their queries have the same path.
    private let kindsByFolder: [String: [String]]
    /// The hosts of pictures outside the API's address; nil if all pictures are below it.
    private let hosts: [String]?
    /// The kinds whose ids can be any text, and those whose records have their original addresses.
    private let textKinds, permalinkKinds: Set<String>

    init(_ declaration: CatalogueDeclaration, bases: [String]) {
        self.bases = bases.map(WebLinks.normalised)
        kinds = Set(declaration.kinds.map(\.name))
        // The addresses of children do not begin with the path of their list.
        let lists = declaration.rules.filter { $0.endpoint.parent == nil }.flatMap { rules in
            let path = String(Substring(rules.endpoint.path.utf8.prefix { $0 != "?" }.withoutLastSlash))
            // The address of a record of a list with several kinds begins with the path of the list, or with its kind.
            return rules.endpoint.kinds.flatMap { kind in
                (rules.kinds == nil ? [path] : [path, kind]).map { (kind: kind, path: $0) }
            }
        }
        let paths = Dictionary(grouping: lists, by: \.kind).mapValues { $0.map(\.path) }
        folders = Dictionary(uniqueKeysWithValues: kinds.map { ($0, [$0]) })
            .merging(paths.map { ($0, $1.count == 1 ? $1 : $1 + [$0]) }) { $1 }
        kindsByFolder = Dictionary(grouping: lists.unique { [$0.path, $0.kind] }, by: \.path).mapValues {
            $0.map(\.kind)
        }
        hosts = declaration.hosts
        textKinds = Set(declaration.kinds.filter(\.hasTextIDs).map(\.name))
        permalinkKinds = Set(declaration.kinds.filter { $0.permalink != nil }.map(\.name))
    }

    /// A reader that also accepts links below another base address.
    init(_ reader: LinkReader, adding base: String) {
        bases = reader.bases + [base]
        (kinds, folders, kindsByFolder) = (reader.kinds, reader.folders, reader.kindsByFolder)
        (hosts, textKinds, permalinkKinds) = (reader.hosts, reader.textKinds, reader.permalinkKinds)
    }

    /// Longer links are refused and listed as gaps. RFC 9110, section 4.1, recommends that servers accept 8,000 bytes.
    static let longest = 2_048

    /// The path of a link below the API's address; nil if it leads elsewhere.
    /// - Parameter hasCodes: whether the path can have percent codes.
    fileprivate func rest(of link: String, hasCodes: Bool = false) -> Substring.UTF8View.SubSequence? {
        guard link.utf8.count <= Self.longest else { return nil }
        for base in bases {
            // Some APIs leave out the host: "/api/item/1".
            let start = base.utf8.dropFirst(link.utf8.first == "/" ? WebLinks.origin(of: base).utf8.count : 0)
            let rest = link.utf8.dropFirst(start.count)
            guard rest.first == "/", link.utf8.begins(with: start) else { continue }
            let path = rest.dropFirst()
            // Some servers end each address with a slash.
            let isCoded =
                hasCodes && path.contains("%") && DeclaredCatalogue.isPlain(String(decoding: path, as: UTF8.self))
            return isCoded || isPlain(path.withoutLastSlash) ? path : nil
        }
        let normalised = WebLinks.normalised(link)
        return normalised == link ? nil : rest(of: normalised, hasCodes: hasCodes)
    }

    /// The path of a link below the API's address; nil if it leads elsewhere.
    func path(_ link: String) -> String? { rest(of: link).map { String(decoding: $0, as: UTF8.self) } }

    /// Whether a path is visible ASCII without escapes and without empty, "." or ".." segments.
    private func isPlain(_ path: Substring.UTF8View.SubSequence) -> Bool {
        var path = Substring(path)
        return path.withUTF8 { path in
            path.allSatisfy { $0 > 0x20 && $0 < 0x7F && $0 != "\\" && $0 != "%" } && path.hasPlainSegments
        }
    }

    /// The key of the record that a link or an id refers to; nil if there is none.
    func key(_ link: String, kind: String) -> RecordKey? {
        if let id = Int64(link), id > 0, "\(id)" == link {
            // A number above 2^53 - 1 is an id only if ids can be texts.
            let key = RecordKey(kind, text: link)
            return key.text == nil || textKinds.contains(kind) ? key : nil
        }
        // An id can have a slash, but not "://".
        let isText = textKinds.contains(kind) && !link.isEmpty && !(link.utf8.contains("/") && link.contains("://"))
        let own = isText && link.utf8.first != "/" ? nil : rest(of: link).flatMap { key($0, kind: kind) }
        return own ?? (isText ? RecordKey(kind, text: link) : nil)
    }

    /// The key of a record's row in its table. With an original address, the record's own key is known only later.
    func shownKey(_ link: String, kind: String) -> RecordKey? {
        key(link, kind: kind)
            ?? (permalinkKinds.contains(kind) ? Permalinks.key(link).map { RecordKey(kind, text: $0) } : nil)
    }

    /// The keys of the records of any kind that an address can lead to.
    func keys(_ address: String) -> [RecordKey] {
        guard let path = rest(of: address) else { return [] }
        let plain = path.withoutLastSlash
        guard let slash = plain.lastIndex(of: "/"), let folder = String(plain[..<slash]) else { return [] }
        return (kindsByFolder[folder] ?? [folder]).compactMap { key(path, kind: $0) }
    }

    /// The key of the record at a path below the API's address; nil if it is not a record of the kind.
    fileprivate func key(_ path: Substring.UTF8View.SubSequence, kind: String) -> RecordKey? {
        for folder in folders[kind] ?? [] where path.begins(with: folder.utf8) {
            let digits = path.dropFirst(folder.utf8.count + 1).withoutLastSlash
            guard path.dropFirst(folder.utf8.count).first == "/", let first = digits.first else { continue }
            if textKinds.contains(kind), !digits.contains("/"), !digits.contains("?"), let text = String(digits) {
                return RecordKey(kind, text: text)
            }
            if ("1"..."9").contains(first), let id = Int64(Substring(digits)), id < 1 << 53 {
                return RecordKey(kind, id)
            }
        }
        return nil
    }
}

extension LinkReader {
    /// The path of the request for a picture or file: below the API's address, or an address on an allowed host.
    /// - Parameter hosts: the allowed hosts besides the API's own; nil if the address must be below the API's.
    private func asset(at link: String, on hosts: [String]?, _ name: String) -> (path: String?, fault: String) {
        if let path = rest(of: link, hasCodes: hosts == nil) {
            // A picture with the path of a list page, or of one or more records, would replace that answer.
            let (first, last) = (path.prefix { $0 != "," }, path.reversed().prefix { $0 != "/" })
            let isAnswer =
                path.contains { $0 == "?" || $0 == "#" } || last.contains(",")
                || kinds.contains { key(first, kind: $0) != nil }
            return (isAnswer ? nil : String(decoding: path, as: UTF8.self), "is not a \(name)'s address")
        }
        guard let hosts else { return (nil, "is not below this API's address") }
        // The path of a request is a whole address only if its scheme has small letters.
        let link = WebAddress.isValid(link) ? link : WebLinks.normalised(link)
        let allowed = hosts + bases.map { WebLinks.host(of: $0) }
        let isAllowed =
            WebAddress.isValid(link) && link.utf8.count <= Self.longest && !link.utf8.contains("#")
            && allowed.contains { WebLinks.isOn($0, link) }
        return (isAllowed ? link : nil, "is on none of the hosts of \(name)s")
    }

    func picture(at link: String) -> (path: String?, fault: String) {
        asset(at: hosts == nil ? link : address(link), on: hosts, "picture")
    }

    /// The same for a file, or for a picture in a text. Their addresses can be anywhere on the API's own host. An
    /// address is read like in a browser: relative to the host, and without its fragment and the white space around it.
    func file(at link: String) -> (path: String?, fault: String) { asset(at: address(link), on: hosts ?? [], "file") }

    /// The whole address of a file or picture, with escapes for characters that addresses cannot have.
    func address(_ link: String) -> String {
        let words = link.split(whereSeparator: \.isWhitespace).joined(separator: " ")
        var address = String(words.prefix { $0 != "#" })
        let base = bases.last ?? ""
        if address.hasPrefix("//") { address = base.prefix { $0 != "/" } + address }
        return addressEncoded(WebLinks.absolute(address, on: base))
    }
}

extension Substring.UTF8View {
    var withoutLastSlash: Self { last == "/" ? dropLast() : self }
}

/// Separates a record's links into valid and refused ones.
struct LinkSorter {
    let links: LinkReader
    private(set) var references: [Reference] = []
    private var named: [ContentFault] = []
    private var others = 0

    /// The maximum number of listed refused links of a record. A body of 32 MiB can contain eleven million.
    private static let mostNamed = 1_000

    init(_ links: LinkReader) { self.links = links }

    /// The faults of the first refused links, and the number of the others.
    var refused: [ContentFault] {
        guard others > 0 else { return named }
        return named + [
            ContentFault("", others == 1 ? "and one more link is refused" : "and \(others) more links are refused")
        ]
    }

    mutating func add(_ link: String, kind: String, at keyPath: @autoclosure () -> String) {
        if let key = links.key(link, kind: kind) {
            references.append(Reference(key, at: keyPath()))
        } else if links.shownKey(link, kind: kind) == nil {
            refuse(ContentFault(keyPath(), "links to \(link.quoted), which is no \(kind) of this API"))
        }
    }

    /// - Returns: the path of the request for a picture or file; nil if it is refused.
    mutating func asset(_ link: String, _ found: (path: String?, fault: String), at keyPath: String) -> String? {
        if found.path == nil { refuse(ContentFault(keyPath, "links to \(link.quoted), which \(found.fault)")) }
        return found.path
    }

    /// Refuses a record whose own address is that of another record. The address can be missing.
    mutating func check(_ url: String, is key: RecordKey, at keyPath: String) {
        guard !url.isEmpty, links.key(url, kind: key.kind) != key else { return }
        refuse(ContentFault(keyPath, "is \(url.quoted), though the record is \(key)"))
    }

    private mutating func refuse(_ fault: @autoclosure () -> ContentFault) {
        if named.count < Self.mostNamed { named.append(fault()) } else { others += 1 }
    }
}
