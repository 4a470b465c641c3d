import Archive
public import Catalogue
import Platform

extension Completeness {
    /// All of it for programs, as docs/format.md describes it.
    public var json: JSON {
        var members: [(key: String, value: JSON)] = [
            ("format", .text("amber completeness 1")), ("revision", .integer(Int(revision.number))),
            ("date", .text(timestamp(milliseconds: revision.finished))),
        ]
        if let imported = revision.imported { members.append(("imported", .text(timestamp(milliseconds: imported)))) }
        members += [
            ("catalogue", .text(revision.source.catalogue)), ("api", .text(revision.source.api)),
            ("origin", .text(revision.source.origin.rawValue)), ("rootHash", .text(rootHash.hex)),
            ("complete", .flag(isComplete)),
            ("kinds", .list(kinds.map(Self.json))),
            (
                "gaps",
                Self.each(gaps.first) {
                    .object([("url", .text($0.url)), ("keyPath", .text($0.keyPath)), ("reason", .text($0.reason))])
                }
            ),
            ("dangling", Self.each(dangling.first, Self.json)), ("oneSided", Self.each(oneSided.first, Self.json)),
            ("repeated", Self.each(repeated.first, Self.json)),
        ]
        let leftOut = [
            ("gaps", gaps.leftOut), ("dangling", dangling.leftOut), ("oneSided", oneSided.leftOut),
            ("repeated", repeated.leftOut),
        ].filter { $0.1 > 0 }
        if !leftOut.isEmpty { members.append(("leftOut", .object(leftOut.map { ($0.0, .integer($0.1)) }))) }
        if let pictures {
            members.append(
                (
                    "pictures",
                    .object([
                        ("found", .integer(pictures.had)),
                        (
                            "shared",
                            Self.each(pictures.shared) {
                                .object([
                                    ("sha256", .text($0.sha256.hex)), ("records", Self.each($0.records, Self.json)),
                                ])
                            }
                        ),
                        ("missing", Self.each(pictures.missing, Self.json)),
                    ])
                ))
        }
        return .object(members)
    }

    private static func each<Elements: RandomAccessCollection & Sendable>(
        _ elements: Elements, _ json: @escaping @Sendable (Elements.Element) -> JSON
    ) -> JSON where Elements.Index == Int {
        .each(elements.count) { json(elements[elements.startIndex + $0]) }
    }

    private static func json(_ kind: Kind) -> JSON {
        var members: [(key: String, value: JSON)] = [("kind", .text(kind.kind))]
        if let claimed = kind.claimed {
            members.append(
                ("claimed", .object([("records", .integer(claimed.records)), ("pages", .integer(claimed.pages))])))
        }
        let pages = kind.pages.map { [(key: "pages", value: JSON.integer($0))] } ?? []
        members += [
            ("found", .object([("records", .integer(kind.records))] + pages)),
            ("besideLists", .integer(kind.besideLists)),
            ("highest", .integer(Int(kind.highest))), ("absent", .integer(kind.absentCount)),
            (
                "absentNumbers",
                .list(kind.absent.map { .list([.integer(Int($0.lowerBound)), .integer(Int($0.upperBound))]) })
            ),
            (
                "repeatedNumbers",
                .list(kind.repeated.map { .object([("id", .integer(Int($0.number))), ("times", .integer($0.times))]) })
            ),
        ]
        return .object(members)
    }

    private static func json(_ key: RecordKey) -> JSON {
        .object([("kind", .text(key.kind)), ("id", .integer(Int(key.id)))])
    }

    private static func json(_ finding: Finding) -> JSON {
        let answer = finding.answer.isEmpty ? [] : [(key: "notIn", value: JSON.text(finding.answer))]
        return .object(
            [("record", json(finding.record)), ("keyPath", .text(finding.keyPath)), ("names", json(finding.named))]
                + answer)
    }
}

extension Completeness.Kind {
    /// How many numbers from 1 to the highest no record has.
    public var absentCount: Int { absent.reduce(0) { $0 + $1.count } }
}
