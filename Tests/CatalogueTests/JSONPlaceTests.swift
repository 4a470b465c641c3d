import Catalogue
import Testing

/// Where something stands in JSON that a person wrote.
struct JSONPlaceTests {
    @Test func `A byte order mark, which some editors write, is passed over`() {
        let bytes = [0xEF, 0xBB, 0xBF] + Array(#"{"a": [1, {"b": 2}]}"#.utf8)
        #expect(JSONPlace.problem(in: bytes) == nil)
        #expect(JSONPlace.offset(of: "a[1].b", in: bytes) == 3 + 11)
        #expect(JSONPlace.problem(in: bytes.dropLast() + [0x2C])?.offset == bytes.count - 1)
    }

    @Test(arguments: [
        (#"{"a": 1,}"#, 8, "; take away the comma before it"), ("[1,]", 3, "; take away the comma before it"),
        (#"{"a": 1 "b": 2}"#, 8, "; a comma or colon is missing before it"), (#"{"a": nul}"#, 6, ""), ("", 0, ""),
    ])
    func `What is no JSON is told where it breaks off, and how to mend it`(text: String, offset: Int, advice: String)
        throws
    {
        let problem = try #require(JSONPlace.problem(in: Array(text.utf8)))
        #expect(problem.offset == offset && problem.reason == "is not valid JSON from here on\(advice)")
    }
}
