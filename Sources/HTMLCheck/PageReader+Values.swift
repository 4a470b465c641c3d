/// Values of attributes.
extension PageReader {
    /// - Returns: what the value must be, as the end of a sentence; nil where it is right.
    mutating func problem(
        with value: UnsafeBufferPointer<UInt8>, _ expected: UnsafeMutablePointer<Grammar.Value>, _ tag: Tag,
        _ element: Int, _ name: Int,
        _ rule: Element
    ) -> String? {
        switch expected.pointee.kind {
        case .any: return nil
        case .nonEmpty: return value.isBlank ? "must not be empty" : nil
        case .flag:
            return value.isEmpty || value.equals(spelling: grammar.names[name])
                ? nil : "must be empty or repeat the attribute's name"
        case .id: return recordID(value, tag, rule)
        case .idref, .control:
            return recordReference(value, tag, element, name, needsControl: expected.pointee.kind == .control)
        case .idrefs:
            if value.isBlank { return "must name at least one id" }
            value.forEachToken { _ = recordReference($0, tag, element, name, needsControl: false) }
            return nil
        case .link: return recordLink(value, tag, element, name)
        case .url:
            return ValueSyntax.urlProblem(value) ?? (ValueSyntax.isAbsoluteURL(value) ? nil : "must be an absolute URL")
        case .srcset: return recordCandidates(value, tag, element, name)
        case .integer:
            let (least, most) = (expected.pointee.least, expected.pointee.most)
            guard let number = ValueSyntax.integer(value), number >= least, number <= most else {
                return most == Int(Int32.max) && least == 0
                    ? "must be a whole number" : "must be a whole number from \(least) to \(most)"
            }
            return nil
        case .number: return ValueSyntax.isNumber(value) ? nil : "must be a number"
        case .oneOf:
            return isKeyword(value, expected)
                ? nil
                : "must be "
                    + (expected.pointee.endKeyword - expected.pointee.firstKeyword > 1 ? "one of " : "")
                    + list(expected)
        case .tokens:
            var bad = value.isBlank
            value.forEachToken { if !isKeyword($0, expected) { bad = true } }
            return bad ? "must be one or more of \(list(expected))" : nil
        case .ownLanguage where value.isEmpty: return nil
        case .language, .ownLanguage:
            return ValueSyntax.isLanguage(value) ? nil : "must be a language tag such as en or pt-BR"
        case .dateTime: return DateTimeSyntax.isValid(value) ? nil : "must be a machine-readable date, time or duration"
        case .moment: return DateTimeSyntax.isMoment(value) ? nil : "must be a date, or a date with time and zone"
        case .mediaType: return ValueSyntax.isMediaType(value) ? nil : "must be a media type such as image/png"
        case .paint:
            if value.isBlank { return "must not be empty" }
            guard value.starts(with: "url(".utf8) else { return nil }
            guard let end = value.firstIndex(of: UInt8(ascii: ")")), end > 5, value[4] == UInt8(ascii: "#") else {
                return "must point into the page: url(#id)"
            }
            return recordReference(
                UnsafeBufferPointer(rebasing: value[5..<end]), tag, element, name, needsControl: false)
        case .fragment:
            guard value.count > 1, value[0] == UInt8(ascii: "#") else { return "must be a # and an id of the page" }
            return recordReference(UnsafeBufferPointer(rebasing: value[1...]), tag, element, name, needsControl: false)
        case .iconSizes: return ValueSyntax.isIconSizes(value) ? nil : "must be sizes such as 32x32, or any"
        }
    }

    private mutating func recordID(_ value: UnsafeBufferPointer<UInt8>, _ tag: Tag, _ rule: Element) -> String? {
        if value.isEmpty || value.contains(where: { $0 <= 0x20 }) {
            return "must be at least one character, and no spaces"
        }
        if let first = ids.position(of: value, in: text) {
            report(
                tag, attribute: "id", rule: .duplicateID,
                "\(shown(tag)) has id=\"\(value.quoted)\", which line \(ids.notes[first].line) already has")
            return nil
        }
        let isControl = rule.pointee.kinds.contains(.labelable) && tag.value(of: "type")?.equals("hidden") != true
        let range = keep(value)
        ids.insert(range, in: text, IDTable.Note(line: tag.line, name: rule.pointee.nameNumber, isControl: isControl))
        return nil
    }

