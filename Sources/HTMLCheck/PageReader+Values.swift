import Platform

extension PageReader {
    /// Checks the value of an attribute, and stores ids, references and links for later checks.
    /// - Returns: the end of a message, such as "must be a number"; nil if the value is valid.
    mutating func problem(with value: Bytes, of name: XMLName, _ rule: ValueRule) -> String? {
        switch rule {
        case .any: return nil
        case .nonEmpty: return value.isBlank ? "must not be empty" : nil
        case .flag:
            return value.isEmpty || value.elementsEqual(String(cString: name).utf8)
                ? nil : "must be empty or repeat the attribute's name"
        case .id: return storeID(value)
        case .idref: return storeReference(value, name)
        case .idrefs:
            if value.isBlank { return "must name at least one id" }
            value.forEachToken { _ = storeReference($0, name) }
            return nil
        case .link: return storeLink(value, name)
        case .url:
            return ValueSyntax.urlProblem(value) ?? (ValueSyntax.isAbsoluteURL(value) ? nil : "must be an absolute URL")
        case .srcset: return storeCandidates(value, name)
        case .integer(let allowed):
            if let number = ValueSyntax.integer(value), allowed.contains(number) { return nil }
            return allowed == 0...Int(Int32.max)
                ? "must be a whole number"
                : "must be a whole number from \(allowed.lowerBound) to \(allowed.upperBound)"
        case .number: return ValueSyntax.isNumber(value) ? nil : "must be a number"
        case .oneOf(let words):
            if UnsafeBufferPointer(words).containsToken(value) { return nil }
            return "must be " + ("\(words)".words.count > 1 ? "one of " : "") + words.listText
        case .tokens(let words):
            var isBad = value.isBlank
            value.forEachToken { if !UnsafeBufferPointer(words).containsToken($0) { isBad = true } }
            return isBad ? "must be one or more of \(words.listText)" : nil
        case .ownLanguage where value.isEmpty: return nil
        case .language where value.equals("x-default"): return nil
        case .language, .ownLanguage:
            return ValueSyntax.isLanguage(value) ? nil : "must be a language tag such as en or pt-BR"
        case .dateTime: return DateTimeSyntax.isValid(value) ? nil : "must be a machine-readable date, time or duration"
        case .moment: return DateTimeSyntax.isMoment(value) ? nil : "must be a date, or a date with time and zone"
        case .mediaType: return ValueSyntax.isMediaType(value) ? nil : "must be a media type such as image/png"
        case .paint:
            if value.isBlank { return "must not be empty" }
            guard value.begins(with: "url(") else { return nil }
            guard let end = value.firstIndex(of: ")"), end > 5, value[4] == "#" else {
                return "must refer to an id of the page, such as url(#id)"
            }
            return storeReference(UnsafeBufferPointer(rebasing: value[5..<end]), name)
        case .fragment:
            guard value.count > 1, value[0] == "#" else { return "must be # and an id of the page" }
            return storeReference(UnsafeBufferPointer(rebasing: value[1...]), name)
        case .iconSizes: return ValueSyntax.isIconSizes(value) ? nil : "must be sizes such as 32x32, or any"
        }
    }

    private mutating func storeID(_ value: Bytes) -> String? {
        if value.isEmpty || value.contains(where: { $0 <= 0x20 }) {
            return "must have at least one character and no spaces"
        }
        let id = Array(value)
        if let first = owners[id] {
            reject(.duplicateID, "has id=\"\(value.quoted)\", which line \(first.line) already has")
            return nil
        }
        let isControl = frame.element?.pointee.kinds.contains(.labelable) == true && !isHiddenInput
        found.encodedIDs.append(id)
        owners[id] = (tag.line, tag.name, isControl)
        return nil
    }

    private mutating func storeReference(_ value: Bytes, _ name: XMLName) -> String? {
        if value.isEmpty || value.contains(where: { $0 <= 0x20 }) { return "must be one id" }
        references.append(Reference(id: Array(value), line: tag.line, element: tag.name, attribute: name))
        return nil
    }

    private mutating func storeLink(_ value: Bytes, _ name: XMLName) -> String? {
        if value.isEmpty { return "must not be empty" }
        addLink(value)
        if value[0] == "#" {
            if value.count == 1 { return "must name an id of the page" }
            if value.equals("#top") { return nil }
            let id = percentDecodedLeniently(value.dropFirst())
            references.append(Reference(id: id, line: tag.line, element: tag.name, attribute: name))
        }
        return ValueSyntax.urlProblem(value)
    }

    mutating func addLink(_ target: Bytes) {
        found.text += target
        found.links.append((found.text.count - target.count..<found.text.count, tag.line))
    }

    /// Checks srcset, and stores its URLs, each with a width or density (HTML Living Standard, section 4.8.4.2.1).
    private mutating func storeCandidates(_ value: Bytes, _ name: XMLName) -> String? {
        var problem: String?
        var widths = 0
        var descriptors: Set<[UInt8]> = []
        for candidate in value.split(separator: ",", omittingEmptySubsequences: false) {
            let parts = candidate.split { $0 <= 0x20 }
            guard let url = parts.first, parts.count <= 2 else {
                return "must be URLs separated by commas, each with a width or density"
            }
            problem = problem ?? storeLink(UnsafeBufferPointer(rebasing: url), name)
            let descriptor = parts.count == 2 ? Array(parts[1]) : Array("1x".utf8)
            guard descriptors.insert(descriptor).inserted else { return "must not repeat a width or density" }
            let number = descriptor.dropLast()
            if descriptor.last == "w", ValueSyntax.integer(number) ?? 0 > 0 {
                widths += 1
            } else if descriptor.last != "x" || !ValueSyntax.isNumber(number) {
                problem = problem ?? "must give widths such as 300w or densities such as 2x"
            }
        }
        if widths > 0, widths < descriptors.count { return "must give each candidate a width, or none" }
        if widths > 0, !tag.has("sizes") { return "requires a sizes attribute because it gives widths" }
        if widths == 0, tag.has("sizes") { return "must give widths because there is a sizes attribute" }
        return problem
    }
}

extension StaticString {
    fileprivate var listText: String {
        let words = "\(self)".words
        return words.prefix(12).joined(separator: ", ") + (words.count > 12 ? " or another allowed word" : "")
    }
}
