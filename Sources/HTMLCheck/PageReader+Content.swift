internal import CLibXML2

/// Which element may stand where.
extension PageReader {
    typealias Element = UnsafeMutablePointer<Grammar.Element>

    /// Judges the place of an element that is about to open in the innermost frame.
    mutating func place(_ tag: Tag, _ rule: Element) {
        let parent = frames + depth
        let kinds = rule.pointee.kinds
        defer { parent.pointee.children += 1 }

        if parent.pointee.notes.contains(.unknown) { return }
        if parent.pointee.takes.isDisjoint(with: kinds) {
            report(tag, rule: .misplacedElement, "\(shown(tag)) is not allowed directly in \(shown(parent))")
            return
        }
        if parent.pointee.notes.contains(.captionedLate) {
            report(tag, rule: .misplacedElement, "<figcaption> must be the first or the last child of <figure>")
            parent.pointee.notes.remove(.captionedLate)
        }
        // summary and legend hold phrasing or one heading.
        if parent.pointee.takes.contains(.heading) {
            if !kinds.contains(.heading) {
                parent.pointee.takes.remove(.heading)
            } else if parent.pointee.children > 0 || parent.pointee.notes.contains(.named) {
                report(tag, rule: .misplacedElement, "\(shown(tag)) must be alone in \(shown(parent))")
            } else {
                parent.pointee.takes = []
            }
        }
        // A control may be hidden: input type=hidden is no interactive content.
        let isHiddenInput = rule.pointee.check == .input && tag.value(of: "type")?.equals("hidden") == true
        if !parent.pointee.forbids.isDisjoint(with: kinds), !isHiddenInput {
            report(tag, rule: .misplacedElement, "\(shown(tag)) is not allowed inside \(forbidder(of: kinds))")
        }
        if parent.pointee.element >= 0, !tables.elements[parent.pointee.element].order.isEmpty {
            placeInOrder(tag, kinds, parent)
        }
    }

    /// The innermost open element whose rule forbids the kinds.
    private func forbidder(of kinds: Kinds) -> String {
        for level in stride(from: depth, through: 1, by: -1) where frames[level].element >= 0 {
            if !tables.elements[frames[level].element].forbids.isDisjoint(with: kinds) { return shown(frames + level) }
        }
        return "what is open"
    }

    private mutating func placeInOrder(_ tag: Tag, _ kinds: Kinds, _ parent: UnsafeMutablePointer<Frame>) {
        let steps = tables.elements[parent.pointee.element].order
        var step = parent.pointee.step
        while step < steps.count, steps[step].kinds.isDisjoint(with: kinds) || isFull(steps[step], step, parent) {
            step += 1
        }

        guard step < steps.count else {
            report(tag, rule: .misplacedElement, "\(shown(tag)) comes too late or once too often in \(shown(parent))")
            return
        }
        if step != parent.pointee.step {
            reportMissing(parent, steps[parent.pointee.step..<step], at: tag.line)
            parent.pointee.step = step
            parent.pointee.stepCount = 0
        }
        parent.pointee.stepCount += 1
    }

    private func isFull(_ step: ElementRule.Step, _ position: Int, _ parent: UnsafeMutablePointer<Frame>) -> Bool {
        position == parent.pointee.step && parent.pointee.stepCount >= step.most
    }

    /// Reports the steps that a parent leaves behind without what they need.
    mutating func reportMissing(
        _ parent: UnsafeMutablePointer<Frame>, _ steps: ArraySlice<ElementRule.Step>, at line: Int? = nil
    ) {
        for (position, step) in zip(steps.indices, steps) {
            let count = position == parent.pointee.step ? parent.pointee.stepCount : 0
            if count < step.least {
                report(parent, rule: .missingElement, "\(shown(parent)) lacks \(step.words) in its place", at: line)
            }
        }
    }

