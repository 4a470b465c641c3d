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
        for (index, revision) in revisions.enumerated() {
            lines.append(try line(revision, after: index > 0 ? revisions[index - 1] : nil))
        }
        if settings.wantsJSON {
            Console.output(json: "{\"revisions\":[\(lines.reversed().map(\.json).joined(separator: ","))]}")
        } else {
            Console.output(lines: lines.reversed().flatMap(\.lines))
        }
        return .done
    }

    private func line(_ revision: Revision, after earlier: Revision?) throws -> LogLine {
        try read(revision) { reader in
            let counts = try reader.recordCounts()
            let kinds = try settings.catalogue.kinds(among: counts.keys)
            return LogLine(
                revision: revision, records: kinds.map { (kind: $0, plural: settings.catalogue.plural(of: $0), count: counts[$0] ?? 0) },
                pictures: try reader.pictureCount(),
                changes: try earlier.map { try RevisionChanges(in: reader, from: $0, settings.catalogue) })
        }
    }
}

/// What `amber log` says of one revision.
struct LogLine {
    let revision: Revision
    let records: [(kind: String, plural: String, count: Int)]
    let pictures: Int
    /// Nil for the first revision.
    let changes: RevisionChanges?

    /// Two or three lines for people.
    var lines: [String] {
        let how = revision.imported == nil ? "captured" : "imported"
        let date = revision.imported == nil ? revision.moment : revision.day
        let counts =
            records.map { "\($0.count) \($0.count == 1 ? $0.kind : $0.plural)" }
            + (pictures > 0 ? ["\(pictures) \(pictures == 1 ? "picture" : "pictures")"] : [])
        let gaps = revision.gaps == 0 ? "" : revision.gaps == 1 ? ", 1 gap" : ", \(revision.gaps) gaps"
        return ["revision \(revision.number)  \(date)  \(how)", "    \(counts.joined(separator: ", "))\(gaps)", "    \(said)"]
    }

    private var said: String {
        guard let changes else { return "the first state" }
        guard !changes.isEmpty else { return "nothing changed" }
        var parts: [String] = []
        for (kind, plural, _) in records {
            let numbers = tally(kind).filter { $0.count > 0 }
            if !numbers.isEmpty { parts.append("\(plural): \(numbers.map { "\($0.count) \($0.word)" }.joined(separator: ", "))") }
        }
        let pictures = pictureTally.filter { $0.count > 0 }
        if !pictures.isEmpty { parts.append("pictures: \(pictures.map { "\($0.count) \($0.word)" }.joined(separator: ", "))") }
        return parts.joined(separator: "; ")
    }

    private func tally(_ kind: String) -> [(word: String, count: Int)] {
        guard let changes else { return [] }
        return [
            ("new", changes.added.count { $0.key.kind == kind }), ("gone", changes.removed.count { $0.key.kind == kind }),
            ("changed", changes.changed.count { $0.key.kind == kind }),
        ]
    }

    private var pictureTally: [(word: String, count: Int)] {
        let pictures = changes?.pictures ?? []
        return [
            ("new", pictures.count { $0.old == nil }), ("gone", pictures.count { $0.new == nil }),
            ("changed", pictures.count { $0.old != nil && $0.new != nil }),
        ]
    }

    /// One JSON object.
    var json: String {
        func object(_ tally: [(word: String, count: Int)]) -> JSON { .object(tally.map { (key: $0.word, value: .integer($0.count)) }) }
        var members: [(key: String, value: JSON)] = [
            ("revision", .integer(Int(revision.number))), ("date", .text(revision.moment)), ("imported", .flag(revision.imported != nil)),
            ("records", .object(records.map { (key: $0.kind, value: .integer($0.count)) })), ("pictures", .integer(pictures)),
            ("gaps", .integer(revision.gaps)),
        ]
        if changes != nil {
            let kinds = records.map { (key: $0.kind, value: object(tally($0.kind))) }
            members.append(("changes", .object(kinds + [("picture", object(pictureTally))])))
        }
        return String(decoding: JSON.object(members).bytes, as: UTF8.self)
    }
}
