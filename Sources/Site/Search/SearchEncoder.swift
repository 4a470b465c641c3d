import Catalogue

/// Writes rows of a search table in columns, as Templates/scripts/records.js reads them.
///
///     {"total": 3, "kinds": [{"name": "character", "path": "character/", "ids": [1, [2]], "labels": "Ada\nBen\nCarl",
///      "folder": "avatar/", "endings": "jpg\npng", "pictures": "112",
///      "columns": [{"name": "status", "uses": 5, "values": "Alive\nDead", "rows": "112"},
///                  {"name": "location", "uses": 6, "of": "location", "rows": "021"}]}]}
///
/// `ids`: a number is the difference from the id before, `[n]` stands for n further ids in steps of one. Lists of texts
/// are one string with a line each, or a JSON array where a text has a line feed itself. `rows` and `pictures` have a
/// character for each row: "0" for none, "1" for the first value, and so on in the order of code points.
struct SearchEncoder {
    let table: SearchTable
    /// The first row of each kind where all rows are numbered through, and their count at the end.
    let starts: [Int]

    init(_ table: SearchTable) {
        self.table = table
        starts = table.kinds.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.count) }
    }

    /// The whole index: every row of every kind.
    func whole() -> [UInt8] {
        var script = ScriptWriter(reserving: table.count * 40)
        script.object { script in
            script.name("total")
            script.number(Int64(table.count))
            script.name("kinds")
            script.array { script in
                for kind in table.kinds { write(kind, Array(0..<kind.count), isWhole: true, into: &script) }
            }
        }
        return script.end()
    }

    /// Where the index is split: what leads to the parts.
    /// - Parameter next: the letters that words begin with.
    func root(next: String) -> [UInt8] {
        var script = ScriptWriter()
        script.object { script in
            script.name("total")
            script.number(Int64(table.count))
            script.name("next")
            script.text(next)
            script.name("kinds")
            script.array { script in
                for kind in table.kinds { write(kind, [], isWhole: false, into: &script) }
            }
        }
        return script.end()
    }

    /// A part of a split index: rows that have a word with a prefix.
    /// - Parameters:
    ///   - total: how many rows have one; more than are given where `next` is not nil.
    ///   - next: the letters that lead from this prefix to further parts; a space where it is a word itself.
    ///   - rows: rows, numbered through all kinds, ascending.
    func part(_ prefix: String, total: Int, next: String?, rows: [UInt32]) -> [UInt8] {
        var script = ScriptWriter(reserving: rows.count * 48)
        script.object { script in
            script.name("prefix")
            script.text(prefix)
            script.name("total")
            script.number(Int64(total))
            if let next {
                script.name("next")
                script.text(next)
            }
            script.name("kinds")
            script.array { script in
                var rest = rows[...]
                for (index, kind) in table.kinds.enumerated() {
                    let own = rest.prefix { $0 < starts[index + 1] }
                    rest = rest.dropFirst(own.count)
                    write(kind, own.map { Int($0) - starts[index] }, isWhole: false, into: &script)
                }
            }
        }
        return script.end()
    }
}

extension SearchEncoder {
    private func write(_ kind: SearchKind, _ rows: [Int], isWhole: Bool, into script: inout ScriptWriter) {
        script.object { script in
            script.name("name")
            script.text(kind.name)
            script.name("path")
            script.text(kind.pathPrefix)
            script.name("ids")
            write(ids: rows.map(kind.id), into: &script)
            script.name("labels")
            write(list: rows.map(kind.label), into: &script)
            if let pictures = kind.pictures {
                script.name("folder")
                script.text(pictures.folder)
                script.name("endings")
                write(list: pictures.endings, into: &script)
                script.name("pictures")
                script.characters(rows.map(pictures.ending))
            }
            script.name("columns")
            script.array { script in
                for column in kind.columns { write(column, rows, isWhole: isWhole, into: &script) }
            }
        }
    }

    private func write(_ column: SearchColumn, _ rows: [Int], isWhole: Bool, into script: inout ScriptWriter) {
        script.object { script in
            script.name("name")
            script.text(column.name)
            script.name("uses")
            script.number(Int64(column.uses.rawValue))
            switch column.values {
            case .listed(let values) where isWhole:
                script.name("values")
                write(list: values, into: &script)
                script.name("rows")
                script.characters(rows.map(column.value))
            case .labels(let kind) where isWhole:
                script.name("of")
                script.text(kind)
                script.name("rows")
                script.characters(rows.map(column.value))
            default: write(valuesOf: column, rows, into: &script)
            }
        }
    }

    /// Only the values that these rows have, in the order in which they come.
    private func write(valuesOf column: SearchColumn, _ rows: [Int], into script: inout ScriptWriter) {
        let text = text(of: column)
        var numbers: [Int: Int] = [:]
        var values: [String] = []
        let characters = rows.map { row -> Int? in
            guard let value = column.value(row) else { return nil }
            if let number = numbers[value] { return number }
            numbers[value] = values.count
            values.append(text(value))
            return values.count - 1
        }
        script.name("values")
        write(list: values, into: &script)
        script.name("rows")
        script.characters(characters)
    }

    /// The texts of a column's values by their numbers.
    func text(of column: SearchColumn) -> (Int) -> String {
        switch column.values {
        case .listed(let values): return { values[$0] }
        case .labels(let name): return table.kinds.first { $0.name == name }?.label ?? { _ in "" }
        }
    }

    private func write(list: [String], into script: inout ScriptWriter) {
        if list.isEmpty || list.contains(where: { $0.utf8.contains(UInt8(ascii: "\n")) }) {
            script.array { script in list.forEach { script.text($0) } }
        } else {
            script.lines(list)
        }
    }

    private func write(ids: [Int64], into script: inout ScriptWriter) {
        var last: Int64 = 0
        var run: Int64 = 0
        script.array { script in
            for id in ids {
                if last > 0, last < .max, id == last + 1 {
                    run += 1
                } else {
                    script.run(&run)
                    // Records count from 1, so that this does not overflow; if one did not, its page would be found
                    // under no number.
                    script.number(id &- last)
                }
                last = id
            }
            script.run(&run)
        }
    }
}

extension ScriptWriter {
    fileprivate mutating func run(_ length: inout Int64) {
        guard length > 0 else { return }
        array { $0.number(length) }
        length = 0
    }
}
