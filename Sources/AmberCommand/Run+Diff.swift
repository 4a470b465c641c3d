import Archive
import Catalogue

extension Run {
    /// Prints what changed from one revision to another.
    func diff(_ operands: [String]) throws -> ExitCode {
        guard operands.count == 2 else {
            throw Failure(.wrongUsage, "diff takes two revisions, numbers or days: amber diff 2018-05-01 2018-05-23")
        }
        let old = try revision(operands[0])
        let new = try revision(operands[1])
        try read(new) { reader in
            let changes = try RevisionChanges(in: reader, from: old, settings.catalogue)
            if settings.wantsJSON {
                try DiffJSON(changes, reader, settings.catalogue).write()
            } else {
                Console.output(lines: DiffText(changes, try settings.catalogue.kinds(among: changes.kinds)).lines)
            }
        }
        return .done
    }
}

/// `amber diff` for people: what came, went and changed, kind by kind.
struct DiffText {
    private let changes: RevisionChanges
    private let kinds: [String]

    init(_ changes: RevisionChanges, _ kinds: [String]) {
        self.changes = changes
        self.kinds = kinds
    }

    var lines: [String] {
        var lines = ["revision \(named(changes.from)) -> revision \(named(changes.to))"]
        if changes.isEmpty { lines.append("nothing changed") }
        for kind in kinds { lines += records(of: kind) }
        if !changes.pictures.isEmpty { lines += ["", "pictures"] }
        for picture in changes.pictures {
            lines.append("\(picture.old == nil ? "+" : picture.new == nil ? "-" : "~") \(picture.path.onOneLine)")
        }
        return lines
    }

    private func named(_ revision: Revision) -> String {
        "\(revision.number) of \(revision.day)\(revision.imported == nil ? "" : ", imported")"
    }

    private func records(of kind: String) -> [String] {
        let removed = changes.removed.filter { $0.key.kind == kind }
        let added = changes.added.filter { $0.key.kind == kind }
        let changed = changes.changed.filter { $0.key.kind == kind }
        guard !removed.isEmpty || !added.isEmpty || !changed.isEmpty else { return [] }
        var lines = ["", "\(kind): \(added.count) new, \(removed.count) gone, \(changed.count) changed"]
        lines += removed.map { "- \($0.key) \($0.title.onOneLine)" }
        lines += added.map { "+ \($0.key) \($0.title.onOneLine)" }
        for record in changed {
            lines.append("~ \(record.key) \(record.title.onOneLine)")
            for field in record.fields { lines += Self.lines(field) }
        }
        return lines
    }

    /// One line for a value, several for an object's members and an array's elements.
    private static func lines(_ field: FieldChange) -> [String] {
        let name = field.name.onOneLine
        if let list = field.list {
            if list.isReordering { return ["    \(name): the same in another order"] }
            return list.removed.map { "    \(name): - \($0)" } + list.added.map { "    \(name): + \($0)" }
        }
        if case .object(let old)? = field.old, case .object(let new)? = field.new {
            return Set(old.keys).union(new.keys).sorted().filter { old[$0] != new[$0] }
                .flatMap { lines(FieldChange("\(field.name).\($0)", old: old[$0], new: new[$0])) }
        }
        return ["    \(name): \(field.old.map { "\($0)" } ?? "nothing") -> \(field.new.map { "\($0)" } ?? "nothing")"]
    }
}

/// `amber diff --json`: one JSON object, records that came and went with all their bytes.
private struct DiffJSON {
    private let changes: RevisionChanges
    private let reader: RevisionReader
    private let catalogue: any Catalogue

    init(_ changes: RevisionChanges, _ reader: RevisionReader, _ catalogue: any Catalogue) {
        self.changes = changes
        self.reader = reader
        self.catalogue = catalogue
    }

    func write() throws {
        let pictures = changes.pictures.map { picture in
            """
            {"path":\(JSONValue.text(picture.path)),"old":\(Self.quoted(picture.old)),"new":\(Self.quoted(picture.new))}
            """
        }
        Self.output("{\"from\":\(Self.named(changes.from)),\"to\":\(Self.named(changes.to)),\"added\":[")
        try writeRecords { $0.old == nil ? $0.new : nil }
        Self.output("],\"removed\":[")
        try writeRecords { $0.new == nil ? $0.old : nil }
        Self.output("],\"changed\":[")
        for (index, record) in changes.changed.enumerated() {
            let fields = record.fields.map { field in
                let old = field.old.map { ",\"old\":\($0)" } ?? ""
                let new = field.new.map { ",\"new\":\($0)" } ?? ""
                return "{\"name\":\(JSONValue.text(field.name))\(old)\(new)}"
            }
            let separator = index > 0 ? "," : ""
            Self.output(
                "\(separator){\(Self.head(record.key, record.title)),\"fields\":[\(fields.joined(separator: ","))]}")
        }
        Console.output(json: "],\"pictures\":[\(pictures.joined(separator: ","))]}")
    }

    private func writeRecords(_ bytes: (RecordDifference) -> [UInt8]?) throws {
        var isFirst = true
        try reader.forEachDifference(from: changes.from) { record in
            guard let bytes = bytes(record) else { return }
            let separator = isFirst ? "" : ","
            Self.output(
                """
                \(separator){\(Self.head(record.key, catalogue.title(of: bytes, record.key))),"record":\
                \(String(decoding: bytes, as: UTF8.self))}
                """)
            isFirst = false
        }
    }

    private static func output(_ part: String) { Console.output(json: part, terminator: "") }

    private static func head(_ key: RecordKey, _ title: String) -> String {
        "\"kind\":\(JSONValue.text(key.kind)),\"id\":\(key.id),\"title\":\(JSONValue.text(title))"
    }

    private static func named(_ revision: Revision) -> String {
        "{\"revision\":\(revision.number),\"date\":\"\(revision.moment)\",\"imported\":\(revision.imported != nil)}"
    }

    private static func quoted(_ digest: SHA256?) -> String { digest.map { "\"\($0.hex)\"" } ?? "null" }
}
