package import Archive
package import Catalogue

extension DeclaredCatalogue {
    /// A record's fields as lines for a terminal, for the verb `card`.
    package func cardLines(for record: StoredRecord, from reader: RevisionReader) throws -> [String] {
        guard let kind = declaration.kind(record.key.kind) else { return [] }
        let fields = try JSONFields(record.bytes)
        let links = links(reader.revision.source.api)
        var lines = [("name", title(of: record.bytes, record.key))]
        for field in kind.fields where !field.type.isDerived && field.type != .tree {
            guard let target = field.target.flatMap(declaration.kind) else {
                let line = (field.name, fields.scalar(field.path))
                if [.string, .enum].contains(field.type), line != lines[0] { lines.append(line) }
                continue
            }
            for name in field.type == .reference ? [fields.scalar(field.path)] : fields.validLinks(field.path) {
                let record = try links.key(name, kind: target.name).flatMap(reader.record)
                let line = try record.map { try Self.line(of: $0, target, field) }
                lines.append((field.name, line ?? field.text.map { fields.scalar($0) } ?? ""))
            }
        }
        if let asset = record.picture {
            lines.append(("picture", "\(asset.format.rawValue), \(asset.width) x \(asset.height), \(asset.size) bytes"))
        }
        return lines.filter { !$0.1.isEmpty }.map { label, value in
            label + String(repeating: " ", count: max(1, 10 - label.count)) + value.singleLine
        }
    }

    /// The record that a field refers to: its name, and what the field shows with it.
    private static func line(of record: StoredRecord, _ kind: KindDeclaration, _ field: FieldDeclaration) throws
        -> String
    {
        let fields = try JSONFields(record.bytes)
        let name = kind.heading(kind.title(of: fields), record.key)
        let shown = field.type == .reference ? field.note.compactMap(kind.field) : kind.row
        let values = shown.map { fields.scalar($0.path) }.filter { !$0.isBlank }.joined(separator: ", ")
        if values.isEmpty { return name }
        return field.type == .reference ? "\(name) (\(values))" : "\(name), \(values)"
    }

    package var exportTables: [ExportTable] {
        declaration.kinds.filter { isWhole($0.name) == false }.map { ExportTable($0.name, exportColumns($0)) }
    }

    package var exportRelations: [String] {
        declaration.relations.compactMap { name, kind, field in
            field.target.flatMap(declaration.kind).map { target in
                ExportTable.view(
                    ofLinks: name, from: kind.name, kind.exportedID, field.path, to: target.name,
                    areNumbers: !target.hasTextIDs)
            }
        }
    }

    /// The declared columns. Without them: the id, the title, and the fields with a value in the record.
    private func exportColumns(_ kind: KindDeclaration) -> [ExportTable.Column] {
        guard kind.export.isEmpty else {
            return kind.export.map { name, declared in
                guard case .value(let path) = declared else { return (name, declared) }
                let field = kind.fields.first { $0.type == .references && $0.path == path }
                return (name, path == kind.id ? kind.exportedID : content(of: path, field))
            }
        }
        let own = kind.fields.filter { $0.from != nil || ![kind.id, kind.title].contains($0.path) }
        return [("id", kind.exportedID), ("title", content(of: kind.title, nil))]
            + own.compactMap { field in
                let isUsed = ["id", "title"].contains(field.name)
                return content(of: field, in: kind).map { (isUsed ? "\(field.name)_field" : field.name, $0) }
            }
    }

    /// The content of a field; nil for a field without a value in the record, or in one that it refers to.
    private func content(of field: FieldDeclaration, in kind: KindDeclaration) -> ExportTable.Content? {
        guard let from = field.from else { return field.isComputed ? nil : content(of: field.path, field) }
        let reference = kind.field(from.reference)
        guard let reference, let target = reference.target.flatMap(declaration.kind) else { return nil }
        let name = content(of: target.title, nil)
        let value = from.field.map { target.field($0).flatMap { content(of: $0, in: target) } } ?? name
        return value.map { .other(reference.path, kind: target.name, id: target.exportedID, $0) }
    }

    private func content(of path: FieldPath, _ field: FieldDeclaration?) -> ExportTable.Content {
        if field?.type == .references { return .links(path) }
        if field?.type == .reference, let target = field?.target.flatMap(declaration.kind) {
            return target.hasTextIDs ? .textID(path) : .numberID(path)
        }
        let hasSeveral = [.list, .prose, .html, .file, .tree, .hidden].contains(field?.type)
        return hasSeveral && path.elements != nil ? .values(path) : .value(path)
    }
}

extension KindDeclaration {
    fileprivate var exportedID: ExportTable.Content {
        idParts.count > 1 ? .parts(idParts) : hasTextIDs ? .textID(id) : .id
    }
}
