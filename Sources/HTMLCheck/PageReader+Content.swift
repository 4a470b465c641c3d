internal import CLibXML2
import Platform

extension PageReader {
    mutating func checkParent(_ kinds: Kinds) {
        defer { parent.children += 1 }

        // The allowed content of an unknown element is not known, so its children are not checked.
        if parent.element == nil, depth > 1 { return }
        if !parent.allowedChildren.intersects(kinds) {
            return reject(.misplacedElement, "is not allowed directly in \(tagText(at: depth - 1))")
        }
        // summary and legend contain either phrasing content or one heading.
        if parent.allowedChildren.contains(.heading) {
            if !kinds.contains(.heading) {
                parent.allowedChildren.remove(.heading)
            } else if parent.children > 0 || parent.isNamed {
                reject(.misplacedElement, "must be alone in \(tagText(at: depth - 1))")
            } else {
                parent.allowedChildren = []
            }
        }
        // A hidden control is allowed anywhere, because it is not interactive.
        if parent.forbiddenDescendants.intersects(kinds), !isHiddenInput {
            let level = (1..<depth).last { frames[$0].element?.pointee.forbiddenDescendants.intersects(kinds) == true }
            reject(.misplacedElement, "is not allowed inside \(tagText(at: level ?? 0))")
        }
        if let element = parent.element, !element.pointee.order.isEmpty { checkOrder(kinds, element.pointee.order) }
    }

    var isHiddenInput: Bool { frame.element?.pointee.special == .input && tag.has("type", equalTo: "hidden") }

    private mutating func checkOrder(_ kinds: Kinds, _ steps: [Element.Step]) {
        guard let step = steps[parent.nextStep...].firstIndex(where: { $0.kinds.intersects(kinds) }) else {
            return reject(.misplacedElement, "is in the wrong order or appears too often in \(tagText(at: depth - 1))")
        }
        reportMissing(steps[parent.nextStep..<step], in: depth - 1, line: tag.line)
        parent.nextStep = steps[step].isRepeated ? step : step + 1
    }

    /// Reports the required children of steps that were left out.
    private mutating func reportMissing(_ steps: ArraySlice<Element.Step>, in depth: Int, line: Int) {
        for child in steps.compactMap(\.requiredChild) {
            report(.missingElement, "\(tagText(at: depth)) must contain \(child) in the required position", at: line)
        }
    }

    /// Checks an element at its end: its name, its required children, and its special rules.
    mutating func checkEnd(_ element: UnsafePointer<Element>) {
        let line = frame.line
        if element.pointee.kinds.contains(.named), !frame.isNamed {
            report(
                .emptyElement, "\(tagText(at: depth)) has no text, no image with alt text and no aria-label", at: line)
        }
        if !element.pointee.order.isEmpty {
            reportMissing(element.pointee.order[frame.nextStep...], in: depth, line: line)
        }

        switch element.pointee.special {
        case .head:
            if !singles.contains("<title>") { report(.missingElement, "<head> has no <title>", at: line) }
            if !singles.contains("<meta name=\"viewport\">") {
                report(.missingElement, "<head> has no <meta name=\"viewport\">", at: line)
            }
            if frame.children == 0 {
                report(.charset, "<head> does not begin with <meta charset=\"utf-8\"/>", at: line)
            }
        case .dl where !frame.isGrouped, .div where frame.isGrouped:
            if frame.lastEntry == .dt || frame.children == 0 {
                report(.missingElement, "\(tagText(at: depth)) must end with a <dd>", at: line)
            }
        case .tr where frame.children == 0: report(.missingElement, "<tr> has no cell", at: line)
        default: break
        }
    }

    mutating func checkTagForm(_ kinds: Kinds) {
        if kinds.contains(.svg) { return }
        let isSelfClosed = context.pointee.input.pointee.cur.pointee == "/"
        if kinds.contains(.void), !isSelfClosed {
            reject(.tagForm, "is a void element and must be written <\(String(cString: tag.name))/>")
        } else if !kinds.contains(.void), isSelfClosed {
            reject(.tagForm, "must have an end tag: HTML does not close it at \"/>\"")
        }
    }

    /// Checks the prefix and namespace of a start tag. If HTML has no namespace, this is reported once, at the root.
    mutating func checkNamespace(_ prefix: XMLName?, _ namespace: XMLName?, declarations: Int) {
        if declarations == 0, prefix == nil, depth > 0 { return }
        if let prefix {
            let name = "\(String(cString: prefix)):\(String(cString: tag.name))"
            report(.namespace, "<\(name)> has a prefix, which HTML does not allow")
        } else if depth == 0, namespace == nil || namespace != xhtmlNamespace {
            reject(.namespace, "is not in the namespace http://www.w3.org/1999/xhtml")
        } else if depth > 0,
            !tag.name.spells("svg") || namespace != svgNamespace || frame.element?.pointee.isSVG == true
        {
            reject(.namespace, "declares a namespace; only the root and <svg> may")
        } else if declarations > 1 {
            reject(.namespace, "declares more than one namespace")
        }
    }

    /// Checks a text, or the value of an attribute of the current start tag.
    mutating func checkCharacters(_ bytes: Bytes, of attribute: XMLName? = nil) {
        guard isSuspect, let point = PageScan.firstForbidden(in: bytes) else { return }
        let place = attribute.map { " in " + String(cString: $0) } ?? ""
        let code = point.padded(4, radix: 16).uppercased()
        let message = "\(tagText(at: depth)) contains the character U+\(code)\(place), which HTML forbids"
        report(.forbiddenCharacter, message, at: attribute == nil ? line : tag.line)
    }

    /// Stores the text of a style. XML parsers decode references in styles, but HTML parsers do not.
    mutating func readStyle(_ bytes: Bytes) {
        found.style?.text += bytes
        if bytes.contains(where: Self.isMarkup) { report(.inlineStyle, "<style> contains <, > or &", at: line) }
    }

    private static func isMarkup(_ byte: UInt8) -> Bool { byte == "<" || byte == ">" || byte == "&" }

    /// Checks that data has no markup, because HTML decodes no references in scripts, and that other scripts are empty.
    mutating func checkScript(_ bytes: Bytes) {
        if frame.isDataScript {
            guard bytes.contains(where: Self.isMarkup) else { return }
            let message = "<script> contains <, > or &, which must be written \\u003c, \\u003e or \\u0026"
            report(.inlineScript, message, at: line)
        } else if !frame.isTextReported {
            frame.isTextReported = true
            report(.inlineScript, "<script> with src must be empty", at: frame.line)
        }
    }
}
