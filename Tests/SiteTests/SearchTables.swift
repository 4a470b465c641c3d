import Archive
import Catalogue
import Foundation
import Pages
import TestSupport

@testable import Site

enum SearchTables {
    static func of(_ rows: [(label: String, value: String?)]) -> SearchTable {
        let values = rows.compactMap(\.value).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        return [
            SearchKind(
                name: "thing", pathPrefix: "thing/", count: rows.count, id: { Int64($0 + 1) },
                label: { rows[$0].label },
                pictures: ("picture/", { [.jpeg, .png, nil][$0 % 3] }),
                columns: [
                    (
                        "value", [.facet, .searched, .shown], nil, .listed(values),
                        { row in rows[row].value.flatMap { values.firstIndex(of: $0) } }
                    )
                ])
        ]
    }

    /// Invented people and places; some names are shared by many rows, some by few.
    static func people(_ count: Int) -> SearchTable {
        let given = ["Ada", "Bálint", "Cécile", "Doña", "Ёлка", "Филипп", "Ωmega", "Željko", "Åsa", "Þór"]
        let families = (0..<500).map {
            "Ka\(["ra", "lo", "mi", "ne", "su"][$0 % 5])\($0)-\(["son", "sen", "ova", "ez"][$0 % 4])"
        }
        let places = ["Upper Lake", "Lower Lake", "O’Hara’s Mill", "the \"Old\" Mill"]
        return [
            SearchKind(
                name: "person", pathPrefix: "person/", count: count - places.count, id: { Int64($0 * 2 + 5) },
                label: { "\(given[$0 / 7 % given.count]) \(families[$0 * 31 % families.count])" },
                columns: [
                    (
                        "place", [.searched, .shown], nil, .labels(of: "place"),
                        { $0 % 50 < places.count ? $0 % 50 : nil }
                    )
                ]),
            SearchKind(
                name: "place", pathPrefix: "place/", count: places.count, id: { Int64($0 + 1) }, label: { places[$0] },
                columns: []),
        ]
    }
}

extension SearchTables {
    /// Names of one, two or three words, with repetitions.
    static func echoes(_ count: Int) -> SearchTable {
        let words = ["Star", "Ferry", "Stargull", "Quay", "Jelly", "Otter", "Observatory", "Starling", "Fjord", "Ёлка"]
        return [
            SearchKind(
                name: "name", pathPrefix: "name/", count: count, id: { Int64($0 + 1) },
                label: { row in
                    let word = { words[row / $0 % words.count] }
                    return row % 400 == 7
                        ? word(400)
                        : row % 3 == 0 ? "\(word(3)) & \(word(30))" : "\(word(1)) \(word(10)) of \(word(100))"
                },
                columns: [
                    ("of", [.searched], nil, .listed(["Old Star", "Far Quay"]), { $0 % 5 < 2 ? $0 % 5 : nil })
                ])
        ]
    }
}

/// An index file as the page's script receives it.
struct ReceivedIndex {
    let object: [String: Any]

    init(_ bytes: [UInt8]) throws {
        let text = String(decoding: bytes, as: UTF8.self)
        let start = "amber.receive(JSON.parse('"
        let end = "'))\n"
        guard text.hasPrefix(start), text.hasSuffix(end) else { throw CocoaError(.fileReadCorruptFile) }
        var json = ""
        var isEscaped = false
        for scalar in text.dropFirst(start.count).dropLast(end.count).unicodeScalars {
            if !isEscaped && scalar == "\\" {
                isEscaped = true
                continue
            }
            // The string around the JSON has only these two escapes, and no line ends or quotes.
            guard
                isEscaped ? scalar == "\\" || scalar == "'" : !"'\n\r\u{2028}\u{2029}<".unicodeScalars.contains(scalar)
            else {
                throw CocoaError(.fileReadCorruptFile)
            }
            isEscaped = false
            json.unicodeScalars.append(scalar)
        }
        object = try jsonObject(Data(json.utf8))
    }

    var kinds: [[String: Any]] { object["kinds"] as? [[String: Any]] ?? [] }
    var total: Int? { object["total"] as? Int }
    /// The letters of further files; nil in a leaf.
    var next: [String]? { (object["next"] as? String)?.unicodeScalars.map { String($0) } }

    /// Each row as its kind, id, name and values.
    var rows: [[String]] {
        kinds.flatMap { kind -> [[String]] in
            let labels = Self.list(kind["labels"])
            let columns = (kind["columns"] as? [[String: Any]] ?? []).map(values)
            return zip(Self.ids(kind["ids"]), labels).enumerated().map { row, names in
                ["\(kind["name"] ?? "") \(names.0)", names.1] + columns.map { $0[row] ?? "-" }
            }
        }
    }

    func values(_ column: [String: Any]) -> [String?] {
        let values =
            if let kind = column["of"] as? String {
                Self.list(kinds.first { $0["name"] as? String == kind }?["labels"])
            } else {
                Self.list(column["values"])
            }
        return Self.numbers(column["rows"]).map { $0.map { values[$0] } }
    }

    static func numbers(_ text: Any?) -> [Int?] {
        (text as? String ?? "").unicodeScalars.map { $0 == "0" ? nil : Int($0.value) - 0x31 }
    }

    static func list(_ list: Any?) -> [String] {
        if let list = list as? [String] { return list }
        let lines = (list as? String ?? "").unicodeScalars.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { String($0) }
    }

    static func ids(_ ids: Any?) -> [Int] {
        var found: [Int] = []
        for part in ids as? [Any] ?? [] {
            if let run = part as? [Int] {
                for _ in 0..<run[0] { found.append((found.last ?? 0) + 1) }
            } else if let step = part as? Int {
                found.append((found.last ?? 0) + step)
            }
        }
        return found
    }
}
