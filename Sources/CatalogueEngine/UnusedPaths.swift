import Archive
import Catalogue
import Mustache

extension CatalogueDeclaration {
    /// The positions of the records that are searched. The first ones nearly always have every field.
    private static let searched = [0..<10, 10..<1_000, 1_000..<10_000]

    /// A sentence about a declared path that no record has, even with null; nil if there is none.
    func unusedPath(in reader: RevisionReader) throws -> String? {
        // The items of an extension are of many sorts, which share one kind.
        guard !hasExtension else { return nil }
        var unused: [(place: String, path: FieldPath, record: [UInt8])] = []
        for kind in kinds {
            var paths = kind.fields.filter { !$0.isComputed }.map {
                (place: "\(kind.path).fields.\($0.name)", all: [$0.path, $0.fallbackPath].compactMap(\.self))
            }
            if kind.hasTitle { paths.insert(("\(kind.path).title", [kind.title]), at: 0) }
            var first: [UInt8]?
            for positions in Self.searched where !paths.isEmpty {
                _ = try reader.records(of: kind.name, at: positions) { record in
                    guard !paths.isEmpty else { return }
                    first = first ?? record.bytes
                    let members = try JSONFields(record.bytes)
                    paths.removeAll { !$0.all.allSatisfy(members.lacks) }
                }
            }
            if let first { unused += paths.map { ($0.place, $0.all[0], first) } }
        }
        guard let (place, path, record) = unused.first else { return nil }
        let others = unused.count == 1 ? "" : " (declared paths without a member: \(unused.count))"
        return "\(place): no record has a member at \(path.text.quoted)"
            + (try Self.hint(for: path, in: JSON(record))) + others
    }

    /// A member of a record whose name is similar to that of a missing one.
    private static func hint(for path: FieldPath, in record: JSON) -> String {
        var object = record
        for name in path.names {
            guard let inner = object[name] else {
                return Spelling.hint(for: name, among: object.members?.map(\.key) ?? [])
            }
            object = inner
        }
        return ""
    }
}
