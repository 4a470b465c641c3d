package import Catalogue
import Pages
import Platform

extension DeclaredCatalogue {
    package func page(_ answer: PageAnswer, of list: ListEndpoint) throws -> ListPage {
        guard let rules = rules[list.name] else { throw ContentFault("", "is not a page of a list") }
        let values = AnswerValues(answer)
        let body = answer.body
        let place = try rules.records.flatMap { try values.range(of: $0) }
        if place == nil, let name = rules.error { try values.refuseError(name, "a list page") }
        if place == nil, let path = rules.records { throw try values.missing(path) }
        let path = rules.records?.text ?? ""
        let isObject = place.map { body[$0.lowerBound] == "{" } ?? values.isObject
        // Some servers send null for an empty array.
        let isNull = place.map { body[$0].elementsEqual("null".utf8) } ?? false
        var records = isNull ? [] : try ContentFault.inside(path) { try JSONSlices.values(of: body, at: place) }
        // A single page can be the record itself. An object of records can have one with the name "id".
        if isObject, list.paginator == .single, let id = declaration.kind(list.kind)?.idParts[0].text,
            let range = try values.range(of: FieldPath(path.isEmpty ? id : "\(path).\(id)")),
            body[range.lowerBound] != "{"
        {
            records = [place ?? JSONSlices.whole(body)]
        }
        // If the declaration lacks "records", these are the members of the envelope.
        try require(
            !isObject || records.allSatisfy { body[$0.lowerBound] == "{" }, path,
            "is an object whose members are not all records; say where they are with \"records\"")
        let count = try rules.count.map(values.number)
        let pages = try rules.pages.map(values.number)
        if let count, let pages {
            try require(
                pages <= max(count, 1), rules.pages?.text ?? "", "is \(pages), more pages than the \(count) records")
        }
        var page = ListPage(records, at: path)
        if count != nil || pages != nil { page.claim = (count, pages) }
        page.isObject = isNull ? nil : isObject
        page.more = try rules.more.map(values.flag)
        page.next = try next(after: values, list, more: page.more)
        if page.next == nil, page.more == nil {
            page.lacksNext = try !list.hasCount && Self.lacksNext(values, list)
            page.unread = try Self.unreadPage(in: values, of: list, rules.records, rows: records.count)
        }
        return page
    }

    package func kind(of row: ArraySlice<UInt8>, in list: ListEndpoint) throws -> String {
        guard let (member, kinds) = rules[list.name]?.kinds else { return list.kind }
        let value = try JSONFields(Array(row)).scalar(member)
        return try require(
            kinds[value], member.text,
            value.isEmpty
                ? "is missing, so the record has no kind" : "is \(value.quoted), which is not a key of \"kinds\"")
    }

    package func detail(of row: ArraySlice<UInt8>, in list: ListEndpoint, base: String) throws -> Reference {
        guard let detail = rules[list.name]?.detail, let kind = declaration.kind(try kind(of: row, in: list)) else {
            throw ContentFault("", "is a row of a list of records")
        }
        // A row that is a text or a number is the id, or the address of the record.
        let isID = row.first != "{"
        let fields = try JSONFields(isID ? Array("{\"id\":".utf8) + row + Array("}".utf8) : Array(row))
        let reader = links(base)
        let path = try path(detail, of: fields, reader)
        let address = detail.address.flatMap { reader.path(fields.scalar(FieldPath($0))) } ?? path
        // A row can lack the id that the record has. It is then at the end of the record's address.
        let last = address.contains("?") ? nil : address.split(separator: "/").last.map(String.init)
        let key =
            if isID, detail.address == nil {
                try fields.key(kind.name, at: "id", isText: kind.hasTextIDs)
            } else if !isID, kind.idParts.count > 1 || fields.has(kind.id) {
                try kind.key(of: fields)
            } else {
                try require(
                    reader.key("\(base)/\(address)", kind: kind.name)
                        ?? last.flatMap { reader.key($0, kind: kind.name) },
                    kind.id.text,
                    "is missing, and \(path.quoted) does not end with a number, or with an id if \"textIds\" is true")
            }
        return Reference(key, at: kind.id.text, path: path)
    }
}

/// Reads the values that an answer has besides its records. A page can be large, so its members are found once.
final class AnswerValues {
    let answer: PageAnswer
    /// Whether the body is an object, and not an array.
    let isObject: Bool
    private lazy var members = Result { try JSONSlices.members(of: answer.body) }

    init(_ answer: PageAnswer) {
        self.answer = answer
        isObject = answer.body[JSONSlices.start(of: answer.body)...].first { !$0.isSpace } == "{"
    }

    /// The values of the header's fields with a name, joined by commas (RFC 9110, section 5.3); nil if there are none.
    func header(_ name: String) -> String? {
        let fields = [Header](parsing: answer.headers, only: [name])
        return fields.isEmpty ? nil : fields.map(\.value).joined(separator: ", ")
    }

    /// The place of a value. The name of a member can have dots, such as "@odata.nextLink". Nil if a member is missing.
    /// A path without a name at its start begins in an answer that is an array.
    func range(of path: FieldPath) throws -> Range<Int>? {
        try range(of: path, in: path.names == [""] ? ["": JSONSlices.whole(answer.body)] : members.get())
    }

