internal import CLibXML2

extension PageReader {
    mutating func checkStart(_ special: Element.Special) {
        switch special {
        case .html:
            if let lang = tag.value(of: "lang"), tag.value(of: "lang", prefixed: true)?.equals(lang) != true {
                report(.language, "<html> must have an xml:lang equal to its lang")
            }
        case .body: bodyLine = tag.line
        case .meta: checkMeta()
        case .title: requireFirst("<title>")
        case .label: frame.isForControl = tag.has("for")
        case .script: checkScriptTag()
        case .link: checkLinkTag()
        case .a:
            if tag.has("target", equalTo: "_blank"), tag.value(of: "rel")?.containsToken("noopener") != true {
                report(.noopener, "<a> opens a new window without rel=\"noopener\"")
            }
        case .input: checkInput()
        case .nav:
            let label = tag.value(of: "aria-label") ?? tag.value(of: "aria-labelledby")
            navs.append((tag.line, label.map { Array($0) }))
        case .main: requireFirst("<main>")
        case .li:
            if tag.has("value"), let list = parent.element, list.pointee.name != "ol" {
                report(.unknownAttribute, "<li> may have a value only in <ol>")
            }
        case .dt, .dd: checkEntry(special)
        case .div: if isInDescriptionList { checkGroup() }
        case .figcaption:
            if parent.isCaptioned { report(.misplacedElement, "<figcaption> must appear only once") }
            parent.isCaptioned = true
        case .style:
            requireFirst("<style>")
            found.style = ([], tag.line)
        case .head, .dl, .tr: break
        }
    }

    private mutating func requireFirst(_ element: String, _ rule: Rule = .misplacedElement) {
        if !singles.insert(element).inserted { report(rule, "\(element) must appear only once") }
    }

    private mutating func checkMeta() {
        let isFirst = parent.children == 1
        let meanings = (tag.has("name") ? 1 : 0) + (tag.has("property") ? 1 : 0) + (tag.has("http-equiv") ? 1 : 0)
        if tag.has("charset") {
            if !isFirst { report(.charset, "<meta charset=\"utf-8\"/> must come first in <head>") }
            let input = context.pointee.input.pointee
            if let base = input.base, let at = input.cur, Int(input.consumed) + (at - base) > 1022 {
                report(.charset, "<meta charset=\"utf-8\"/> must be in the first 1024 bytes of the page")
            }
            if tag.has("content") || meanings > 0 {
                report(.charset, "<meta> with charset may not have content, name, property or http-equiv")
            }
            return
        }
        if isFirst { report(.charset, "<head> does not begin with <meta charset=\"utf-8\"/>") }
        if meanings != 1 {
            report(.missingAttribute, "<meta> must have one of charset, name, property and http-equiv")
        }
        guard let content = tag.value(of: "content") else {
            return report(.missingAttribute, "<meta> has no content attribute")
        }
        if tag.has("http-equiv", equalTo: "Content-Security-Policy") {
            found.policy = String(decoding: content, as: UTF8.self)
        }
        if tag.has("name", equalTo: "description") { requireFirst("<meta name=\"description\">") }
        if tag.has("name", equalTo: "viewport") { requireFirst("<meta name=\"viewport\">") }
        if tag.has("http-equiv", equalTo: "refresh") { checkRefresh(content) }
    }

    /// A page may only forward at once, and only to another page of the site.
    private mutating func checkRefresh(_ content: Bytes) {
        let start: StaticString = "0; url="
        let link = content.dropFirst(start.utf8CodeUnitCount)
        guard content.begins(with: start), !link.isEmpty, !link.contains(where: { ":#?\"'".utf8.contains($0) }) else {
            return report(
                .attributeValue, "<meta http-equiv=\"refresh\"> must have \"0; url=\" and a path as its content")
        }
        let target = UnsafeBufferPointer(rebasing: link)
        addLink(target)
        if let problem = ValueSyntax.urlProblem(target) {
            report(.attributeValue, "the address to forward to \(problem)")
        }
    }

