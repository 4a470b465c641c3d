import Catalogue
import Pages
import TestSupport
import Testing

@testable import Site

struct SearchFilesTests {
    @Test func `A complete index has all rows in one file`() throws {
        let files = SearchFiles(of: SearchTables.people(300))
        #expect(files.paths.map(\.text) == ["search-index.js"])
        let index = try ReceivedIndex(files.bytes(of: 0))
        #expect(index.total == 300)
        #expect(index.rows.count == 300)
        #expect(index.rows[0] == ["person 5", "Ada Kara0-son", "Upper Lake"])
        #expect(index.rows[295] == ["person 595", "Cécile Kara145-sen", "-"])
        #expect(index.rows[299] == ["place 4", "the \"Old\" Mill"])
    }

    @Test func `Hostile texts are the same in the index and on pages`() throws {
        let hostile = [
            #"Robert'); DROP TABLE "x"; \"#, "</script><script>alert(1)</script>", "<!--", "a\u{2028}b\u{2029}c",
            "null\u{0}byte",
            "tab\tline\nfeed\r\n", "\u{1}\u{B}\u{1F}\u{7F}\u{80}\u{85}\u{9F}\u{A0}\u{C0}", #"\u0041 \' \\' ${x} `"#,
            "e\u{301}é ñ 漢字 🛸 \u{FEFF}", "", " ",
        ]
        // Characters that pages may not contain are U+FFFD in the index too.
        let shown = hostile.map { text in
            String(
                String.UnicodeScalarView(
                    text.unicodeScalars.map {
                        $0.properties.generalCategory == .control && !"\t\n\r".unicodeScalars.contains($0)
                            ? "\u{FFFD}" : $0
                    }))
        }
        let table = SearchTables.of(hostile.map { ($0, $0) })
        let index = try ReceivedIndex(SearchFiles(of: table).bytes(of: 0))
        // Compared by scalars, because equal strings may differ in them.
        #expect(index.rows.map { Array($0[1].unicodeScalars) } == shown.map { Array($0.unicodeScalars) })
        #expect(index.rows.map { Array($0[2].unicodeScalars) } == shown.map { Array($0.unicodeScalars) })
        for (row, text) in hostile.enumerated() {
            let single = try ReceivedIndex(SearchFiles(of: SearchTables.of([(text, nil)])).bytes(of: 0))
            #expect(single.rows.map { Array($0[1].unicodeScalars) } == [Array(shown[row].unicodeScalars)], "row \(row)")
        }
    }

    @Test func `An empty table has a valid index`() throws {
        let index = try ReceivedIndex(SearchFiles(of: SearchTables.of([])).bytes(of: 0))
        #expect(index.total == 0)
        #expect(index.rows == [])
    }

    @Test func `Each of many values is one character in the index`() throws {
        let table = SearchTables.of((0..<2_400).map { ("thing", "value \($0)") })
        let index = try ReceivedIndex(SearchFiles(of: table).bytes(of: 0))
        #expect(index.rows.map { $0[2] } == (0..<2_400).map { "value \($0)" })
    }

    @Test func `Every number has its own character`() throws {
        let numbers = [nil] + (0..<JSON.characterLimit).map { $0 }
        let list = try ReceivedIndex(JSON.object([("x", .characters(numbers))]).received).object["x"] as? String
        #expect(ReceivedIndex.numbers(list) == numbers)
    }

    @Test func `Record numbers may have gaps and any order`() throws {
        let ids: [Int64] = [1, 2, 3, 7, 9, 10, 4, 9_007_199_254_740_991]
        let kind = SearchKind(
            name: "k", pathPrefix: "k/", count: ids.count, id: { ids[$0] }, label: { "\($0)" }, columns: [])
        let index = try ReceivedIndex(SearchFiles(of: [kind]).bytes(of: 0))
        #expect(index.rows.map { $0[0] } == ids.map { "k \($0)" })
    }

