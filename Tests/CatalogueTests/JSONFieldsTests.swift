import Catalogue
import Testing

/// Members read from archived bytes are what a decoder would give.
struct JSONFieldsTests {
    private struct Record: Decodable {
        let id: Int64
        let name: String
        let list: [String]
    }

    private func fault(_ body: () throws(ContentFault) -> Void) -> String? {
        do {
            try body()
            return nil
        } catch {
            return "\(error)"
        }
    }

    @Test(
        "The same values as a decoder's",
        arguments: [
            #"{"id":7,"name":"Rick","list":["a","b"]}"#, #" { "list" : [ ] , "name" : "" , "id" : 0 } "#,
            #"{"id":-12,"name":"\u0041\"\\/\n😀","list":["\t","ж","]","}"],"more":{"id":1}}"#,
            #"{"id":123456789012345678,"name":"{\"id\":9}","list":["\\"]}"#, #"{"id":9223372036854775807,"name":"x","list":[]}"#,
            #"{"id":1,"id":2,"name":"first","name":"second","list":["x"]}"#, #"{"\u0069d":4,"n\u0061me":"x","list":[]}"#,
            #"{"id":1e3,"name":"é","list":["e\u0301"]}"#,
        ])
    func same(json: String) throws {
        let bytes = Array(json.utf8)
        let decoded = try JSONRecord.decode(Record.self, from: bytes)
        let fields = try JSONFields(bytes)
        #expect(try fields.integer("id") == decoded.id)
        #expect(try fields.text("name") == decoded.name)
        #expect(try fields.texts("list") == decoded.list)
        #expect(try fields.count("list") == decoded.list.count)
    }

    @Test("What is missing or of another kind is named as a decoder names it")
    func faults() throws {
        let fields = try JSONFields(Array(#"{"id":"7","name":5,"list":["a",1],"none":null,"in":{"x":1}}"#.utf8))
        #expect(fault { () throws(ContentFault) in _ = try fields.integer("id") } == "id: is not a whole number")
        #expect(fault { () throws(ContentFault) in _ = try fields.text("name") } == "name: is not a text")
        #expect(fault { () throws(ContentFault) in _ = try fields.text("none") }?.hasPrefix("none: is") == true)
        #expect(fault { () throws(ContentFault) in _ = try fields.text("nobody") } == "nobody: is missing")
        #expect(fault { () throws(ContentFault) in _ = try fields.texts("list") } == "list[1]: is not a text")
        #expect(fault { () throws(ContentFault) in _ = try fields.texts("name") }?.hasPrefix("name: is not") == true)
        #expect(try fields.object("in").integer("x") == 1)
        #expect(fault { () throws(ContentFault) in _ = try JSONFields(Array("[1]".utf8)) } != nil)
        let control = try JSONFields(Array("{\"name\":\"a\u{1}b\"}".utf8))
        #expect(fault { () throws(ContentFault) in _ = try control.text("name") } != nil, "a raw control character is no JSON")
    }
}
