import Archive
import Catalogue
import Platform

/// Pages with the paths of original addresses, and the record of each original address.
struct Permalinks: Sendable {
    private var records: [String: RecordRow] = [:]
    /// The number of addresses whose paths are in use, and the first of them.
    private(set) var refused: (count: Int, first: String) = (0, "")

    /// Gives each row the path of its address. A path is used once. Paths that differ only in case count as equal, so
    /// each folder has one spelling.
    /// - Parameter folders: the folders of languages.
    init(_ tables: [RecordTable], _ declaration: CatalogueDeclaration, folders: [String]) {
        let used = declaration.usedNames
        // A server can answer a request for "search/" with search.html.
        let usedFolders = used.folders.union(used.pages).union(folders)
        var taken: Set<String> = []
        var spellings: [String: Substring] = [:]
        for table in tables where table.kind.permalink != nil {
            table.setPages { row, address in
                guard let key = Self.key(address) else { return "" }
                if records[key] == nil { records[key] = table[row] }
                let id = RecordKey(table.kind.name, text: key).id
                if table.rowsByAddress[id] == nil { table.rowsByAddress[id] = row }
                guard let page = Self.page(key) else { return "" }
                let folded = page.lowercased()
                let folders = page.utf8.indices.filter { page.utf8[$0] == "/" }.map { page[..<$0] }
                let isUsed = folders.first.map { usedFolders.contains($0.lowercased()) } ?? used.pages.contains(folded)
                guard !isUsed, folders.allSatisfy({ spellings[$0.lowercased(), default: $0] == $0 }),
                    taken.insert(folded).inserted
                else {
                    refused = (refused.count + 1, refused.count == 0 ? address : refused.first)
                    return ""
                }
                for folder in folders { spellings[folder.lowercased()] = folder }
                return page
            }
        }
    }

    /// The record with an original address.
    subscript(address: String) -> RecordRow? {
        records.isEmpty ? nil : Self.key(address).flatMap { records[$0] }
    }

    /// What the builder of the site should know; nil if each address with a usable path has its page.
    var note: String? {
        refused.count == 0
            ? nil
            : "\(refused.count) original addresses are no addresses of this site, because it uses their paths "
                + "for other pages, such as \(refused.first.quoted); if a list has the path, give the list another "
                + "page in catalogue.json: \"list\": { \"page\": … }"
    }

    /// An address without its scheme, its fragment and the slash at its end. Nil if it is not on the web, or too long.
    static func key(_ address: String) -> String? {
        let address = WebLinks.normalised(address)
        guard address.utf8.count <= LinkReader.longest,
            let scheme = ["https://", "http://"].first(where: { address.utf8.starts(with: $0.utf8) })
        else { return nil }
        let rest = address.utf8.prefix { $0 != "#" }.dropFirst(scheme.utf8.count)
        let host = rest.prefix { $0 != "/" && $0 != "?" }
        let path = rest[host.endIndex...].withoutLastSlash
        return String(decoding: host.map(\.lowercased) + path, as: UTF8.self)
    }

    /// File systems and archive programs limit the length of a whole path.
    private static let (longestPage, mostFolders) = (200, 16)

    /// The page for a key, without ".html". Nil if the key has a query, or is not portable. The name has no other dot,
    /// so a folder cannot have the name of a file.
    private static func page(_ key: String) -> String? {
        let path = String(decoding: key.utf8.drop { $0 != "/" }.dropFirst(), as: UTF8.self)
        let page = path.hasSuffix(".html") ? String(path.dropLast(5)) : "\(path)/index"
        guard page.utf8.count <= longestPage, page.utf8.count(where: { $0 == "/" }) <= mostFolders,
            !page.utf8.contains(".")
        else { return nil }
        return SitePath("\(page).html").map { _ in page }
    }
}
