/// Global attributes.
extension PageReader {
    /// What global attributes mean together: names, hidden parts, microdata, focus.
    mutating func checkGlobals(_ tag: Tag, _ rule: Element) {
        let frame = frames + depth
        let parent = frames + depth - 1
        var hasScope = false
        var hasType = false
        var hasID = false
        var isProperty = false
        for position in 0..<tag.count where tag.prefix(position) == nil {
            guard let name = tag.name(position) else { continue }
            switch name.pointee {
            case UInt8(ascii: "a") where name.spells("aria-label") || name.spells("aria-labelledby"):
                if !tag.value(position).isBlank { frame.pointee.notes.insert(.named) }
            case UInt8(ascii: "a") where name.spells("aria-hidden"):
                if tag.value(position).equals("true") { frame.pointee.notes.insert(.silent) }
            case UInt8(ascii: "h") where name.spells("hidden"): frame.pointee.notes.insert(.silent)
            case UInt8(ascii: "t") where name.spells("tabindex"): checkFocus(tag, rule, parent)
            case UInt8(ascii: "v") where name.spells("value") && rule.pointee.kinds.contains(.option):
                if parent.pointee.element >= 0, tables.elements[parent.pointee.element].name == "datalist" {
                    frame.pointee.notes.insert(.named)
                }
            case UInt8(ascii: "l") where name.spells("label") && rule.pointee.kinds.contains(.option):
                frame.pointee.notes.insert(.named)
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
                tag, rule: .missingAttribute,
                "\(shown(tag)) has \(hasID ? "itemid without itemtype" : "itemtype without itemscope")")
        }
        if isProperty, !parent.pointee.notes.contains(.item) {
            report(
                tag, attribute: "itemprop", rule: .unknownAttribute,
                "\(shown(tag)) has itemprop outside of any itemscope")
        }
        if hasScope { frame.pointee.notes.insert(.item) }
    }

    private mutating func checkFocus(_ tag: Tag, _ rule: Element, _ parent: UnsafeMutablePointer<Frame>) {
        if parent.pointee.forbids.contains(.interactive), !rule.pointee.kinds.contains(.interactive) {
            report(
                tag, attribute: "tabindex", rule: .misplacedElement,
                "\(shown(tag)) has tabindex inside a link or button")
        }
    }

    /// A label speaks for one control: the one inside it, or the one its for attribute names (section 4.10.4).
    mutating func checkControl(_ tag: Tag, _ rule: Element) {
        if rule.pointee.check == .input, tag.value(of: "type")?.equals("hidden") == true { return }
        for level in stride(from: depth - 1, through: 1, by: -1) {
            let label = frames + level
            guard label.pointee.element >= 0, tables.elements[label.pointee.element].check == .label else { continue }
            if label.pointee.notes.contains(.control) {
                report(tag, rule: .misplacedElement, "\(shown(tag)) is the second control in one <label>")
            } else if label.pointee.notes.contains(.titled), tag.value(of: "id") == nil {
                report(tag, rule: .misplacedElement, "\(shown(tag)) is in a <label> that is for another control")
            }
            label.pointee.notes.insert(.control)
        }
    }
}