    @Test func `Equal tables give equal bytes`() {
        let first = SearchFiles(of: SearchTables.people(2_000), oneFileLimit: 100)
        let second = SearchFiles(of: SearchTables.people(2_000), oneFileLimit: 100)
        #expect(first.paths == second.paths)
        for index in first.paths.indices { #expect(first.bytes(of: index) == second.bytes(of: index)) }
        #expect(
            SearchFiles(of: SearchTables.people(2_000)).bytes(of: 0)
                == SearchFiles(of: SearchTables.people(2_000)).bytes(of: 0))
    }
}

private func words(_ text: String) -> [String] {
    var words: [String] = []
    Folding.forEachWord(of: text) { words.append(String(decoding: $0, as: UTF8.self)) }
    return words
}

struct SplitSearchTests {
    /// The files of the index by prefix.
    private static func parts(_ files: SearchFiles) throws -> [String: ReceivedIndex] {
        var parts: [String: ReceivedIndex] = [:]
        for index in files.paths.indices {
            let part = try ReceivedIndex(files.bytes(of: index))
            let prefix = part.object["prefix"] as? String ?? ""
            #expect(
                files.paths[index].text
                    == (prefix.isEmpty ? "search-index.js" : "search/\(prefix.utf8.map(hex).joined()).js"))
            #expect(parts.updateValue(part, forKey: prefix) == nil)
        }
        return parts
    }

    private static func hex(_ byte: UInt8) -> String { (byte < 16 ? "0" : "") + String(byte, radix: 16) }

    @Test func `Every row is found by each prefix of its words`() throws {
        #expect(SearchFiles(of: SearchTables.people(20_001)).paths.count > 1)
        let table = SearchTables.people(Soak.minutes == nil ? 2_500 : 25_000)
        let files = SearchFiles(of: table, oneFileLimit: 1_000)
        let parts = try Self.parts(files)
        let whole = try ReceivedIndex(SearchFiles(of: table, oneFileLimit: .max).bytes(of: 0))
        var expected: [String: [[String]]] = [:]
        for row in whole.rows {
            let prefixes = row.dropFirst().filter { $0 != "-" }.flatMap(words).flatMap { word in
                (1...word.unicodeScalars.count).map { String(String.UnicodeScalarView(word.unicodeScalars.prefix($0))) }
            }
            for prefix in Set(prefixes) { expected[prefix, default: []].append(row) }
        }
        for (prefix, rows) in expected {
            // As the script does: letter by letter, until a file has no further letters.
            var part = try #require(parts[""])
            var reached = ""
            for letter in prefix.unicodeScalars {
                guard let next = part.next else { break }
                #expect(next.contains(String(letter)))
                reached.unicodeScalars.append(letter)
                part = try #require(parts[reached])
            }
            if part.next == nil {
                let found = part.rows.filter { row in
                    row.dropFirst().filter { $0 != "-" }.flatMap(words).contains { $0.hasPrefix(prefix) }
                }
                #expect(found == rows, "\(prefix)")
            } else {
                #expect(part.total == rows.count, "\(prefix)")
                #expect(part.rows.count == PrefixTree.bestRows, "\(prefix)")
                #expect(part.rows.allSatisfy { rows.contains($0) }, "\(prefix)")
            }
        }
        for (prefix, part) in parts where part.next == nil {
            #expect(part.total == part.rows.count && part.rows.count <= PrefixTree.leafLimit, "\(prefix)")
        }
    }

    @Test func `A search in 10,000 rows reads small files, and filters read one file with all rows`() throws {
        let parts = try Self.parts(SearchFiles(of: SearchTables.people(10_000)))
        #expect(parts["*"]?.rows.count == 10_000 && parts[""]?.next?.contains("*") == true)
        let searched = parts.filter { $0.key != "*" }.values.map(\.rows.count)
        #expect(searched.count > 1 && searched.max() ?? 0 <= PrefixTree.leafLimit)
        let large = SearchFiles(of: SearchTables.people(20_001)).paths
        #expect(!large.contains { $0.text == "search/2a.js" } && large.count > 1)
    }

    @Test func `A split index begins with the rows that have the largest numbers`() throws {
        let column: SearchColumn = ("count", [], nil, .listed(["3", "20", "1"]), { $0 % 3 })
        let kind = SearchKind(
            name: "k", pathPrefix: "k/", count: 30, id: { Int64($0 + 1) }, label: { "n\($0)" }, columns: [column])
        let index = try ReceivedIndex(SearchFiles(of: [kind], oneFileLimit: 0).bytes(of: 0))
        #expect(index.rows.map { $0[1] } == ["n1", "n4", "n7", "n10", "n13", "n16"])
    }

    /// Names of one, two and three words, each word in thousands of rows.
    @Test func `Every row is found by its complete name`() throws {
        try expectEveryName(of: SearchTables.echoes(Soak.minutes == nil ? 5_000 : 25_000))
    }

    /// More rows have these words than one file holds, so names continue in further files.
    @Test func `Every row is found by its complete name if its words are too frequent`() throws {
        let names = ["Star Pilot", "Pilot & Star", "Star of a Pilot", "Pilot to Star"]
        let rare = ["Star", "Pilot", "Star Star Pilot", "Star Pilot Star"]
        let labels = (0..<2_800).map { (row: Int) -> String in row % 500 == 9 ? rare[row / 500 % 4] : names[row % 4] }
        try expectEveryName(of: SearchTables.of(labels.map { (label: $0, value: nil) }))
    }

    @Test func `Every row is found by a name that many rows share`() throws {
        let labels = (0..<2_700).map { (row: Int) -> String in row % 9 < 2 ? "Star" : "Starling \(row % 9)" }
        try expectEveryName(of: SearchTables.of(labels.map { (label: $0, value: nil) }))
    }

    private func expectEveryName(of table: SearchTable) throws {
        let reader = SplitReader(try Self.parts(SearchFiles(of: table, oneFileLimit: 1_000)))
        let whole = try ReceivedIndex(SearchFiles(of: table, oneFileLimit: .max).bytes(of: 0))
        var named: [String: [String]] = [:]
        for row in whole.rows { named[words(row[1]).joined(separator: " "), default: []].append(row[0]) }
        for (name, ids) in named {
            let found = reader.find(name)
            let missing = Set(ids).subtracting(found.map { $0[0] }).count
            #expect(missing == 0, "\(name)")
        }
    }

    @Test func `The best rows come first, and further letters lead to the others`() throws {
        let last = ["Old Ferry & Star", "Star of May", "Star", "Ferry & Star"]
        let others: [String] = (0..<4_000).map { $0 < 2_000 ? "Starling no \($0)" : "Wing \($0) starfish" }
        let labels = others + last
        let table = SearchTables.of(labels.enumerated().map { (label: $1, value: $0 < 2_000 ? "Star" : nil) })
        let parts = try Self.parts(SearchFiles(of: table, oneFileLimit: 0))
        let names = try #require(parts["star"]).rows.map { $0[1] }
        #expect(names.suffix(4) == last[...])
        #expect(names.dropLast(4).allSatisfy { $0.hasPrefix("Starling") })
        #expect(parts["star"]?.next?.contains(" ") == true)
        #expect(parts["star "]?.total == 2_004)
    }

    @Test func `A row is found only by its first words`() throws {
        // Each is a word with its own file.
        let words = (0..<150).compactMap { Unicode.Scalar(0x4E00 + $0).map { String($0) } }
        let name = words[..<10].joined(separator: " ")
        // A repeated word counts once.
        let value = (words[1..<20] + words[5..<60]).joined(separator: " ")
        let table = SearchTables.of([(label: name, value: value), (label: "other", value: "last")])
        let parts = try Self.parts(SearchFiles(of: table, oneFileLimit: 0))
        let found = ["l", "o"] + words[..<PrefixTree.rowLimit]
        #expect(parts.keys.sorted() == [""] + found && parts[""]?.next == found)
        for prefix in found { #expect(parts[prefix]?.rows.count == 1 && parts[prefix]?.total == 1, "\(prefix)") }
    }

    @Test func `A long row is found by fewer words, so that its copies do not fill the disk`() throws {
        let words = (0..<40).compactMap { Unicode.Scalar(0x4E00 + $0).map { String($0) } }
        // Each "<" takes seven bytes.
        let table = SearchTables.of([
            (label: words.joined(separator: " "), value: String(repeating: "<", count: 300)), ("other", nil),
        ])
        let parts = try Self.parts(SearchFiles(of: table, oneFileLimit: 0))
        #expect(parts.keys.sorted() == ["", "o"] + words[..<PrefixTree.minimumWords])
    }

    @Test func `Long words are cut`() throws {
        let long = String(repeating: "длинна", count: 40)
        let files = SearchFiles(of: SearchTables.of((0..<1_600).map { ("a \(long)\($0)", nil) }), oneFileLimit: 0)
        let parts = try Self.parts(files)
        #expect(parts[String(long.prefix(PrefixTree.wordLimit))]?.next == [])
        #expect(parts.keys.filter { !$0.contains(" ") }.map(\.unicodeScalars.count).max() == PrefixTree.wordLimit)
        let names = try Self.parts(
            SearchFiles(of: SearchTables.of((0..<1_600).map { ("\(long)\($0)", nil) }), oneFileLimit: 0))
        // Each letter has two bytes, so the file name is full before the limit of letters.
        let most = PrefixTree.maximumPrefixLength / 2 + 1
        let part = try #require(names[String(long.prefix(most))])
        #expect(most < PrefixTree.nameLimit && part.next == nil && part.total == 1_600)
        #expect(names.keys.map(\.unicodeScalars.count).max() == most)
        let odd = try Self.parts(
            SearchFiles(of: SearchTables.of((0..<1_600).map { ("a\(long)\($0)", nil) }), oneFileLimit: 0))
        #expect(odd.keys.map(\.utf8.count).max() == PrefixTree.maximumPrefixLength + 1)
    }

    @Test(arguments: [0, 1])
    func `A prefix is a leaf if it has at most as many rows as the limit`(more: Int) throws {
        let rows = (0..<PrefixTree.leafLimit + more).map { _ in (label: "star", value: String?.none) }
        let parts = try Self.parts(SearchFiles(of: SearchTables.of(rows), oneFileLimit: 0))
        #expect(parts["s"]?.total == rows.count && parts["s"]?.next == (more == 0 ? nil : ["t"]))
    }
}

