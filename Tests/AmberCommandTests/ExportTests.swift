import Foundation
import SQLite
import SampleAPI
import TestSupport
import Testing

struct ExportTests {
    let small: Small

    init() throws {
        small = try Small()
    }

    private var data: String { "\(small.site)/data" }

    private func records(_ name: String) throws -> [[String: Any]] {
        try jsonObject(Data(contentsOf: URL(fileURLWithPath: "\(data)/\(name)")), as: [[String: Any]].self)
    }

    @Test func `The views of the exported database contain every record`() async throws {
        try await small.run("build").succeeded()
        let characters = try records("characters.json")
        let db = try Connection("\(data)/archive.sqlite", .readOnly)
        let rows = try db.all("SELECT CAST(id AS TEXT), name, status, location, episodes FROM characters") { row in
            [row.text(0), row.text(1), row.text(2), row.text(3), row.text(4)]
        }
        let expected = characters.map { character -> [String] in
            let numbers = (character["episode"] as? [String] ?? []).compactMap {
                $0.split(separator: "/").last.map(String.init)
            }
            return [
                "\(character["id"] as? Int ?? 0)", character["name"] as? String ?? "?",
                character["status"] as? String ?? "?",
                (character["location"] as? [String: Any])?["name"] as? String ?? "?", numbers.joined(separator: " "),
            ]
        }
        #expect(rows == expected && rows.count == 45)
        let dead = try db.all("SELECT name FROM characters WHERE status = 'Dead'") { $0.text(0) }
        #expect(
            dead == characters.filter { $0["status"] as? String == "Dead" }.map { $0["name"] as? String }
                && !dead.isEmpty)
        let pairs = try db.all("SELECT CAST(character AS TEXT), CAST(episode AS TEXT) FROM appearances") {
            "\($0.text(0)) \($0.text(1))"
        }
        #expect(
            pairs == expected.flatMap { row in row[4].split(separator: " ").map { "\(row[0]) \($0)" } }
                && !pairs.isEmpty)
        #expect(try db.first("SELECT count(*) FROM locations") { $0.int(0) } == (try records("locations.json")).count)
        #expect(
            try db.first("SELECT count(*) FROM episodes WHERE air_date <> ''") { $0.int(0) }
                == (try records("episodes.json")).count)
        #expect(try db.first("PRAGMA integrity_check") { $0.text(0) } == "ok")
        #expect(try db.first("PRAGMA foreign_key_check") { _ in true } == nil)
    }

    @Test func `The exported records can be imported and are the API's own bytes`() async throws {
        try await small.run("build").succeeded()
        let other = "\(small.scratch.path)/other"
        try await Program.run(
            "import", data, "--date", "2020-01-01", "--output", other, "--api", small.server.apiURL
        ).succeeded()
        let exported = try Connection("\(data)/archive.sqlite", .readOnly)
        let taken = try Connection("\(other)/archive/archive.sqlite", .readOnly)
        let digests = "SELECT kind || number || hex(sha256) FROM record ORDER BY 1"
        let records = try exported.all(digests) { $0.text(0) }
        #expect(try taken.all(digests) { $0.text(0) } == records && records.count > 45)
    }

    @Test func `The exported CSV is quoted by RFC 4180 and has the columns of the table`() async throws {
        let imports = try Imports()
        let state = try imports.state(
            "state",
            characters: [
                Imports.character(1, #"Ada, \"the\" first"#, episodes: [1, 12]),
                Imports.character(2, #"two\nlines"#, episodes: []),
            ])
        try await imports.run("import", state, "--date", "2018-05-01")
        try await imports.run("render").succeeded()
        let lines = try String(contentsOfFile: "\(imports.output)/site/data/characters.csv", encoding: .utf8)
        let head = "id,name,status,species,type,gender,origin,location,episodes,image,url,created\r\n"
        let rest = "\(Imports.api)/character"
        #expect(
            lines == head
                + "1,\"Ada, \"\"the\"\" first\",Alive,Human,,Female,unknown,Place 1,1 12,\(rest)/avatar/1.jpeg,\(rest)/1,2017-11-04T18:48:46.250Z\r\n"
                + "2,\"two\nlines\",Alive,Human,,Female,unknown,Place 1,,\(rest)/avatar/2.jpeg,\(rest)/2,2017-11-04T18:48:46.250Z\r\n"
        )
    }
}
