internal import CLibXML2
import Platform

/// The checks of attributes: allowed attributes, required attributes, and combinations of global attributes.
extension PageReader {
    mutating func checkAttributes(_ element: UnsafePointer<Element>) {
        var seen: UInt8 = 0
        for position in 0..<tag.count {
            guard let name = tag.name(position) else { continue }
            let value = tag.value(position)
            if isSuspect, let point = PageScan.firstForbidden(in: value) {
                report(
                    .forbiddenCharacter,
                    "\(tagText) contains the character \(point.codePointName) in \(String(cString: name)), which HTML "
                        + "forbids")
            }
            if tag.prefix(position) != nil {
                checkPrefixed(position, name, isSVG: element.pointee.isSVG)
                continue
            }

            let number = names[name].number
            let cell = number < 0 ? Grammar.Cell() : grammar.cells[element.pointee.firstCell + number]
            guard cell.value != 0 else {
                refuse(name, isSVG: element.pointee.isSVG)
                continue
            }
            seen |= cell.required
            if cell.needsRole, !tag.has("role") {
                report(.unknownAttribute, "\(tagText) may have \(String(cString: name)) only with a role")
            }
            if let problem = problem(with: value, of: name, grammar.values[Int(cell.value)]) {
                report(.attributeValue, "\(tagText) has \(String(cString: name))=\"\(value.quoted)\", which \(problem)")
            }
        }
        if seen != element.pointee.requiredBits {
            for (bit, name) in element.pointee.required.enumerated() where seen & 1 << UInt8(bit) == 0 {
                report(.missingAttribute, "\(tagText) has no \(name) attribute")
            }
        }
    }

    /// Checks an attribute with a prefix. Only xml:lang is allowed, and only with an equal lang (HTML Living Standard,
    /// section 3.2.6.1).
    private mutating func checkPrefixed(_ position: Int, _ name: UnsafePointer<xmlChar>, isSVG: Bool) {
        let prefix = tag.prefix(position).map { String(cString: $0) } ?? ""
        guard prefix == "xml", name.spells("lang"), !isSVG else {
            return report(.unknownAttribute, "\(tagText) may not have the attribute \(prefix):\(String(cString: name))")
        }
        if let lang = tag.value(of: "lang"), lang.equals(tag.value(position)) { return }
        report(.language, "\(tagText) must have a lang equal to its xml:lang")
    }

    /// Checks an attribute that is not in the table. data-* is allowed; every other attribute is reported.
    private mutating func refuse(_ name: UnsafePointer<xmlChar>, isSVG: Bool) {
        if !isSVG, xmlStrncmp(name, "data-", 5) == 0, name[5] != 0 {
            var at = name + 5
            while at.pointee.isDigit || at.pointee.isSmallLetter || at.pointee == UInt8(ascii: "-") { at += 1 }
            if at.pointee == 0 { return }
            report(
                .unknownAttribute,
                "\(tagText) has the attribute \(String(cString: name)), whose name may contain only lower-case letters, "
                    + "digits and hyphens")
        } else if name.spells("style") {
            report(.inlineStyle, "\(tagText) has a style attribute; styles belong in the stylesheet")
        } else if xmlStrncmp(name, "on", 2) == 0 {
            report(
                .inlineScript,
                "\(tagText) has the event handler \(String(cString: name)); scripts belong in separate files")
        } else {
            report(.unknownAttribute, "\(tagText) may not have the attribute \(String(cString: name))")
        }
    }

    /// Checks combinations of global attributes for microdata and focus, and records whether the element is named or
    /// hidden.
    mutating func checkGlobals(_ kinds: Kinds) {
        let isOption = kinds.contains(.option)
        var hasScope = false
        var hasType = false
        var hasID = false
        var isProperty = false
        for position in 0..<tag.count where tag.prefix(position) == nil {
            guard let name = tag.name(position) else { continue }
            switch name.pointee {
            case UInt8(ascii: "a") where name.spells("aria-label") || name.spells("aria-labelledby"):
                if !tag.value(position).isBlank { frame.pointee.isNamed = true }
            case UInt8(ascii: "a") where name.spells("aria-hidden"):
                if tag.value(position).equals("true") { frame.pointee.isHidden = true }
            case UInt8(ascii: "h") where name.spells("hidden"): frame.pointee.isHidden = true
            case UInt8(ascii: "t") where name.spells("tabindex"):
                if parent.pointee.forbiddenDescendants.contains(.interactive), !kinds.contains(.interactive) {
                    report(.misplacedElement, "\(tagText) has tabindex inside a link or button")
                }
            case UInt8(ascii: "v") where isOption && name.spells("value"):
                if parent.pointee.element?.pointee.name == "datalist" { frame.pointee.isNamed = true }
            case UInt8(ascii: "l") where isOption && name.spells("label"): frame.pointee.isNamed = true
            case UInt8(ascii: "i"):
                if name.spells("itemscope") { hasScope = true }
                if name.spells("itemtype") { hasType = true }
                if name.spells("itemid") { hasID = true }
                if name.spells("itemprop") { isProperty = true }
            default: break
            }
        }
        if hasType && !hasScope || hasID && !hasType {
            report(
                .missingAttribute,
                "\(tagText) has \(hasID ? "itemid without itemtype" : "itemtype without itemscope")")
        }
        if isProperty, !parent.pointee.isInMicrodataItem {
            report(.unknownAttribute, "\(tagText) has itemprop outside of any itemscope")
        }
        if hasScope { frame.pointee.isInMicrodataItem = true }
    }
}
