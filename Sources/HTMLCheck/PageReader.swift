internal import CLibXML2

/// The state of the check of one page. It receives libxml2's events and tracks the open elements.
///
/// The initializer interns all names of the grammar, so a checker creates one reader and copies it for each page.
struct PageReader {
    /// Deeper pages are refused. The limit of libxml2 is 256.
    static let maximumDepth = 100
    static let maximumFaults = 100

    let context: xmlParserCtxtPtr
    let grammar: Grammar
    let names: NameTable
    let xhtmlNamespace: UnsafePointer<xmlChar>?
    let svgNamespace: UnsafePointer<xmlChar>?

    /// The open elements. Frame 0 is the document.
    let frames: UnsafeMutablePointer<Frame>
    var depth = 0
    /// The current start tag.
    var tag: Tag

    var faults: [Fault] = []
    var links: [(target: Range<Int>, line: Int)] = []
    /// The bytes of links, ids, references and labels, which are ranges of this.
    var text: [UInt8] = []
    var ids: [ID] = []
    /// The indices in `ids`, by key.
    var idPositions: [Int: Int] = [:]
    var references: [Reference] = []
    var navs: [Nav] = []
    var lastLine = 1
    var hasStopped = false
    /// Whether the page may contain characters that HTML forbids.
    var isSuspect = true

    // The state of the document so far.
    var headingLevel = 0
    var firstHeadings = 0
    var mains = 0
    var descriptions = 0
    var bodyLine = 0

    init(_ grammar: Grammar, context: xmlParserCtxtPtr) {
        self.context = context
        self.grammar = grammar
        let dictionary = context.pointee.dict
        names = NameTable(grammar, in: dictionary)
        xhtmlNamespace = xmlDictLookup(dictionary, "http://www.w3.org/1999/xhtml", -1)
        svgNamespace = xmlDictLookup(dictionary, "http://www.w3.org/2000/svg", -1)
        frames = .allocate(capacity: Self.maximumDepth + 1)
        tag = Tag(name: UnsafePointer(StaticString("").utf8Start), line: 1, attributes: nil, count: 0)
    }

    func deallocate() {
        names.deallocate()
        frames.deallocate()
    }

    /// An open element.
    struct Frame {
        /// Nil for the document and for unknown elements.
        let element: UnsafePointer<Element>?
        let line: Int
        /// The allowed children, with transparent content resolved.
        var takes: Kinds
        /// The forbidden descendants.
        var forbids: Kinds = []

        /// The current step of an ordered content model, and its number of children.
        var step = 0
        var stepCount = 0
        var children = 0

        /// Whether the element or a descendant has text, an image with alt or an aria-label.
        var isNamed = false
        /// Whether it is hidden or aria-hidden, so that it does not name its ancestors.
        var isSilent = false
        /// Whether text directly in it has been reported.
        var isTextReported = false
        var isInMicrodataItem = false
        /// For a script: whether it contains data. Other scripts must be empty.
        var isDataScript = false
        /// For a div or dl: whether the div groups terms, or the dl contains such divs.
        var isGrouped = false
        /// For a dl or group: the last dt or dd.
        var lastEntry: Element.Special?
        /// For a figure: whether it has a caption, and whether that is not the first child.
        var isCaptioned = false
        var isCaptionedLate = false
        /// For a label: whether it contains a control.
        var hasControl = false
        /// For a label: whether it has a for attribute.
        var isForControl = false
        /// For a head: whether it has a title, and a viewport.
        var hasTitle = false
        var hasViewport = false
    }

    struct ID {
        let text: Range<Int>
        let line: Int
        let element: UnsafePointer<xmlChar>
        let isControl: Bool
    }

    /// A reference to an id. It is checked at the end of the page.
    struct Reference {
        let id: Range<Int>
        let line: Int
        let element: UnsafePointer<xmlChar>
        let attribute: UnsafePointer<xmlChar>
        let needsControl: Bool
    }

    /// A nav and its label: the text of aria-label, or the ids of aria-labelledby.
    struct Nav {
        let line: Int
        let label: Range<Int>?
    }
}

// MARK: - Events

extension PageReader {
    mutating func start() {
        frames.initialize(to: Frame(element: nil, line: 1, takes: .document))
    }

