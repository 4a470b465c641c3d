import SampleAPI
import Testing

struct UniverseTests {
    @Test func `The universe depends only on the seed`() {
        let (one, again, other) = (Universe(seed: 7), Universe(seed: 7), Universe(seed: 8))
        for kind in Universe.Kind.allCases {
            for id in 1...one.counts[kind] {
                #expect(one.json(.init(kind, id)) == again.json(.init(kind, id)))
            }
            #expect(one.json(.init(kind, 1)) != other.json(.init(kind, 1)))
        }
    }

    @Test func `The default counts are those of the live API`() {
        let counts = Universe().counts
        #expect([counts.character, counts.location, counts.episode] == [826, 126, 51])
    }

    @Test(
        arguments: [1, 2, 99, 100, 101, 110, 120, 125, 126, 130])
    func `A universe can have any size`(characters: Int) {
        let universe = Universe(characters: characters)
        #expect(universe.counts.character == characters)
        #expect(characters < 100 || !universe.oneSided.isEmpty)
    }

    @Test func `Keys have the live API's order`() throws {
        let text = try #require(
            Universe(characters: 1).json(.init(.character, 1)).map { String(decoding: $0, as: UTF8.self) })
        let keys = [
            "id", "name", "status", "species", "type", "gender", "origin", "location", "image", "episode", "url",
            "created",
        ]
        var rest = text[...]
        for key in keys {
            let place = try #require(rest.firstRange(of: "\"\(key)\":"))
            rest = rest[place.upperBound...]
        }
        #expect(text.hasPrefix(#"{"id":1,"name":"#))
        #expect(text.hasSuffix("Z\"}"))
    }

    @Test func `References are mutual except for the planned one-sided ones`() throws {
        let universe = Universe()
        let characters: [Character] = try universe.all(.character)
        let locations: [Location] = try universe.all(.location)
        let episodes: [Episode] = try universe.all(.episode)
        var oneSided: [String] = []

        let planned = Set(universe.oneSided.map { "\($0.from.kind) \($0.from.id) > \($0.to.kind) \($0.to.id)" })
        for character in characters {
            for link in character.episode where !episodes[id(link) - 1].characters.contains(character.url) {
                oneSided.append("character \(character.id) > episode \(id(link))")
            }
            if character.location.url.isEmpty {
                #expect(character.location.name == "unknown")
            } else {
                let location = locations[id(character.location.url) - 1]
                #expect(location.name == character.location.name)
                if !location.residents.contains(character.url) {
                    oneSided.append("character \(character.id) > location \(location.id)")
                }
            }
        }
        for location in locations {
            for link in location.residents where characters[id(link) - 1].location.url != location.url {
                oneSided.append("location \(location.id) > character \(id(link))")
            }
        }
        for episode in episodes {
            for link in episode.characters where !characters[id(link) - 1].episode.contains(episode.url) {
                oneSided.append("episode \(episode.id) > character \(id(link))")
            }
        }
        #expect(Set(oneSided) == planned)
        #expect(oneSided.count == planned.count)
        #expect(Set(universe.oneSided.map { $0.to.kind }) == Set(Universe.Kind.allCases))
    }

    @Test func `The universe has the irregularities of the live data`() throws {
        let universe = Universe()
        let characters: [Character] = try universe.all(.character)
        let locations: [Location] = try universe.all(.location)
        let episodes: [Episode] = try universe.all(.episode)

        let names = characters.map(\.name)
        for oddity in ["'", "&", "\"", "<3"] {
            #expect(names.contains { $0.contains(oddity) }, "no name with \(oddity)")
        }
        for range in ["α"..."ω", "а"..."я", "à"..."ÿ"] as [ClosedRange<Swift.Character>] {
            #expect(names.contains { $0.contains { range.contains($0) } }, "no name with letters of \(range)")
        }
        let shared = Dictionary(grouping: names) { $0 }.values.filter { $0.count > 1 }.map(\.count).reduce(0, +)
        #expect((80...160).contains(shared), "\(shared) share a name")

        #expect(characters.count { $0.type.isEmpty } > 413)
        #expect(characters.contains { $0.origin.url.isEmpty && $0.origin.name == "unknown" })
        #expect(characters.contains { $0.location.url.isEmpty })
        #expect(Set(characters.map(\.status)) == ["Alive", "Dead", "unknown"])
        #expect(Set(characters.map(\.gender)) == ["Male", "Female", "Genderless", "unknown"])
        #expect((9...12).contains(Set(characters.map(\.species)).count))
        #expect(characters.contains { $0.episode.map(id) != $0.episode.map(id).sorted() })

        let appearances = characters.map(\.episode.count)
        #expect(appearances.min() == 1)
        #expect(appearances.max() == 51)
        #expect(appearances.count { $0 <= 3 } > 700)

        #expect(locations.contains { $0.residents.isEmpty })
        #expect(locations.contains { $0.type.isEmpty })
        #expect(locations.contains { $0.dimension.isEmpty })
        #expect(episodes.allSatisfy { !$0.characters.isEmpty })
        #expect(episodes.map(\.episode).prefix(11).last == "S02E01")
        #expect(Set(episodes.map(\.episode)).count == 51)
        let months = "January February March April May June July August September October November December"
        #expect(
            episodes.allSatisfy { episode in
                let words = episode.air_date.split(separator: " ")
                return words.count == 3 && months.contains(words[0]) && words[1].hasSuffix(",") && Int(words[2]) != nil
            })
    }

    @Test func `A renamed character differs only in its name`() throws {
        let universe = Universe(characters: 40)
        let before = try #require(universe.json(.init(.character, 7)).map { String(decoding: $0, as: UTF8.self) })
        let after = try #require(
            universe.json(.init(.character, 7), renamed: "Nobody \"Else\"").map { String(decoding: $0, as: UTF8.self) })
        let name = universe.name(of: .init(.character, 7))
        #expect(before.contains("\"name\":\"\(name)\""))
        #expect(after == before.replacing("{\"id\":7,\"name\":\"\(name)\"", with: #"{"id":7,"name":"Nobody \"Else\"""#))
        #expect(universe.json(.init(.character, 41), renamed: "Nobody") == nil)
    }

    @Test(arguments: [1, 2, 3, 20, 21])
    func `A small universe is consistent`(characters: Int) throws {
        let universe = Universe(characters: characters)
        #expect(universe.counts.character == characters)
        #expect(universe.counts.location >= 1)
        let all: [Character] = try universe.all(.character)
        #expect(all.allSatisfy { $0.episode.allSatisfy { (1...universe.counts.episode).contains(id($0)) } })
        #expect(universe.oneSided.isEmpty)
    }

    @Test func `A universe of 100,000 characters has records of normal size`() throws {
        let universe = Universe(characters: 100_000)
        #expect(universe.counts.location == 15_254)
        #expect(universe.counts.episode == 6_174)
        let locations: [Location] = try universe.all(.location)
        let episodes: [Episode] = try universe.all(.episode)
        #expect(locations.map(\.residents.count).max() ?? 0 < 400)
        #expect(episodes.map(\.characters.count).max() ?? 0 < 400)
        #expect(universe.json(.init(.episode, 6_174)) != nil)
        #expect(universe.json(.init(.character, 100_001)) == nil)
    }
}
