import Archive
import Catalogue
import Testing

struct RecordKeyTests {
    @Test func `A canonical number is the same id as its text`() {
        #expect(RecordKey("a", text: "12") == RecordKey("a", 12))
        for text in ["012", "0", "-12", "12.0", "1e3", "9007199254740992", "x"] {
            let key = RecordKey("a", text: text)
            #expect(key.id < 0 && key.text == text && "\(key)" == "a \(text)")
            #expect(key == RecordKey("a", key.id) && key.fileName == RecordKey("a", key.id).fileName)
        }
    }

    @Test(arguments: [
        ("abc-1_b", "abc-1_b"), ("0", "0"), ("-1", "-1"),
        // Capital letters, other letters and addresses get a part of their digest.
        ("Abc", "abc-"), ("https://example.org/a", "https-example-org-a-"), ("../../etc/passwd", "etc-passwd-"),
        ("con", "con-"), ("\u{301}", "id-"), ("Чайковский", "chaykovskiy-"),
        ("foo-0123456789abcdef", "foo-0123456789abcdef-"),
        (String(repeating: "a", count: 300), String(repeating: "a", count: 60) + "-"),
    ])
    func `Pages are named by the id`(id: String, name: String) {
        let found = SitePath.name(ofID: id)
        #expect(found.hasPrefix(name) && PortableName.accepts(found))
        #expect(name.hasSuffix("-") ? found.utf8.count == name.utf8.count + 16 : found == name)
    }
}
