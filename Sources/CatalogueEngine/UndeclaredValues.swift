import Archive
import Catalogue
import Pages
import Platform

/// The values of a record that no field of its declaration shows. They are read at the first use.
struct UndeclaredValues: Sendable {
    let record: [UInt8]
    let fields: JSONFields
    let kind: KindDeclaration
    /// The fields with values that the page cannot show: invalid ones, and references to missing records.
    let missing: Set<Int>
    var tables: RecordTables?
    /// The record of the page, and those of its references. A value below `start` is hidden if it repeats the record.
    var linked: [(start: String, record: RecordRow)] = []
    private let read = Locked<[JSON.Member]?>(nil)

    var members: [JSON.Member] {
        read.withLock { read in
            let members = read ?? readMembers()
            read = members
            return members
        }
    }

    private func readMembers() -> [JSON.Member] {
        // The capture checked the record. A damaged archive is reported by its digests.
        guard kind.showsRest, let value = try? JSON(record) else { return [] }
        let facts = Set((kind.facts + kind.otherFacts).map(\.index))
        let shown = kind.fields.filter { field in
            if field.from != nil || field.address != nil || missing.contains(field.index) { return false }
            guard facts.contains(field.index), field.type.isText else {
                return [.prose, .html, .reference, .references, .image, .file, .hidden, .tree].contains(field.type)
            }
            // A value that its field cannot show, and a list that is too long, are shown as served.
            return (try? field.read(fields)).map { !$0.isBlank } ?? (field.nonNumericText(fields) != nil)
                || field.none.contains(fields.scalar(field.path))
        }
        let title = kind.canShow(titleOf: fields) ? kind.title : nil
        let paths = shown.map(\.path)
        let whole = [kind.id, title, kind.selfLink] + shown.map(\.text) + paths.filter { !$0.leavesOthers }
        let hidden = Set(whole.compactMap { $0?.beforeArrays })
        let parts = Dictionary(grouping: paths.filter(\.leavesOthers)) { "\($0.beforeArrays)[]" }
        let lists = kind.fields.filter {
            $0.type == .references && missing.contains($0.index) && !fields.validLinks($0.path).isEmpty
        }
        let rest = value.pruned { path, value in
            hidden.contains(path) || parts[path]?.contains { $0.elements?.select(value) == true } == true
                || isRepeated(path, value) || lists.contains { isLinked(value, at: path, by: $0) }
        }
        return (rest?.members ?? []).flatMap { member in
            let (rest, lists) = Self.split((member.key, withLinks(member.value)))
            return (rest.map { [Self.joined((member.key, $0))] } ?? []) + lists
        }
    }

    /// Whether a value is an element of a list of references, and its records are captured.
    private func isLinked(_ value: JSON, at path: String, by field: FieldDeclaration) -> Bool {
        guard path == "\(field.path.beforeArrays)[]", field.path.elements?.select(value) != false else { return false }
        let links = field.path.elements?.rest.map(value.values) ?? [value]
        return !links.isEmpty && links.allSatisfy { tables?.find($0.scalar ?? "", field.target ?? "") != nil }
    }

    /// Replaces an object with one short value by this value, and joins their names: "Author id".
    private static func joined(_ member: JSON.Member) -> JSON.Member {
        guard let (name, value) = member.value.members?.first, member.value.members?.count == 1,
            let text = value.scalar, text.utf8.count <= 40, !RecordMarkup.isAddress(text)
        else { return member }
        return ("\(member.key) \(name)", value)
    }

    /// Whether a value is an address of a linked record, or a member beside it that says no more than its link.
    private func isRepeated(_ path: String, _ value: JSON) -> Bool {
        let found = value.text.flatMap(address).flatMap { tables?.find($0) }
        return linked.contains { start, record in
            guard path.hasPrefix(start) else { return false }
            if let found { return found.table === record.table && found.row == record.row }
            let name = path.dropFirst(start.count)
            return !start.isEmpty && !name.contains(".") && record.isRepeated(by: (String(name), value))
        }
    }

    /// The address in a text. Some APIs leave out the host in the addresses of records.
    private func address(_ text: String) -> String? {
        if RecordMarkup.isAddress(text) { return text }
        guard text.utf8.first == "/", let tables, tables.find(text) != nil else { return nil }
        return WebLinks.absolute(text, on: tables.links.bases[0])
    }