/// Reads a split index by the rules of Templates/scripts/finding.js.
private struct SplitReader {
    private let parts: [String: ReceivedIndex]
    private let rows: [String: [[String]]]

    init(_ parts: [String: ReceivedIndex]) {
        self.parts = parts
        rows = parts.mapValues(\.rows)
    }

    func find(_ phrase: String) -> [[String]] {
        let words = Set(phrase.split(separator: " ").map(String.init))
        let found = words.compactMap { walk($0, PrefixTree.wordLimit) }.sorted { total($0) < total($1) }
        guard found.count == words.count else { return [] }
        if let leaf = found.first(where: { parts[$0]?.next == nil }) { return rows[leaf] ?? [] }
        if words == [phrase] { return named(phrase) }
        let rarest = found.first { parts[$0]?.next?.contains(" ") == true }
        return (found + [rarest.map { "\($0) " } ?? ""]).flatMap { rows[$0] ?? [] } + named(phrase)
    }

    private func total(_ prefix: String) -> Int { parts[prefix]?.total ?? 0 }

    private func walk(_ phrase: String, _ limit: Int) -> String? {
        var reached = ""
        for letter in phrase.unicodeScalars.prefix(limit) {
            guard let next = parts[reached]?.next else { break }
            guard next.contains(String(letter)) else { return nil }
            reached.unicodeScalars.append(letter)
        }
        return reached
    }