    /// What must hold when an element ends.
    mutating func checkEnd(_ frame: UnsafeMutablePointer<Frame>, _ rule: Element) {
        let notes = frame.pointee.notes
        if rule.pointee.traits.contains(.named), !notes.contains(.named) {
            report(frame, rule: .emptyElement, "\(shown(frame)) has no text, no image with alt text and no aria-label")
        }
        if !rule.pointee.order.isEmpty {
            let steps = tables.elements[frame.pointee.element].order
            reportMissing(frame, steps[frame.pointee.step...])
        }

        switch rule.pointee.check {
        case .head:
            if !notes.contains(.titled) { report(frame, rule: .missingElement, "<head> has no <title>") }
            if !notes.contains(.viewport) {
                report(frame, rule: .missingElement, "<head> has no <meta name=\"viewport\">")
            }
            if frame.pointee.children == 0 {
                report(frame, rule: .charset, "<head> does not begin with <meta charset=\"utf-8\"/>")
            }
        case .list where !notes.contains(.grouped), .division where notes.contains(.grouped):
            if notes.contains(.lastTerm) || frame.pointee.children == 0 {
                report(frame, rule: .missingElement, "\(shown(frame)) does not end with a <dd> after its <dt>")
            }
        case .row where frame.pointee.children == 0:
            report(frame, rule: .missingElement, "<tr> has no cell")
        default:
            break
        }
    }

    mutating func checkTagForm(_ tag: Tag, _ rule: Element, selfClosed: Bool) {
        if rule.pointee.isSVG { return }
        let isVoid = rule.pointee.traits.contains(.void)
        if isVoid, !selfClosed {
            report(tag, rule: .tagForm, "\(shown(tag)) is a void element and must be written <\(rule.pointee.name)/>")
        } else if !isVoid, selfClosed {
            report(tag, rule: .tagForm, "\(shown(tag)) must have an end tag: HTML does not close it at \"/>\"")
        }
    }

    /// HTML in no namespace is reported once, at the root.
    mutating func checkNamespace(
        _ tag: Tag, prefix: UnsafePointer<xmlChar>?, namespace: UnsafePointer<xmlChar>?, declarations: Int
    ) {
        if declarations == 0, prefix == nil, depth > 0 { return }
        if let prefix {
            report(
                tag, rule: .namespace,
                "<\(String(cString: prefix)):\(String(cString: tag.name))> has a prefix, which HTML does not know")
        } else if depth == 0, namespace == nil || namespace != xhtmlNamespace {
            report(tag, rule: .namespace, "\(shown(tag)) is not in the namespace http://www.w3.org/1999/xhtml")
        } else if depth > 0,
            !(tag.name.spells("svg") && namespace == svgNamespace) || frames[depth].notes.contains(.svg)
        {
            report(tag, rule: .namespace, "\(shown(tag)) declares a namespace; only the root and <svg> may")
        } else if declarations > 1 {
            report(tag, rule: .namespace, "\(shown(tag)) declares more than one namespace")
        }
    }

    mutating func checkCharacters(_ bytes: UnsafeBufferPointer<UInt8>, in frame: UnsafeMutablePointer<Frame>) {
        guard isSuspect, let point = CharacterScan.firstForbidden(in: bytes) else { return }
        report(
            frame, rule: .forbiddenCharacter,
            "\(shown(frame)) holds the character \(point.codePointName), which HTML forbids", at: line)
    }

    /// A script holds JSON for machines, or nothing: what XML would decode, HTML would not.
    mutating func checkScript(_ frame: UnsafeMutablePointer<Frame>, _ bytes: UnsafeBufferPointer<UInt8>) {
        guard frame.pointee.element >= 0, tables.elements[frame.pointee.element].check == .script else { return }
        if !frame.pointee.notes.contains(.dataScript) {
            if !frame.pointee.notes.contains(.textReported) {
                frame.pointee.notes.insert(.textReported)
                report(frame, rule: .inlineScript, "<script> with src must be empty")
            }
        } else if bytes.contains(where: {
            $0 == UInt8(ascii: "<") || $0 == UInt8(ascii: ">") || $0 == UInt8(ascii: "&")
        }) {
            report(
                frame, rule: .inlineScript,
                "<script> holds <, > or &, which must be written \\u003c, \\u003e or \\u0026", at: line)
        }
    }
}

extension UInt32 {
    /// Such as `U+0085`.
    var codePointName: String {
        let hex = String(self, radix: 16, uppercase: true)
        return "U+" + String(repeating: "0", count: Swift.max(0, 4 - hex.count)) + hex
    }
}

extension UnsafeBufferPointer<UInt8> {
    /// How many lines end after the first character that is not white space.
    var linesAfterBlank: Int {
        drop { $0 <= 0x20 }.count { $0 == UInt8(ascii: "\n") }
    }

    /// Without the white space around it.
    var trimmed: UnsafeBufferPointer<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 <= 0x20 }
        guard let first = firstIndex(where: { !isSpace($0) }), let last = lastIndex(where: { !isSpace($0) }) else {
            return self
        }
        return UnsafeBufferPointer(rebasing: self[first...last])
    }
}
