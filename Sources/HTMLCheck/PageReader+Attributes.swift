internal import CLibXML2

/// Attributes one by one: known, required, of the right value.
extension PageReader {
    mutating func checkAttributes(_ tag: Tag, _ element: Int, _ rule: Element) {
        var seen: UInt8 = 0
        let row = tables.cells.baseAddress.map { $0 + element * tables.nameCount }

        for position in 0..<tag.count {
            guard let name = tag.name(position) else { continue }
            let value = tag.value(position)
            if isSuspect, let point = CharacterScan.firstForbidden(in: value) {
                report(
                    tag, attribute: String(cString: name), rule: .forbiddenCharacter,
                    "\(shown(tag)) holds the character \(point.codePointName) in \(String(cString: name)), which HTML "
                        + "forbids"
                )
            }
            if tag.prefix(position) != nil {
                checkPrefixed(tag, position, name, rule)
                continue
            }

            let number = names.number(of: name)
            guard number >= 0, let cell = row?[number], cell.value != 0 else {
                refuse(tag, name, value, rule)
                continue
            }
            seen |= cell.required
            if cell.needsRole, !tag.has("role") {
                report(
                    tag, attribute: String(cString: name), rule: .unknownAttribute,
                    "\(shown(tag)) may have \(String(cString: name)) only with a role")
            }
            let expected = tables.values.baseAddress.map { $0 + Int(cell.value) }
            if let expected, let problem = problem(with: value, expected, tag, element, number, rule) {
                report(
                    tag, attribute: String(cString: name), rule: .attributeValue,
                    "\(shown(tag)) has \(String(cString: name))=\"\(value.quoted)\", which \(problem)")
            }
        }

        if seen != rule.pointee.required { reportMissing(tag, element, rule.pointee.required & ~seen) }
    }

    private mutating func reportMissing(_ tag: Tag, _ element: Int, _ missing: UInt8) {
        for (number, name) in grammar.names.enumerated()
        where tables.cells[element * tables.nameCount + number].required & missing != 0 {
            report(tag, attribute: name, rule: .missingAttribute, "\(shown(tag)) has no \(name) attribute")
        }
    }

    /// Only xml:lang has a prefix, and only beside an equal lang (HTML Living Standard, section 3.2.6.1).
    private mutating func checkPrefixed(_ tag: Tag, _ position: Int, _ name: UnsafePointer<xmlChar>, _ rule: Element) {
        let prefix = tag.prefix(position).map { String(cString: $0) } ?? ""
        guard prefix == "xml", name.spells("lang"), !rule.pointee.isSVG else {
            let full = "\(prefix):\(String(cString: name))"
            report(tag, attribute: full, rule: .unknownAttribute, "\(shown(tag)) may not have the attribute \(full)")
            return
        }
        if let lang = tag.value(of: "lang"), lang.equals(tag.value(position)) { return }
        report(tag, attribute: "xml:lang", rule: .language, "\(shown(tag)) has an xml:lang without an equal lang")
    }

    /// An attribute that the table does not list: data-* is free, the rest is refused.
    private mutating func refuse(
        _ tag: Tag, _ name: UnsafePointer<xmlChar>, _ value: UnsafeBufferPointer<UInt8>, _ rule: Element
    ) {
        if !rule.pointee.isSVG, xmlStrncmp(name, "data-", 5) == 0, name[5] != 0 {
            if isDataName(name) { return }
            report(
                tag, attribute: String(cString: name), rule: .unknownAttribute,
                "\(shown(tag)) has the attribute \(String(cString: name)), whose name may hold small letters, digits "
                    + "and hyphens only"
            )
        } else if name.spells("style") {
            report(
                tag, attribute: "style", rule: .inlineStyle,
                "\(shown(tag)) has a style attribute; styles belong in the stylesheet")
        } else if xmlStrncmp(name, "on", 2) == 0 {
            report(
                tag, attribute: String(cString: name), rule: .inlineScript,
                "\(shown(tag)) has the event handler \(String(cString: name)); scripts belong in files of their own")
        } else {
            report(
                tag, attribute: String(cString: name), rule: .unknownAttribute,
                "\(shown(tag)) may not have the attribute \(String(cString: name))")
        }
    }

    private func isDataName(_ name: UnsafePointer<xmlChar>) -> Bool {
        var at = name + 5
        while at.pointee != 0 {
            guard at.pointee.isDigit || at.pointee.isSmallLetter || at.pointee == UInt8(ascii: "-") else {
                return false
            }
            at += 1
        }
        return true
    }
}