    private func range(of path: FieldPath, in members: [String: Range<Int>]) throws -> Range<Int>? {
        let (body, found) = (answer.body, try range(of: path.names[...], in: members))
        guard let found, let elements = path.elements else { return found }
        guard body[found.lowerBound] == "[" else { return nil }
        let selected = elements.indexed(try JSONSlices.elements(of: body, at: found))
        let element = try selected.first { elements.select(try JSON(Array(body[$0]))) }
        guard let first = element, let rest = elements.rest else { return element }
        return body[first.lowerBound] == "{" ? try range(of: rest, in: JSONSlices.members(of: body, at: first)) : nil
    }

    /// The answer without its records and without long values.
    func envelope(besides records: FieldPath) throws -> JSON {
        func object(_ members: [String: Range<Int>], _ parent: String) throws -> JSON {
            .object(
                try members.sorted { $0.value.lowerBound < $1.value.lowerBound }.compactMap { name, range in
                    let path = parent + name
                    guard path != records.text else { return nil }
                    if records.text.utf8.starts(with: "\(path).".utf8), answer.body[range.lowerBound] == "{" {
                        return (name, try object(JSONSlices.members(of: answer.body, at: range), "\(path)."))
                    }
                    return range.count > 4_096 ? nil : (name, try JSON(Array(answer.body[range])))
                })
        }
        return try object(members.get(), "")
    }

    /// Some APIs answer an error with the status 200.
    func refuseError(_ name: String, _ wanted: String) throws {
        let error = isObject ? try members.get()[name] : nil
        guard let error, !["null", "false", "\"\""].contains(word(error)) else { return }
        throw ContentFault(name, "has the error \(JSONText.quotedError(answer.body[error])) instead of \(wanted)")
    }

    /// The fault for a missing value. It has the server's error, or names the members that are in its place.
    func missing(_ path: FieldPath, _ wanted: String = "a list page") throws -> ContentFault {
        try refuseError("error", wanted)
        for length in path.names.indices.reversed() {
            let parent = path.names.prefix(length).joined(separator: ".")
            // `try?`, because the answer and the parent can be other values than objects.
            let members = try? (parent.isEmpty ? JSONSlices.whole(answer.body) : range(of: FieldPath(parent)))
                .map { try JSONSlices.members(of: answer.body, at: $0) }
            guard let members, !members.isEmpty else { continue }
            let names = members.sorted { $0.value.lowerBound < $1.value.lowerBound }.prefix(10).map {
                $0.key.prefix(40)
            }
            let rest = members.count > 10 ? ", …" : ""
            return ContentFault(
                path.text,
                "is missing; \(parent.isEmpty ? "the answer" : parent) has \(names.joined(separator: ", "))\(rest)"
                    .singleLine)
        }
        return ContentFault(path.text, "is missing")
    }

    private func range(of names: ArraySlice<String>, in members: [String: Range<Int>]) throws -> Range<Int>? {
        for length in (1...names.count).reversed() {
            guard let range = members[names.prefix(length).joined(separator: ".")] else { continue }
            if length == names.count { return range }
            guard answer.body[range.lowerBound] == "{" else { return nil }
            return try self.range(of: names.dropFirst(length), in: JSONSlices.members(of: answer.body, at: range))
        }
        return nil
    }

    /// A text or a number. Nil if it is missing, null, false or empty.
    func text(_ value: AnswerValue) throws -> (text: String, isObject: Bool)? {
        switch value {
        case .header(let name): return header(name).flatMap { $0.isEmpty ? nil : ($0, false) }
        case .body(let path):
            guard let range = try range(of: path), !["null", "false"].contains(word(range)) else { return nil }
            let text = try ContentFault.inside(path.text) { try JSONText.scalar(answer.body, at: range) }
            return text.isEmpty ? nil : (text, answer.body[range.lowerBound] == "{")
        }
    }

    /// The spelling of a null or Boolean, or the beginning of another value.
    private func word(_ range: Range<Int>) -> String { String(decoding: answer.body[range].prefix(6), as: UTF8.self) }

    func flag(_ value: AnswerValue) throws -> Bool {
        let word: String
        switch value {
        case .header(let name): word = header(name)?.lowercased() ?? ""
        case .body(let path):
            guard let range = try range(of: path) else { throw try missing(path) }
            word = self.word(range)
        }
        return try require(Bool(word), value.text, "is not true or false")
    }

    /// A claimed number of records or pages.
    func number(_ value: AnswerValue) throws -> Int {
        let number: Int64
        switch value {
        case .header(let name):
            let found = header(name).flatMap { Int64($0) }
            number = try require(found, value.text, "is missing, or not a whole number")
        case .body(let path):
            guard let range = try range(of: path) else { throw try missing(path) }
            let value = answer.body[range]
            // Some APIs send a number as a text.
            let digits = value.dropFirst().dropLast()
            let isCanonical = digits.first != "0" || digits.count == 1
            let isText = value.first == "\"" && !digits.isEmpty && digits.allSatisfy(\.isDigit) && isCanonical
            number = try ContentFault.inside(path.text) { try JSONText.integer(isText ? digits : value) }
        }
        try require(number >= 0, value.text, "is \(number), less than nothing")
        try require(number <= Self.maximumClaim, value.text, "is \(number), more than a list can hold")
        return Int(number)
    }

    /// Larger than any list, and small enough that sums do not overflow.
    private static let maximumClaim = 1_000_000_000
}
