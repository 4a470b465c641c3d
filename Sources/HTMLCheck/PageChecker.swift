internal import CLibXML2

/// Checks each page in one pass: libxml2's SAX2 parser checks that it is well-formed XML, and tables that it is HTML.
///
/// A checker reuses its parser context for every page, so each worker creates one checker and keeps it. Several
/// checkers can run in parallel, each on its own thread. A checker loads no other files, expands no entities and prints
/// nothing. A page must begin with exactly `<!DOCTYPE html>`, and have at most 64 MiB and 100 levels of elements.
package final class PageChecker {
    /// The maximum size of a page in bytes. A larger page is not read.
    package static let maximumBytes = 64 << 20
    /// The maximum number of faults that are reported for a page. After that, the rest of the page is not read.
    package static let maximumFaults = 100

    /// The maximum number of names in libxml2's dictionary. Above this number, the context is replaced.
    private static let maximumNames: Int32 = 4_096

    /// The initial state, which is copied for each page.
    private var reader: PageReader

    /// libxml2 must be initialised before several threads use it (its manual, "Thread safety").
    private static let initialise: Void = xmlInitParser()

    package init() {
        Self.initialise
        reader = PageReader(context: Self.makeContext())
    }

    deinit { reader.deallocate() }

    /// Checks one page.
    ///
    /// - Parameter page: the bytes of the file, in UTF-8.
    /// - Returns: the faults, ordered by line, and the links and ids. A valid page has no faults.
    package func check(_ page: [UInt8]) -> PageReport {
        if xmlDictSize(reader.context.pointee.dict) > Self.maximumNames {
            reader.deallocate()
            reader = PageReader(context: Self.makeContext())
        }

        let context = reader.context
        var reader = reader
        reader.frame = .init(element: nil, line: 1, allowedChildren: [.document])
        reader.found.links.reserveCapacity(128)
        reader.found.text.reserveCapacity(4_096)
        page.withUnsafeBufferPointer { page in
            guard Self.isReadable(page, &reader) else { return }
            reader.isSuspect = PageScan.isSuspect(page)
            withUnsafeMutablePointer(to: &reader) { reader in
                context.pointee.userData = UnsafeMutableRawPointer(reader)
                page.withMemoryRebound(to: CChar.self) { bytes in
                    // Without NOENT, &amp; in a value becomes &#38;. No entity is expanded, because none is declared.
                    // Without HUGE, pages of more than 10 MB can fail. The checker has limits of its own.
                    let options = [XML_PARSE_NONET, XML_PARSE_IGNORE_ENC, XML_PARSE_NOENT, XML_PARSE_HUGE].map(
                        \.rawValue)
                    xmlFreeDoc(
                        xmlCtxtReadMemory(
                            context, bytes.baseAddress, Int32(bytes.count), nil, nil, Int32(options.reduce(0, |))))
                }
                context.pointee.userData = nil
            }
            reader.finish()
        }
        return reader.found
    }

    /// Reports a page with a wrong doctype, and a page that the parser must not read.
    /// - Returns: whether to parse the page.
    private static func isReadable(_ page: Bytes, _ reader: inout PageReader) -> Bool {
        if page.count > maximumBytes {
            reader.report(.pageTooLarge, "the page has \(page.count) bytes, more than \(maximumBytes)")
        } else if let line = PageScan.lineOfLongTag(in: page) {
            let message = "an element has more than \(PageScan.maximumAttributes) attributes; the page was not checked"
            reader.report(.tooManyAttributes, message, at: line)
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
    /// A context that sends its events to the reader in its user data. No entities are declared or loaded.
    private static func makeContext() -> xmlParserCtxtPtr {
        // This fails only if the system has no memory.
        guard let context = xmlNewParserCtxt(), let sax = context.pointee.sax else {
            preconditionFailure("libxml2 has no memory for a parser context")
        }
        sax.pointee = xmlSAXHandler()
        sax.pointee.initialized = UInt32(XML_SAX2_MAGIC)
        sax.pointee.startElementNs = { reader, name, prefix, namespace, declarations, _, count, _, attributes in
            guard let name else { return }
            pageReader(reader)?.pointee.openElement(
                name, prefix: prefix, namespace: namespace, declarations: Int(declarations), attributes: attributes,
                count: Int(count))
        }
        sax.pointee.endElementNs = { reader, _, _, _ in pageReader(reader)?.pointee.closeElement() }
        sax.pointee.characters = { reader, bytes, count in
            pageReader(reader)?.pointee.readText(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        // If this were a different function, libxml2 would look ahead to distinguish white space from text.
        sax.pointee.ignorableWhitespace = sax.pointee.characters
        sax.pointee.cdataBlock = { reader, _, _ in pageReader(reader)?.pointee.reportForeignMarkup("a CDATA section") }
        sax.pointee.processingInstruction = { reader, _, _ in
            pageReader(reader)?.pointee.reportForeignMarkup("a processing instruction")
        }
        sax.pointee.comment = { reader, bytes in
            guard let bytes else { return }
            pageReader(reader)?.pointee.checkComment(UnsafeBufferPointer(start: bytes, count: Int(xmlStrlen(bytes))))
        }
        sax.pointee.internalSubset = { reader, _, _, _ in pageReader(reader)?.pointee.checkDoctype() }
        sax.pointee.serror = { reader, error in
            guard let error else { return }
            pageReader(reader)?.pointee.reportParserError(error.pointee)
        }
        return context
    }
}

/// The reader that receives an event; nil after the end of its check.
private func pageReader(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<PageReader>? {
    let reader = pointer?.assumingMemoryBound(to: PageReader.self)
    return reader?.pointee.hasStopped == false ? reader : nil
}

// MARK: - Errors of the parsers

extension xmlError {
    /// The rule that a page violates, and the message in the terms of HTML pages.
    var fault: (rule: Rule, message: String) {
        switch xmlParserErrors(UInt32(code)) {
        case XML_ERR_INVALID_ENCODING, XML_I18N_CONV_FAILED, XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING:
            (.notUTF8, "the page contains bytes that are not UTF-8")
        case XML_ERR_INVALID_CHAR where !messageText.hasPrefix("xmlParseCharRef"):
            (.forbiddenCharacter, "the page contains a character that XML forbids, or bytes that are not UTF-8")
        case XML_ERR_INVALID_CHAR, XML_ERR_INVALID_CHARREF:
            (.forbiddenCharacter, "a character reference refers to a character that XML forbids")
        default: (.notWellFormed, malformation)
        }
    }

    private var malformation: String {
        let first = str1.map { String(cString: $0) } ?? ""
        let second = str2.map { String(cString: $0) } ?? ""
        return switch xmlParserErrors(UInt32(code)) {
        case XML_ERR_TAG_NAME_MISMATCH: "<\(first)> of line \(int1) is closed by </\(second)>"
        case XML_ERR_TAG_NOT_FINISHED where !first.isEmpty: "the page ends before <\(first)> is closed"
        case XML_ERR_UNDECLARED_ENTITY: "&\(first); is not an XML entity; write the character itself"
        case XML_ERR_NAME_REQUIRED: "a bare & or < must be written &amp; or &lt;"
        case XML_ERR_ENTITYREF_SEMICOL_MISSING: "a bare & must be written &amp;, or a reference has no semicolon"
        case XML_ERR_ATTRIBUTE_REDEFINED: "the attribute \(first) appears twice in one tag"
        case XML_ERR_ATTRIBUTE_WITHOUT_VALUE: "the attribute \(second.isEmpty ? first : second) has no value"
        case XML_ERR_ATTRIBUTE_NOT_STARTED: "an attribute value has no quotes"
        default: "the page is not well-formed XML: \(messageText)"
        }
    }

    /// libxml2's message as a single line.
    fileprivate var messageText: String {
        let messageText = message.map { String(cString: $0) } ?? "error \(code)"
        return messageText.split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}

/// A second check with libxml2's HTML parser.
///
/// The parser supports HTML 4, and is about six times slower than `PageChecker`, so only `amber check` uses it.
package struct HTMLParserCheck {
    /// The faults that the parser reports. Its error 801 (unknown element) is ignored for elements of the grammar,
    /// because libxml2 2.9 does not support HTML 5 and SVG.
    ///
    /// The parser reports faults only to the thread's error handler. It is replaced during the call, and then restored.
    package static func faults(in page: [UInt8]) -> [Fault] {
        var faults: [Fault] = []
        let options = Int32(HTML_PARSE_NONET.rawValue)
        withUnsafeMutablePointer(to: &faults) { faults in
            let before = (amberStructuredError(), amberStructuredErrorContext())
            xmlSetStructuredErrorFunc(faults) { faults, error in
                guard let faults = faults?.assumingMemoryBound(to: [Fault].self), let error = error?.pointee,
                    !HTMLParserCheck.isKnownName(error)
                else { return }
                let message = "the HTML parser reports: " + error.messageText
                faults.pointee.append(Fault(line: max(1, Int(error.line)), rule: .notWellFormed, message: message))
            }
            page.withUnsafeBytes { bytes in
                let start = bytes.bindMemory(to: CChar.self).baseAddress
                xmlFreeDoc(htmlReadMemory(start, Int32(bytes.count), nil, "UTF-8", options))
            }
            xmlSetStructuredErrorFunc(before.1, before.0)
        }
        return faults
    }

    /// Whether the error reports an unknown element that the grammar contains. The parser's names are in lower case.
    private static func isKnownName(_ error: xmlError) -> Bool {
        guard error.code == XML_HTML_UNKNOWN_TAG.rawValue, let name = error.str1.map({ String(cString: $0) }) else {
            return false
        }
        return Grammar.site.elements.contains { $0.name.lowercased() == name }
    }
}
