import Archive
import Catalogue
import Mustache
import Pages
import Platform

/// The pages of each record of a kind, and its pictures. A record with long lists has further pages.
///
/// It is a class, because each page keeps it, and copying a structure copies all its references.
final class RecordPages: PageSet {
    let maker: PageMaker
    let table: RecordTable
    let rows: ListRows
    let models: RecordModels.Kind
    let facets: Facets
    /// The position of the kind's first record in its list.
    let start: Int
    private let batches: Paging

    var kind: KindDeclaration { table.kind }

    init(_ maker: PageMaker, _ table: RecordTable, in rows: ListRows) {
        self.maker = maker
        self.table = table
        self.rows = rows
        models = maker.tables.models[table.kind]
        facets = maker.facets(of: rows)
        start = rows.start(of: table)
        batches = Paging(count: table.count, perPage: table.kind.cardsField == nil ? 20 : 10)
    }

    var batchCount: Int { batches.pages }

    func pagePaths(inBatch batch: Int) -> [SitePath] {
        batches.positions(of: batch).flatMap { row in
            (0..<table.pages(row)).flatMap { page in maker.frame.editions.map { $0.path(table.path(row, page: page)) } }
        }
    }

    func picturePaths(inBatch batch: Int) -> [SitePath] {
        batches.positions(of: batch).compactMap { row in
            table.pictures[row].map { kind.picturePath(table.fileName(row), $0.format) }
        }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        let rows = batches.positions(of: batch)
        let records = try maker.tables.records(of: table, at: rows, from: reader)
        var pages: [DeferredPage] = []
        // Only one content is kept, because those of a batch could fill the memory.
        let last = Locked<RecordContent?>(nil)
        let briefs = BriefCache()
        for (row, (record, origin)) in zip(rows, records) {
            let fields = try JSONFields(record.bytes)
            let files = try RecordFiles(of: fields, kind, maker.tables.links, from: reader)
            for page in 0..<table.pages(row) {
                for edition in maker.frame.editions {
                    pages.append {
                        let content = last.withLock { last in
                            if let last, last.row == row { return last }
                            let content = RecordContent(of: record, fields, at: row, in: self, files, briefs)
                            last = content
                            return content
                        }
                        return RecordPageModel(self, content, number: page, in: edition).page(origin)
                    }
                }
            }
        }
        let pictures = zip(rows, records).compactMap { row, record in
            record.record.picture.map { (kind.picturePath(table.fileName(row), $0.format), $0) }
        }
        return PageBatch(pages: pages, pictures: pictures)
    }
}
