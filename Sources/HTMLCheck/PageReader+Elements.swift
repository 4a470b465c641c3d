internal import CLibXML2

/// Rules that concern one kind of element, or the page as a whole.
extension PageReader {
    mutating func checkStart(_ special: Element.Special) {
        switch special {
        case .html: checkRoot()
        case .body: bodyLine = tag.line
        case .meta: checkMeta()
        case .title:
            if parent.pointee.hasTitle { report(.misplacedElement, "<title> comes a second time") }
            parent.pointee.hasTitle = true
        case .label: frame.pointee.isForControl = tag.has("for")
        case .script: checkScriptTag()
        case .link: checkLinkTag()
        case .a:
            if tag.has("target", equalTo: "_blank"), tag.value(of: "rel")?.containsToken("noopener") != true {
                report(.noopener, "<a> opens a new window without rel=\"noopener\"")
            }
        case .img: if let alt = tag.value(of: "alt"), !alt.isBlank { frame.pointee.isNamed = true }
        case .input: checkInput()
        case .nav:
            let label = tag.value(of: "aria-label") ?? tag.value(of: "aria-labelledby")
            navs.append(Nav(line: tag.line, label: label.map { keep($0) }))
        case .main:
            mains += 1
            if mains == 2 { report(.misplacedElement, "<main> comes a second time") }
        case .li:
            if tag.has("value"), let parent = parent.pointee.element, parent.pointee.name != "ol" {
                report(.unknownAttribute, "<li> may have a value only in <ol>")
            }
        case .dt, .dd: checkEntry(special)
        case .div: if isInDescriptionList { checkGroup() }
        case .figcaption:
            if parent.pointee.isCaptioned { report(.misplacedElement, "<figcaption> comes a second time") }
            parent.pointee.isCaptioned = true
            if parent.pointee.children > 1 { parent.pointee.isCaptionedLate = true }
        case .head, .dl, .tr: break
        }
    }

    private mutating func checkRoot() {
        if let lang = tag.value(of: "lang"), tag.value(of: "lang", prefixed: true)?.equals(lang) != true {
            report(.language, "<html> must have an xml:lang equal to its lang")
        }
    }

    private mutating func checkMeta() {
        let isFirst = parent.pointee.children == 1
        let meanings = (tag.has("name") ? 1 : 0) + (tag.has("property") ? 1 : 0) + (tag.has("http-equiv") ? 1 : 0)
        if tag.has("charset") {
            if !isFirst { report(.charset, "<meta charset=\"utf-8\"/> must come first in <head>") }
            let input = context.pointee.input.pointee
            if let base = input.base, let at = input.cur, Int(input.consumed) + (at - base) > 1022 {
                report(.charset, "<meta charset=\"utf-8\"/> must lie in the first 1024 bytes of the page")
            }
            if tag.has("content") || meanings > 0 {
                report(.charset, "<meta> with charset may have no other meaning")
            }
            return
        }
        if isFirst { report(.charset, "<head> does not begin with <meta charset=\"utf-8\"/>") }
        if meanings != 1 {
            report(.missingAttribute, "<meta> must have one of charset, name, property and http-equiv")
        }
        if !tag.has("content") {
            report(.missingAttribute, "<meta> has no content attribute")
        } else if tag.has("name", equalTo: "description") {
            descriptions += 1
            if descriptions == 2 { report(.misplacedElement, "<meta name=\"description\"> comes a second time") }
        } else if tag.has("name", equalTo: "viewport") {
            if parent.pointee.hasViewport {
                report(.misplacedElement, "<meta name=\"viewport\"> comes a second time")
            }
            parent.pointee.hasViewport = true
        }
    }

    private mutating func checkScriptTag() {
        frame.pointee.isDataScript = tag.has("type")
        if tag.has("type") == tag.has("src") {
            report(.inlineScript, "<script> must have either src or type=\"application/ld+json\"")
        } else if !tag.has("src"), tag.has("defer") || tag.has("async") {
            report(.unknownAttribute, "<script> may have defer or async only with src")
        }
    }

    private mutating func checkLinkTag() {
        guard let rel = tag.value(of: "rel") else { return }
        if tag.has("sizes"), !rel.containsToken("icon"), !rel.containsToken("apple-touch-icon") {
            report(.unknownAttribute, "<link> may have sizes only with rel=\"icon\"")
        }
        if rel.containsToken("alternate"), rel.containsToken("stylesheet"), tag.value(of: "title")?.isBlank != false {
            report(.missingAttribute, "<link> to an alternate stylesheet has no title attribute")
        }
    }

    /// Attributes apply to some types of input only (HTML Living Standard, section 4.10.5).
    private mutating func checkInput() {
        let type = tag.value(of: "type") ?? UnsafeBufferPointer("text")
        for (attribute, types) in AttributeTable.inputTypes where tag.has(attribute) && !types.contains(type) {
            report(.unknownAttribute, "<input> of type \(type.quoted) may not have the attribute \(attribute)")
        }
        // A switch is a checkbox, a combobox a text field without a list (W3C, ARIA in HTML, section 4).
        if let role = tag.value(of: "role") {
            let isSwitch = role.equals("switch") && type.equals("checkbox")
            let isCombobox = role.equals("combobox") && type.equals("text") && !tag.has("list")
            if !isSwitch, !isCombobox {
                report(.attributeValue, "<input> may not have role=\"\(role.quoted)\" with its type or list")
            }
        }
        // Browsers name the other buttons themselves.
        if type.equals("submit") || type.equals("reset") || type.equals("button"),
            tag.value(of: "value")?.isBlank ?? type.equals("button")
        {
            report(.missingAttribute, "<input> of type \(type.quoted) has no text in its value attribute")
        }
    }

