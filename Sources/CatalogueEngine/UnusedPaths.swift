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
        var unused: [(field: FieldDeclaration, kind: KindDeclaration, record: [UInt8])] = []
        for kind in kinds {
            var fields = kind.fields.filter { !$0.isComputed }
            var first: [UInt8]?
            for positions in Self.searched where !fields.isEmpty {
                _ = try reader.records(of: kind.name, at: positions) { record in
                    guard !fields.isEmpty else { return }
                    first = first ?? record.bytes
                    let members = try JSONFields(record.bytes)
                    fields.removeAll { !members.lacks($0.path) || $0.fallbackPath.map { !members.lacks($0) } ?? false }
                }
            }
            if let first { unused += fields.map { ($0, kind, first) } }
        }
        guard let (field, kind, record) = unused.first else { return nil }
        let others = unused.count == 1 ? "" : " (fields with such a path: \(unused.count))"
        return "\(kind.path).fields.\(field.name): no record has a member at \(field.path.text.quoted)"
            + (try Self.hint(for: field.path, in: JSON(record))) + others
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
