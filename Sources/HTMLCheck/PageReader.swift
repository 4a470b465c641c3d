internal import CLibXML2

/// The reading of a page: takes libxml2's events one by one and holds what is open.
///
/// It lives at a fixed address, so that the C callbacks reach it, and is used again for the next page.
struct PageReader {
    /// Deeper pages are refused; libxml2's own limit is 256.
    static let maximumDepth = 100
    static let maximumFaults = 100

    let grammar: Grammar
    let tables: GrammarTables
    let names: NameTable
    let context: xmlParserCtxtPtr
    let xhtmlNamespace: UnsafePointer<xmlChar>?
    let svgNamespace: UnsafePointer<xmlChar>?

    /// Frame 0 stands for the document.
    let frames: UnsafeMutablePointer<Frame>
    var depth = 0

    var faults: [Fault] = []
    var links: [LinkRecord] = []
    var text: [UInt8] = []
    var ids = IDTable()
    var references: [Reference] = []
    var navs: [Nav] = []
    var lastLine = 1
    var hasStopped = false
    /// Whether the page may hold characters that HTML forbids.
    var isSuspect = true

    // The document so far.
    var headingLevel = 0
    var firstHeadings = 0
    var mains = 0
    var descriptions = 0
    var bodyLine = 0

    /// A reference to an id, looked up when all ids are known.
    struct Reference {
        let id: TextRange
        let line: Int
        let element: Int
        let name: Int
        let needsControl: Bool
    }

    /// A nav and its label: the text of aria-label, or the ids of aria-labelledby.
    struct Nav {
        let line: Int
        let label: TextRange?
    }

    init(_ grammar: Grammar, context: xmlParserCtxtPtr) {
        self.grammar = grammar
        self.context = context
        tables = GrammarTables(grammar)
        let dictionary = context.pointee.dict
        names = NameTable(grammar.names, in: dictionary)
        xhtmlNamespace = xmlDictLookup(dictionary, "http://www.w3.org/1999/xhtml", -1)
        svgNamespace = xmlDictLookup(dictionary, "http://www.w3.org/2000/svg", -1)
        frames = .allocate(capacity: Self.maximumDepth + 1)
        frames.initialize(to: Frame(element: -1, line: 1, takes: .document, forbids: [], notes: []))
    }

    func deallocate() {
        tables.deallocate()
        names.deallocate()
        frames.deallocate()
    }
}

// MARK: - Events

extension PageReader {
    mutating func open(
        _ name: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, namespace: UnsafePointer<xmlChar>?,
        declarations: Int,
        attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
    ) {
        if hasStopped { return }
        let tag = Tag(name: name, line: tagLine(), attributes: attributes, count: count)
        guard depth < Self.maximumDepth else {
            report(tag, rule: .nestedTooDeep, "\(shown(tag)) is nested more than \(Self.maximumDepth) elements deep")
            return stop()
        }

        checkNamespace(tag, prefix: prefix, namespace: namespace, declarations: declarations)
        let number = names.number(of: name)
        let isSVG = namespace != nil && namespace == svgNamespace
        let element = number < 0 ? -1 : Int(isSVG ? tables.svgElements[number] : tables.htmlElements[number])
        let selfClosed = context.pointee.input.pointee.cur.pointee == UInt8(ascii: "/")
        let parent = depth

        guard element >= 0 else {
            report(tag, rule: .unknownElement, "\(shown(tag)) is not an element that pages may use")
            depth += 1
            (frames + depth).initialize(
                to: Frame(
                    element: -1, line: tag.line, takes: .anything, forbids: frames[parent].forbids,
                    notes: selfClosed ? [.unknown, .textReported, .selfClosed] : [.unknown, .textReported]))
            return
        }

        let rule = tables.elements + element
        var notes: Frame.Notes = selfClosed ? .selfClosed : []
        if isSVG { notes.insert(.svg) }
        if frames[parent].notes.contains(.item) { notes.insert(.item) }
        let takes =
            rule.pointee.takes.contains(.transparent) ? frames[parent].takes.intersection(.phrase) : rule.pointee.takes

        place(tag, rule)
        depth += 1
        (frames + depth).initialize(
            to: Frame(
                element: element, line: tag.line, takes: takes,
                forbids: frames[parent].forbids.union(rule.pointee.forbids), notes: notes))
        checkTagForm(tag, rule, selfClosed: selfClosed)
        checkAttributes(tag, element, rule)
        if count > 0, !isSVG { checkGlobals(tag, rule) }
        if rule.pointee.kinds.contains(.labelable) { checkControl(tag, rule) }
        if rule.pointee.check != .none { checkStart(tag, rule) }
    }

    mutating func close() {
        if hasStopped || depth == 0 { return }
        let frame = frames + depth
        if frame.pointee.element >= 0 {
            let rule = tables.elements + frame.pointee.element
            checkEnd(frame, rule)
        }
        depth -= 1
        if frame.pointee.notes.contains(.named), !frame.pointee.notes.contains(.silent) {
            frames[depth].notes.insert(.named)
        }
        if frame.pointee.notes.contains(.control) { frames[depth].notes.insert(.control) }
    }

    mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        if hasStopped { return }
        lastLine = line
        let frame = frames + depth
        if !frame.pointee.notes.contains(.named) || !takesText(frame), !bytes.isBlank {
            frame.pointee.notes.insert(.named)
            if !takesText(frame), !frame.pointee.notes.contains(.textReported) {
                frame.pointee.notes.insert(.textReported)
                report(
                    frame, rule: .misplacedText,
                    "\(shown(frame)) may not hold text directly, but it holds \"\(bytes.trimmed.quoted)\"",
                    at: line - bytes.linesAfterBlank)
            }
        }
        checkScript(frame, bytes)
        checkCharacters(bytes, in: frame)
    }

    /// A comment: HTML ends it early where it begins like this (Living Standard, section 13.1.6).
    mutating func comment(_ bytes: UnsafeBufferPointer<UInt8>) {
        if hasStopped { return }
        let start = bytes.prefix(2)
        if start.first == UInt8(ascii: ">") || start.elementsEqual([UInt8(ascii: "-"), UInt8(ascii: ">")]) {
            report(frames + depth, rule: .foreignMarkup, "a comment may not begin with \">\" or \"->\"", at: line)
        }
        checkCharacters(bytes, in: frames + depth)
    }

    mutating func foreign(_ what: String) {
        if hasStopped { return }
        report(frames + depth, rule: .foreignMarkup, "\(what) is not HTML", at: line)
    }

    mutating func doctype() {
        if context.pointee.input.pointee.cur.pointee == UInt8(ascii: "[") {
            report(
                frames, rule: .doctype,
                "the doctype declares things of its own; it must be exactly <!DOCTYPE html>, and nothing more was read",
                at: line)
            stop()
        }
    }

    mutating func stop() {
        hasStopped = true
        xmlStopParser(context)
    }
}

// MARK: - Place and words

extension PageReader {
    /// The line the parser has reached.
    var line: Int { Int(context.pointee.input.pointee.line) }

    func takesText(_ frame: UnsafeMutablePointer<Frame>) -> Bool {
        let element = frame.pointee.element
        guard element >= 0 else { return frame.pointee.notes.contains(.unknown) }
        return tables.elements[element].traits.contains(.text) || !frame.pointee.takes.isDisjoint(with: .phrase)
    }

    /// The line on which the start tag begins: the parser stands at its end. An attribute value holds no `<`.
    private mutating func tagLine() -> Int {
        let now = line
        if now == lastLine { return now }
        lastLine = now
        let input = context.pointee.input.pointee
        guard let base = input.base, var at = input.cur else { return now }
        var lines = 0
        while at > base {
            at -= 1
            if at.pointee == UInt8(ascii: "<") { return now - lines }
            if at.pointee == UInt8(ascii: "\n") { lines += 1 }
        }
        return now
    }

    func shown(_ tag: Tag) -> String {
        "<\(String(cString: tag.name))>"
    }

    func shown(_ frame: UnsafeMutablePointer<Frame>) -> String {
        let element = frame.pointee.element
        if element >= 0 { return "<\(tables.elements[element].name)>" }
        return frame == frames ? "the page" : "an unknown element"
    }

    mutating func report(_ tag: Tag, attribute: String? = nil, rule: Rule, _ message: String) {
        report(
            Fault(
                line: tag.line, element: String(cString: tag.name), attribute: attribute, rule: rule, message: message))
    }

    mutating func report(_ frame: UnsafeMutablePointer<Frame>, rule: Rule, _ message: String, at line: Int? = nil) {
        let element = frame.pointee.element
        report(
            Fault(
                line: line ?? frame.pointee.line, element: element >= 0 ? tables.elements[element].name : "",
                attribute: nil, rule: rule,
                message: message))
    }

    mutating func report(_ fault: Fault) {
        if faults.count < Self.maximumFaults - 1 {
            faults.append(fault)
        } else if faults.count == Self.maximumFaults - 1 {
            faults.append(
                Fault(
                    line: fault.line, element: "", rule: .tooManyFaults,
                    message: "the page has more than \(Self.maximumFaults - 1) faults, and nothing more was read"))
            stop()
        }
    }

    /// Keeps bytes in the page's text buffer.
    mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> TextRange {
        let range = TextRange(offset: Int32(text.count), count: Int32(bytes.count))
        text.append(contentsOf: bytes)
        return range
    }
}

// MARK: - Errors of the parser

extension PageReader {
    /// libxml2's first error ends the reading: what follows is guesswork.
    mutating func broken(_ error: xmlError) {
        if hasStopped { return }
        guard let (rule, message, line) = XMLError.explain(error) else { return }
        report(frames + depth, rule: rule, message, at: line)
        stop()
    }
}
