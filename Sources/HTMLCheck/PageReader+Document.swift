internal import CLibXML2

/// Rules that concern one kind of element, or the page as a whole.
extension PageReader {
    /// Judges a start tag whose frame is already open.
    mutating func checkStart(_ tag: Tag, _ rule: Element) {
        let frame = frames + depth
        let parent = frames + depth - 1

        switch rule.pointee.check {
        case .html: checkRoot(tag)
        case .body: bodyLine = tag.line
        case .meta: checkMeta(tag, parent)
        case .title:
            if parent.pointee.notes.contains(.titled) {
                report(tag, rule: .misplacedElement, "<title> comes a second time")
            }
            parent.pointee.notes.insert(.titled)
        case .label: if tag.has("for") { frame.pointee.notes.insert(.titled) }
        case .script: checkScriptTag(tag, frame)
        case .link: checkLinkTag(tag)
        case .anchor: checkAnchor(tag)
        case .image: if let alt = tag.value(of: "alt"), !alt.isBlank { frame.pointee.notes.insert(.named) }
        case .input: checkInput(tag, parent)
        case .heading: checkHeading(tag, rule)
        case .nav: checkNav(tag)
        case .main:
            mains += 1
            if mains == 2 { report(tag, rule: .misplacedElement, "<main> comes a second time") }
        case .listItem:
            if tag.has("value"), parent.pointee.element >= 0, tables.elements[parent.pointee.element].name != "ol" {
                report(tag, attribute: "value", rule: .unknownAttribute, "<li> may have a value only in <ol>")
            }
        case .term, .details, .division: checkDescription(tag, rule, frame, parent)
        case .figcaption:
            if parent.pointee.notes.contains(.captioned) {
                report(tag, rule: .misplacedElement, "<figcaption> comes a second time")
            }
            parent.pointee.notes.insert(parent.pointee.children > 1 ? [.captioned, .captionedLate] : .captioned)
        default: break
        }
    }

    private mutating func checkRoot(_ tag: Tag) {
        if let lang = tag.value(of: "lang"), tag.value(of: "lang", prefixed: true)?.equals(lang) != true {
            report(tag, attribute: "xml:lang", rule: .language, "<html> must have an xml:lang equal to its lang")
        }
    }

    private mutating func checkMeta(_ tag: Tag, _ parent: UnsafeMutablePointer<Frame>) {
        let isFirst = parent.pointee.children == 1
        if tag.has("charset") {
            if !isFirst { report(tag, rule: .charset, "<meta charset=\"utf-8\"/> must come first in <head>") }
            let input = context.pointee.input.pointee
            if let base = input.base, let at = input.cur, Int(input.consumed) + (at - base) > 1022 {
                report(tag, rule: .charset, "<meta charset=\"utf-8\"/> must lie in the first 1024 bytes of the page")
            }
            if tag.has("content") || tag.has("name") || tag.has("property") || tag.has("http-equiv") {
                report(tag, rule: .charset, "<meta> with charset may have no other meaning")
            }
            return
        }
        if isFirst { report(tag, rule: .charset, "<head> does not begin with <meta charset=\"utf-8\"/>") }
        let meanings = (tag.has("name") ? 1 : 0) + (tag.has("property") ? 1 : 0) + (tag.has("http-equiv") ? 1 : 0)
        if meanings != 1 {
            report(tag, rule: .missingAttribute, "<meta> must have one of charset, name, property and http-equiv")
        }
        if !tag.has("content") {
            report(tag, attribute: "content", rule: .missingAttribute, "<meta> has no content attribute")
        } else if tag.value(of: "name")?.equals("description") == true {
            descriptions += 1
            if descriptions == 2 {
                report(tag, rule: .misplacedElement, "<meta name=\"description\"> comes a second time")
            }
        } else if tag.value(of: "name")?.equals("viewport") == true {
            if parent.pointee.notes.contains(.viewport) {
                report(tag, rule: .misplacedElement, "<meta name=\"viewport\"> comes a second time")
            }
            parent.pointee.notes.insert(.viewport)
        }
    }

    private mutating func checkScriptTag(_ tag: Tag, _ frame: UnsafeMutablePointer<Frame>) {
        if tag.has("type") { frame.pointee.notes.insert(.dataScript) }
        if tag.has("type") == tag.has("src") {
            report(tag, rule: .inlineScript, "<script> must have either src or type=\"application/ld+json\"")
        } else if !tag.has("src"), tag.has("defer") || tag.has("async") {
            report(tag, rule: .unknownAttribute, "<script> may have defer or async only with src")
        }
    }

