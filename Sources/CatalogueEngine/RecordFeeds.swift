import Archive
import Catalogue
import Pages

extension PageMaker {
    /// The maximum number of entries of a feed. Feed readers keep older entries.
    private static let feedEntries = 30

    /// The feed of the records with the latest dates; nil if the kind declares none.
    func feed(of kind: KindDeclaration, in rows: ListRows) -> RecordFeed? {
        guard let field = kind.feed else { return nil }
        let table = tables[kind.name]
        let days = (0..<table.count).map { (row: $0, day: field.machineReadable(table.text(field, $0)).prefix(10)) }
            .filter { $0.day.count == 10 }.sorted { ($1.day, $0.row) < ($0.day, $1.row) }
        // The table has no times, so all records of the last day are candidates, within a limit.
        let last = days.prefix(Self.feedEntries).last?.day ?? ""
        let candidates = days.prefix { $0.day >= last }.prefix(10 * Self.feedEntries)
        let text = kind.fields.first { $0.type.isLongText && $0 !== kind.about } ?? kind.about
        let entries: @Sendable (RevisionReader, Edition) throws -> [FeedEntry] = { [tables] reader, edition in
            let records = try candidates.flatMap { row, day in
                try tables.records(of: table, at: row..<row + 1, from: reader).map { found in
                    let fields = try JSONFields(found.record.bytes)
                    let moment = Self.moment(fields.scalar(field.path)) ?? "\(day)T00:00:00Z"
                    return (row: row, moment: moment, key: found.record.key, fields: fields)
                }
            }
            let newest = records.sorted { ($1.moment, $0.row) < ($0.moment, $1.row) }
            return try newest.prefix(Self.feedEntries).map { row, moment, key, fields in
                let files = try RecordFiles(of: fields, kind, tables.links, from: reader)
                let root = edition.path(kind.feedPath).root
                let markup = RecordMarkup(tables: tables, texts: edition.texts, home: "", root: root)
                let html = text.map { markup.html($0.valid(fields) ?? "", files) } ?? []
                return ("\(key)", table.names[row], moment, table.path(row), String(decoding: html, as: UTF8.self))
            }
        }
        return (kind.feedPath, rows.list.title, rows.list.path(page: 0), entries)
    }

    /// A served moment in the form of RFC 3339; nil for another text. A moment without a zone counts as UTC.
    private static func moment(_ served: String) -> String? {
        let text = Day.machineReadable(moment: Day.moment(unix: served) ?? served)
        let parts = text.wholeMatch(of: /(\d{4}-\d\d-\d\dT\d\d:\d\d)(:\d\d)?(Z|[+-]\d\d:\d\d)?/)
        return parts.map { "\($0.1)\($0.2 ?? ":00")\($0.3 ?? "Z")" }
    }
}
