import Archive
import Catalogue

extension Run {
    func diff(_ operands: [String]) throws -> ExitCode {
        guard operands.count == 2 else {
            throw Failure(.wrongUsage, "diff takes two revisions, numbers or days: amber diff 2018-05-01 2018-05-23")
        }
        let old = try revision(operands[0])
        let new = try revision(operands[1])
        try read(new) { reader in
            let changes = try RevisionChanges(in: reader, from: old, settings.catalogue)
            let diff = Diff(changes: changes, reader: reader, catalogue: settings.catalogue)
            if settings.wantsJSON { try diff.writeJSON() } else { try diff.writeText() }
        }
        return .done
    }
}

/// What `amber diff` prints. The values of one record are in memory at a time.
private struct Diff {
    let changes: RevisionChanges
    let reader: RevisionReader
    let catalogue: any Catalogue

    /// For people: what came, went and changed, kind by kind.
    func writeText() throws {
        func named(_ revision: Revision) -> String {
            "\(revision.number) of \(revision.day)\(revision.imported == nil ? "" : ", imported")"
        }
        Console.output(lines: ["revision \(named(changes.from)) -> revision \(named(changes.to))"])
        if changes.isEmpty { Console.output(lines: ["nothing changed"]) }
        for kind in try catalogue.kinds(among: changes.kinds) { try writeRecords(of: kind) }
        if !changes.pictures.isEmpty { Console.output(lines: ["", "pictures"]) }
        for picture in changes.pictures {
            let sign = picture.old == nil ? "+" : picture.new == nil ? "-" : "~"
            Console.output(lines: ["\(sign) \(picture.path.onOneLine)"])
        }
    }

    private func writeRecords(of kind: String) throws {
        let removed = changes.removed.filter { $0.key.kind == kind }
        let added = changes.added.filter { $0.key.kind == kind }
        let changed = changes.changed.filter { $0.key.kind == kind }
        guard !(removed.isEmpty && added.isEmpty && changed.isEmpty) else { return }
        Console.output(
            lines: ["", "\(kind): \(added.count) new, \(removed.count) gone, \(changed.count) changed"]
                + removed.map { "- \($0.key) \($0.title.onOneLine)" }
                + added.map { "+ \($0.key) \($0.title.onOneLine)" })
        guard !changed.isEmpty else { return }
        var rest = changed[...]
        try reader.forEachDifference(from: changes.from, of: kind) { record in
            // Both are in the order of the numbers.
            guard let old = record.old, let new = record.new, let next = rest.first, next.key == record.key else {
                return
            }
            rest.removeFirst()
            let fields = try FieldChange.between(old, new)
            Console.output(lines: ["~ \(next.key) \(next.title.onOneLine)"] + fields.flatMap(Self.lines))
        }
    }

    /// One line for a value, several for an object's members and an array's elements.
    private static func lines(_ field: FieldChange) -> [String] {
        let name = field.name.onOneLine
        if let list = field.list {
            if list.isReordering { return ["    \(name): the same in another order"] }
            return list.removed.map { "    \(name): - \($0)" } + list.added.map { "    \(name): + \($0)" }
        }
        if case .object(let old)? = field.old, case .object(let new)? = field.new {
            // The name may be long, and its members many.
            return Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }
                .flatMap { lines(FieldChange("\(name).\($0.text)", old: old[$0], new: new[$0])) }
        }
        return ["    \(name): \(field.old.map { "\($0)" } ?? "nothing") -> \(field.new.map { "\($0)" } ?? "nothing")"]
    }
}

extension Diff {
    /// One JSON object, records that came and went with all their bytes.
    func writeJSON() throws {
        func named(_ revision: Revision) -> String {
            "{\"revision\":\(revision.number),\"date\":\"\(revision.moment)\",\"imported\":\(revision.imported != nil)}"
        }
        func quoted(_ digest: SHA256?) -> String { digest.map { "\"\($0.hex)\"" } ?? "null" }
        Self.output("{\"from\":\(named(changes.from)),\"to\":\(named(changes.to))")
        try writeRecords("added") { $0.old == nil ? $0.new.map { ($0, ",\"record\":\(Self.json($0))") } : nil }
        try writeRecords("removed") { $0.new == nil ? $0.old.map { ($0, ",\"record\":\(Self.json($0))") } : nil }
        try writeRecords("changed") { record in
            guard let old = record.old, let new = record.new else { return nil }
            let fields = try FieldChange.between(old, new).map { field in
                let old = field.old.map { ",\"old\":\($0)" } ?? ""
                let new = field.new.map { ",\"new\":\($0)" } ?? ""
                return "{\"name\":\(JSONValue.text(field.name))\(old)\(new)}"
            }
            return fields.isEmpty ? nil : (new, ",\"fields\":[\(fields.joined(separator: ","))]")
        }
        let pictures = changes.pictures.map { picture in
            let path = JSONValue.text(picture.path)
            return "{\"path\":\(path),\"old\":\(quoted(picture.old)),\"new\":\(quoted(picture.new))}"
        }
        Console.output(json: ",\"pictures\":[\(pictures.joined(separator: ","))]}")
    }

    /// An array of records.
    /// - Parameter show: a record's bytes, and what follows its name; nil where it does not belong to the array.
    private func writeRecords(_ name: String, _ show: (RecordDifference) throws -> (bytes: [UInt8], rest: String)?)
        throws
    {
        Self.output(",\"\(name)\":[")
        var mark = ""
        try reader.forEachDifference(from: changes.from) { record in
            guard let (bytes, rest) = try show(record) else { return }
            let title = JSONValue.text(catalogue.title(of: bytes, record.key))
            Self.output(
                "\(mark){\"kind\":\(JSONValue.text(record.key.kind)),\"id\":\(record.key.id),\"title\":\(title)\(rest)}"
            )
            mark = ","
        }
        Self.output("]")
    }

    /// A record as it was served, or as a string where that is not JSON. A byte order mark is allowed only where a
    /// document begins.
    private static func json(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        do throws(ContentFault) {
            try JSONSlices.check(bytes)
            return bytes.first == 0xEF ? "\(JSONValue.text(text))" : text
        } catch {
            return "\(JSONValue.text(text))"
        }
    }

    private static func output(_ part: String) { Console.output(json: part, terminator: "") }
}