    private func named(_ phrase: String) -> [[String]] {
        guard let prefix = walk(phrase, PrefixTree.nameLimit), let part = parts[prefix], let own = rows[prefix] else {
            return []
        }
        guard part.next?.contains(" ") == true, own.allSatisfy({ isNamed($0[1], phrase) }) else { return own }
        return own + (rows[prefix + " "] ?? [])
    }

    private func isNamed(_ name: String, _ phrase: String) -> Bool {
        words(name).joined(separator: " ") == phrase
    }
}

struct FoldingTests {
    @Test func `Case and combining marks are ignored`() {
        #expect(words("Martínez MARTI\u{301}NEZ") == ["martinez", "martinez"])
        #expect(words("Ёлка й Й Ї ў") == ["елка", "и", "и", "і", "у"])
        #expect(words("ΟΔΟΣ οδός Ὦ") == ["οδοσ", "οδοσ", "ω"])
        #expect(words("İstanbul ß ẞ Ǻ ấ Ørsted Ǆ") == ["istanbul", "ss", "ss", "a", "a", "orsted", "ǆ"])
        #expect(words("Þórsdóttir Hljóð ŁÓDŹ Ægir") == ["thorsdottir", "hljod", "lodz", "aegir"])
    }

    /// The results of `normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()` in Chromium 156, with the letters of
    /// `Folding.spelled` in ASCII.
    @Test(arguments: [
        (
            "ÀÁÂÃÄÅÆÇÈÉÊËÌÍÎÏÐÑÒÓÔÕÖØÙÚÛÜÝÞßàáâãäåæçèéêëìíîïðñòóôõöøùúûüýþÿ",
            "aaaaaaaeceeeeiiiidnoooooouuuuythssaaaaaaaeceeeeiiiidnoooooouuuuythy"
        ),
        (
            "ĀāĂăĄąĆćĈĉĊċČčĎďĐđĒēĔĕĖėĘęĚěĜĝĞğĠġĢģĤĥĦħĨĩĪīĬĭĮįİıĲĳĴĵĶķĸĹĺĻļĽľĿŀŁłŃńŅņŇňŉŊŋŌōŎŏŐőŒœŔŕŖŗŘřŚśŜŝŞşŠšŢţŤťŦŧŨũŪūŬŭŮůŰűŲųŴŵŶŷŸŹźŻżŽžſ",
            "aaaaaaccccccccddddeeeeeeeeeegggggggghhhhiiiiiiiiiiĳĳjjkkĸllllllŀŀllnnnnnnŉngngoooooooeoerrrrrrssssssssttttŧŧuuuuuuuuuuuuwwyyyzzzzzzſ"
        ),
        (
            "ΆΈΉΊΌΎΏΐΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩΪΫάέήίΰαβγδεζηθικλμνξοπρστυφχψωϊϋόύώ",
            "αεηιουωιαβγδεζηθικλμνξοπρστυφχψωιυαεηιυαβγδεζηθικλμνξοπρστυφχψωιυουω"
        ),
        (
            "ЀЁЂЃЄЅІЇЈЉЊЋЌЍЎЏАБВГДЕЖЗИЙКЛМНОПРСТУФХЦЧШЩЪЫЬЭЮЯабвгдежзийклмнопрстуфхцчшщъыьэюяѐёђѓєѕіїјљњћќѝўџ",
            "ееђгєѕііјљњћкиуџабвгдежзииклмнопрстуфхцчшщъыьэюяабвгдежзииклмнопрстуфхцчшщъыьэюяееђгєѕііјљњћкиуџ"
        ),
    ])
    func `Letters are folded as in a browser`(letters: String, folded: String) {
        #expect(words(letters) == [folded])
    }

    @Test func `Punctuation separates words, and apostrophes are removed`() {
        #expect(words("Rick’s o'clock, Earth (C-137)…S01E01") == ["ricks", "oclock", "earth", "c", "137", "s01e01"])
        #expect(words(" \u{A0}—\u{3000}×÷ ") == [])
    }

    @Test func `Other scripts are unchanged`() {
        #expect(words("漢字 がか 한 🛸 Ａ") == ["漢字", "がか", "한", "🛸", "Ａ"])
    }
}
