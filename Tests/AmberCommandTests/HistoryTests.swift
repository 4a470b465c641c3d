import Archive
import Foundation
import SQLite
import TestSupport
import Testing

struct HistoryTests {
    let imports: Imports

    init() throws {
        imports = try Imports()
    }

    @Test func `Log lists the revisions, newest first, with the changes of each`() async throws {
        try await imports.importTwo()
        let result = try await imports.run("log").succeeded()
        #expect(
            result.output == """
                revision 1  2018-05-01  imported
                    2 characters, 2 locations, 2 episodes
                    characters: 1 new, 1 gone, 1 changed; locations: 1 new, 1 changed; episodes: 1 new, 1 changed
                revision 2  2018-02-05  imported
                    2 characters, 1 location, 1 episode
                    first revision

                """)
        let revisions = try await imports.revisions()
        #expect(revisions.map { $0["revision"] as? Int } == [1, 2])
        #expect(revisions.map { $0["date"] as? String } == ["2018-05-01T00:00:00Z", "2018-02-05T00:00:00Z"])
        let changes = try #require(revisions[0]["changes"] as? [String: [String: Int]])
        #expect(changes["character"] == ["new": 1, "gone": 1, "changed": 1])
        #expect(revisions[1]["changes"] == nil)
        #expect(try await imports.run("log", "--quiet").output == "")
    }

    @Test func `Diff prints added, removed and changed records with old and new values`() async throws {
        try await imports.importTwo()
        let text = """
            revision 2 of 2018-02-05, imported -> revision 1 of 2018-05-01, imported

            character: 1 new, 1 gone, 1 changed
            - character 2 Ben
            + character 3 Cid
            ~ character 1 Ada
                episode: + "https://rickandmortyapi.com/api/episode/2"
                status: "Alive" -> "Dead"

            location: 1 new, 0 gone, 1 changed
            + location 2 Place 2
            ~ location 1 Place 1
                residents: - "https://rickandmortyapi.com/api/character/2"

            episode: 1 new, 0 gone, 1 changed
            + episode 2 Episode 2
            ~ episode 1 Episode 1
                characters: the same in another order

            """
        let byNumber = try await imports.run("diff", "2", "1")
        #expect(byNumber.output == text && byNumber.code == 0)
        // A date selects the newest revision up to the end of that day.
        let byDay = try await imports.run("diff", "2018-04-30", "2018-05-01")
        #expect(byDay.output == text)
        let nothing = try await imports.run("diff", "1", "2026-01-01")
        #expect(nothing.output.hasSuffix("\nnothing changed\n"))
    }

    @Test func `Diff replaces control characters and distinguishes canonically equal texts`() async throws {
        func state(_ name: String, _ more: String) throws -> String {
            try imports.state(name, characters: [String(Imports.character(1, "Ada").dropLast()) + more + "}"])
        }
        let members = #""\u001b[2Ja":[1],"\u001b[2Jb":[1,2],"c":{"\u001b[2Jd":[1]},"e":"\u00e9"}"#.dropLast()
        let later = #""\u001b[2Ja":[2],"\u001b[2Jb":[2,1],"c":{"\u001b[2Jd":[]},"e":"e\u0301"}"#.dropLast()
        try await imports.run("import", try state("old", ",\(members)"), "--date", "2018-02-05")
        try await imports.run("import", try state("new", ",\(later)"), "--date", "2018-05-01")
        let result = try await imports.run("diff", "1", "2")
        #expect(
            result.output.split(separator: "\n").dropFirst(3).map { Array($0.unicodeScalars) }
                == [
                    "    \u{FFFD}[2Ja: - 1", "    \u{FFFD}[2Ja: + 2", "    \u{FFFD}[2Jb: the same in another order",
                    "    c.\u{FFFD}[2Jd: - 1", "    e: \"\u{E9}\" -> \"e\u{301}\"",
                ].map { Array($0.unicodeScalars) }, "\(result.output.debugDescription)")
    }

    @Test func `Diff shortens long values around their difference, and --json has them whole`() async throws {
        let (start, end) = (String(repeating: "so ", count: 50), String(repeating: " on", count: 50))
        func state(_ name: String, _ word: String) throws -> String {
            let text = "\(start)\(word)\(end)"
            let more = #","text":"\#(text)","items":[{"text":"\#(text)"}]}"#
            return try imports.state(name, characters: [String(Imports.character(1, "Ada").dropLast()) + more])
        }
        try await imports.run("import", try state("old", "red"), "--date", "2018-02-05")
        try await imports.run("import", try state("new", "blue"), "--date", "2018-05-01")
        let lines = try await imports.run("diff", "1", "2").output.split(separator: "\n").dropFirst(3)
        let shown = ["red", "blue"].map { word in
            "… so so so so so so \(word)" + String(String(repeating: " on", count: 50).prefix(79 - word.count)) + "…"
        }
        #expect(
            Array(lines) == [
                "    items: - \(shown[0])", "    items: + \(shown[1])", "    text: \(shown[0]) -> \(shown[1])",
            ])
        let whole = try await imports.run("diff", "1", "2", "--json").output
        #expect(whole.contains("\"old\":\"\(start)red\(end)\",\"new\":\"\(start)blue\(end)\""))
    }

    @Test func `Diff --json has the changed values, and added and removed records as a whole`() async throws {
        try await imports.importTwo()
        let diff = try await imports.json("diff", "2", "1")
        let added = try #require(diff["added"] as? [[String: Any]])
        #expect(added.map { $0["title"] as? String } == ["Cid", "Episode 2", "Place 2"])
        #expect((added[0]["record"] as? [String: Any])?["status"] as? String == "Alive")
        let removed = try #require(diff["removed"] as? [[String: Any]])
        #expect(removed.count == 1 && (removed[0]["record"] as? [String: Any])?["name"] as? String == "Ben")
        let changed = try #require(diff["changed"] as? [[String: Any]])
        let ada = try #require(changed.first { $0["title"] as? String == "Ada" }?["fields"] as? [[String: Any]])
        #expect(ada.map { $0["name"] as? String } == ["episode", "status"])
        #expect(ada[1]["old"] as? String == "Alive" && ada[1]["new"] as? String == "Dead")
        #expect((ada[0]["new"] as? [String])?.count == 2)
    }

    @Test func `Diff --json gives a record that is not JSON as a string`() async throws {
        try await imports.importTwo()
        let db = try Connection("\(imports.output)/archive/archive.sqlite", .readWrite)
        let texts = [
            #"{"name":"x"}},{"kind":"character","id":999,"title":"FORGED","record":{"x":1}"#,
            "\u{FEFF}{\"name\":\"x\"}",
        ]
        for text in texts {
            let (bytes, digest) = (Array(text.utf8), SHA256(of: text.utf8))
            try db.run("INSERT INTO body(sha256, bytes) VALUES (?, ?)", digest, bytes)
            try db.run(
                """
                UPDATE record SET body = (SELECT max(id) FROM body), offset = 0, length = ?1, sha256 = ?2
                WHERE kind = 'character' AND number = 3
                """, text.utf8.count, digest)
            let added = try #require(try await imports.json("diff", "2", "1")["added"] as? [[String: Any]])
            #expect(added.map { $0["id"] as? Int } == [3, 2, 2])
            // Foundation's JSON reader drops a byte order mark.
            #expect((added[0]["record"] as? String)?.drop { $0 == "\u{FEFF}" } == text.drop { $0 == "\u{FEFF}" })
        }
    }

    @Test func `Render builds the site of any revision`() async throws {
        try await imports.importTwo()
        try await imports.run("render", "--revision", "2018-02-05").succeeded()
        #expect(FileManager.default.fileExists(atPath: "\(imports.output)/site/character/2.html"))
        try await imports.run("render").succeeded()
        #expect(!FileManager.default.fileExists(atPath: "\(imports.output)/site/character/2.html"))
        #expect(FileManager.default.fileExists(atPath: "\(imports.output)/site/character/3.html"))
    }

    @Test func `A state that equals the one before its date adds no revision`() async throws {
        try await imports.importTwo()
        let again = try await imports.run("import", "\(imports.scratch.path)/second", "--date", "2019-11-30")
        #expect(
            again.code == 0
                && again.errors == "the state of 2019-11-30 equals revision 1 of 2018-05-01; nothing was imported\n")
        let back = try await imports.run("import", "\(imports.scratch.path)/first", "--date", "2019-11-30")
        #expect(back.code == 0 && back.errors == "")
        #expect(try await imports.revisions().count == 3)
    }

    @Test func `The completeness report has each gap of an import once`() async throws {
        let partial = Imports.character(1, "Ada").dropLast() + #","items":[1],"items_total":5}"#
        let odd = Imports.character(2, "Eve").replacing("/api/location/1", with: "/elsewhere/1")
        let state = try imports.state("gaps", characters: [String(partial), odd])
        let run = try await imports.run("import", state, "--date", "2018-05-01")
        #expect(run.code == 4)
        #expect(try await imports.run("render").code == 4)
        let report = try JSONSerialization.jsonObject(
            with: Data(contentsOf: URL(fileURLWithPath: "\(imports.output)/site/completeness.json")))
        let gaps = try #require((report as? [String: Any])?["gaps"] as? [[String: String]])
        #expect(gaps.map { $0["url"] } == ["characters.json", "characters.json"])
        #expect(gaps.map { $0["keyPath"] } == ["[0].items", "[1].location.url"])
    }

    @Test func `An import that fails names the cause and leaves the archive unchanged`() async throws {
        let good = try imports.state("good", characters: [Imports.character(1, "Ada")])
        let twice = try imports.state("twice", characters: [Imports.character(1, "Ada"), Imports.character(1, "Eve")])
        let cut = try imports.state("cut", characters: [Imports.character(1, "Ada"), #"{"id": 2}"#])
        let pipe = try imports.state("pipe", characters: [Imports.character(1, "Ada")])
        try FileManager.default.removeItem(atPath: "\(pipe)/episodes.json")
        #expect(mkfifo("\(pipe)/episodes.json", 0o600) == 0)
        let partial = try imports.state("partial", characters: [Imports.character(1, "Ada")])
        try FileManager.default.removeItem(atPath: "\(partial)/episodes.json")
        let linked = try imports.state("linked", characters: [])
        try FileManager.default.removeItem(atPath: "\(linked)/characters.json")
        try #require(symlink("\(good)/characters.json", "\(linked)/characters.json") == 0)
        let cases: [([String], Int32, String)] = [
            (
                [linked, "--date", "2018-05-01"], 3,
                "the state cannot be imported: cannot read \(linked)/characters.json: it is a symbolic link; "
                    + "replace the link with the file or folder itself"
            ),
            ([good], 2, "import requires the date of the state: --date 2018-05-01"),
            (
                [good, "--date", "2018-06-31"], 2,
                "--date takes a day such as 2018-05-01, not \"2018-06-31\""
            ),
            ([good, "--date", "2999-01-01"], 2, "--date 2999-01-01 is in the future"),
            (["--date", "2018-05-01"], 2, "import requires one folder: amber import DIR --date 2018-05-01"),
            (
                [twice, "--date", "2018-05-01"], 3,
                "the state cannot be imported: \(twice)/characters.json: [1]: is a duplicate of character 1 in this file"
            ),
            (
                [cut, "--date", "2018-05-01"], 3,
                "the state cannot be imported: \(cut)/characters.json: [1].status: is missing"
            ),
            ([pipe, "--date", "2018-05-01"], 3, "the state cannot be imported: \(pipe)/episodes.json: is empty"),
            (
                [partial, "--date", "2018-05-01"], 3,
                "the state cannot be imported: cannot read \(partial)/episodes.json: No such file or directory"
            ),
        ]
        for (arguments, code, sentence) in cases {
            let result = try await Program.start(["import", "--output", imports.output] + arguments).wait()
            #expect(result.code == code && result.errors == "amber: \(sentence)\n", "\(arguments)")
        }
        let log = try await imports.run("log")
        #expect(log.code == 3 && log.output == "")
        // The folder itself may be a symbolic link.
        try #require(symlink(good, imports.scratch["link"]) == 0)
        #expect(try await imports.run("import", imports.scratch["link"], "--date", "2018-05-01").code == 0)
    }

    @Test func `The error for an unknown revision names the existing ones`() async throws {
        try await imports.importTwo()
        let cases: [([String], String)] = [
            (["diff", "1"], "diff requires two revisions, as numbers or dates: amber diff 2018-05-01 2018-05-23"),
            (["diff", "1", "7"], "there is no revision 7; the newest are: 2, 1; amber log lists them"),
            (
                ["render", "--revision", "2018-01-01"],
                "there is no revision up to 2018-01-01; the first one is of 2018-02-05; amber log lists them"
            ),
            (
                ["render", "--revision", "May"],
                "a revision is a number or a day such as 2018-05-01, not \"May\"; amber log lists them"
            ),
        ]
        for (arguments, sentence) in cases {
            let result = try await Program.start(arguments + ["--output", imports.output]).wait()
            #expect(result.code == 2 && result.errors == "amber: \(sentence)\n", "\(arguments)")
        }
    }

    @Test func `A state imported between two equal states keeps the later one`() async throws {
        let first = try imports.state("first", characters: [Imports.character(1, "Ada")])
        let second = try imports.state("second", characters: [Imports.character(1, "Eve")])
        for (state, day) in [(first, "2018-01-01"), (first, "2018-01-03"), (second, "2018-01-02")] {
            #expect(try await imports.run("import", state, "--date", day).code == 0)
        }
        let revisions = try await imports.revisions()
        #expect(revisions.map { ($0["date"] as? String)?.prefix(10) } == ["2018-01-03", "2018-01-02", "2018-01-01"])
        let whole = try await imports.run("diff", "2018-01-01", "2018-01-03")
        #expect(whole.output.hasSuffix("\nnothing changed\n"), "\(whole.output)")
        let back = try await imports.run("diff", "2018-01-02", "2018-01-03")
        #expect(back.output.contains("name: \"Eve\" -> \"Ada\""), "\(back.output)")
        #expect(try await imports.run("render").code == 0)
        try await imports.run("verify").succeeded()
    }
}
