import Archive
package import Catalogue
import HTMLCheck
import Pages

extension DeclaredCatalogue {
    /// A declared field in a member has its own change, and so has each other value of an object.
    package func parts(of change: FieldChange, in kind: String) -> [FieldChange] {
        let isNested = change.list != nil || change.old?.members != nil || change.new?.members != nil
        guard isNested, let kind = declaration.kind(kind) else { return [change] }
        let parts = kind.parts(of: change, kind.servedFields)
        // Without parts, only details differ that no page shows.
        return parts.isEmpty ? [FieldChange(change.name, old: nil, new: nil)] : parts
    }
}

extension FieldDeclaration {
    /// The path of the value whose changes are those of the field. The address and the text of a reference are one.
    fileprivate var changedPath: String {
        let parent = path.names.dropLast()
        return type == .reference && !parent.isEmpty && text.map { $0.names.dropLast() == parent } == true
            ? parent.joined(separator: ".") : path.text
    }

    /// The change of the values in an array; nil if they are equal. Most types of fields show only the first value.
    fileprivate func part(of change: FieldChange) -> FieldChange? {
        let values = [change.old, change.new].map { $0.flatMap { path.elements?.values(in: $0) } ?? [] }
        // The presenter shows where two long texts differ.
        let hasValues =
            [.references, .list, .file].contains(type) || type.isLongText && values.contains { $0.count > 1 }
        let shown = values.map { hasValues ? .list($0) : $0.first }
        return shown[0] == shown[1] ? nil : FieldChange(path.text, old: shown[0], new: shown[1])
    }
}

extension KindDeclaration {
    /// The fields whose values are in the record.
    fileprivate var servedFields: [FieldDeclaration] {
        fields.filter { !$0.isComputed && $0.function != .albums && $0.type != .roots }
    }

    /// A value belongs to the field with the most specific path.
    fileprivate func parts(of change: FieldChange, _ fields: [FieldDeclaration]) -> [FieldChange] {
        guard let own = fields.first(where: { $0.changedPath == change.name }) else {
            return innerParts(of: change, fields)
        }
        let inside = fields.filter {
            $0 !== own && "\($0.path.names.joined(separator: ".")).".hasPrefix("\(change.name).")
        }
        guard !inside.isEmpty else {
            let dates = [change.old, change.new].map { value in value?.date.map(JSON.text) ?? value }
            return own.isDate ? [FieldChange(change.name, old: dates[0], new: dates[1])] : [change]
        }
        let parts = innerParts(of: change, inside)
        let declared = parts.filter { part in inside.contains { $0.changedPath == part.name } }
        return declared + (own.isInHistory && declared.count < parts.count ? [change] : [])
    }

    /// Changes in an object with a longer name are not listed one by one, because their names could need gigabytes.
    private static let longestJoinedName = 1_000

    private func innerParts(of change: FieldChange, _ fields: [FieldDeclaration]) -> [FieldChange] {
        let inArray = fields.filter { $0.path.elements != nil && $0.path.beforeArrays == change.name }
        guard inArray.isEmpty else {
            let rest = [change.old, change.new].map { value in
                JSON.list(
                    (value?.elements ?? []).filter { element in
                        !inArray.contains { $0.path.elements?.select(element) == true }
                    })
            }
            return inArray.compactMap { $0.part(of: change) }
                + (rest[0] == rest[1] ? [] : [FieldChange(change.name, old: rest[0], new: rest[1]).withoutEqualMembers])
        }
        // Each inner change has the name of this one.
        guard change.name.utf8.count <= Self.longestJoinedName else { return [change.withoutEqualMembers] }
        // A missing object has no values.
        let isAbove = fields.contains { $0.changedPath.hasPrefix("\(change.name).") }
        let values = [change.old, change.new].map {
            $0 == nil || $0 == .word("null") ? isAbove ? JSON.object([]) : nil : $0
        }
        let isLink = !isAbove && values.contains { $0?.members.map(RecordMarkup.isLink) == true }
        guard !isLink, let inner = FieldChange(change.name, old: values[0], new: values[1]).memberChanges else {
            return [change.withoutEqualMembers]
        }
        return inner.flatMap { part in
            parts(of: FieldChange("\(change.name).\(part.name)", old: part.old, new: part.new), fields)
        }
    }
}

