import Archive
import Catalogue
import Pages
import Platform

/// The data as files for other programs. One database has the archive of the revision and its history, and a view for
/// each table. Each table is also a JSON file, with the records as served, and a CSV file.
struct ExportFiles: Sendable {
    private let catalogue: any SiteCatalogue
    private let revision: Revision
    private let archive: ArchiveFolder
    /// The tables of kinds with a list, and of other kinds that have records.
    private let tables: [ExportTable]

    init(_ catalogue: any SiteCatalogue, _ reader: RevisionReader) throws {
        let counts = try reader.recordCounts()
        let listed = Set(catalogue.lists.map(\.kind))
        tables = catalogue.exportTables.filter { listed.contains($0.kind) || counts[$0.kind] != nil }
        self.catalogue = catalogue
        revision = reader.revision
        archive = reader.folder
    }

    var streams: [SiteStream] {
        let database = SiteStream(path: SitePath(fixed: "data/archive.sqlite"), write: writeDatabase)
        return [database]
            + tables.flatMap { table in
                let name = "data/\(catalogue.plural(of: table.kind))"
                return [
                    SiteStream(path: SitePath(joined: "\(name).json"), appending: { try writeJSON(table, $0) }),
                    SiteStream(path: SitePath(joined: "\(name).csv"), appending: { try writeCSV(table, $0) }),
                ]
            }
    }

    @Sendable
    private func writeDatabase(to file: String, _ willWrite: @escaping (Int) throws -> Void) throws {
        let views = tables.map { $0.view(named: catalogue.plural(of: $0.kind)) }
        try RevisionReader(revision, in: archive)
            .export(to: file, views: views + catalogue.exportRelations, willWrite)
    }

    /// A JSON array with the unchanged bytes of each record, separated by commas and line feeds.
    private func writeJSON(_ table: ExportTable, _ append: ([UInt8]) throws -> Void) throws {
        try append(Array("[\n".utf8))
        var isFirst = true
        try forEach(table.kind) { record in
            if !isFirst { try append(Array(",\n".utf8)) }
            isFirst = false
            try append(record.bytes)
        }
        try append(Array("\n]\n".utf8))
    }

    private func writeCSV(_ table: ExportTable, _ append: ([UInt8]) throws -> Void) throws {
        try append(table.header)
        try forEach(table.kind) { try append(try table.line(of: $0)) }
    }

    private func forEach(_ kind: String, _ body: (StoredRecord) throws -> Void) throws {
        _ = try RevisionReader(revision, in: archive).records(of: kind, at: 0..<Int.max, convert: body)
    }
}
