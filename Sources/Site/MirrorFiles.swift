import Archive
import Catalogue
import Evidence
import Pages
import Platform

/// The API's answers as files below `api/`. List pages and pictures are stored as received. A single record is cut out
/// of the answer that contains it.
struct MirrorFiles: PageSet {
    private let mirror: APIMirror
    private let batches: [Batch]
    /// Locked while a large page is in memory, so that only one large page is loaded at a time.
    private let largePage = Locked(())

    private enum Batch {
        case pages(Range<Int>)
        case records(kind: Int, Range<Int>)
        case pictures(Range<Int>)
    }

    private static let maximumPagesPerBatch = 10
    private static let maximumRecordsPerBatch = 100
    private static let maximumBytesPerBatch = 16 << 20

    init(_ mirror: APIMirror, of reader: RevisionReader) throws {
        self.mirror = mirror
        var batches = Self.pageBatches(mirror.pages.map(\.size)).map { Batch.pages($0) }
        let recordsPerBatch = try reader.batchSize(limit: Self.maximumRecordsPerBatch)
        for (kind, records) in mirror.records.enumerated() {
            batches += Self.chunks(records.numbers.count, recordsPerBatch).map { .records(kind: kind, $0) }
        }
        batches += Self.chunks(mirror.pictures.count, Self.maximumRecordsPerBatch).map { .pictures($0) }
        self.batches = batches
    }

    /// Groups pages that fit into memory together. A large page is alone.
    static func pageBatches(_ sizes: [Int]) -> [Range<Int>] {
        var batches: [Range<Int>] = []
        var bytes = Int.max
        for (page, size) in sizes.enumerated() {
            if let last = batches.last, last.count < maximumPagesPerBatch, bytes <= maximumBytesPerBatch - size {
                batches[batches.count - 1] = last.lowerBound..<page + 1
                bytes += size
            } else {
                batches.append(page..<page + 1)
                bytes = size
            }
        }
        return batches
    }

    private static func chunks(_ count: Int, _ size: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
    }
}

extension MirrorFiles {
    var batchCount: Int { batches.count }

    func picturePaths(inBatch batch: Int) -> [SitePath] {
        if case .pictures(let range) = batches[batch] { mirror.pictures.paths(at: range) } else { [] }
    }

    func filePaths(inBatch batch: Int) -> [SitePath] {
        switch batches[batch] {
        case .pages(let range): mirror.pages[range].map(\.path)
        case .records(let kind, let range): mirror.records[kind].paths(at: range)
        case .pictures: []
        }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        switch batches[batch] {
        // Only one worker at a time loads a large page, because several might not fit into memory.
        case .pages(let range) where mirror.pages[range.lowerBound].size > Self.maximumBytesPerBatch:
            PageBatch(streams: [stream(mirror.pages[range.lowerBound], reader.revision, reader.folder)])
        case .pages(let range): PageBatch(files: try mirror.pages[range].map { try $0.file(from: reader) })
        case .records(let kind, let range): PageBatch(files: try mirror.records[kind].files(at: range, from: reader))
        case .pictures(let range): PageBatch(pictures: try mirror.pictures(at: range, from: reader))
        }
    }

    /// The files below `api/` that are not stored answers: the root, and the body for paths that do not exist.
    static func ownFiles(_ source: Source, _ catalogue: any SiteCatalogue) -> [SiteFile] {
        let files = [
            (MirrorPath.root, catalogue.rootAnswer(of: source)), (MirrorPath.notFound, catalogue.notFoundBody),
        ]
        return files.compactMap { path, bytes in bytes.map { (path, $0) } }
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
