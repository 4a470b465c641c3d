import Platform
import SQLite
import TestSupport

@testable import Archive

extension TestArchive {
    /// Rewrites the archive in an earlier format.
    func rewrite(inFormat version: Int) throws {
        let (new, old) = (folder["new.sqlite"], archive.database)
        try File.rename(old, to: new)
        let db = try Connection(old, .readWrite)
        try db.apply(Schema.migrations.prefix(version))
        try db.run("ATTACH ? AS new", new)
        for table in try db.all(
            "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY rowid", read: { $0.text(0) })
        {
            func columns(_ schema: String) throws -> [String] {
                try db.all("SELECT name FROM pragma_table_info(?, ?)", table, schema) { $0.text(0) }
            }
            let known = try columns("new")
            let names = try columns("main")
            let values = names.map { name in
                if known.contains(name) { return name }
                // Up to format 5, the table `record` contains the path of the picture.
                return "(SELECT max(picture) FROM new.member WHERE member.record = record.id)"
            }
            try db.execute(
                "INSERT INTO main.\(table)(\(names.joined(separator: ", "))) SELECT \(values.joined(separator: ", ")) FROM new.\(table)"
            )
        }
        try db.execute("DETACH new")
        try File.remove(new)
        try archive.writeDigestFile()
    }
}
