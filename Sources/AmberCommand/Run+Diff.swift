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
                try DiffText(changes, reader, try settings.catalogue.kinds(among: changes.kinds)).write()
            }
        }
        return .done
    }
}

/// `amber diff` for people: what came, went and changed, kind by kind. The values of one record are in memory at a
/// time.
private struct DiffText {
    private let changes: RevisionChanges
    private let reader: RevisionReader
    private let kinds: [String]

    init(_ changes: RevisionChanges, _ reader: RevisionReader, _ kinds: [String]) {
        self.changes = changes
        self.reader = reader
        self.kinds = kinds
    }

    func write() throws {
        Console.output(lines: ["revision \(named(changes.from)) -> revision \(named(changes.to))"])
        if changes.isEmpty { Console.output(lines: ["nothing changed"]) }
        for kind in kinds { try writeRecords(of: kind) }
        if !changes.pictures.isEmpty { Console.output(lines: ["", "pictures"]) }
        for picture in changes.pictures {
            Console.output(lines: [
                "\(picture.old == nil ? "+" : picture.new == nil ? "-" : "~") \(picture.path.onOneLine)"
            ])
        }
    }

    private func named(_ revision: Revision) -> String {
        "\(revision.number) of \(revision.day)\(revision.imported == nil ? "" : ", imported")"
    }

    private func writeRecords(of kind: String) throws {
        let removed = changes.removed.filter { $0.key.kind == kind }
        let added = changes.added.filter { $0.key.kind == kind }
        let changed = changes.changed.filter { $0.key.kind == kind }
        guard !removed.isEmpty || !added.isEmpty || !changed.isEmpty else { return }
        var lines = ["", "\(kind): \(added.count) new, \(removed.count) gone, \(changed.count) changed"]
        lines += removed.map { "- \($0.key) \($0.title.onOneLine)" }
        lines += added.map { "+ \($0.key) \($0.title.onOneLine)" }
        Console.output(lines: lines)
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
        var isFirst = true
        try reader.forEachDifference(from: changes.from) { record in
            guard let old = record.old, let new = record.new else { return }
            let changes = try FieldChange.between(old, new)
            guard !changes.isEmpty else { return }
            let fields = changes.map { field in
                let old = field.old.map { ",\"old\":\($0)" } ?? ""
                let new = field.new.map { ",\"new\":\($0)" } ?? ""
                return "{\"name\":\(JSONValue.text(field.name))\(old)\(new)}"
            }
            let title = catalogue.title(of: new, record.key)
            Self.output(
                "\(isFirst ? "" : ","){\(Self.head(record.key, title)),\"fields\":[\(fields.joined(separator: ","))]}")
            isFirst = false
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
                \(Self.json(bytes))}
                """)
            isFirst = false
        }
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

    private static func head(_ key: RecordKey, _ title: String) -> String {
        "\"kind\":\(JSONValue.text(key.kind)),\"id\":\(key.id),\"title\":\(JSONValue.text(title))"
    }

    private static func named(_ revision: Revision) -> String {
        "{\"revision\":\(revision.number),\"date\":\"\(revision.moment)\",\"imported\":\(revision.imported != nil)}"
    }

    private static func quoted(_ digest: SHA256?) -> String { digest.map { "\"\($0.hex)\"" } ?? "null" }
}
