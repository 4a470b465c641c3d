internal import CLibXML2
import Platform

/// The state of the check of one page. It receives libxml2's events and tracks the open elements.
/// The initializer adds all names of the grammar to libxml2's dictionary. This is slow, so readers are copied.
struct PageReader {
    /// The maximum number of open elements. A deeper page is not checked further.
    static let maximumDepth = 100

    let context: xmlParserCtxtPtr
    let grammar = Grammar.site
    let names: NameTable
    let xhtmlNamespace: XMLName?
    let svgNamespace: XMLName?

    /// The open elements. Frame 0 is the document.
    let frames: UnsafeMutablePointer<Frame>
    var depth = 0
    var tag: Tag

    var found = PageReport()
    /// The elements of the ids. Ids are compared byte for byte.
    var owners: [[UInt8]: Owner] = [:]
    var references: [Reference] = []
    /// Each nav with its label: the text of aria-label, or the ids of aria-labelledby.
    var navs: [(line: Int, label: [UInt8]?)] = []
    var lastLine = 1
    var hasStopped = false
    /// Whether the page may contain characters that HTML forbids.
    var isSuspect = true

    // The state of the document so far.
    /// The elements on the page that may appear only once.
    var singles: Set<String> = []
    var headingLevel = 0
    var bodyLine = 0

    init(context: xmlParserCtxtPtr) {
        self.context = context
        let dictionary = context.pointee.dict
        names = NameTable(grammar, in: dictionary)
        xhtmlNamespace = xmlDictLookup(dictionary, "http://www.w3.org/1999/xhtml", -1)
        svgNamespace = xmlDictLookup(dictionary, "http://www.w3.org/2000/svg", -1)
        frames = .allocate(capacity: Self.maximumDepth + 1)
        frames.initialize(
            repeating: Frame(element: nil, line: 1, allowedChildren: [.document]), count: Self.maximumDepth + 1)
        tag = Tag(name: UnsafePointer(StaticString("").utf8Start), line: 1, attributes: nil, count: 0)
    }

    func deallocate() {
        names.deallocate()
        frames.deallocate()
        xmlFreeParserCtxt(context)
    }

    /// An open element.
    struct Frame {
        /// Nil for the document and for unknown elements.
        let element: UnsafePointer<Element>?
        let line: Int
        /// The allowed children. Transparent content is replaced by what the parent allows.
        var allowedChildren: Kinds
        var forbiddenDescendants: Kinds = []

        /// The first step of an ordered content model that the next child may have.
        var nextStep = 0
        var children = 0

        /// Whether the element or a descendant has text, an image with alt or an aria-label.
        var isNamed = false
        /// Whether the element is hidden or aria-hidden. Its text then does not count as text of its ancestors.
        var isHidden = false
        /// Whether text directly in it has been reported.
        var isTextReported = false
        var isInMicrodataItem = false
        /// For a script: whether it contains data. Other scripts must be empty.
        var isDataScript = false
        /// For a div or dl: whether the div groups terms, or the dl contains such divs.
        var isGrouped = false
        /// For a dl or group: the last dt or dd.
        var lastEntry: Element.Special?
        /// For a figure: whether it has a caption.
        var isCaptioned = false
        /// For a label: whether it contains a control, and whether it has a for attribute.
        var hasControl = false
        var isForControl = false
    }

    /// An element with an id.
    typealias Owner = (line: Int, element: XMLName, isControl: Bool)

    /// A reference to an id. It is checked at the end of the page.
    struct Reference {
        let id: [UInt8]
        let line: Int
        let element: XMLName
        let attribute: XMLName

        /// - Returns: the reason why the reference may not lead to the element with that id; nil if it may.
        func problem(with owner: Owner?) -> String? {
            guard let owner else { return "no element of the page has this id" }
            if element.spells("label"), attribute.spells("for") {
                return owner.isControl ? nil : "that element is not a form control"
            }
            let pairs: [(attribute: StaticString, element: StaticString)] = [
                ("form", "form"), ("list", "datalist"), ("headers", "th"),
            ]
            let expected = pairs.first { attribute.spells($0.attribute) }?.element
            return expected.flatMap { owner.element.spells($0) ? nil : "that element is not a <\($0)>" }
        }
    }
}

// MARK: - Events

extension PageReader {
    mutating func openElement(
        _ name: XMLName, prefix: XMLName?, namespace: XMLName?, declarations: Int,
        attributes: UnsafeMutablePointer<XMLName?>?, count: Int
    ) {
        tag = Tag(name: name, line: tagLine(), attributes: attributes, count: count)
        guard depth < Self.maximumDepth else {
            reject(.nestedTooDeep, "is nested more than \(Self.maximumDepth) elements deep")
            return stop()
        }

        checkNamespace(prefix, namespace, declarations: declarations)
        let known = names[name]
        depth += 1
        guard let element = namespace != nil && namespace == svgNamespace ? known.svg : known.html else {
            reject(.unknownElement, "is not an element that pages may use")
            frame = Frame(
                element: nil, line: tag.line, allowedChildren: .anything,
                forbiddenDescendants: parent.forbiddenDescendants, isTextReported: true)
            return
        }

        var allowedChildren = element.pointee.allowedChildren
        if allowedChildren.contains(.transparent) { allowedChildren = parent.allowedChildren.intersection(.phrase) }
        frame = Frame(
            element: element, line: tag.line, allowedChildren: allowedChildren,
            forbiddenDescendants: parent.forbiddenDescendants.union(element.pointee.forbiddenDescendants),
            isInMicrodataItem: parent.isInMicrodataItem)
        checkParent(element.pointee.kinds)
        checkTagForm(element.pointee.kinds)
        checkAttributes(element)
        if element.pointee.kinds.contains(.labelable) { checkControl() }
        if element.pointee.kinds.contains(.heading) { checkHeading(element) }
        if let special = element.pointee.special { checkStart(special) }
    }