    private mutating func recordReference(
        _ value: UnsafeBufferPointer<UInt8>, _ tag: Tag, _ element: Int, _ name: Int, needsControl: Bool
    ) -> String? {
        if value.isEmpty || value.contains(where: { $0 <= 0x20 }) { return "must be one id" }
        references.append(
            Reference(id: keep(value), line: tag.line, element: element, name: name, needsControl: needsControl))
        return nil
    }

    private mutating func recordLink(_ value: UnsafeBufferPointer<UInt8>, _ tag: Tag, _ element: Int, _ name: Int)
        -> String?
    {
        if value.isEmpty { return "must not be empty" }
        links.append(
            LinkRecord(target: keep(value), line: Int32(tag.line), element: Int16(element), attribute: Int16(name)))
        if value[0] == UInt8(ascii: "#") {
            if value.count == 1 { return "must name a place" }
            if value.equals("#top") { return nil }
            let fragment =
                value.contains(UInt8(ascii: "%")) ? percentDecoded(value.dropFirst()) : Array(value.dropFirst())
            fragment.withUnsafeBufferPointer {
                references.append(
                    Reference(id: keep($0), line: tag.line, element: element, name: name, needsControl: false))
            }
        }
        return ValueSyntax.urlProblem(value)
    }

    /// srcset: candidates between commas, each a URL and a width or density (HTML Living Standard, section 4.8.4.2.1).
    private mutating func recordCandidates(_ value: UnsafeBufferPointer<UInt8>, _ tag: Tag, _ element: Int, _ name: Int)
        -> String?
    {
        var problem: String?
        var widths = 0
        var count = 0
        var descriptors: [ArraySlice<UInt8>] = []
        for candidate in value.split(separator: UInt8(ascii: ","), omittingEmptySubsequences: false) {
            let parts = candidate.split { $0 <= 0x20 }
            guard let url = parts.first, parts.count <= 2 else {
                return "must be URLs with a width or density, between commas"
            }
            problem = problem ?? recordLink(UnsafeBufferPointer(rebasing: url), tag, element, name)
            count += 1
            let descriptor = parts.count == 2 ? ArraySlice(parts[1]) : ArraySlice("1x".utf8)
            if descriptors.contains(descriptor) { return "must not give one width or density twice" }
            descriptors.append(descriptor)
            guard parts.count == 2, let unit = parts[1].last else { continue }
            let number = UnsafeBufferPointer(rebasing: parts[1].dropLast())
            switch unit {
            case UInt8(ascii: "w") where (ValueSyntax.integer(number) ?? 0) > 0: widths += 1
            case UInt8(ascii: "x") where ValueSyntax.isNumber(number): break
            default: problem = problem ?? "must give widths such as 300w or densities such as 2x"
            }
        }
        if widths > 0, widths < count { return "must give each candidate a width, or none" }
        if widths > 0, !tag.has("sizes") { return "gives widths and so needs a sizes attribute" }
        if widths == 0, tag.has("sizes") { return "must give widths, as there is a sizes attribute" }
        return problem
    }

    private func isKeyword(_ value: UnsafeBufferPointer<UInt8>, _ expected: UnsafeMutablePointer<Grammar.Value>) -> Bool
    {
        for position in expected.pointee.firstKeyword..<expected.pointee.endKeyword {
            let keyword = tables.keywords[position]
            let bytes = tables.keywordBytes[keyword.offset..<keyword.offset + keyword.count]
            if UnsafeBufferPointer(rebasing: bytes).equals(value) { return true }
        }
        return false
    }

    private func list(_ expected: UnsafeMutablePointer<Grammar.Value>) -> String {
        let words = (expected.pointee.firstKeyword..<expected.pointee.endKeyword).map { position in
            let keyword = tables.keywords[position]
            return String(decoding: tables.keywordBytes[keyword.offset..<keyword.offset + keyword.count], as: UTF8.self)
        }
        return words.count > 12
            ? words.prefix(12).joined(separator: ", ") + " or another of its list" : words.joined(separator: ", ")
    }
}
