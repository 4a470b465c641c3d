import Catalogue
import ITunes

/// The searches of a configuration: a list of objects, every member but the words optional.
extension Configuration {
    /// Reads the searches.
    /// - Throws: the first thing that is wrong: its place in the list, what it is, and what is allowed.
    static func searches(_ bytes: [UInt8], at place: Range<Int>) throws(ContentFault) -> [Search] {
        let elements: [Range<Int>]
        do throws(ContentFault) {
            elements = try JSONSlices.elements(of: bytes, at: place)
        } catch {
            throw ContentFault("searches", "is not a list of searches, as [{\"term\": \"love\"}]")
        }
        guard elements.count <= Search.most else {
            throw ContentFault(
                "searches", "has \(elements.count) searches, more than the \(Search.most) that are taken")
        }
        var searches: [Search] = []
        var places: [Search: Int] = [:]
        for (index, place) in elements.enumerated() {
            do throws(ContentFault) {
                let search = try search(Array(bytes[place]))
                if let twin = places.updateValue(index, forKey: search) {
                    throw ContentFault("", "is the same as searches[\(twin)]")
                }
                searches.append(search)
            } catch {
                throw error.inside("searches[\(index)]")
            }
        }
        guard !searches.isEmpty else { throw ContentFault("searches", "is empty; one search at least is needed") }
        return searches
    }

    private static let members = ["term", "media", "country", "explicit", "limit"]

    private static func search(_ bytes: [UInt8]) throws(ContentFault) -> Search {
        guard bytes.first == UInt8(ascii: "{") else {
            throw ContentFault("", "is not an object, as {\"term\": \"love\"}")
        }
        for place in try JSONSlices.places(in: bytes, at: bytes.indices) {
            let name = String(decoding: bytes[place.name].prefix(100), as: UTF8.self)
            guard !members.contains(name) else { continue }
            throw ContentFault(name, "is not known; there are: \(members.joined(separator: ", "))")
        }
        let values = try JSONSlices.members(of: bytes)
        func text(_ name: String) throws(ContentFault) -> String? {
            guard let place = values[name] else { return nil }
            do throws(ContentFault) {
                return try JSONRecord.decode(String.self, from: bytes[place])
            } catch {
                throw error.inside(name)
            }
        }
        func choice<Value>(_ name: String, _ choices: [(word: String, value: Value)]) throws(ContentFault) -> Value {
            let allowed = "allowed: \(choices.map(\.word).joined(separator: ", "))"
            do throws(ContentFault) {
                guard let word = try text(name) else { return choices[0].value }
                guard let choice = choices.first(where: { $0.word == word }) else {
                    throw ContentFault(name, "is \(word.quoted)")
                }
                return choice.value
            } catch {
                throw ContentFault(name, "\(error.reason); \(allowed)")
            }
        }
        guard let term = try text("term") else { throw ContentFault("term", "is missing; it is the words to look for") }
        guard !term.isBlank, term.utf8.count <= 200 else {
            throw ContentFault(
                "term",
                term.isBlank ? "is blank; it is the words to look for" : "is longer than the 200 bytes that are taken")
        }
        guard !term.unicodeScalars.contains(where: { $0.value < 0x20 || $0.value == 0x7F }) else {
            throw ContentFault("term", "has a line end or another control character")
        }
        var limit = Search.usualLimit
        if let place = values["limit"] {
            do throws(ContentFault) {
                limit = try JSONRecord.decode(Int.self, from: bytes[place])
            } catch _ {
                throw ContentFault(
                    "limit",
                    "is not a whole number; allowed: \(Search.limits.lowerBound) to \(Search.limits.upperBound)")
            }
            guard Search.limits.contains(limit) else {
                throw ContentFault(
                    "limit", "is \(limit); allowed: \(Search.limits.lowerBound) to \(Search.limits.upperBound)")
            }
        }
        return Search(
            term, try choice("media", Search.Medium.allCases.map { ($0.rawValue, $0) }),
            in: try choice("country", Search.Store.allCases.map { ($0.rawValue, $0) }),
            explicit: try choice("explicit", [("yes", true), ("no", false)]), limit: limit)
    }

    /// The searches as a configuration file has them.
    static func json(_ searches: [Search]) -> JSON {
        .list(
            searches.map { search in
                .object([
                    ("term", .text(search.term)), ("media", .text(search.medium.rawValue)),
                    ("country", .text(search.store.rawValue)),
                    ("explicit", .text(search.explicit ? "yes" : "no")), ("limit", .integer(search.limit)),
                ])
            })
    }
}
