import Archive
import Catalogue

extension Run {
    func log() throws -> ExitCode {
        let revisions = try revisions()
        guard !revisions.isEmpty else { throw try noRevision() }
        var entries: [(json: JSON, lines: [String])] = []
        var compared: Int64 = 0
        for (revision, earlier) in zip(revisions, [nil] + revisions.map { $0 }) {
            entries.insert(try entry(revision, after: earlier, &compared), at: 0)
        }
        if settings.wantsJSON {
            Console.output(["revisions": .list(entries.map(\.json))])
        } else {
            Console.output(lines: entries.flatMap(\.lines))
        }
        return .done
    }

    private func entry(
        _ revision: Revision, after earlier: Revision?, _ compared: inout Int64
    ) throws -> (json: JSON, lines: [String]) {
        try read(revision) { reader in
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
                word: files > 0 ? "file" : "picture", plural: files > 0 ? "files" : "pictures",
                count: pictureCount + files,
                new: changes?.pictures.count { $0.old == nil } ?? 0,
                gone: changes?.pictures.count { $0.new == nil } ?? 0,
                changed: changes?.pictures.count { $0.old != nil && $0.new != nil } ?? 0)

            let rows = records + [pictures]
            let isImported = revision.imported != nil
            let json: JSON = [
                "revision": .integer(Int(revision.number)), "date": .text(revision.moment),
                "imported": .flag(isImported),
                "records": .object(records.map { ($0.word, .integer($0.count)) }),
                "pictures": .integer(pictures.count), "gaps": .integer(revision.gaps),
                "changes": earlier.map { _ in
                    .object(records.map { ($0.word, $0.json) } + [("picture", pictures.json)])
                },
            ]
            let shown = (pictures.count > 0 ? rows : records).map {
                "\($0.count) \($0.count == 1 ? $0.word : $0.plural)"
            }
            let gaps = revision.gaps == 0 ? "" : revision.gaps == 1 ? ", 1 gap" : ", \(revision.gaps) gaps"
            let changed = rows.compactMap(\.changeText).joined(separator: "; ")
            let lines = [
                "revision \(revision.number)  "
                    + (isImported ? "\(revision.day)  imported" : "\(revision.moment)  captured"),
                "    \(shown.joined(separator: ", "))\(gaps)",
                "    \(earlier == nil ? "first revision" : changed.isEmpty ? "nothing changed" : changed)",
            ]
            return (json, lines)
        }
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
