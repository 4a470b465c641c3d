internal import CLibXML2

/// The checks of content: where elements and text are allowed.
extension PageReader {
    /// Checks whether the new element is allowed in its parent.
    mutating func checkPlace(_ kinds: Kinds) {
        let parent = parent
        defer { parent.pointee.children += 1 }

        // The allowed content of an unknown element is unknown.
        if parent.pointee.element == nil, depth > 1 { return }
        if parent.pointee.takes.isDisjoint(with: kinds) {
            return report(.misplacedElement, "\(shown) is not allowed directly in \(shown(parent))")
        }
        if parent.pointee.isCaptionedLate {
            report(.misplacedElement, "<figcaption> must be the first or the last child of <figure>")
            parent.pointee.isCaptionedLate = false
        }
        // summary and legend contain either phrasing content or one heading.
        if parent.pointee.takes.contains(.heading) {
            if !kinds.contains(.heading) {
                parent.pointee.takes.remove(.heading)
            } else if parent.pointee.children > 0 || parent.pointee.isNamed {
                report(.misplacedElement, "\(shown) must be alone in \(shown(parent))")
            } else {
                parent.pointee.takes = []
            }
        }
        // A hidden control is allowed anywhere, because it is not interactive.
        if !parent.pointee.forbids.isDisjoint(with: kinds), !isHiddenInput {
            report(.misplacedElement, "\(shown) is not allowed inside \(forbidder(of: kinds))")
        }
        if let element = parent.pointee.element, !element.pointee.order.isEmpty {
            checkOrder(kinds, in: parent, element.pointee.order)
        }
    }

    var isHiddenInput: Bool {
        frame.pointee.element?.pointee.special == .input && tag.has("type", equalTo: "hidden")
    }

    /// The name of the innermost open element that forbids these kinds.
    private func forbidder(of kinds: Kinds) -> String {
        for level in stride(from: depth - 1, through: 1, by: -1) {
            if let element = frames[level].element, !element.pointee.forbids.isDisjoint(with: kinds) {
                return shown(frames + level)
            }
        }
        return "its ancestors"
    }

    private mutating func checkOrder(
        _ kinds: Kinds, in parent: UnsafeMutablePointer<Frame>, _ steps: [Element.Step]
    ) {
        var step = parent.pointee.step
        var count = parent.pointee.stepCount
        while step < steps.count, steps[step].kinds.isDisjoint(with: kinds) || count >= steps[step].most {
            step += 1
            count = 0
        }
        guard step < steps.count else {
            return report(.misplacedElement, "\(shown) is in the wrong order or appears too often in \(shown(parent))")
        }
        reportMissing(in: parent, steps[..<step], at: tag.line)
        parent.pointee.step = step
        parent.pointee.stepCount = count + 1
    }

    /// Reports missing children that the finished steps require.
    private mutating func reportMissing(
        in parent: UnsafeMutablePointer<Frame>, _ steps: ArraySlice<Element.Step>, at line: Int
    ) {
        for position in steps.indices.dropFirst(parent.pointee.step) {
            guard let needed = steps[position].needed else { continue }
            if position == parent.pointee.step, parent.pointee.stepCount > 0 { continue }
            report(.missingElement, "\(shown(parent)) must contain \(needed) in the required position", at: line)
        }
    }

    /// The checks at the end of an element.
    mutating func checkEnd(_ element: UnsafePointer<Element>) {
        let line = frame.pointee.line
        if element.pointee.kinds.contains(.named), !frame.pointee.isNamed {
            report(.emptyElement, "\(shown(frame)) has no text, no image with alt text and no aria-label", at: line)
        }
        if !element.pointee.order.isEmpty { reportMissing(in: frame, element.pointee.order[...], at: line) }

        switch element.pointee.special {
        case .head:
            if !frame.pointee.hasTitle { report(.missingElement, "<head> has no <title>", at: line) }
            if !frame.pointee.hasViewport {
                report(.missingElement, "<head> has no <meta name=\"viewport\">", at: line)
            }
            if frame.pointee.children == 0 {
                report(.charset, "<head> does not begin with <meta charset=\"utf-8\"/>", at: line)
            }
        case .dl where !frame.pointee.isGrouped, .div where frame.pointee.isGrouped:
            if frame.pointee.lastEntry == .dt || frame.pointee.children == 0 {
                report(.missingElement, "\(shown(frame)) does not end with a <dd> after its <dt>", at: line)
            }
        case .tr where frame.pointee.children == 0: report(.missingElement, "<tr> has no cell", at: line)
        default: break
        }
    }

