import Archive
import Catalogue
import Evidence
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

    @Test(arguments: [true, false], ["7", "x"])
    func `Ids that are addresses with the same last segment are no single record`(
        isOnePage: Bool, segment: String
    ) async throws {
        let list = #"{"path":"{list}","paginator":{"type":"json_link"},"records":"data"}"#
        let api = ItemAPI { _, query in
            let items = ["a", "b"].map { #"{"id":"https://items.example/\#($0)/\#(segment)","name":"\#($0)"}"# }
            let isFirst = query["page"] == nil
            let next = isFirst && !isOnePage ? #""item?page=2""# : "null"
            let data = isOnePage ? items.joined(separator: ",") : items[isFirst ? 0 : 1]
            return (200, "", #"{"next":\#(next),"data":[\#(data)]}"#)
        }
        let captures = try captures(list, api, item: #","textIds":true"#)
        // Equal numbers are usually not the ends of addresses.
        let advice =
            segment == "7"
            ? "" : "; an id that is an address is cut to its last segment, so name another member with \"id\""
        guard isOnePage else {
            let failure = try await captures.failure() ?? ""
            #expect(failure.contains("twice, the second time on page 2\(advice)"), "\(failure)")
            return
        }
        let gaps = try await captures.run().gapTexts
        #expect(
            gaps.count == 1 && gaps[0].hasPrefix("item data[1]: is a second ") && gaps[0].hasSuffix(advice), "\(gaps)")
        #expect(try !captures.evidence().proof.isComplete)
    }
}