extension FieldChange {
    /// The change of a list without the members that are equal in an added and a removed object. Objects with the same
    /// id are compared; without ids, those at the same place.
    fileprivate var withoutEqualMembers: FieldChange {
        guard let list, !list.added.isEmpty, !list.removed.isEmpty else { return self }
        let hasPairs = list.added.count == list.removed.count
        func ids(_ elements: [JSON]) -> [String] {
            elements.enumerated().map { $1.id ?? (hasPairs ? "\($0)" : "") }
        }
        func differing(_ elements: [JSON], _ others: [JSON]) -> JSON {
            let others = Dictionary(zip(ids(others), others), uniquingKeysWith: { first, _ in first })
            return .list(
                zip(ids(elements), elements).map { id, element in
                    id.isEmpty ? element : others[id].map(element.differing) ?? element
                })
        }
        return FieldChange(name, old: differing(list.removed, list.added), new: differing(list.added, list.removed))
    }
}

extension JSON {
    private static let ids = ["id", "@id", "UID", "uid", "uuid", "guid", "key", "url", "href"]
    private static let names = ["title", "name", "label"]

    fileprivate var id: String? { (Self.ids + Self.names).lazy.compactMap { self[$0]?.scalar }.first }

    /// The members of an object that another object lacks or has with another value, and its name.
    fileprivate func differing(from other: JSON) -> JSON {
        guard let members, let others = other.byName else { return self }
        let name = (Self.names + Self.ids).first { self[$0]?.scalar != nil }
        return .object(
            members.compactMap { key, value in
                let other = others[Array(key.utf8)]
                return other == value && key != name ? nil : (key, other.map(value.differing) ?? value)
            })
    }
}

/// The names, links and values of records on the pages of changes.
extension RecordTables: RecordPresenter {
    var kinds: [(name: String, count: TextDeclaration)] { declaration.kinds.map { ($0.name, $0.count) } }

    func page(of key: RecordKey) -> RecordPage? { find(key).map { ($0.path, $0.name, shownPicture($0)) } }

    func members(of kind: String) -> [FieldLabel] {
        guard let kind = declaration.kind(kind) else { return [] }
        return kind.servedFields.map { (name: $0.changedPath, label: $0.isInHistory ? $0.label : nil) }
            + (kind.selfLink.map { [(name: $0.text, label: nil)] } ?? [])
    }

    func words(_ member: String) -> String { member.replacing(".", with: " ").label }

    private func field(_ member: String, of kind: String) -> FieldDeclaration? {
        declaration.kind(kind)?.servedFields.first { $0.changedPath == member }
    }

    func key(_ element: JSON, of member: String, in kind: String) -> RecordKey? {
        guard let field = field(member, of: kind), let target = field.target else { return nil }
        if field.type == .results, let id = declaration.kind(target)?.id {
            guard case .word(let digits)? = element[id.names[0]] else { return nil }
            return Int64(digits).map { RecordKey(target, $0) }
        }
        return element.scalar.flatMap { links.key($0, kind: target) }
    }

    func shown(_ value: JSON, of member: String, in key: RecordKey, _ texts: Texts) -> ShownValue? {
        let served = value.scalar?.showable ?? ""
        let field = field(member, of: key.kind)
        if field?.none.contains(served) == true { return nil }
        switch (field?.type, value) {
        case (.results, .object), (.hidden, .object):
            if let title = field?.text.flatMap({ value[$0.names[0]]?.text }), !title.isBlank {
                return ShownValue(title.showable, isServed: true)
            }
        case (.reference, _):
            guard let field else { break }
            let address = value.members == nil ? served : value[field.path.names.last ?? ""]?.scalar ?? ""
            let found = find(address, field.target ?? "")
            let name = field.text.flatMap { value[$0.names.last ?? ""]?.scalar?.showable } ?? ""
            if let link = link(field, name, found, texts) { return link.value }
        case (.html, .text): return ShownValue(HTMLSanitizer.text(served), isServed: true)
        case (let type?, _) where type.isText:
            guard let field, let kind = declaration.kind(key.kind) else { break }
            let record = find(key)
            let text = kind.text(field, field.value(of: served) ?? served, texts) { other in
                record.map { $0.table.text(other, $0.row) } ?? ""
            }
            if !text.isBlank { return ShownValue(text, isServed: text == served) }
        case (.some, .text): return served.isBlank ? nil : ShownValue(served, isServed: true)
        default: break
        }
        if let found = find(served) { return ShownValue(found.name, path: found.path, isServed: true) }
        let text = RecordMarkup(tables: self, texts: texts, home: "", root: "").plain(value, member)
        let isTranslated = ["true", "false"].contains(served) || Day(moment: served) != nil
        return text.isBlank ? nil : ShownValue(text, isServed: !isTranslated)
    }
}