    mutating func open(
        _ name: UnsafePointer<xmlChar>, prefix: UnsafePointer<xmlChar>?, namespace: UnsafePointer<xmlChar>?,
        declarations: Int, attributes: UnsafeMutablePointer<UnsafePointer<xmlChar>?>?, count: Int
    ) {
        if hasStopped { return }
        tag = Tag(name: name, line: tagLine(), attributes: attributes, count: count)
        guard depth < Self.maximumDepth else {
            report(.nestedTooDeep, "\(shown) is nested more than \(Self.maximumDepth) elements deep")
            return stop()
        }

        checkNamespace(prefix, namespace, declarations: declarations)
        let known = names[name]
        depth += 1
        guard let element = namespace != nil && namespace == svgNamespace ? known.svg : known.html else {
            report(.unknownElement, "\(shown) is not an element that pages may use")
            frame.initialize(
                to: Frame(
                    element: nil, line: tag.line, takes: .anything, forbids: parent.pointee.forbids,
                    isTextReported: true))
            return
        }

        var takes = element.pointee.takes
        if takes.contains(.transparent) { takes = parent.pointee.takes.intersection(.phrase) }
        frame.initialize(
            to: Frame(
                element: element, line: tag.line, takes: takes,
                forbids: parent.pointee.forbids.union(element.pointee.forbids),
                isInMicrodataItem: parent.pointee.isInMicrodataItem))
        checkPlace(element.pointee.kinds)
        checkTagForm(element.pointee.kinds)
        checkAttributes(element)
        if count > 0, !element.pointee.isSVG { checkGlobals(element.pointee.kinds) }
        if element.pointee.kinds.contains(.labelable) { checkControl() }
        if element.pointee.kinds.contains(.heading) { checkHeading(element) }
        if let special = element.pointee.special { checkStart(special) }
    }

    mutating func close() {
        if hasStopped || depth == 0 { return }
        if let element = frame.pointee.element { checkEnd(element) }
        let closed = frame
        depth -= 1
        if closed.pointee.isNamed, !closed.pointee.isSilent { frame.pointee.isNamed = true }
        if closed.pointee.hasControl { frame.pointee.hasControl = true }
    }

    mutating func characters(_ bytes: UnsafeBufferPointer<UInt8>) {
        if hasStopped { return }
        lastLine = line
        if !frame.pointee.isNamed || !takesText, !bytes.isBlank {
            frame.pointee.isNamed = true
            if !takesText, !frame.pointee.isTextReported {
                frame.pointee.isTextReported = true
                report(
                    .misplacedText,
                    "\(shown(frame)) may not contain text directly, but contains \"\(bytes.trimmed.quoted)\"",
                    at: line - bytes.linesAfterBlank)
            }
        }
        if frame.pointee.element?.pointee.special == .script { checkScript(bytes) }
        checkCharacters(bytes)
    }

    /// Checks the beginning of a comment, because HTML ends some comments early (Living Standard, section 13.1.6).
    mutating func comment(_ bytes: UnsafeBufferPointer<UInt8>) {
        if hasStopped { return }
        if bytes.begins(with: ">") || bytes.begins(with: "->") {
            report(.foreignMarkup, "a comment may not begin with \">\" or \"->\"", at: line)
        }
        checkCharacters(bytes)
    }

    mutating func foreign(_ what: String) {
        if hasStopped { return }
        report(.foreignMarkup, "\(what) is not HTML", at: line)
    }

    mutating func doctype() {
        guard context.pointee.input.pointee.cur.pointee == UInt8(ascii: "[") else { return }
        report(
            .doctype,
            "the doctype must be exactly <!DOCTYPE html>, without declarations; the rest of the page was not checked",
            at: line)
        stop()
    }

    /// The first error of libxml2 ends the check, because later errors are unreliable.
    mutating func broken(_ error: xmlError) {
        if hasStopped || error.level.rawValue < XML_ERR_ERROR.rawValue { return }
        report(error.rule, error.sentence, at: max(1, Int(error.line)))
        stop()
    }

    private mutating func stop() {
        hasStopped = true
        xmlStopParser(context)
    }
}

// MARK: - Place and words

extension PageReader {
    /// The innermost open element, which can be that of the current start tag.
    var frame: UnsafeMutablePointer<Frame> { frames + depth }

    var parent: UnsafeMutablePointer<Frame> { frames + depth - 1 }

    /// The current line of the parser.
    var line: Int { Int(context.pointee.input.pointee.line) }

    /// Whether the innermost element may contain text.
    private var takesText: Bool {
        guard let element = frame.pointee.element else { return depth > 0 }
        return element.pointee.kinds.contains(.text) || !frame.pointee.takes.isDisjoint(with: .phrase)
    }

    /// The line on which the start tag begins. The parser is at its end, and attribute values contain no `<`, so this
    /// searches backwards for `<`.
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

    /// The current start tag's element, for messages.
    var shown: String { "<\(String(cString: tag.name))>" }

    func shown(_ frame: UnsafeMutablePointer<Frame>) -> String {
        if let element = frame.pointee.element { return "<\(element.pointee.name)>" }
        return frame == frames ? "the page" : "an unknown element"
    }

    /// Reports a fault, by default on the line of the current start tag.
    mutating func report(_ rule: Rule, _ message: String, at line: Int? = nil) {
        let line = line ?? tag.line
        let most = Self.maximumFaults - 1
        if faults.count < most {
            faults.append(Fault(line: line, rule: rule, message: message))
        } else if faults.count == most {
            let message = "the page has more than \(most) faults; the rest of the page was not checked"
            faults.append(Fault(line: line, rule: .tooManyFaults, message: message))
            stop()
        }
    }

    /// Copies bytes to the text buffer, and returns their range.
    mutating func keep(_ bytes: UnsafeBufferPointer<UInt8>) -> Range<Int> {
        text.append(contentsOf: bytes)
        return text.count - bytes.count..<text.count
    }
}
