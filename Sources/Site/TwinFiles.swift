import Archive
import Catalogue
import Evidence
import Platform

/// The API's answers as files below `api/`: list pages and pictures as they came, single records as slices of what they
/// came in.
struct TwinFiles: PageSet {
    private let twin: Twin
    private let parts: [Part]
    /// Held while a large page is in memory: one at a time, whatever the number of workers.
    private let largePage = Guarded(())

    enum Part: Equatable {
        case pages(Range<Int>)
        /// A page too large to be in memory once for each worker.
        case largePage(Int)
        case records(kind: Int, Range<Int>)
        case pictures(Range<Int>)
    }

    private static let pagesAtOnce = 10
    private static let recordsAtOnce = 100
    private static let bytesAtOnce = 16 << 20

    init(_ twin: Twin, of reader: RevisionReader) throws {
        self.twin = twin
        var parts = Self.pageParts(twin.pages.map(\.size))
        let recordsAtOnce = try reader.recordsAtOnce(most: Self.recordsAtOnce)
        for (kind, records) in twin.records.enumerated() {
            parts += Self.chunks(records.numbers.count, recordsAtOnce).map { .records(kind: kind, $0) }
        }
        parts += Self.chunks(twin.pictureCount, Self.recordsAtOnce).map { .pictures($0) }
        self.parts = parts
    }

    /// Runs of pages that fit into memory together, and each large page by itself.
    static func pageParts(_ sizes: [Int]) -> [Part] {
        var parts: [Part] = []
        var start = 0
        var bytes = 0
        for (page, size) in sizes.enumerated() {
            let isLarge = size > bytesAtOnce
            if isLarge || page - start == pagesAtOnce || bytes + size > bytesAtOnce {
                if page > start { parts.append(.pages(start..<page)) }
                (start, bytes) = (page, 0)
            }
            if isLarge { parts.append(.largePage(page)) }
            if isLarge { start = page + 1 } else { bytes += size }
        }
        if start < sizes.count { parts.append(.pages(start..<sizes.count)) }
        return parts
    }

    private static func chunks(_ count: Int, _ size: Int) -> [Range<Int>] {
        stride(from: 0, to: count, by: size).map { $0..<min($0 + size, count) }
    }
}

extension TwinFiles {
    var batchCount: Int { parts.count }

    func picturePaths(inBatch batch: Int) -> [SitePath] {
        if case .pictures(let range) = parts[batch] { twin.picturePaths(at: range) } else { [] }
    }

    func filePaths(inBatch batch: Int) -> [SitePath] {
        switch parts[batch] {
        case .pages(let range): twin.pages[range].map(\.path)
        case .largePage(let page): [twin.pages[page].path]
        case .records(let kind, let range): twin.records[kind].paths(at: range)
        case .pictures: []
        }
    }

    func batch(_ batch: Int, from reader: RevisionReader) throws -> PageBatch {
        switch parts[batch] {
        case .pages(let range): PageBatch(files: try twin.pages[range].map { try $0.file(from: reader) })
        case .largePage(let page): PageBatch(streams: [stream(twin.pages[page], reader.revision, reader.folder)])
        case .records(let kind, let range): PageBatch(files: try twin.records[kind].files(at: range, from: reader))
        case .pictures(let range): PageBatch(pictures: try twin.pictures(at: range, from: reader))
        }
    }

    /// The files below `api/` that are no answers; none of an imported state.
    static func ownFiles(_ source: Source, _ catalogue: any Catalogue) -> [SiteFile] {
        [(TwinPath.entry, catalogue.entry(of: source)), (TwinPath.nothing, catalogue.nothing)].compactMap {
            path, bytes in
            bytes.map { SiteFile(path: path, bytes: $0) }
        }
    }

    private func stream(_ page: Twin.Page, _ revision: Revision, _ archive: ArchiveFolder) -> SiteStream {
        SiteStream(path: page.path) { [largePage] file, willWrite in
            try willWrite(page.size)
            try largePage.withLock { _ in
                _ = try File.writeNew(page.file(from: RevisionReader(revision, in: archive)).bytes, to: file)
            }
        }
    }
}
