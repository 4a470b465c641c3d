import Catalogue
import Pages

/// The pages at the paths of records' original addresses, and the records that these addresses lead to.
struct Permalinks: Sendable {
    private var rows: [String: (table: RecordTable, row: Int)] = [:]

    /// Gives rows the paths of their addresses. A path is used once; capital letters do not distinguish paths.
    /// - Parameter folders: the folders of languages.
    init(_ tables: [RecordTable], _ declaration: CatalogueDeclaration, folders: [String]) {
        let used = declaration.usedNames
        let usedFolders = used.folders.union(folders)
        var taken: Set<String> = []
        for table in tables where table.kind.permalink != nil {
            table.setPages { row, address in
                guard ["https://", "http://"].contains(where: address.hasPrefix) else { return "" }
                let key = Self.key(address)
                if rows[key] == nil { rows[key] = (table, row) }
                guard let page = Self.page(key) else { return "" }
                let folded = page.lowercased()
                let isUsed =
                    folded.contains("/")
                    ? usedFolders.contains(String(folded.prefix { $0 != "/" })) : used.pages.contains(folded)
                return !isUsed && taken.insert(folded).inserted ? page : ""
            }
        }
    }

    /// The record with an original address.
    subscript(address: String) -> (table: RecordTable, row: Int)? { rows.isEmpty ? nil : rows[Self.key(address)] }

    /// An address without scheme, fragment, and the slash at its end.
    private static func key(_ address: String) -> String {
        let whole = address.prefix { $0 != "#" }
        let rest = ["https://", "http://"].first { whole.hasPrefix($0) }.map { whole.dropFirst($0.count) } ?? whole
        let path = rest.drop { $0 != "/" && $0 != "?" }
        return rest.dropLast(path.count).lowercased() + (path.last == "/" ? path.dropLast() : path)
    }

    /// The path of a key as the name of a page, without ".html"; nil if it has a query, or is not portable. A name has
    /// no other dot, so no folder has the name of a file.
    private static func page(_ key: String) -> String? {
        let path = key.drop { $0 != "/" }.dropFirst()
        let page = path.hasSuffix(".html") ? String(path.dropLast(5)) : "\(path)/index"
        return page.contains(".") || SitePath("\(page).html") == nil ? nil : page
    }
}
