import Archive
import Catalogue

extension Run {
    func log() throws -> ExitCode {
        let revisions = try revisions()
        guard !revisions.isEmpty else { throw try noRevision() }
        var lines: [LogLine] = []
        var compared: Int64 = 0
        for (index, revision) in revisions.enumerated() {
            lines.append(try line(revision, after: index > 0 ? revisions[index - 1] : nil, &compared))
        }
        if settings.wantsJSON {
            Console.output(json: "{\"revisions\":[\(lines.reversed().map(\.json).joined(separator: ","))]}")
        } else {
            Console.output(lines: lines.reversed().flatMap(\.lines))
        }
        return .done
    }

    private func line(_ revision: Revision, after earlier: Revision?, _ compared: inout Int64) throws -> LogLine {
        try read(revision) { reader in
            let counts = try reader.recordCounts()
            let kinds = try settings.catalogue.kinds(among: counts.keys)
            let changes = try earlier.map { try RevisionChanges(in: reader, from: $0, settings.catalogue) }
            compared += changes?.comparedBytes ?? 0
            try reader.requirePlausible(comparedBytes: compared)
            let rows = kinds.map { kind in
                LogLine.Row(kind, settings.catalogue.plural(of: kind), counts[kind] ?? 0) {
                    changes.map { changes in
                        [
                            changes.added.count { $0.key.kind == kind }, changes.removed.count { $0.key.kind == kind },
                            changes.changed.count { $0.key.kind == kind },
                        ]
                    }
                }
            }
            let pictures = LogLine.Row("picture", "pictures", try reader.pictureCount()) {
                changes.map { changes in
                    [
                        changes.pictures.count { $0.old == nil }, changes.pictures.count { $0.new == nil },
                        changes.pictures.count { $0.old != nil && $0.new != nil },
                    ]
                }
            }
            return LogLine(revision: revision, records: rows, pictures: pictures)
        }
    }
}

struct LogLine {
    struct Row {
        let word: String
        let plural: String
        let count: Int
        /// The numbers of new, removed and changed records; nil for the first revision.
        let changes: [(word: String, count: Int)]?

        init(_ word: String, _ plural: String, _ count: Int, changes: () -> [Int]?) {
            self.word = word
            self.plural = plural
            self.count = count
            self.changes = changes().map { Array(zip(["new", "gone", "changed"], $0)) }
        }

        var countText: String { "\(count) \(count == 1 ? word : plural)" }

        var changeText: String? {
            let numbers = (changes ?? []).filter { $0.count > 0 }.map { "\($0.count) \($0.word)" }
            return numbers.isEmpty ? nil : "\(plural): \(numbers.joined(separator: ", "))"
        }

        var json: JSON { .object((changes ?? []).map { (key: $0.word, value: .integer($0.count)) }) }
    }

    let revision: Revision
    let records: [Row]
    let pictures: Row

    var lines: [String] {
        let isImported = revision.imported != nil
        let counts = (records + (pictures.count > 0 ? [pictures] : [])).map(\.countText)
        let gaps = revision.gaps == 0 ? "" : revision.gaps == 1 ? ", 1 gap" : ", \(revision.gaps) gaps"
        let changeTexts = (records + [pictures]).compactMap(\.changeText)
        let changes = changeTexts.isEmpty ? "nothing changed" : changeTexts.joined(separator: "; ")
        return [
            "revision \(revision.number)  \(isImported ? revision.day : revision.moment)  "
                + (isImported ? "imported" : "captured"),
            "    \(counts.joined(separator: ", "))\(gaps)",
            "    \(pictures.changes == nil ? "first revision" : changes)",
        ]
    }

    var json: String {
        var members: [(key: String, value: JSON)] = [
            ("revision", .integer(Int(revision.number))), ("date", .text(revision.moment)),
            ("imported", .flag(revision.imported != nil)),
            ("records", .object(records.map { (key: $0.word, value: .integer($0.count)) })),
            ("pictures", .integer(pictures.count)), ("gaps", .integer(revision.gaps)),
        ]
        if pictures.changes != nil {
            members.append(("changes", .object((records + [pictures]).map { (key: $0.word, value: $0.json) })))
        }
        return String(decoding: JSON.object(members).bytes, as: UTF8.self)
    }
}
