import Archive
import Catalogue

extension Run {
    /// Lists the revisions, the newest first.
    func log() throws -> ExitCode {
        let revisions = try revisions()
        guard !revisions.isEmpty else {
            _ = try revision(nil)
            return .notCaptured
        }
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
            return LogLine(
                revision: revision,
                records: kinds.map { (kind: $0, plural: settings.catalogue.plural(of: $0), count: counts[$0] ?? 0) },
                pictures: try reader.pictureCount(),
                changes: changes.map { LogLine.Changes($0, kinds) })
        }
    }
}

/// What `amber log` says of one revision.
struct LogLine {
    let revision: Revision
    let records: [(kind: String, plural: String, count: Int)]
    let pictures: Int
    /// Nil for the first revision.
    let changes: Changes?

    /// How many records and pictures changed, in the ways in which they did.
    struct Changes {
        typealias Tally = [(word: String, count: Int)]

        let records: [String: Tally]
        let pictures: Tally
        let isEmpty: Bool

        init(_ changes: RevisionChanges, _ kinds: [String]) {
            let tallies = kinds.map { kind in
                let tally = [
                    ("new", changes.added.count { $0.key.kind == kind }),
                    ("gone", changes.removed.count { $0.key.kind == kind }),
                    ("changed", changes.changed.count { $0.key.kind == kind }),
                ]
                return (kind, tally as Tally)
            }
            records = Dictionary(tallies) { first, _ in first }
            pictures = [
                ("new", changes.pictures.count { $0.old == nil }), ("gone", changes.pictures.count { $0.new == nil }),
                ("changed", changes.pictures.count { $0.old != nil && $0.new != nil }),
            ]
            isEmpty = changes.isEmpty
        }
    }

    /// Two or three lines for people.
    var lines: [String] {
        let how = revision.imported == nil ? "captured" : "imported"
        let date = revision.imported == nil ? revision.moment : revision.day
        let counts =
            records.map { "\($0.count) \($0.count == 1 ? $0.kind : $0.plural)" }
            + (pictures > 0 ? ["\(pictures) \(pictures == 1 ? "picture" : "pictures")"] : [])
        let gaps = revision.gaps == 0 ? "" : revision.gaps == 1 ? ", 1 gap" : ", \(revision.gaps) gaps"
        return [
            "revision \(revision.number)  \(date)  \(how)", "    \(counts.joined(separator: ", "))\(gaps)",
            "    \(said)",
        ]
    }

    private var said: String {
        guard let changes else { return "the first state" }
        guard !changes.isEmpty else { return "nothing changed" }
        var parts: [String] = []
        for (kind, plural, _) in records {
            let numbers = (changes.records[kind] ?? []).filter { $0.count > 0 }
            if !numbers.isEmpty {
                parts.append("\(plural): \(numbers.map { "\($0.count) \($0.word)" }.joined(separator: ", "))")
            }
        }
        let pictures = changes.pictures.filter { $0.count > 0 }
        if !pictures.isEmpty {
            parts.append("pictures: \(pictures.map { "\($0.count) \($0.word)" }.joined(separator: ", "))")
        }
        return parts.joined(separator: "; ")
    }

    /// One JSON object.
    var json: String {
        func object(_ tally: Changes.Tally) -> JSON { .object(tally.map { (key: $0.word, value: .integer($0.count)) }) }
        var members: [(key: String, value: JSON)] = [
            ("revision", .integer(Int(revision.number))), ("date", .text(revision.moment)),
            ("imported", .flag(revision.imported != nil)),
            ("records", .object(records.map { (key: $0.kind, value: .integer($0.count)) })),
            ("pictures", .integer(pictures)),
            ("gaps", .integer(revision.gaps)),
        ]
        if let changes {
            let kinds = records.map { (key: $0.kind, value: object(changes.records[$0.kind] ?? [])) }
            members.append(("changes", .object(kinds + [("picture", object(changes.pictures))])))
        }
        return String(decoding: JSON.object(members).bytes, as: UTF8.self)
    }
}
