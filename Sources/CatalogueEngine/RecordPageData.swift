import Archive
import Catalogue
import Pages

extension KindDeclaration {
    /// The type of a page's JSON-LD.
    var jsonLDType: String? {
        if case .text(let type)? = jsonLD.first(where: { $0.name == "@type" })?.value { type } else { nil }
    }

    /// The other members of a page's JSON-LD. A member whose placeholder has no value is left out.
    /// - Parameter values: the texts of the fields.
    func jsonLD(_ values: [String]) -> [(key: String, value: JSON)] {
        jsonLD.filter { $0.name != "@type" }.compactMap { member in
            jsonLD(member.value, values).map { (key: member.name, value: $0) }
        }
    }

    private func jsonLD(_ value: DeclarationValue, _ values: [String]) -> JSON? {
        switch value {
        case .object(let members):
            var filled: [(key: String, value: JSON)] = []
            for member in members {
                guard let value = jsonLD(member.value, values) else { return nil }
                filled.append((member.name, value))
            }
            return .object(filled)
        case .text(let text) where text.hasPrefix("{") && text.hasSuffix("}"):
            let names = text.dropFirst().dropLast().split(separator: ".").map(String.init)
            guard let index = names.first.flatMap(field) else { return nil }
            if names.count == 2 { return fields[index].number(of: names[1], in: values[index]).map { .integer($0) } }
            let field = fields[index]
            let text = field.type == .date ? field.machineReadable(values[index]) : values[index]
            return text.isEmpty ? nil : .text(text)
        default: return value.json
        }
    }
}

extension RecordTables {
    /// The name of a row's group, and the id of its section, which is the same in all languages; nil if the row's value
    /// has another format.
    func group(_ group: ListDeclaration.Group, _ table: RecordTable, _ row: Int, _ texts: Texts) -> (
        label: String, anchor: String
    )? {
        guard let part = group.part, let label = group.label else {
            let value = table.text(group.field, row)
            let words = SitePath.words(value, bytes: 64)
            let anchor = words == value ? words : "\(words)-\(SHA256(of: Array(value.utf8)).prefixInHex(bytes: 4))"
            return (table.kind.fields[group.field].text(value, texts), "group-\(anchor)")
        }
        return table.part(part, of: group.field, row).map { number in
            (texts.filled(label, ["number": "\(number)"]), "group-\(number)")
        }
    }
}