    private mutating func checkLinkTag(_ tag: Tag) {
        if tag.has("sizes"), let rel = tag.value(of: "rel"), !rel.containsToken("icon"),
            !rel.containsToken("apple-touch-icon")
        {
            report(tag, attribute: "sizes", rule: .unknownAttribute, "<link> may have sizes only with rel=\"icon\"")
        }
        if let rel = tag.value(of: "rel"), rel.containsToken("alternate"), rel.containsToken("stylesheet"),
            tag.value(of: "title")?.isBlank != false
        {
            report(
                tag, attribute: "title", rule: .missingAttribute,
                "<link> to an alternate stylesheet has no title attribute")
        }
    }

    private mutating func checkAnchor(_ tag: Tag) {
        if tag.value(of: "target")?.equals("_blank") == true, tag.value(of: "rel")?.containsToken("noopener") != true {
            report(tag, attribute: "rel", rule: .noopener, "<a> opens a new window without rel=\"noopener\"")
        }
    }

    /// Attributes apply to some types of input only (HTML Living Standard, section 4.10.5).
    private mutating func checkInput(_ tag: Tag, _ parent: UnsafeMutablePointer<Frame>) {
        let type = tag.value(of: "type")
        for (attribute, types) in ElementTable.inputAttributes where tag.has(attribute) {
            let applies = types.contains { type?.equals($0) ?? $0.description.elementsEqual("text") }
            if !applies {
                report(
                    tag, attribute: attribute.description, rule: .unknownAttribute,
                    "<input> of type \(type?.quoted ?? "text") may not have the attribute \(attribute)")
            }
        }
        if let role = tag.value(of: "role") { checkInputRole(tag, role, type) }
        let value = tag.value(of: "value")
        if let type, type.equals("submit") || type.equals("reset") || type.equals("button"),
            value?.isBlank ?? type.equals("button")
        {
            report(
                tag, attribute: "value", rule: .missingAttribute,
                "<input> of type \(type.quoted) has no text in its value attribute")
        }
    }

    /// A switch is a checkbox, a combobox a text field without a list (W3C, ARIA in HTML, section 4).
    private mutating func checkInputRole(
        _ tag: Tag, _ role: UnsafeBufferPointer<UInt8>, _ type: UnsafeBufferPointer<UInt8>?
    ) {
        let isSwitch = role.equals("switch") && type?.equals("checkbox") == true
        let isCombobox = role.equals("combobox") && type?.equals("text") != false && !tag.has("list")
        if !isSwitch, !isCombobox {
            report(
                tag, attribute: "role", rule: .attributeValue,
                "<input> may not have role=\"\(role.quoted)\" with its type or list")
        }
    }

    private mutating func checkHeading(_ tag: Tag, _ rule: Element) {
        let level = rule.pointee.level
        if level == 1 {
            firstHeadings += 1
            if firstHeadings == 2 { report(tag, rule: .heading, "<h1> comes a second time") }
        }
        if level > headingLevel + 1 {
            if headingLevel == 0 {
                report(tag, rule: .heading, "<h\(level)> comes before any <h1>")
            } else {
                report(tag, rule: .heading, "<h\(level)> follows <h\(headingLevel)>: a level is skipped")
            }
        }
        headingLevel = level
    }

    private mutating func checkNav(_ tag: Tag) {
        let label = tag.value(of: "aria-label") ?? tag.value(of: "aria-labelledby")
        navs.append(Nav(line: tag.line, label: label.map { keep($0) }))
    }

    /// dl takes dt and dd, or div with them, and each group has terms, then details (section 4.4.9).
    private mutating func checkDescription(
        _ tag: Tag, _ rule: Element, _ frame: UnsafeMutablePointer<Frame>, _ parent: UnsafeMutablePointer<Frame>
    ) {
        let isInList = parent.pointee.element >= 0 && tables.elements[parent.pointee.element].check == .list
        switch rule.pointee.check {
        case .division where isInList:
            if parent.pointee.notes.contains(.lastTerm) || parent.pointee.notes.contains(.lastDetails) {
                report(tag, rule: .misplacedElement, "<dl> holds either <div> or <dt> and <dd>, not both")
            }
            parent.pointee.notes.insert(.grouped)
            frame.pointee.notes.insert(.grouped)
            frame.pointee.takes = [.term, .details]
        case .term, .details:
            if isInList, parent.pointee.notes.contains(.grouped) {
                report(tag, rule: .misplacedElement, "<dl> holds either <div> or <dt> and <dd>, not both")
            }
            let isTerm = rule.pointee.check == .term
            if !isTerm, parent.pointee.notes.isDisjoint(with: [.lastTerm, .lastDetails]) {
                report(tag, rule: .misplacedElement, "<dd> comes before any <dt>")
            }
            if isTerm, !isInList, parent.pointee.notes.contains(.lastDetails) {
                report(tag, rule: .misplacedElement, "<dt> comes after a <dd>: a group has its terms first")
            }
            parent.pointee.notes.subtract([.lastTerm, .lastDetails])
            parent.pointee.notes.insert(isTerm ? .lastTerm : .lastDetails)
        default: break
        }
    }
}
