import SampleAPI

/// JSON records of the sample's universe with members that a test sets.
enum HostileRecords {
    static func character(_ id: Int, _ members: [String: String] = [:], without missing: String? = nil) -> [UInt8] {
        let base = Universe.canonicalBase
        return record(
            [
                ("id", "\(id)"), ("name", #""Somebody \#(id)""#), ("status", #""Alive""#), ("species", #""Human""#),
                ("type", #""""#),
                ("gender", #""Male""#), ("origin", #"{"name":"Somewhere","url":"\#(base)/location/1"}"#),
                ("location", #"{"name":"Elsewhere","url":"\#(base)/location/2"}"#),
                ("image", #""\#(base)/character/avatar/\#(id).jpeg""#), ("episode", #"["\#(base)/episode/1"]"#),
                ("url", #""\#(base)/character/\#(id)""#), ("created", #""2017-11-04T18:48:46.250Z""#),
            ], members, without: missing)
    }

    static func location(_ id: Int, residents: [Int], _ members: [String: String] = [:]) -> [UInt8] {
        let links = residents.map { "\"\(Universe.canonicalBase)/character/\($0)\"" }.joined(separator: ",")
        return record(
            [
                ("id", "\(id)"), ("name", #""Place \#(id)""#), ("type", #""Planet""#), ("dimension", #""""#),
                ("residents", "[\(links)]"),
                ("url", #""\#(Universe.canonicalBase)/location/\#(id)""#),
            ], members)
    }

    static func episode(_ id: Int, characters: [Int], _ members: [String: String] = [:]) -> [UInt8] {
        let links = characters.map { "\"\(Universe.canonicalBase)/character/\($0)\"" }.joined(separator: ",")
        return record(
            [
                ("id", "\(id)"), ("name", #""Part \#(id)""#), ("air_date", #""December 2, 2013""#),
                ("episode", #""S01E0\#(id)""#),
                ("characters", "[\(links)]"), ("url", #""\#(Universe.canonicalBase)/episode/\#(id)""#),
            ], members)
    }

    private static func record(_ usual: [(String, String)], _ members: [String: String], without missing: String? = nil)
        -> [UInt8]
    {
        var all = usual.filter { $0.0 != missing }.map { ($0.0, members[$0.0] ?? $0.1) }
        all += members.filter { name, _ in !usual.contains { $0.0 == name } }.sorted { $0.key < $1.key }.map {
            ($0.key, $0.value)
        }
        return Array(("{" + all.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",") + "}").utf8)
    }
}

extension [UInt8] {
    /// The same bytes, with `bytes` in place of each "@".
    func with(_ bytes: [UInt8]) -> [UInt8] { flatMap { $0 == UInt8(ascii: "@") ? bytes : [$0] } }
}