    private mutating func checkScriptTag() {
        frame.isDataScript = tag.has("type")
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

    /// Checks the attributes that apply only to some input types (HTML Living Standard, section 4.10.5).
    private mutating func checkInput() {
        let type = tag.value(of: "type") ?? UnsafeBufferPointer("text")
        for (attribute, types) in AttributeTable.inputTypes
        where tag.has(attribute) && !UnsafeBufferPointer(types).containsToken(type) {
            report(.unknownAttribute, "<input> of type \(type.quoted) may not have the attribute \(attribute)")
        }
        // A switch must be a checkbox. A combobox must be a text field without a list (W3C, ARIA in HTML, section 4).
        if let role = tag.value(of: "role") {
            let isSwitch = role.equals("switch") && type.equals("checkbox")
            let isCombobox = role.equals("combobox") && type.equals("text") && !tag.has("list")
            if !isSwitch, !isCombobox {
                report(.attributeValue, "<input> may not have role=\"\(role.quoted)\" with its type or list")
            }
        }
        // Without a value attribute, browsers show a default text for submit and reset buttons, but none for others.
        if type.equals("submit") || type.equals("reset") || type.equals("button"),
            tag.value(of: "value")?.isBlank ?? type.equals("button")
        {
            report(.missingAttribute, "<input> of type \(type.quoted) has no text in its value attribute")
        }
    }

    mutating func checkHeading(_ element: UnsafePointer<Element>) {
        let level = element.pointee.name.last?.wholeNumberValue ?? 0
        if level == 1 { requireFirst("<h1>", .heading) }
        if level > headingLevel + 1 {
            let problem = headingLevel == 0 ? "comes before any <h1>" : "follows <h\(headingLevel)>: a level is skipped"
            reject(.heading, problem)
        }
        headingLevel = level
    }

    private var isInDescriptionList: Bool { parent.element?.pointee.special == .dl }

    /// Checks a div in a dl, which contains either terms and details, or only such groups of them (section 4.4.9).
    private mutating func checkGroup() {
        if parent.lastEntry != nil {
            report(.misplacedElement, "<dl> may contain either <div> or <dt> and <dd>, not both")
        }
        parent.isGrouped = true
        frame.isGrouped = true
        frame.allowedChildren = [.term, .details]
    }

    private mutating func checkEntry(_ entry: Element.Special) {
        if isInDescriptionList, parent.isGrouped {
            report(.misplacedElement, "<dl> may contain either <div> or <dt> and <dd>, not both")
        }
        if entry == .dd, parent.lastEntry == nil { report(.misplacedElement, "<dd> comes before any <dt>") }
        if entry == .dt, !isInDescriptionList, parent.lastEntry == .dd {
            report(.misplacedElement, "<dt> must come before all <dd> of its group")
        }
        parent.lastEntry = entry
    }

    /// Checks that a label has only one control: the one inside it, or the target of `for` (section 4.10.4).
    mutating func checkControl() {
        if isHiddenInput { return }
        for level in stride(from: depth - 1, through: 1, by: -1)
        where frames[level].element?.pointee.special == .label {
            if frames[level].hasControl {
                reject(.misplacedElement, "is the second control in one <label>")
            } else if frames[level].isForControl, !tag.has("id") {
                reject(.misplacedElement, "is in a <label> whose for attribute names another control")
            }
            frames[level].hasControl = true
        }
    }
}

// MARK: - The end of the page

extension PageReader {
    /// Runs the checks that require the complete page, and sorts the faults.
    mutating func finish() {
        // Sorting is stable, so faults of the same line keep their order.
        defer { found.faults.sort { $0.line < $1.line } }
        if hasStopped { return }
        if bodyLine > 0 {
            if !singles.contains("<h1>") { report(.heading, "<body> has no <h1>", at: bodyLine) }
            if navs.count > 1 { checkNavs() }
        }
        checkReferences()
    }

    private mutating func checkReferences() {
        for reference in references where !hasStopped {
            guard let problem = reference.problem(with: owners[reference.id]) else { continue }
            let (element, attribute) = (String(cString: reference.element), String(cString: reference.attribute))
            let id = String(decoding: reference.id, as: UTF8.self)
            let message = "<\(element)> refers to the id \"\(id)\" in \(attribute), but \(problem)"
            report(.unknownID, message, at: reference.line)
        }
    }

    private mutating func checkNavs() {
        var labels: Set<[UInt8]> = []
        for (line, label) in navs {
            if label == nil {
                let message = "<nav> must have an aria-label, because the page has more than one <nav>"
                report(.landmarkLabel, message, at: line)
            } else if let label, !labels.insert(label).inserted {
                let text = String(decoding: label, as: UTF8.self)
                report(.landmarkLabel, "<nav> has the same label \"\(text)\" as another <nav>", at: line)
            }
        }
    }
}
