import Catalogue
import Pages
import TestSupport
import Testing

struct TextsTests {
    private func texts(_ json: String, _ language: String = "en") throws -> Texts {
        try Texts(Array(json.utf8), language: language)
    }

    private func file(
        plurals: String = "en", _ texts: String = #""a": "A""#, scripts: String = "", values: String = ""
    ) -> String {
        "{\"language\": \"L\", \"plurals\": \"\(plurals)\", \"texts\": {\(texts)}, \"scripts\": {\(scripts)}, \"values\": {\(values)}}"
    }

    @Test func `Placeholders are filled once`() throws {
        let texts = try texts(file(#""a": "{x} and {y} and {x}, {z}""#))
        let need = TextDeclaration("a", filling: ["x", "y"])
        #expect(texts.filled(need, ["x": "{y}", "y": "Y"]) == "{y} and Y and {y}, {z}")
    }

    @Test func `A count uses the plural form and digit groups of its language`() throws {
        let need = TextDeclaration(plural: "n")
        let english = try texts(file(#""digitGroups": ",", "n": {"one": "{count} thing", "other": "{count} things"}"#))
        #expect(
            [0, 1, 2, 999, 1_000, 12_345].map { english.plural(need, $0) } == [
                "0 things", "1 thing", "2 things", "999 things", "1,000 things", "12,345 things",
            ])
        #expect(english.grouped(2_013, from: 10_000) == "2013" && english.grouped(12_345, from: 10_000) == "12,345")
        let russian = try Strings.russian()
        let episodes = TextDeclaration(plural: "episodeCount")
        let counts = [1, 2, 5, 11, 12, 14, 21, 22, 25, 51, 101, 111, 112, 121]
        #expect(
            counts.map { String(russian.plural(episodes, $0).drop { $0.isNumber || $0 == " " }) } == [
                "эпизод", "эпизода", "эпизодов", "эпизодов", "эпизодов", "эпизодов", "эпизод", "эпизода", "эпизодов",
                "эпизод", "эпизод",
                "эпизодов", "эпизодов", "эпизод",
            ])
    }

    @Test func `A served value is translated with its context, or left unchanged`() throws {
        let russian = try Strings.russian()
        #expect(
            ["Male", "Female", "Genderless", "unknown", "Plural"].map { russian.value("status", "Alive", by: $0) } == [
                "Жив", "Жива", "В живых", "В живых", "В живых",
            ])
        #expect(russian.label("status", "Dead") == "Нет в живых" && russian.label("gender", "Female") == "Женский")
        #expect(russian.value("status", "Undead", by: "Male") == nil && russian.value("colour", "red") == nil)
    }

    @Test func `A fault in a strings file is reported with its key path`() throws {
        func read(_ json: String) -> String? { errorText { _ = try texts(json) } }
        #expect(read("{") != nil)
        #expect(
            read(file(plurals: "tlh"))?.hasPrefix("plurals: is \"tlh\"; the known rule sets are: en, fr,") == true)
        #expect(
            read(file(plurals: "ru", #""n": {"one": "a", "few": "b"}"#))
                == "texts.n: has no form \"many\", which \"ru\" needs")
        #expect(
            read(file(#""n": {"one": "a", "other": "b", "lots": "c"}"#))
                == "texts.n: has a form \"lots\", which is not a plural category")
        #expect(read(file(#""a": "one\ntwo""#)) == "texts.a: has a line end or another control character")
        #expect(
            read(file(values: #""v": {"x": {"label": "X"}}"#))?.hasPrefix("values.v.x: has no form \"other\"") == true)
        #expect(read(file(#""a": 5"#))?.hasPrefix("texts.a: is not") == true)
        #expect(read(#"{"language": "L", "plurals": "en", "texts": {}, "values": {}}"#) == "scripts: is missing")
        #expect(
            read(#"{"language": "L", "plurals": "en", "text": {}}"#)
                == "text: is unknown; the groups are: language, plurals, texts, scripts, values")
        #expect(
            errorText { _ = try texts(file()).adding(Array(#"{"plurals": "en"}"#.utf8)) }
                == "plurals: is unknown; the groups are: texts, scripts, values")
    }

    @Test func `Two languages have the same keys and placeholders, but the first one needs no words for values`() throws
    {
        func difference(_ one: String, _ other: String) -> String? {
            errorText { try texts(one, "ru").requireSame(as: try texts(other, "en")) }
        }
        #expect(difference(file(), file()) == nil)
        #expect(difference(file(#""b": "B""#), file()) == "texts.a: is missing; en.json has it")
        #expect(difference(file(#""a": "A", "b": "B""#), file()) == "texts.b: is not in en.json")
        #expect(
            difference(file(#""a": "A {x}""#), file(#""a": "A {y}""#))
                == "texts.a: has the placeholders {x}, but en.json has {y}; use the same placeholders in both files")
        #expect(difference(file(scripts: #""s": "S""#), file()) == "scripts.s: is not in en.json")
        #expect(difference(file(values: #""v": {"x": "X"}"#), file()) == nil, "a language may translate more fields")
        #expect(difference(file(), file(values: #""v": {"x": "X"}"#)) == nil)
        #expect(
            difference(file(values: #""v": {"x": "X"}, "w": {"x": "X"}"#), file(values: #""w": {"y": "X"}"#))
                == "values.w.y: is missing; en.json has it")
        #expect(
            difference(file(values: #""v": {"x": "X"}"#), file(values: #""v": {"y": "X"}"#))
                == "values.v.y: is missing; en.json has it")
        #expect(difference(file(values: #""v": {"x": "X", "y": "Y"}"#), file(values: #""v": {"x": "X"}"#)) == nil)
        #expect(
            difference(
                file(plurals: "ja", #""a": {"other": "{count}"}"#), file(#""a": {"one": "one", "other": "{count}"}"#))
                == nil,
            "languages count differently, and a form may leave the number out")
    }

    @Test func `Languages translate the same fields of those that need words`() throws {
        let translated = try texts(file(values: #""v": {"x": "X"}, "w": {"x": "X"}"#), "ru")
        func missing(_ fields: [String]) -> String? {
            errorText { try texts(file(values: #""w": {"x": "X"}"#)).requireValues(of: fields, in: translated) }
        }
        #expect(missing(["w", "z"]) == nil)
        #expect(missing(["w", "v"]) == "values: has no group \"v\"; ru.json has it")
    }

    @Test func `Required texts exist, have the right kind and no other placeholders`() throws {
        func missing(_ need: TextDeclaration) -> String? {
            errorText { try texts(file(#""a": "{x}", "n": {"one": "", "other": ""}"#)).require([need]) }
        }
        #expect(
            missing(TextDeclaration("a", filling: ["x", "y"])) == nil && missing(TextDeclaration(plural: "n")) == nil)
        #expect(missing(TextDeclaration("b")) == "texts.b: is missing")
        #expect(missing(TextDeclaration("n")) == "texts.n: must be one text without forms")
        #expect(
            missing(TextDeclaration(plural: "a", filling: ["x"])) == "texts.a: needs a form for each plural category")
        #expect(
            missing(TextDeclaration("a", filling: ["y"]))
                == "texts.a: has the unknown placeholder {x}; the known ones are: y")
    }

    @Test(
        arguments: [
            (PluralRules.en, [0: "other", 1: "one", 2: "other", 11: "other"]),
            (.fr, [0: "one", 1: "one", 2: "other", 1_000_000: "many"]),
            (.es, [0: "other", 1: "one", 1_000_000: "many"]),
            (
                .ru,
                [
                    0: "many", 1: "one", 2: "few", 4: "few", 5: "many", 11: "many", 14: "many", 21: "one", 111: "many",
                    122: "few",
                ]
            ),
            (.pl, [0: "many", 1: "one", 2: "few", 5: "many", 21: "many", 22: "few", 12: "many"]),
            (.cs, [0: "other", 1: "one", 2: "few", 5: "other", 22: "other"]),
            (.lt, [0: "other", 1: "one", 2: "few", 10: "other", 11: "other", 21: "one", 29: "few"]),
            (.lv, [0: "zero", 1: "one", 2: "other", 10: "zero", 11: "zero", 21: "one"]),
            (.ro, [0: "few", 1: "one", 2: "few", 19: "few", 20: "other", 101: "few", 120: "other"]),
            (.sl, [0: "other", 1: "one", 2: "two", 3: "few", 5: "other", 101: "one"]),
            (
                .ar,
                [0: "zero", 1: "one", 2: "two", 3: "few", 10: "few", 11: "many", 99: "many", 100: "other", 103: "few"]
            ),
            (.he, [0: "other", 1: "one", 2: "two", 3: "other"]), (.ja, [0: "other", 1: "other"]),
        ])
    func `Plural rules agree with CLDR`(rules: PluralRules, expected: [Int: String]) {
        for (count, category) in expected {
            #expect(rules.category(of: count).rawValue == category, "\(rules) \(count)")
        }
        for count in 0..<2_000 { #expect(rules.categories.contains(rules.category(of: count))) }
    }

    @Test func `JSON is safe in a script element and as a script`() {
        let text = "a\"\\</script>&\u{2028}\u{0}\u{1F}\u{85}\u{FFFE}\u{1FFFF}ж🙂"
        let written = String(
            decoding: JSON.object([("k", .list([.text(text), .integer(-1), .flag(true)]))]).bytes, as: UTF8.self)
        #expect(written == #"{"k":["a\"\\\u003c/script\u003e\u0026\u2028�����ж🙂",-1,true]}"#)
    }
}