    mutating func checkHeading(_ element: UnsafePointer<Element>) {
        let level = element.pointee.name.last?.wholeNumberValue ?? 0
        if level == 1 {
            firstHeadings += 1
            if firstHeadings == 2 { report(.heading, "<h1> comes a second time") }
        }
        if level > headingLevel + 1 {
            report(
                .heading,
                headingLevel == 0
                    ? "<h\(level)> comes before any <h1>" : "<h\(level)> follows <h\(headingLevel)>: a level is skipped"
            )
        }
        headingLevel = level
    }

    private var isInDescriptionList: Bool { parent.pointee.element?.pointee.special == .dl }

    /// dl takes dt and dd, or div with them, and each group has terms, then details (section 4.4.9).
    private mutating func checkGroup() {
        if parent.pointee.lastEntry != nil {
            report(.misplacedElement, "<dl> holds either <div> or <dt> and <dd>, not both")
        }
        parent.pointee.isGrouped = true
        frame.pointee.isGrouped = true
        frame.pointee.takes = [.term, .details]
    }

    private mutating func checkEntry(_ entry: Element.Special) {
        if isInDescriptionList, parent.pointee.isGrouped {
            report(.misplacedElement, "<dl> holds either <div> or <dt> and <dd>, not both")
        }
        if entry == .dd, parent.pointee.lastEntry == nil {
            report(.misplacedElement, "<dd> comes before any <dt>")
        }
        if entry == .dt, !isInDescriptionList, parent.pointee.lastEntry == .dd {
            report(.misplacedElement, "<dt> comes after a <dd>: a group has its terms first")
        }
        parent.pointee.lastEntry = entry
    }

    /// A label speaks for one control: the one inside it, or the one its for attribute names (section 4.10.4).
    mutating func checkControl() {
        if isHiddenInput { return }
        for level in stride(from: depth - 1, through: 1, by: -1)
        where frames[level].element?.pointee.special == .label {
            if frames[level].hasControl {
                report(.misplacedElement, "\(shown) is the second control in one <label>")
            } else if frames[level].isForControl, !tag.has("id") {
                report(.misplacedElement, "\(shown) is in a <label> that is for another control")
            }
            frames[level].hasControl = true
        }
    }
}

// MARK: - The end of the page

extension PageReader {
    /// Says what can be said only when everything has been read.
    mutating func finish() {
        if hasStopped { return }
        if bodyLine > 0 {
            if firstHeadings == 0 { report(.heading, "<body> has no <h1>", at: bodyLine) }
            if navs.count > 1 { checkNavs() }
        }
        checkReferences()
    }

    private mutating func checkReferences() {
        for reference in references {
            let problem: String
            let position = text.withUnsafeBufferPointer {
                idPositions[key(of: UnsafeBufferPointer(rebasing: $0[reference.id]))]
            }
            if let position {
                guard let expected = reference.mismatch(ids[position]) else { continue }
                problem = "is no \(expected)"
            } else {
                problem = "no element of the page has"
            }
            let id = String(decoding: text[reference.id], as: UTF8.self)
            let (element, attribute) = (String(cString: reference.element), String(cString: reference.attribute))
            report(
                .unknownID, "<\(element)> refers by \(attribute) to the id \"\(id)\", which \(problem)",
                at: reference.line)
        }
    }

    private mutating func checkNavs() {
        var labels: [String] = []
        for nav in navs {
            guard let range = nav.label else {
                report(.landmarkLabel, "<nav> has no aria-label, though the page has more than one <nav>", at: nav.line)
                continue
            }
            let label = String(decoding: text[range], as: UTF8.self)
            if labels.contains(label) {
                report(
                    .landmarkLabel, "<nav> has the label \"\(label)\", which another <nav> already has", at: nav.line)
            }
            labels.append(label)
        }
    }

    var result: PageReport {
        let order = faults.indices.sorted { (faults[$0].line, $0) < (faults[$1].line, $1) }
        return PageReport(faults: order.map { faults[$0] }, text: text, links: links, idRanges: ids.map(\.text))
    }
}

extension PageReader.Reference {
    /// What the reference asks for and the element of that id is not; nil where it fits.
    func mismatch(_ id: PageReader.ID) -> String? {
        if needsControl { return id.isControl ? nil : "form control" }
        let pairs: [(attribute: StaticString, element: StaticString)] = [
            ("form", "form"), ("list", "datalist"), ("headers", "th"),
        ]
        let expected = pairs.first { attribute.spells($0.attribute) }?.element
        return expected.flatMap { id.element.spells($0) ? nil : "<\($0)>" }
    }
}
