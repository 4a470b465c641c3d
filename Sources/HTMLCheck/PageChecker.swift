internal import CLibXML2

/// Checks pages one after another, each in one pass: well-formed XML by libxml2's SAX2 events, valid HTML by our own
/// tables.
///
/// It owns a parser context that is used again for every page, so a worker makes one and keeps it; several may run at
/// once in several threads. Nothing is loaded, no entity is expanded, and nothing is printed. A page is at most 64 MiB
/// and 100 elements deep, and starts with exactly `<!DOCTYPE html>`.
public final class PageChecker {
    /// The most bytes of a page that is read.
    public static let maximumBytes = 64 << 20
    /// The most faults of a page that are reported; nothing more of it is read.
    public static let maximumFaults = PageReader.maximumFaults

    /// Unknown names stay in libxml2's dictionary: with more than this, the context is replaced.
    private static let maximumNames: Int32 = 4_096

    private var context: xmlParserCtxtPtr
    /// Copied for each page.
    private var reader: PageReader

    /// libxml2 wants to be initialised once, before threads use it (its manual, "Thread safety").
    private static let isReady: Bool = {
        xmlInitParser()
        return true
    }()

    /// Makes a checker with a parser context of its own.
    public init() {
        _ = Self.isReady
        context = Self.makeContext()
        reader = PageReader(.site, context: context)
    }

    deinit {
        reader.deallocate()
        xmlFreeParserCtxt(context)
    }

    /// Reads one page.
    ///
    /// - Parameter page: the bytes of the file, UTF-8.
    /// - Returns: every fault by line, the links and the ids. No faults: the page is good.
    public func check(_ page: [UInt8]) -> PageReport {
        if xmlDictSize(context.pointee.dict) > Self.maximumNames {
            reader.deallocate()
            xmlFreeParserCtxt(context)
            context = Self.makeContext()
            reader = PageReader(.site, context: context)
        }

        var reader = reader
        reader.start()
        page.withUnsafeBufferPointer { page in
            guard Self.isReadable(page, &reader) else { return }
            reader.isSuspect = PageScan.isSuspect(page)
            withUnsafeMutablePointer(to: &reader) { reader in
                context.pointee.userData = UnsafeMutableRawPointer(reader)
                page.withMemoryRebound(to: CChar.self) { bytes in
                    // NOENT, or &amp; in a value arrives as &#38;; as no entity is ever declared, none is expanded.
                    let options = XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOENT.rawValue
                    let document = xmlCtxtReadMemory(
                        context, bytes.baseAddress, Int32(bytes.count), nil, nil, Int32(options))
                    if document != nil { xmlFreeDoc(document) }
                }
                context.pointee.userData = nil
            }
            reader.finish()
        }
        return reader.result
    }

    /// Reports a wrong beginning, or what the parser must not read, and says whether to read on.
    private static func isReadable(_ page: UnsafeBufferPointer<UInt8>, _ reader: inout PageReader) -> Bool {
        if page.count > maximumBytes {
            reader.report(.pageTooLarge, "the page has \(page.count) bytes, more than \(maximumBytes)")
        } else if let line = PageScan.lineOfLongTag(in: page) {
            reader.report(
                .tooManyAttributes,
                "an element has more than \(PageScan.maximumAttributes) attributes; nothing of the page was read",
                at: line)
        } else if page.isEmpty {
            reader.report(.notWellFormed, "the page is empty")
        } else if page.begins(with: "<!DOCTYPE html>") {
            return true
        } else {
            reader.report(.doctype, "the page does not begin with exactly <!DOCTYPE html>")
            return page.begins(with: "<!DOCTYPE") || page.begins(with: "<html")
        }
        return false
    }
}

// MARK: - Parser context