    mutating func closeElement() {
        if depth == 0 { return }
        if let element = frame.element { checkEnd(element) }
        let namesParent = frame.isNamed && !frame.isHidden
        depth -= 1
        if namesParent { frame.isNamed = true }
    }

    mutating func readText(_ bytes: Bytes) {
        lastLine = line
        if !frame.isNamed || !allowsText, !bytes.isBlank {
            frame.isNamed = true
            if !allowsText, !frame.isTextReported {
                frame.isTextReported = true
                let text = UnsafeBufferPointer(rebasing: bytes.trimmed { $0 <= 0x20 })
                let lines = bytes.drop { $0 <= 0x20 }.count { $0 == "\n" }
                let message = "\(tagText(at: depth)) may not contain text directly, but contains \"\(text.quoted)\""
                report(.misplacedText, message, at: line - lines)
            }
        }
        switch frame.element?.pointee.special {
        case .script: checkScript(bytes)
        case .style: readStyle(bytes)
        default: break
        }
        checkCharacters(bytes)
    }

    /// Checks the beginning of a comment, because HTML ends some comments early (Living Standard, section 13.1.6).
    mutating func checkComment(_ bytes: Bytes) {
        if bytes.begins(with: ">") || bytes.begins(with: "->") {
            report(.foreignMarkup, "a comment may not begin with \">\" or \"->\"", at: line)
        }
        checkCharacters(bytes)
    }

    mutating func reportForeignMarkup(_ markup: String) { report(.foreignMarkup, "\(markup) is not HTML", at: line) }

    mutating func checkDoctype() {
        guard context.pointee.input.pointee.cur.pointee == "[" else { return }
        report(
            .doctype,
            "the doctype must be exactly <!DOCTYPE html>, without declarations; the rest of the page was not checked",
            at: line)
        stop()
    }

    /// The first error of libxml2 ends the check, because later errors are unreliable.
    mutating func reportParserError(_ error: xmlError) {
        if error.level.rawValue < XML_ERR_ERROR.rawValue { return }
        let (rule, message) = error.fault
        report(rule, message, at: max(1, Int(error.line)))
        stop()
    }

    private mutating func stop() {
        hasStopped = true
        xmlStopParser(context)
    }
}

// MARK: - Positions and messages

extension PageReader {
    /// The innermost open element. While a start tag is checked, this is its element.
    var frame: Frame {
        get { frames[depth] }
        nonmutating _modify { yield &frames[depth] }
    }

    var parent: Frame {
        get { frames[depth - 1] }
        nonmutating _modify { yield &frames[depth - 1] }
    }

    /// The current line of the parser.
    var line: Int { Int(context.pointee.input.pointee.line) }

    private var allowsText: Bool {
        frame.element?.pointee.kinds.contains(.text) == true || frame.allowedChildren.intersects(.phrase)
    }

    /// The line on which the start tag begins. Attribute values contain no `<`, so a backward search finds it.
    private mutating func tagLine() -> Int {
        let now = line
        if now == lastLine { return now }
        lastLine = now
        let input = context.pointee.input.pointee
        guard let base = input.base, let end = input.cur else { return now }
        let read = UnsafeBufferPointer(start: base, count: end - base)
        guard let start = read.lastIndex(of: "<") else { return now }
        return now - read[start...].count { $0 == "\n" }
    }

    /// The name of the current start tag for messages, such as "<p>".
    var tagText: String { "<\(String(cString: tag.name))>" }

    func tagText(at depth: Int) -> String {
        if let element = frames[depth].element { return "<\(element.pointee.name)>" }
        return depth == 0 ? "the page" : "an unknown element"
    }

    /// Reports a fault of the current start tag. The message begins with the tag.
    mutating func reject(_ rule: Rule, _ message: String) { report(rule, "\(tagText) \(message)") }

    /// Reports a fault, by default on the line of the current start tag.
    mutating func report(_ rule: Rule, _ message: String, at line: Int? = nil) {
        let line = line ?? tag.line
        let most = PageChecker.maximumFaults - 1
        if found.faults.count < most {
            found.faults.append(Fault(line: line, rule: rule, message: message))
        } else if found.faults.count == most {
            let message = "the page has more than \(most) faults; the rest of the page was not checked"
            found.faults.append(Fault(line: line, rule: .tooManyFaults, message: message))
            stop()
        }
    }
}
