import Archive
import Catalogue
import CatalogueEngine

extension Run {
    func log() throws -> ExitCode {
        let revisions = try revisions()
        guard !revisions.isEmpty else { throw try noRevision() }
        var compared: Int64 = 0
        let entries = try zip(revisions, [nil] + revisions).map { try entry($0, after: $1, &compared) }.reversed()
        output(["revisions": .list(entries.map(\.json))], lines: entries.flatMap(\.lines))
        return .done
    }

    private func entry(
        _ revision: Revision, after earlier: Revision?, _ compared: inout Int64
    ) throws -> (json: JSON, lines: [String]) {
        let reader = try RevisionReader(revision, in: archive)
        let counts = try reader.recordCounts()
        let changes = try earlier.map { try RevisionChanges(in: reader, from: $0, settings.catalogue) }
        compared += changes?.comparedBytes ?? 0
        try reader.requirePlausible(comparedBytes: compared)
        let records = try settings.catalogue.kinds(among: counts.keys).map { kind in
            LogRow(
                word: kind, plural: settings.catalogue.plural(of: kind), count: counts[kind] ?? 0,
                new: changes?.added.count { $0.key.kind == kind } ?? 0,
                gone: changes?.removed.count { $0.key.kind == kind } ?? 0,
                changed: changes?.changed.count { $0.key.kind == kind } ?? 0)
        }
        let (pictureCount, files) = try reader.assetCounts()
        // A picture is a file too.
        let pictures = LogRow(
            word: files > 0 ? "file" : "picture", plural: files > 0 ? "files" : "pictures", count: pictureCount + files,
            new: changes?.pictures.count { $0.old == nil } ?? 0, gone: changes?.pictures.count { $0.new == nil } ?? 0,
            changed: changes?.pictures.count { $0.old != nil && $0.new != nil } ?? 0)

        let rows = records + [pictures]
        let isImported = revision.imported != nil
        let json: JSON = [
            "revision": .integer(Int(revision.number)), "date": .text(revision.moment), "imported": .flag(isImported),
            "records": .object(records.map { ($0.word, .integer($0.count)) }),
            "pictures": .integer(pictures.count), "gaps": .integer(revision.gaps),
            "otherwise": changes.flatMap { changes in
                changes.otherDifferences.isEmpty ? nil : .list(changes.otherDifferences.map { .text($0.rawValue) })
            },
            "changes": earlier.map { _ in
                .object(records.map { ($0.word, $0.json) } + [("picture", pictures.json)])
            },
        ]
        let shown = (pictures.count > 0 ? rows : records).map { Summary.counted($0.count, $0.word, $0.plural) }
        let gaps = revision.gaps == 0 ? "" : ", \(Summary.counted(revision.gaps, "gap", "gaps"))"
        let changed = rows.compactMap(\.changeText).joined(separator: "; ")
        let lines = [
            "revision \(revision.number)  "
                + (isImported ? "\(revision.day)  imported" : "\(revision.moment)  captured"),
            "    \(shown.joined(separator: ", "))\(gaps)",
            "    \(changes.map { changed.isEmpty ? $0.otherText : changed } ?? "first revision")",
        ]
        return (json, lines)
    }

    func diff() throws -> ExitCode {
        try Failure.require(
            arguments.operands.count == 2,
            "diff requires two revisions, as numbers or dates: amber diff 2018-05-01 2018-05-23")
        let old = try revision(arguments.operands[0])
        let new = try revision(arguments.operands[1])
        let reader = try RevisionReader(new, in: archive)
        let changes = try RevisionChanges(in: reader, from: old, settings.catalogue)
        let diff = Diff(changes: changes, reader: reader, catalogue: settings.catalogue)
        if arguments.has(.json) {
            try diff.writeJSON()
        } else if !arguments.has(.quiet) {
            try diff.writeText()
        }
        return .done
    }
}

/// The number of records of a kind, or of pictures, in a revision, and the changes since the revision before it.
private struct LogRow {
    let word: String
    let plural: String
    let count: Int
    let new: Int
    let gone: Int
    let changed: Int

    var changeText: String? {
        let numbers = [(new, "new"), (gone, "gone"), (changed, "changed")].filter { $0.0 > 0 }.map { "\($0) \($1)" }
        return numbers.isEmpty ? nil : "\(plural): \(numbers.joined(separator: ", "))"
    }

    var json: JSON { ["new": .integer(new), "gone": .integer(gone), "changed": .integer(changed)] }
}

extension RevisionChanges {
    /// The differences of a revision in which no value changed.
    var otherText: String {
        let parts = otherDifferences.map { difference in
            switch difference {
            case .spelling: "the JSON of records is written differently"
            case .gaps: "the gaps differ"
            case .declaration: "the API was requested or read in another way"
            case .pages: "the pages of lists differ, such as in the order of records"
            }
        }
        return parts.isEmpty ? "nothing changed" : "no value changed, but \(parts.joined(separator: "; "))"
    }
}

/// The output of `amber diff`. Only the values of one record are in memory at a time.
private struct Diff {
    let changes: RevisionChanges
    let reader: RevisionReader
    let catalogue: DeclaredCatalogue

    /// Writes the changes as text: added, removed and changed records of each kind, then pictures.
    func writeText() throws {
        func revisionText(_ revision: Revision) -> String {
            "\(revision.number) of \(revision.day)\(revision.imported == nil ? "" : ", imported")"
        }
        Console.output(lines: ["revision \(revisionText(changes.from)) -> revision \(revisionText(changes.to))"])
        if changes.isEmpty { Console.output(lines: [changes.otherText]) }
        for kind in try catalogue.kinds(among: changes.kinds) { try writeRecords(of: kind) }
        guard !changes.pictures.isEmpty else { return }
        let lines = changes.pictures.map { picture in
            "\(picture.old == nil ? "+" : picture.new == nil ? "-" : "~") \(picture.path.singleLine)"
        }
        Console.output(lines: ["", changes.pictures.allSatisfy(\.isPicture) ? "pictures" : "files"] + lines)
    }