extension PageChecker {
    /// A context whose events go to the reader that its user data point to. What is not set here is not done: no
    /// entities are declared, none are loaded.
    private static func makeContext() -> xmlParserCtxtPtr {
        // Nothing can be checked without one, and only a lack of memory denies it.
        guard let context = xmlNewParserCtxt(), let sax = context.pointee.sax else {
            preconditionFailure("libxml2 has no memory for a parser context")
        }
        sax.pointee = xmlSAXHandler()
        sax.pointee.initialized = UInt32(XML_SAX2_MAGIC)
        sax.pointee.startElementNs = { reader, name, prefix, namespace, declarations, _, count, _, attributes in
            guard let name else { return }
            pageReader(reader)?.pointee.open(
                name, prefix: prefix, namespace: namespace, declarations: Int(declarations), attributes: attributes,
                count: Int(count))
        }
        sax.pointee.endElementNs = { reader, _, _, _ in pageReader(reader)?.pointee.close() }
        sax.pointee.characters = { reader, bytes, count in
            pageReader(reader)?.pointee.characters(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        // The same function, or libxml2 looks ahead to tell blanks from text.
        sax.pointee.ignorableWhitespace = sax.pointee.characters
        sax.pointee.cdataBlock = { reader, _, _ in pageReader(reader)?.pointee.foreign("a CDATA section") }
        sax.pointee.processingInstruction = { reader, _, _ in
            pageReader(reader)?.pointee.foreign("a processing instruction")
        }
        sax.pointee.comment = { reader, bytes in
            guard let bytes else { return }
            pageReader(reader)?.pointee.comment(UnsafeBufferPointer(start: bytes, count: Int(xmlStrlen(bytes))))
        }
        sax.pointee.internalSubset = { reader, _, _, _ in pageReader(reader)?.pointee.doctype() }
        sax.pointee.serror = { reader, error in
            guard let error else { return }
            pageReader(reader)?.pointee.broken(error.pointee)
        }
        return context
    }
}

private func pageReader(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<PageReader>? {
    pointer?.assumingMemoryBound(to: PageReader.self)
}

// MARK: - Errors of the parsers

extension xmlError {
    /// The rule that is broken.
    var rule: Rule {
        switch xmlParserErrors(UInt32(code)) {
        case XML_ERR_INVALID_ENCODING, XML_I18N_CONV_FAILED, XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING:
            .notUTF8
        case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF: .forbiddenCharacter
        default: .notWellFormed
        }
    }

    /// What is wrong, in a sentence of our own.
    var sentence: String {
        let first = str1.map { String(cString: $0) } ?? ""
        let second = str2.map { String(cString: $0) } ?? ""
        return switch xmlParserErrors(UInt32(code)) {
        case XML_ERR_INVALID_ENCODING, XML_I18N_CONV_FAILED, XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING:
            "the page holds bytes that are not UTF-8"
        case XML_ERR_INVALID_CHAR where !words.hasPrefix("xmlParseCharRef"):
            "the page holds a character that XML forbids, or bytes that are not UTF-8"
        case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF: "a character reference names a character that XML forbids"
        case XML_ERR_TAG_NAME_MISMATCH: "<\(first)> of line \(int1) is closed by </\(second)>"
        case XML_ERR_TAG_NOT_FINISHED:
            first.isEmpty ? "the page ends within an element" : "the page ends before <\(first)> is closed"
        case XML_ERR_UNDECLARED_ENTITY: "&\(first); is no reference of XML: write the character itself"
        case XML_ERR_NAME_REQUIRED: "a bare & or < must be written &amp; or &lt;"
        case XML_ERR_ENTITYREF_SEMICOL_MISSING: "a bare & must be written &amp;, or its reference lacks the semicolon"
        case XML_ERR_LT_IN_ATTRIBUTE: "a < in an attribute value must be written &lt;"
        case XML_ERR_ATTRIBUTE_REDEFINED: "the attribute \(first) stands twice in one tag"
        case XML_ERR_ATTRIBUTE_WITHOUT_VALUE: "the attribute \(second.isEmpty ? first : second) has no value"
        case XML_ERR_ATTRIBUTE_NOT_STARTED: "an attribute value stands without quotes"
        case XML_ERR_HYPHEN_IN_COMMENT: "a comment holds two hyphens in a row"
        case XML_ERR_DOCUMENT_END: "something follows the end of the root element"
        case XML_ERR_DOCUMENT_EMPTY: "the page has no element"
        default: "the page is not well-formed XML: \(words)"
        }
    }

    /// libxml2's own message on one line.
    fileprivate var words: String {
        let words = message.map { String(cString: $0) } ?? "error \(code)"
        return words.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

/// A second opinion: libxml2's HTML parser over the same bytes.
///
/// It reads HTML 4 and is about six times slower than `PageChecker`, so it is for audits and tests, not for every
/// build.
public struct HTMLParserCheck {
    /// Names of HTML5 and SVG that libxml2 2.9 calls invalid (error 801) are let pass where the grammar has them.
    ///
    /// The HTML parser reports through the thread's handler only, which is put back afterwards.
    public static func faults(in page: [UInt8]) -> [Fault] {
        var faults: [Fault] = []
        let options = Int32(HTML_PARSE_NONET.rawValue)
        withUnsafeMutablePointer(to: &faults) { faults in
            let before = (amberStructuredError(), amberStructuredErrorContext())
            xmlSetStructuredErrorFunc(faults) { faults, error in
                guard let faults = faults?.assumingMemoryBound(to: [Fault].self), let error = error?.pointee,
                    !HTMLParserCheck.isKnownName(error)
                else { return }
                faults.pointee.append(
                    Fault(
                        line: max(1, Int(error.line)), rule: .notWellFormed,
                        message: "the HTML parser says: " + error.words))
            }
            page.withUnsafeBytes { bytes in
                let document = htmlReadMemory(
                    bytes.bindMemory(to: CChar.self).baseAddress, Int32(bytes.count), nil, "UTF-8", options)
                if document != nil { xmlFreeDoc(document) }
            }
            xmlSetStructuredErrorFunc(before.1, before.0)
        }
        return faults
    }

    /// Whether an error only says that the parser does not know an element of the grammar; it shows names in small
    /// letters.
    private static func isKnownName(_ error: xmlError) -> Bool {
        guard error.code == XML_HTML_UNKNOWN_TAG.rawValue, let name = error.str1.map({ String(cString: $0) }) else {
            return false
        }
        return Grammar.site.elements.contains { $0.name.lowercased() == name }
    }
}
