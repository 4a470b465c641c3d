import Archive
import Catalogue

extension Run {
    func log() throws -> ExitCode {
        let revisions = try revisions()
        guard !revisions.isEmpty else { throw try noRevision() }
        var logged: [LoggedRevision] = []
        var compared: Int64 = 0
        for (revision, earlier) in zip(revisions, [nil] + revisions.map { $0 }) {
            logged.insert(try loggedRevision(revision, after: earlier, &compared), at: 0)
        }
        if settings.wantsJSON {
            Console.output(.object([("revisions", .list(logged.map(\.json)))]))
        } else {
            Console.output(lines: logged.flatMap(\.lines))
        }
        return .done
    }

    private func loggedRevision(
        _ revision: Revision, after earlier: Revision?, _ compared: inout Int64
    ) throws -> LoggedRevision {
        try read(revision) { reader in
            let counts = try reader.recordCounts()
            let changes = try earlier.map { try RevisionChanges(in: reader, from: $0, settings.catalogue) }
            compared += changes?.comparedBytes ?? 0
            try reader.requirePlausible(comparedBytes: compared)
            let records = try settings.catalogue.kinds(among: counts.keys).map { kind in
                LoggedRevision.Row(
                    word: kind, plural: settings.catalogue.plural(of: kind), count: counts[kind] ?? 0,
                    changes: changes.map { changes in
                        [
                            ("new", changes.added.count { $0.key.kind == kind }),
                            ("gone", changes.removed.count { $0.key.kind == kind }),
                            ("changed", changes.changed.count { $0.key.kind == kind }),
                        ]
                    })
            }
            let pictures = LoggedRevision.Row(
                word: "picture", plural: "pictures", count: try reader.pictureCount(),
                changes: changes.map { changes in
                    [
                        ("new", changes.pictures.count { $0.old == nil }),
                        ("gone", changes.pictures.count { $0.new == nil }),
                        ("changed", changes.pictures.count { $0.old != nil && $0.new != nil }),
                    ]
                })
            return LoggedRevision(revision: revision, records: records, pictures: pictures)
        }
    }
}

private struct LoggedRevision {
    struct Row {
        let word: String
        let plural: String
        let count: Int
        /// The numbers of new, removed and changed records; nil for the first revision.
        let changes: [(word: String, count: Int)]?

        var changeText: String? {
            let numbers = (changes ?? []).filter { $0.count > 0 }.map { "\($0.count) \($0.word)" }
            return numbers.isEmpty ? nil : "\(plural): \(numbers.joined(separator: ", "))"
        }

        var json: JSON { .object((changes ?? []).map { ($0.word, .integer($0.count)) }) }
    }

    let revision: Revision
    let records: [Row]
    let pictures: Row

    var lines: [String] {
        let isImported = revision.imported != nil
        let counts = (records + (pictures.count > 0 ? [pictures] : [])).map {
            "\($0.count) \($0.count == 1 ? $0.word : $0.plural)"
        }
        let gaps = revision.gaps == 0 ? "" : revision.gaps == 1 ? ", 1 gap" : ", \(revision.gaps) gaps"
        let changeTexts = (records + [pictures]).compactMap(\.changeText)
        let changes = changeTexts.isEmpty ? "nothing changed" : changeTexts.joined(separator: "; ")
        return [
            "revision \(revision.number)  "
                + (isImported ? "\(revision.day)  imported" : "\(revision.moment)  captured"),
            "    \(counts.joined(separator: ", "))\(gaps)",
            "    \(pictures.changes == nil ? "first revision" : changes)",
        ]
    }

    var json: JSON {
        let changes = JSON.object((records + [pictures]).map { ($0.word, $0.json) })
        return .object(
            [
                ("revision", .integer(Int(revision.number))), ("date", .text(revision.moment)),
                ("imported", .flag(revision.imported != nil)),
                ("records", .object(records.map { ($0.word, .integer($0.count)) })),
                ("pictures", .integer(pictures.count)), ("gaps", .integer(revision.gaps)),
            ] + (pictures.changes == nil ? [] : [("changes", changes)]))
    }
}
