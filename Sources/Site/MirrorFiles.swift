import Archive
import Catalogue
import Evidence
import Pages
import Platform

/// The API's answers as files below `api/`: list pages and pictures as received, and records cut out of answers.
struct MirrorFiles: PageSet {
    private let mirror: APIMirror
    private let batches: [Batch]
    /// Locked while a large page is in memory, so that only one large page is loaded at a time.
    private let largePage = Locked(())

    private enum Batch {
        case page(Int)
        case records(kind: Int, Range<Int>)
        case pictures(Range<Int>)
    }

    private static let maximumRecordsPerBatch = 100

    init(_ mirror: APIMirror, of reader: RevisionReader) throws {
        self.mirror = mirror
        var batches = mirror.pages.indices.map { Batch.page($0) }
        let recordsPerBatch = try reader.batchSize(limit: Self.maximumRecordsPerBatch)
        for (kind, records) in mirror.records.enumerated() {
            batches += (0..<records.numbers.count).chunks(of: recordsPerBatch).map { .records(kind: kind, $0) }
        }
        batches += (0..<mirror.pictures.count).chunks(of: Self.maximumRecordsPerBatch).map { .pictures($0) }
        self.batches = batches
    }
}

extension MirrorFiles {
    var batchCount: Int { batches.count }

    func picturePaths(inBatch batch: Int) -> [SitePath] {
        if case .pictures(let range) = batches[batch] { mirror.pictures.paths(at: range) } else { [] }
    }

    func filePaths(inBatch batch: Int) -> [SitePath] {
        switch batches[batch] {
        case .page(let page): [mirror.pages[page].path]
        case .records(let kind, let range): mirror.records[kind].paths(at: range)
        case .pictures: []
        }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        switch batches[batch] {
        // Only one worker at a time loads a page of 16 MiB or more, because several might not fit into memory.
        case .page(let page) where mirror.pages[page].size >= 16 << 20:
            PageBatch(streams: [stream(mirror.pages[page], reader.revision, reader.folder)])
        case .page(let page): PageBatch(files: [try mirror.pages[page].file(from: reader)])
        case .records(let kind, let range): PageBatch(files: try mirror.records[kind].files(at: range, from: reader))
        case .pictures(let range): PageBatch(pictures: try mirror.pictures(at: range, from: reader))
        }
    }

    private func stream(_ page: APIMirror.Page, _ revision: Revision, _ archive: ArchiveFolder) -> SiteStream {
        SiteStream(path: page.path) { [largePage] file, willWrite in
            try willWrite(page.size)
            try largePage.withLock { _ in
                _ = try File.writeNew(page.file(from: RevisionReader(revision, in: archive)).bytes, to: file)
            }
        }
    }
}
