import Archive
import Catalogue
import Pages
import Platform

/// The data as files for other programs. One database has the archive of the revision and its history, and a view for
/// each table. Each table is also a JSON file, with the records as served, and a CSV file.
struct ExportFiles: PageSet {
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

    /// One batch for the database, then two for each table.
    var batchCount: Int { 1 + 2 * tables.count }

    func filePaths(inBatch batch: Int) -> [SitePath] { [paths[batch]] }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        PageBatch(streams: [SiteStream(path: paths[batch]) { try write(batch, to: $0, $1) }])
    }

    var paths: [SitePath] {
        let files = tables.flatMap { table in
            let name = catalogue.plural(of: table.kind)
            return [SitePath(joined: "data/\(name).json"), SitePath(joined: "data/\(name).csv")]
        }
        return [SitePath(fixed: "data/archive.sqlite")] + files
    }
}

extension ExportFiles {
    private func write(_ batch: Int, to file: String, _ willWrite: @escaping (Int) throws -> Void) throws {
        guard batch > 0 else { return try writeDatabase(to: file, willWrite) }
        let table = tables[(batch - 1) / 2]
        try FileWriter.write(file, willWrite) { append in
            if batch % 2 == 1 { try writeJSON(table, append) } else { try writeCSV(table, append) }
        }
    }

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
