import Discovery
import Testing

struct ReferenceTests {
    /// Works of makers with ids that are texts, and rooms in which they are.
    private static func museum(_ path: String) -> (header: String, body: String)? {
        func list(_ numbers: Range<Int>, _ record: (Int) -> String) -> (header: String, body: String) {
            ("", "[\(numbers.map { "{\(record($0))}" }.joined(separator: ","))]")
        }
        return switch path {
        case "/": ("", #"{"resources":{"works":"/v1/works","makers":"/v1/makers","galleries":"/v1/galleries"}}"#)
        case "/works":
            list(1..<31) { number in
                #""id":\#(number),"@id":"https://api.example/\#(number).png","title":"Work \#(number)","#
                    + #""maker_id":"m-\#(number % 5)","maker_ids":["m-\#(number % 5)"],"#
                    + #""galleryID":\#(number % 4 == 0 ? "null" : #""PC-\#(number % 3 + 150)""#),"work_id":\#(number),"#
                    + #""day":"1999-01-\#(number + 10)","rare":"\#(number > 20 ? "a" : "")","onView":\#(number % 2 == 0),"#
                    + #""tools":["pen","\#(number % 2 == 0 ? "ink" : "wax")"],"galleries":\#(number % 3 + 1)"#
            }
        case "/makers": list(0..<5) { #""id":"m-\#($0)","name":"Maker \#($0)""# }
        case "/galleries": list(150..<153) { #""id":"PC-\#($0)","name":"Gallery \#($0)""# }
        default: nil
        }
    }

    @Test func `Ids refer to the list with their name, and each record has the records that refer to it`() async throws
    {
        let found = await survey { path, query in query.isEmpty ? Self.museum(path) : nil }
        try expect(
            found,
            [
                #""maker": { "type": "reference", "to": "makers", "path": "maker_id" }"#,
                #""makers": { "type": "references", "to": "makers", "path": "maker_ids" }"#,
                #""gallery": { "type": "reference", "to": "galleries", "path": "galleryID" }"#,
                #""works": { "type": "inverse", "of": "works.makers" }"#,
                #""works": { "type": "inverse", "of": "works.gallery" }"#, #""template": "gallery""#,
                #""work_id": { "type": "hidden" }"#,
            ],
            // A number of galleries, a member that is mostly empty, and the own address.
            without: [#""picture""#, #""galleries": { "type""#, #""rare""#, #""of": "works.maker""#])
    }

    @Test func `Members with few values are lists of values, and days are facts`() async throws {
        try expect(
            await survey { path, query in query.isEmpty ? Self.museum(path) : nil },
            [
                #""tools": { "type": "list", "facet": true }"#,
                #""on_view": { "type": "enum", "path": "onView", "facet": true }"#, #""day": { "type": "date" }"#,
                // Text before yes and no.
                #""facts": ["maker", "gallery", "tools", "on_view", "day"]"#,
            ])
    }

    @Test func `Titles differ between records, and ids are neither facets nor pictures`() async throws {
        func uuid(_ number: Int) -> String { "d821c7c1-1402-408e-a380-77602c595c0\(number % 3)" }
        let albums = (1..<10).map { number in
            let image = #"{"content-type":"image/jpeg","download":"https://api.example/v1/a\#(number)/@@images/1"}"#
            let tags = number % 2 == 1 ? #""zone":"a","band":"x""# : #""band":"y","zone":"b""#
            return
                #"{"label":"\#(number % 3 == 0 ? "" : "Saltbox")","mb_artistid":"\#(uuid(number))","album":"Album \#(number)","#
                + #""id":"a\#(number)","UID":"\#(number)","@id":"https://api.example/v1/a\#(number).jpg","cover":\#(image),\#(tags)}"#
        }
        let found = await survey { path, query in
            guard query.isEmpty else { return nil }
            return path == "/" ? ("", #"{"albums":"/v1/albums"}"#) : ("", "[\(albums.joined(separator: ","))]")
        }
        try expect(
            found,
            [
                #""title": "album""#, #""picture": { "type": "image", "path": "cover.download" }"#,
                #""facts": ["band", "zone"]"#,
            ], without: ["mb_artistid"])
        #expect(found?.doubts.last == "albums: the id of a record is id, but UID also differs between records")
    }

    @Test
    func `Objects with ids are references to the list with their name or their names, and other names are facets`()
        async throws
    {
        let found = await survey { path, query in
            guard query.isEmpty else { return nil }
            func list(_ numbers: Range<Int>, _ record: (Int) -> String) -> (header: String, body: String) {
                ("", "[\(numbers.map { "{\"id\":\(record($0))}" }.joined(separator: ","))]")
            }
            return switch path {
            case "/":
                (
                    "",
                    #"{"issues":"/v1/issues","works":"/v1/works","teams":"/v1/teams","issue_statuses":"/v1/issue_statuses"}"#
                )
            case "/issues":
                list(1..<31) { number in
                    #"\#(number),"name":"Issue \#(number)","work":{"id":\#(number % 9 + 40)},"#
                        + #""status":{"id":\#(number % 2 + 1),"name":"State \#(number % 2 + 1)","open":true},"#
                        + #""teams":[{"id":\#(number % 3 + 7),"name":"Team"}],"team_name":"T\#(number % 2)","#
                        + #""team":{"id":\#(number % 3 + 7)},"#
                        + #""other":{"id":\#(number % 2 + 1),"name":"Other"},"author":{"id":\#(number % 2),"name":"A\#(number % 2)"},"#
                        + #""works":[{"id":\#(number % 9 + 40),"amount":\#(number)}]"#
                }
            case "/works": list(40..<49) { #"\#($0),"name":"Work \#($0)""# }
            case "/teams": list(7..<10) { #"\#($0),"name":"Team \#($0)""# }
            case "/issue_statuses": list(1..<3) { #"\#($0),"name":"State \#($0)""# }
            default: nil
            }
        }
        try expect(
            found,
            [
                #""work": { "type": "reference", "to": "works", "path": "work.id" }"#,
                #""status": { "type": "reference", "to": "issue_statuses", "path": "status.id" }"#,
                #""status_name": { "type": "enum", "from": "status", "facet": true, "label": "Status" }"#,
                #""facts": ["work", "status", "team", "author", "team_name"]"#,
                #""teams": { "type": "references", "to": "teams", "path": "teams[].id" }"#,
                #""author": { "type": "enum", "path": "author.name", "facet": true }"#,
            ],
            // The references would hide the amounts, and the record has another name.
            without: ["works[]", "other.id", #""from": "team""#])
    }

    @Test func `Two references to the same kind give it two lists of records`() async throws {
        let found = await survey { path, query in
            guard query.isEmpty else { return nil }
            let places = items(1..<9) { #","url":"https://api.example/v1/places/\#($0)""# }
            return switch path {
            case "/": ("", #"{"places":"/v1/places","trips":"/v1/trips"}"#)
            case "/places": ("", places)
            case "/trips":
                (
                    "",
                    items(1..<9) {
                        #","place_id":\#(9 - $0),"seen":["https://api.example/v1/places/\#($0)"],"start_place_id":\#(9 - $0)"#
                    }
                )
            default: nil
            }
        }
        try expect(
            found,
            [
                #""trips": { "type": "inverse", "of": "trips.seen" }"#,
                #""trips_place": { "type": "inverse", "of": "trips.place", "label": "Trips: place" }"#,
                #""start_place": { "type": "reference", "to": "places", "path": "start_place_id" }"#,
            ])
    }
}
