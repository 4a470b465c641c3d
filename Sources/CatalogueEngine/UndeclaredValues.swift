import Catalogue
import Pages
import Platform

/// The values of a record that its declaration does not name. They are read at the first use.
final class UndeclaredValues: Sendable {
    private let record: [UInt8]
    private let kind: KindDeclaration
    private let read = Locked<[JSON.Member]?>(nil)

    init(of record: [UInt8], _ kind: KindDeclaration) {
        self.record = record
        self.kind = kind
    }

    var members: [JSON.Member] {
        read.withLock { read in
            let members = read ?? readMembers()
            read = members
            return members
        }
    }

    private func readMembers() -> [JSON.Member] {
        guard kind.showsRest else { return [] }
        let shown = kind.fields.enumerated().filter { index, field in
            kind.facts.contains(index)
                || [.prose, .html, .references, .image, .file, .hidden, .tree].contains(field.type)
        }.map(\.element).filter { $0.from == nil }
        let known = [kind.id, kind.title] + [kind.selfLink].compactMap(\.self)
        // A path through an array counts as the whole array.
        let paths = Set(
            (known + shown.flatMap { [$0.path, $0.text].compactMap(\.self) }).map(\.beforeArrays)
                // The name in an object with the address of a reference is that of the other record.
                + shown.filter { $0.type == .reference && $0.path.names.count > 1 }.map {
                    "\($0.path.names.dropLast().joined(separator: ".")).name"
                })
        // The capture checked the record. A damaged archive is reported by its digests.
        let members = (try? JSON(record).pruned(except: paths)?.members) ?? []
        return members.flatMap { member in
            let (rest, lists) = Self.split(member)
            return (rest.map { [(member.key, $0)] } ?? []) + lists
        }
    }

    /// Separates the long lists from an object, because only lists in sections of their own have several pages.
    private static func split(_ member: JSON.Member) -> (rest: JSON?, lists: [JSON.Member]) {
        if RecordMarkup.pages(member.value) > 1 { return (nil, [member]) }
        guard let members = member.value.members else { return (member.value, []) }
        let parts = members.map { split(("\(member.key) \($0.key)", $0.value)) }
        let rest = zip(members, parts).compactMap { member, part in part.rest.map { (member.key, $0) } }
        return (rest.isEmpty ? nil : .object(rest), parts.flatMap(\.lists))
    }
}

extension KindDeclaration {
    /// The number of pages for the lists in a record: rows of references, and values that are not declared.
    func pages(of record: JSONFields, _ bytes: [UInt8]) -> Int {
        // Two elements of a list have a comma between them.
        let most = bytes.count { $0 == "," } + 1
        let declared = fields.filter { $0.type == .references && !$0.isCast && $0.most < most }.map { field in
            // An invalid list has no links: the capture reported it as a gap. Counting is faster than reading links.
            let count = (try? record.count(field.path)) ?? 0
            guard count > field.most else { return 1 }
            return Paging(count: Set((try? record.links(field.path)) ?? []).count, perPage: field.most).pages
        }
        let limit = RecordMarkup.rowsPerPage
        guard showsRest, most > limit, record.longestArray > limit else { return declared.max() ?? 1 }
        let rest = UndeclaredValues(of: bytes, self).members.map { RecordMarkup.pages($0.value) }
        return (declared + rest).max() ?? 1
    }
}