    private func writeRecords(of kind: String) throws {
        let removed = changes.removed.filter { $0.key.kind == kind }
        let added = changes.added.filter { $0.key.kind == kind }
        let changed = changes.changed.filter { $0.key.kind == kind }
        guard !(removed.isEmpty && added.isEmpty && changed.isEmpty) else { return }
        Console.output(
            lines: ["", "\(kind): \(added.count) new, \(removed.count) gone, \(changed.count) changed"]
                + removed.map { "- \($0.key) \($0.title.singleLine)" }
                + added.map { "+ \($0.key) \($0.title.singleLine)" })
        guard !changed.isEmpty else { return }
        try reader.forEachDifference(from: changes.from, of: kind) { record in
            guard let old = record.old, let new = record.new else { return }
            let fields = try FieldChange.between(old, new)
            guard !fields.isEmpty else { return }
            let key = catalogue.key(of: new, record.key)
            // Lines are written in batches, because a record can have hundreds of thousands of changes.
            var lines = ["~ \(key) \(catalogue.title(of: new, key).singleLine)"]
            for field in fields {
                Self.forEachLine(of: field) { line in
                    lines.append(line)
                    guard lines.count == 1_000 else { return }
                    Console.output(lines: lines)
                    lines = []
                }
            }
            Console.output(lines: lines)
        }
    }

    /// Calls the body with a line for a simple value, for each changed member of an object, and for each element.
    private static func forEachLine(of field: FieldChange, _ body: (String) -> Void) {
        // A long name is shortened, because it is repeated on each line.
        let name = String(field.name.singleLine.unicodeScalars.prefix(100))
        if let list = field.list {
            if list.isReordering { return body("    \(name): the same in another order") }
            for (sign, own, others) in [("-", list.removed, list.added), ("+", list.added, list.removed)] {
                for (index, value) in own.enumerated() {
                    body("    \(name): \(sign) \(shown(value, besides: index < others.count ? others[index] : nil))")
                }
            }
        } else if let changes = field.memberChanges {
            for change in changes {
                forEachLine(of: FieldChange("\(name).\(change.name)", old: change.old, new: change.new), body)
            }
        } else {
            body("    \(name): \(shown(field.old, besides: field.new)) -> \(shown(field.new, besides: field.old))")
        }
    }

    /// A value as JSON. A long one is shortened around its difference from the other one; `--json` prints it whole.
    private static func shown(_ value: JSON?, besides other: JSON?) -> String {
        value.map { "\($0)".shortened(besides: other.map { "\($0)" } ?? "", to: 100) } ?? "nothing"
    }

    /// Writes the changes as one JSON object. It contains the complete added and removed records.
    func writeJSON() throws {
        func revisionText(_ revision: Revision) -> String {
            "{\"revision\":\(revision.number),\"date\":\"\(revision.moment)\",\"imported\":\(revision.imported != nil)}"
        }
        func quoted(_ digest: SHA256?) -> String { digest.map { "\"\($0.hex)\"" } ?? "null" }
        Self.output("{\"from\":\(revisionText(changes.from)),\"to\":\(revisionText(changes.to))")
        try writeRecords("added") { $0.old == nil ? $0.new.map { ($0, ",\"record\":\(Self.json($0))") } : nil }
        try writeRecords("removed") { $0.new == nil ? $0.old.map { ($0, ",\"record\":\(Self.json($0))") } : nil }
        try writeRecords("changed") { record in
            guard let old = record.old, let new = record.new else { return nil }
            let fields = try FieldChange.between(old, new).map { field in
                let old = field.old.map { ",\"old\":\($0)" } ?? ""
                let new = field.new.map { ",\"new\":\($0)" } ?? ""
                return "{\"name\":\(JSON.text(field.name))\(old)\(new)}"
            }
            return fields.isEmpty ? nil : (new, ",\"fields\":[\(fields.joined(separator: ","))]")
        }
        let pictures = changes.pictures.map { picture in
            let path = JSON.text(picture.path)
            return "{\"path\":\(path),\"old\":\(quoted(picture.old)),\"new\":\(quoted(picture.new))}"
        }
        Console.output(json: ",\"pictures\":[\(pictures.joined(separator: ","))]}")
    }

    /// Writes an array of records.
    /// - Parameter show: returns a record's bytes and its JSON members after the title; nil to leave it out.
    private func writeRecords(_ name: String, _ show: (RecordDifference) throws -> (bytes: [UInt8], rest: String)?)
        throws
    {
        Self.output(",\"\(name)\":[")
        var separator = ""
        try reader.forEachDifference(from: changes.from) { record in
            guard let (bytes, rest) = try show(record) else { return }
            let key = catalogue.key(of: bytes, record.key)
            let title = JSON.text(catalogue.title(of: bytes, key))
            Self.output("\(separator){\"kind\":\(JSON.text(key.kind)),\"id\":\(key.idJSON),\"title\":\(title)\(rest)}")
            separator = ","
        }
        Self.output("]")
    }

    /// A record in a JSON document. Bytes that are not JSON, or begin with a byte order mark, become a JSON string.
    private static func json(_ bytes: [UInt8]) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        // `try?`, because bytes that are not JSON are shown too.
        let isJSON = bytes.first != 0xEF && (try? JSONSlices.check(bytes)) != nil
        return isJSON ? text : "\(JSON.text(text))"
    }

    private static func output(_ part: String) { Console.output(json: part, terminator: "") }
}
