import Platform
import SQLite
import TestSupport
import Testing

@testable import Archive

struct RepeatedPageTests {
    private let test: TestArchive

    init() throws {
        test = try TestArchive()
    }

    /// A b-tree page without rowids (https://sqlite.org/fileformat.html#b_tree_pages), full of copies of one row.
    private func page(of row: [UInt8], size: Int, child: UInt32?) -> [UInt8] {
        func big(_ value: some FixedWidthInteger) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
        let cell = (child.map(big) ?? []) + [UInt8(row.count)] + row
        let header = child == nil ? 8 : 12
        let count = (size - header) / (cell.count + 2)
        let start = size - count * cell.count
        let offsets = (0..<count).flatMap { big(UInt16(size - ($0 + 1) * cell.count)) }
        let head =
            [child == nil ? 10 : 2, 0, 0] + big(UInt16(count)) + big(UInt16(start)) + [0] + (child.map(big) ?? [])
        let space = [UInt8](repeating: 0, count: start - head.count - offsets.count)
        return head + offsets + space + [[UInt8]](repeating: cell, count: count).joined()
    }

    @Test(arguments: ["member", "answer", "gap"])
    func `A table whose page repeats is refused before its rows are read`(_ table: String) async throws {
        try await test.capture()
        let file = test.archive.database
        let (size, root) = try {
            let db = try Connection(file, .readOnly)
            return (
                try #require(try db.first("PRAGMA page_size") { $0.int(0) }),
                try #require(
                    try db.first("SELECT rootpage FROM sqlite_schema WHERE name = ?", table) { $0.int(0) })
            )
        }()
        // The revision 1, then the texts "a", then numbers or nulls.
        let row: [UInt8] =
            switch table {
            case "member": [7, 9, 15, 8, 9, 0, 0] + Array("a".utf8)
            case "answer": [5, 9, 15, 9, 21] + Array("apage".utf8)
            default: [5, 9, 15, 15, 15] + Array("aaa".utf8)
            }
        var bytes = try File.read(file)
        let pages = UInt32(bytes.count / size)
        bytes.replaceSubrange((root - 1) * size..<root * size, with: page(of: row, size: size, child: pages + 2))
        bytes += page(of: row, size: size, child: nil) + page(of: row, size: size, child: pages + 1)
        bytes.replaceSubrange(28..<32, with: withUnsafeBytes(of: (pages + 2).bigEndian, Array.init))
        try File.replace(bytes, at: file)
        #expect(
            throws: ArchiveError.refused(
                "its table \"\(table)\" has more rows than a file of its size can hold", archive: file)
        ) { try test.newest() }
    }
}
