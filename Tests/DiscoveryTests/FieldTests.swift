import Discovery
import Testing

/// Fields, ids and further pages that look like others.
struct FieldTests {
    private func found(_ more: @escaping @Sendable (Int) -> String) async -> APIDescription? {
        await survey(lists: ["https://api.example/v1/item"]) { _, query in
            query.isEmpty ? ("", items(1..<13, more)) : nil
        }
    }

    @Test func `A number that equals the ids of the first records is shown`() async throws {
        try expect(
            await found { #","game_index":\#($0),"item_id":\#($0)"# }, [#""item_id": { "type": "hidden" }"#],
            without: ["game_index"])
    }

    @Test func `A member with a name that SQL reserves is a facet`() async throws {
        let state: @Sendable (Int) -> String = { #","state":"\#($0 % 2 == 0 ? "open" : "closed")""# }
        try expect(
            await found(state),
            [#""state": { "type": "enum", "facet": true }"#, #""facts": ["colour", "state"]"#])
    }
}