    /// Objects with the address of a record, and members that say no more than a link to it, become the address.
    private func withLinks(_ value: JSON) -> JSON {
        switch value {
        case .object(let members) where !RecordMarkup.isLink(members):
            let addresses = members.compactMap { $0.value.text.flatMap(address) }
            if addresses.count == 1, let record = tables?.find(addresses[0]),
                members.allSatisfy({ $0.value.text.flatMap(address) != nil || record.isRepeated(by: $0) })
            {
                // In an object with one other text, it is no link with this name.
                return .object([("url", .text(addresses[0]))])
            }
            return .object(members.map { ($0.key, withLinks($0.value)) })
        case .text(let text): return .text(address(text) ?? text)
        // The number of pages for a longer list was counted without links.
        case .list(let elements) where elements.count <= RecordMarkup.rowsPerPage: return .list(elements.map(withLinks))
        default: return value
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

extension RecordRow {
    /// Whether a member beside the record's address has its id or name, or is metadata such as "@type".
    func isRepeated(by member: JSON.Member) -> Bool {
        guard let text = member.value.scalar else { return false }
        let own = table.key(row).text
        let isID = text == own || member.key.lowercased().hasSuffix("id") && own == nil && text == "\(table.ids[row])"
        return isID || text == name || ["name", "title"].contains(member.key) || member.key.hasPrefix("@")
    }
}

extension FieldPath {
    /// Whether pages show the other elements of the array. Those in other languages have the same contents, and the
    /// elements of a path without a condition are all shown.
    fileprivate var leavesOthers: Bool {
        guard case .matching(let condition, _, _)? = elements else { return false }
        return !["lang", "locale"].contains(where: condition.text.lowercased().contains)
    }
}

extension KindDeclaration {
    /// The declared fields that are shown among the undeclared values: texts and references, but no facts.
    var otherFacts: [FieldDeclaration] {
        guard showsRest else { return [] }
        return fields.filter { field in
            (field.type.isText || field.type == .reference) && field.value == nil && field.from == nil
                && !facts.contains { $0 === field } && ![title, slug].contains(field.path)
        }
    }

    /// The number of pages for the lists in a record: rows of references, and values that are not declared.
    func pages(of record: JSONFields, _ bytes: [UInt8]) -> Int {
        // Two elements of a list have a comma between them.
        let most = bytes.count { $0 == "," } + 1
        let declared = fields.filter { $0.type == .references && !$0.showsCards && $0.most < most }.map { field in
            // Counting is faster than reading links.
            guard record.count(field.path) > field.most else { return 1 }
            return Paging(count: Set(record.validLinks(field.path)).count, perPage: field.most).pages
        }
        let limit = RecordMarkup.rowsPerPage
        guard showsRest, most > limit, record.longestArray > limit else { return declared.max() ?? 1 }
        let invalid = Set(fields.filter { $0.from == nil && $0.valid(record) == nil }.map(\.index))
        let rest = UndeclaredValues(record: bytes, fields: record, kind: self, missing: invalid).members
        return (declared + rest.map { RecordMarkup.pages($0.value) }).max() ?? 1
    }
}

extension JSON {
    var isNumber: Bool { if case .word(let word) = self { word.utf8.last?.isDigit == true } else { false } }

    /// The name and the id of an object that has nothing else, if both are short.
    var nameAndID: (name: String, id: String)? {
        guard let members, members.count == 2, let id = members.first(where: { $0.key == "id" })?.value.scalar,
            let name = members.first(where: { ["name", "title", "label"].contains($0.key) })?.value.text,
            name.utf8.count + id.utf8.count <= 100, !RecordMarkup.isAddress(name), !RecordMarkup.isMarkup(name),
            !name.contains(where: \.isNewline)
        else { return nil }
        return (name, id)
    }

    /// The number and the unit of an object that has nothing else, such as {"amount": 5, "currency": "EUR"}.
    var quantity: (number: Member, unit: String)? {
        guard let members, members.count == 2, let number = members.first(where: { $0.value.isNumber }),
            let other = members.first(where: { ["unit", "units", "currency"].contains($0.key.lowercased()) }),
            let unit = other.value.text, !unit.isBlank, unit.utf8.count <= 12, !unit.contains(where: \.isNewline)
        else { return nil }
        return (number, unit)
    }
}

/// How an undeclared number is shown. Its name decides.
enum NumberForm {
    case size, duration, count
    /// A number that counts nothing, such as an id or a year.
    case label

    init(_ name: String) {
        let words = name.inWords.lowercased().split(whereSeparator: { " .".contains($0) })
        let last = words.last ?? ""
        let isSize = words.contains("bytes") || last == "filesize" || words.suffix(2) == ["file", "size"]
        let isDuration = ["ms", "millis", "milliseconds"].contains(last)
        let isLabel = words.contains { $0.hasSuffix("id") || Self.labels.contains($0) }
        self = isSize ? .size : isDuration ? .duration : isLabel ? .label : .count
    }

    private static let labels = Set(
        """
        ids year years code codes number numbers no nr num index zip zipcode postcode postal phone tel telephone mobile
        fax isbn issn ean gtin upc sku barcode version build serial hash key date time timestamp unix epoch created
        updated modified
        """.split(whereSeparator: \.isWhitespace))
}

extension Double {
    /// Rounded to the 15 digits of a binary number: 96.80262 for 96.80261999999999; nil if it needs an exponent.
    var roundedTo15Digits: Double? {
        guard (1e-4..<1e14).contains(magnitude) else { return nil }
        var power = 1.0
        while magnitude * power < 1e14 { power *= 10 }
        return (self * power).rounded() / power
    }
}

extension Texts {
    /// An undeclared number, with the decimal mark of the language and at most the digits of a binary number.
    func number(_ word: String, _ form: NumberForm) -> String {
        guard let number = Int(word) else {
            let isLong = word.utf8.count(where: \.isDigit) > 15
            let shown = isLong ? Double(word)?.roundedTo15Digits.map { "\($0)" } ?? word : word
            if case .label = form { return shown }
            if case .duration = form { return "\(shown) ms" }
            return shown.replacing(".", with: self[EngineTexts.decimalMark])
        }
        return switch form {
        case .size where number > 0: FieldDeclaration.size(Double(number), self)
        case .duration where number >= 10_000: FieldDeclaration.clock(milliseconds: word) ?? word
        // "0:01" says less than "740 ms".
        case .duration: "\(word) ms"
        case .count: whole(word) ?? word
        case .size, .label: word
        }
    }

    /// A whole number in groups of digits, or as served if it is too large for them; nil for another text.
    func whole(_ word: String) -> String? {
        guard word.utf8.allSatisfy({ $0.isDigit || $0 == "-" }) else { return nil }
        guard let number = Int(word), let magnitude = Int(exactly: number.magnitude) else { return word }
        return (number < 0 ? "-" : "") + grouped(magnitude, from: 10_000)
    }
}
