import Foundation
import SampleAPI
import TestSupport
import Testing

struct IncrementalTests {
    private struct Change {
        let name: String
        let apply: (inout Behaviour) -> Void

        init(_ name: String, _ apply: @escaping (inout Behaviour) -> Void) {
            self.name = name
            self.apply = apply
        }

        init(_ kind: Universe.Kind, _ id: Int, _ member: String, _ value: String) {
            let reference = Universe.Reference(kind, id)
            self.init("\(kind) \(id): \(member)") { behaviour in
                let json = String(
                    decoding: behaviour.replaced[reference] ?? Small.universe.json(reference) ?? [], as: UTF8.self)
                let pattern = "\"\(member)\"\\s*:\\s*(\"[^\"]*\"|\\[[^\\]]*\\]|\\{[^}]*\\})"
                let changed = json.replacingOccurrences(
                    of: pattern, with: "\"\(member)\":" + NSRegularExpression.escapedTemplate(for: value),
                    options: .regularExpression)
                precondition(changed != json, "\(kind) \(id) has no other \(member)")
                behaviour.replaced[reference] = Array(changed.utf8)
            }
        }
    }

    private static let base = Universe.canonicalBase

    private static var changes: [Change] {
        let away = Universe.Reference(.character, 44)
        let record = String(decoding: Small.universe.json(.init(.character, 7)) ?? [], as: UTF8.self)
        let place = record.contains("\"url\":\"\(base)/location/2\"},\"image\"") ? 3 : 2
        return [
            Change(.character, 7, "name", "\"Ysolde <Quill>\""), Change(.character, 7, "status", "\"Undecided\""),
            Change(.character, 7, "species", "\"Weather\""), Change(.character, 7, "type", "\"Rain\""),
            Change(.character, 7, "gender", "\"Tide\""),
            Change(.character, 21, "created", "\"2020-01-01T00:00:00.000Z\""),
            Change(.character, 7, "origin", "{\"name\":\"Nowhere\",\"url\":\"\"}"),
            Change(.character, 7, "location", "{\"name\":\"Another place\",\"url\":\"\(base)/location/\(place)\"}"),
            Change(.character, 7, "episode", "[\"\(base)/episode/2\",\"\(base)/episode/1\"]"),
            Change(.location, 2, "name", "\"The Renamed Rock\""), Change(.location, 2, "type", "\"Rock\""),
            Change(.location, 2, "dimension", "\"Elsewhere\""),
            Change(.location, 2, "residents", "[\"\(base)/character/45\"]"),
            Change(.episode, 1, "name", "\"Another Beginning\""), Change(.episode, 1, "air_date", "\"May 1, 2015\""),
            Change(.episode, 1, "episode", "\"S09E01\""),
            Change(.episode, 1, "characters", "[\"\(base)/character/9\",\"\(base)/character/1\"]"),
            Change("another picture") { $0.avatarOverrides[12] = Small.universe.portrait(ofCharacter: 13) },
            Change("a character gone") { $0.hidden.insert(away) }, Change("and back") { $0.hidden.remove(away) },
        ]
    }

    @Test func `After a change of any member the site equals one built from scratch`() async throws {
        let small = try Small()
        _ = try await small.run("build")
        var behaviour = Behaviour()
        for change in Self.changes {
            change.apply(&behaviour)
            small.server.behaviour = behaviour
            let result = try await small.run("build", "--json")
            let summary = try result.summary()
            #expect(summary["unchanged"] as? Bool == false, "\(change.name)")
            let (kept, fresh) = (try contents(of: small.site), try await small.freshSite())
            let different = Set(kept.keys).union(fresh.keys).filter { kept[$0] != fresh[$0] }.sorted()
            #expect(different.isEmpty, "\(change.name): \(different.prefix(5))")
        }
    }
}