    mutating func checkTagForm(_ kinds: Kinds) {
        if kinds.contains(.svg) { return }
        let isSelfClosed = context.pointee.input.pointee.cur.pointee == UInt8(ascii: "/")
        if kinds.contains(.void), !isSelfClosed {
            report(.tagForm, "\(shown) is a void element and must be written <\(String(cString: tag.name))/>")
        } else if !kinds.contains(.void), isSelfClosed {
            report(.tagForm, "\(shown) must have an end tag: HTML does not close it at \"/>\"")
        }
    }

    /// Checks the namespace of a start tag. If HTML is in no namespace, this is reported once, at the root.
    mutating func checkNamespace(
        _ prefix: UnsafePointer<xmlChar>?, _ namespace: UnsafePointer<xmlChar>?, declarations: Int
    ) {
        if declarations == 0, prefix == nil, depth > 0 { return }
        if let prefix {
            let name = "\(String(cString: prefix)):\(String(cString: tag.name))"
            report(.namespace, "<\(name)> has a prefix, which HTML does not allow")
        } else if depth == 0, namespace == nil || namespace != xhtmlNamespace {
            report(.namespace, "\(shown) is not in the namespace http://www.w3.org/1999/xhtml")
        } else if depth > 0,
            !tag.name.spells("svg") || namespace != svgNamespace || frame.pointee.element?.pointee.isSVG == true
        {
            report(.namespace, "\(shown) declares a namespace; only the root and <svg> may")
        } else if declarations > 1 {
            report(.namespace, "\(shown) declares more than one namespace")
        }
    }

    mutating func checkCharacters(_ bytes: UnsafeBufferPointer<UInt8>) {
        guard isSuspect, let point = PageScan.firstForbidden(in: bytes) else { return }
        report(
            .forbiddenCharacter, "\(shown(frame)) contains the character \(point.codePointName), which HTML forbids",
            at: line)
    }

    /// Checks that a script is JSON data or empty. Data must not contain markup characters, because XML parsers decode
    /// them in scripts, but HTML parsers do not.
    mutating func checkScript(_ bytes: UnsafeBufferPointer<UInt8>) {
        if frame.pointee.isDataScript {
            let isMarkup: (UInt8) -> Bool = {
                $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "&")
            }
            guard bytes.contains(where: isMarkup) else { return }
            report(
                .inlineScript, "<script> contains <, > or &, which must be written \\u003c, \\u003e or \\u0026",
                at: line)
        } else if !frame.pointee.isTextReported {
            frame.pointee.isTextReported = true
            report(.inlineScript, "<script> with src must be empty", at: frame.pointee.line)
        }
    }
}

extension UInt32 {
    /// Example: `U+0085`.
    var codePointName: String {
        let hex = String(self, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: Swift.max(0, 4 - hex.count)) + hex
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// The number of line ends after the first character that is not white space.
    var linesAfterBlank: Int { drop { $0 <= 0x20 }.count { $0 == UInt8(ascii: "\n") } }

    /// Without the white space around it.
    var trimmed: UnsafeBufferPointer<UInt8> {
        guard let first = firstIndex(where: { $0 > 0x20 }), let last = lastIndex(where: { $0 > 0x20 }) else {
            return self
        }
        return UnsafeBufferPointer(rebasing: self[first...last])
    }
}
