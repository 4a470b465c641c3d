internal import CLibXML2
import Platform

extension PageReader {
    mutating func checkAttributes(_ element: UnsafePointer<Element>) {
        var seen: UInt8 = 0
        for position in 0..<tag.count {
            guard let name = tag.name(position) else { continue }
            let value = tag.value(position)
            checkCharacters(value, of: name)
            if tag.prefix(position) != nil {
                checkPrefixed(position, name, isSVG: element.pointee.isSVG)
                continue
            }

            let number = names[name].number
            guard number >= 0, let rule = grammar.rules[element.pointee.firstRule + number] else {
                refuse(name, isSVG: element.pointee.isSVG)
                continue
            }
            seen |= rule.required
            if let effect = rule.effect { apply(effect, name, value, element.pointee.kinds) }
            if let problem = problem(with: value, of: name, rule.value) {
                reject(.attributeValue, "has \(String(cString: name))=\"\(value.quoted)\", which \(problem)")
            }
        }
        if seen != UInt8((1 << element.pointee.required.count) - 1) {
            for (bit, name) in element.pointee.required.enumerated() where seen & 1 << UInt8(bit) == 0 {
                reject(.missingAttribute, "has no \(name) attribute")
            }
        }
    }

    /// Checks an attribute with a prefix. Only xml:lang is allowed, with an equal lang (HTML Living Standard, 3.2.6.1).
    private mutating func checkPrefixed(_ position: Int, _ name: XMLName, isSVG: Bool) {
        let prefix = tag.prefix(position).map { String(cString: $0) } ?? ""
        guard prefix == "xml", name.spells("lang"), !isSVG else {
            return reject(.unknownAttribute, "may not have the attribute \(prefix):\(String(cString: name))")
        }
        if let lang = tag.value(of: "lang"), lang.equals(tag.value(position)) { return }
        reject(.language, "must have a lang equal to its xml:lang")
    }

    /// Checks an attribute that is not in the table. data-* is allowed; every other attribute is reported.
    private mutating func refuse(_ name: XMLName, isSVG: Bool) {
        if !isSVG, xmlStrncmp(name, "data-", 5) == 0, name[5] != 0 {
            var at = name + 5
            while at.pointee.isDigit || at.pointee.isSmallLetter || at.pointee == "-" { at += 1 }
            if at.pointee == 0 { return }
            reject(
                .unknownAttribute,
                "has the attribute \(String(cString: name)), whose name may contain only lower-case letters, "
                    + "digits and hyphens")
        } else if name.spells("style") {
            reject(.inlineStyle, "has a style attribute; styles belong in the stylesheet")
        } else if xmlStrncmp(name, "on", 2) == 0 {
            reject(.inlineScript, "has the event handler \(String(cString: name)); scripts belong in separate files")
        } else {
            reject(.unknownAttribute, "may not have the attribute \(String(cString: name))")
        }
    }

    private mutating func apply(_ effect: AttributeRule.Effect, _ name: XMLName, _ value: Bytes, _ kinds: Kinds) {
        switch effect {
        case .names: if !value.isBlank { frame.isNamed = true }
        case .namesOption: if kinds.contains(.option) { frame.isNamed = true }
        case .namesSuggestion:
            if kinds.contains(.option), parent.element?.pointee.name == "datalist" { frame.isNamed = true }
        case .hides: frame.isHidden = true
        case .hidesIfTrue: if value.equals("true") { frame.isHidden = true }
        case .focuses:
            if parent.forbiddenDescendants.contains(.interactive), !kinds.contains(.interactive) {
                reject(.misplacedElement, "has tabindex inside a link or button")
            }
        case .itemScope: frame.isInMicrodataItem = true
        case .requires(let other):
            if !tag.has(other) { reject(.unknownAttribute, "may have \(String(cString: name)) only with \(other)") }
        case .itemProperty:
            if !parent.isInMicrodataItem { reject(.unknownAttribute, "has itemprop outside of any itemscope") }
        }
    }
}
