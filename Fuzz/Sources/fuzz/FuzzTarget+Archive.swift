import Archive
import Catalogue
import Evidence
import SQLite

@testable import CatalogueEngine

extension FuzzTarget {
    /// An untrusted archive with arbitrary values in its rows. In half of the runs all digests are computed again.
    static let archiveRows = FuzzTarget(name: "archive-rows") { bytes in
        var script = Script(bytes)
        let archive = SmallArchive.shared
        archive.reset()
        let choice = script.byte()
        let isRepaired = choice & 1 == 1
        for _ in 0..<8 where !script.isAtEnd { change(archive, &script) }
        archive.finish()
        if isRepaired { archive.repair() }
        read(archive.folder, Int(choice >> 1), isForged: isRepaired)
    }

    /// An untrusted archive with a changed schema and overwritten bytes.
    static let archiveFile = FuzzTarget(name: "archive-file") { bytes in
        var script = Script(bytes)
        let archive = SmallArchive.shared
        archive.reset()
        for _ in 0..<(script.byte() & 3) { changeSchema(archive, &script) }
        archive.finish()
        let choice = script.byte()
        while !script.isAtEnd {
            archive.patch(script.bytes(1 + script.number(below: 8)), at: script.number(below: archive.size))
        }
        read(archive.folder, Int(choice), isForged: false)
    }

    private static func change(_ archive: SmallArchive, _ script: inout Script) {
        let table = script.chosen(from: archive.tables)
        let key = table.key.joined(separator: ", ")
        let row =
            "(\(key)) = (SELECT \(key) FROM \(table.name) ORDER BY \(key) LIMIT 1 OFFSET \(script.number(below: 6)))"
        switch script.byte() % 8 {
        case 0: archive.run("DELETE FROM \(table.name) WHERE \(row)")
        case 1, 2:
            let changed = script.chosen(from: table.columns)
            let columns = table.columns.map { $0 == changed ? "?1" : $0 }.joined(separator: ", ")
            archive.run(
                "INSERT OR REPLACE INTO \(table.name) SELECT \(columns) FROM \(table.name) WHERE \(row)",
                [value(&script)])
        default:
            archive.run(
                "UPDATE OR REPLACE \(table.name) SET \(script.chosen(from: table.columns)) = ?1 WHERE \(row)",
                [value(&script)])
        }
    }

    private static let numbers: [Int64] = [
        0, 1, 2, 3, -1, .max, .min, .max - 1, 1 << 31, -1 << 31, 1 << 32, 1 << 53, 255, 256, 65_536, 1_000_000_000,
        253_402_300_800_000,
    ]

    private static let texts = [
        "", "character", "location", "episode", "K", "\u{212A}", "e\u{301}", "\u{E9}", "../../x", "/etc/x", "a/../b",
        "con", "A", "a", ".",
        "x\u{0}y",
        "\u{1B}[2J", "page", "records", "picture", "complete", "open", "live", "sample", "rickandmorty",
        "http://127.0.0.1/api",
        "character/avatar/1.png", "character/avatar/1.html", "character/1", "character?page=2", "png", "svg",
        "characters.json",
        "episode[0]",
        String(repeating: "k", count: 300),
    ]

    private static func value(_ script: inout Script) -> SQLiteValue {
        switch script.byte() % 8 {
        case 0: .null
        case 1: .real(Double(script.number(below: 65_536)) * 1e300)
        case 2, 3: .integer(script.chosen(from: numbers))
        case 4: .integer(Int64(script.number(below: 65_536)) - 300)
        case 5: .blob(script.bytes(script.number(below: 64)))
        case 6: .text(String(decoding: script.bytes(script.number(below: 64)), as: UTF8.self))
        default: .text(script.chosen(from: texts))
        }
    }

    private static func changeSchema(_ archive: SmallArchive, _ script: inout Script) {
        let table = script.chosen(from: archive.tables)
        let columns = table.columns
        let endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT "
        switch script.byte() % 6 {
        case 0:
            archive.run("DROP TABLE \(table.name)")
            archive.run(
                "CREATE VIEW \(table.name) AS \(endless)\(columns.map { "i AS \($0)" }.joined(separator: ", ")) FROM n")
        case 1: archive.run("DROP TABLE \(table.name)")
        case 2: archive.run("ALTER TABLE \(table.name) DROP COLUMN \(script.chosen(from: columns))")
        case 3:
            archive.run(
                "CREATE TRIGGER t\(script.byte()) AFTER UPDATE ON \(table.name) BEGIN DELETE FROM \(script.chosen(from: archive.tables).name); END"
            )
        case 4: archive.run("PRAGMA user_version = \(script.number(below: 9))")
        default:
            archive.run("PRAGMA writable_schema = ON")
            archive.run("UPDATE sqlite_master SET rootpage = ?1 WHERE name = ?2", [value(&script), .text(table.name)])
        }
    }

    /// Runs the readers of `verify`, `log`, `diff`, `render` and `snapshot`: the proofs, one of the readers, or both.
    /// If all proofs hold, reading must succeed, unless the archive was forged with new digests.
    private static func read(_ folder: ArchiveFolder, _ choice: Int, isForged: Bool) {
        let (first, second) = (choice % 8, choice / 8 % 4)
        let isWanted = { (revision: Revision) in first >= 6 || Int(revision.number) % 2 == choice / 32 % 2 }
        let faults =
            first < 6 ? [] : folder.proofs(subject: "fuzz", hasDigestFile: false).compactMap(\.fault)
        do {
            for revision in try RevisionReader.all(in: folder, where: { _ in true }).filter(isWanted) {
                let catalogue = declaredCatalogue([revision.source.api])
                let reader = try RevisionReader(revision, in: folder)
                switch first < 6 ? first : second {
                case 0:
                    let mirror = try APIMirror(of: reader, catalogue)
                    _ = try Completeness(of: mirror, RootHash(of: mirror, reader), reader)
                case 1: _ = try RecordTables(reader, catalogue, catalogue.links(revision.source.api), folders: [])
                case 2: _ = try History(reader, catalogue)
                case 3:
                    for (kind, count) in try reader.recordCounts() { _ = try reader.origins(of: kind, at: 0..<count) }
                    for role in [AnswerRole.page, .records, .asset] { try reader.forEachAnswer(as: role) { _ in } }
                case 4: _ = try RootHash(of: reader, catalogue)
                default: _ = try (reader.gaps(), reader.picturesOfHistory())
                }
            }
        } catch {
            require(first < 6 || isForged || !faults.isEmpty, "an archive can be read if all proofs hold: \(error)")
        }
    }
}
