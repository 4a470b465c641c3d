import Archive
import Catalogue

extension KindDeclaration {
    /// The key of a record.
    /// - Throws: `ContentFault` if the id or a required field is missing or has a wrong type.
    func checkedKey(_ record: JSONFields, hasExtension: Bool) throws -> RecordKey {
        if hasExtension { try CatalogueExtension.check(record, self) }
        let key = try key(of: record)
        for field in required {
            if let text = field.text { _ = try record.text(text) }
            // The references are checked when they are read.
            let isID = field.type == .reference && Int64(record.scalar(field.path)) != nil
            if field.type == .references || isID { continue }
            _ = try record.text(field.path)
            if field.type == .url, try field.read(record).isEmpty { throw ContentFault(field.path.text, "is missing") }
        }
        return key
    }

    func key(of record: JSONFields) throws -> RecordKey {
        guard idParts.count > 1 else { return try record.key(name, at: id, isText: hasTextIDs) }
        let parts = idParts.map(record.scalar)
        if let missing = parts.firstIndex(of: "") {
            throw ContentFault(idParts[missing].text, "is missing, and is a part of the id")
        }
        let text = parts.joined(separator: "/")
        try require(text.utf8.count <= JSONFields.longestID, id.text, "is longer than \(JSONFields.longestID) bytes")
        return RecordKey(name, text: text)
    }

    /// A path, or several paths in braces: "{season}/{number}".
    static func id(_ object: DeclarationObject) throws -> (FieldPath, parts: [FieldPath]) {
        guard let text = try object.optionalText("id"), text.hasPrefix("{"), text.hasSuffix("}") else {
            let id = try object.fieldPath("id") ?? FieldPath("id")
            return (id, [id])
        }
        let parts = text.dropFirst().dropLast().split(separator: "}/{", omittingEmptySubsequences: false)
        try require(
            (2...4).contains(parts.count), object.path("id"),
            "has \(parts.count == 1 ? "one path" : "\(parts.count) paths") in braces; an id of several values has 2 to "
                + "4, such as \"{season}/{number}\"")
        // The parts have no arrays, so the whole text has none.
        let paths = try parts.map { try DeclarationObject.fieldPath(String($0), at: object.path("id")) }
        return (FieldPath(text), paths)
    }
}
