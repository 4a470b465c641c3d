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

    /// Unknown names stay in libxml2's dictionary: after so many the context is made anew.
    private static let maximumNames: Int32 = 4_096

    private let grammar: Grammar
    private var context: xmlParserCtxtPtr
    private let reader: UnsafeMutablePointer<PageReader>

    /// Makes a checker with a parser context of its own.
    public init(_ grammar: Grammar = .site) {
        _ = Library.isReady
        self.grammar = grammar
        context = Self.makeContext()
        reader = .allocate(capacity: 1)
        reader.initialize(to: PageReader(grammar, context: context))
        connect()
    }

    deinit {
        reader.pointee.deallocate()
        reader.deinitialize(count: 1)
        reader.deallocate()
        xmlFreeParserCtxt(context)
    }

    /// Reads one page.
    ///
    /// - Parameter page: the bytes of the file, UTF-8.
    /// - Returns: every fault by line, the links and the ids. No faults: the page is good.
    public func check(_ page: [UInt8]) -> PageReport {
        page.withUnsafeBufferPointer { check($0) }
    }

    /// Reads one page; see `check(_:)` over an array.
    public func check(_ page: UnsafeBufferPointer<UInt8>) -> PageReport {
        if xmlDictSize(context.pointee.dict) > Self.maximumNames { renew() }

        if page.count > Self.maximumBytes {
            reader.pointee.report(
                Fault(
                    line: 1, element: "", rule: .pageTooLarge,
                    message: "the page has \(page.count) bytes, more than \(Self.maximumBytes)"))
        } else if isReadable(page) {
            reader.pointee.isSuspect = CharacterScan.isSuspect(page)
            page.withMemoryRebound(to: CChar.self) { bytes in
                // NOENT, or &amp; in a value arrives as &#38;; as no entity is ever declared, none is expanded.
                let options = Int32(XML_PARSE_NONET.rawValue | XML_PARSE_IGNORE_ENC.rawValue | XML_PARSE_NOENT.rawValue)
                let document = xmlCtxtReadMemory(context, bytes.baseAddress, Int32(bytes.count), nil, nil, options)
                if document != nil { xmlFreeDoc(document) }
            }
            reader.pointee.finish()
        }
        return reader.pointee.takeReport()
    }

    /// Reports another beginning than the doctype, and tells whether it is worth reading on.
    private func isReadable(_ page: UnsafeBufferPointer<UInt8>) -> Bool {
        if let line = AttributeScan.lineOfLongTag(in: page) {
            reader.pointee.report(
                Fault(
                    line: line, element: "", rule: .tooManyAttributes,
                    message:
                        "an element has more than \(AttributeScan.maximum) attributes; nothing of the page was read"))
            return false
        }
        if page.isEmpty {
            reader.pointee.report(Fault(line: 1, element: "", rule: .notWellFormed, message: "the page is empty"))
            return false
        }
        if page.starts(with: "<!DOCTYPE html>".utf8) { return true }
        reader.pointee.report(
            Fault(line: 1, element: "", rule: .doctype, message: "the page does not begin with exactly <!DOCTYPE html>")
        )
        return page.starts(with: "<!DOCTYPE".utf8) || page.starts(with: "<html".utf8)
    }
}

// MARK: - Parser context

extension PageChecker {
    /// libxml2 wants to be initialised once, before threads use it (its manual, "Thread safety").
    private enum Library {
        static let isReady: Bool = {
            xmlInitParser()
            return true
        }()
    }

    private static func makeContext() -> xmlParserCtxtPtr {
        // Nothing can be checked without one, and only a lack of memory denies it.
        guard let context = xmlNewParserCtxt() else {
            preconditionFailure("libxml2 has no memory for a parser context")
        }
        return context
    }

    private func renew() {
        reader.pointee.deallocate()
        xmlFreeParserCtxt(context)
        context = Self.makeContext()
        reader.pointee = PageReader(grammar, context: context)
        connect()
    }

    /// Takes over all events. What is not set here is not done: no entities are declared, none are loaded.
    private func connect() {
        context.pointee.userData = UnsafeMutableRawPointer(reader)
        guard let sax = context.pointee.sax else { return }
        sax.pointee = xmlSAXHandler()
        sax.pointee.initialized = UInt32(XML_SAX2_MAGIC)
        sax.pointee.startElementNs = { reader, name, prefix, namespace, declarations, _, count, _, attributes in
            guard let name else { return }
            PageChecker.reader(reader)?.pointee.open(
                name, prefix: prefix, namespace: namespace, declarations: Int(declarations), attributes: attributes,
                count: Int(count))
        }
        sax.pointee.endElementNs = { reader, _, _, _ in PageChecker.reader(reader)?.pointee.close() }
        sax.pointee.characters = { reader, bytes, count in
            PageChecker.reader(reader)?.pointee.characters(UnsafeBufferPointer(start: bytes, count: Int(count)))
        }
        // The same function, or libxml2 looks ahead to tell blanks from text.
        sax.pointee.ignorableWhitespace = sax.pointee.characters
        sax.pointee.cdataBlock = { reader, _, _ in PageChecker.reader(reader)?.pointee.foreign("a CDATA section") }
        sax.pointee.processingInstruction = { reader, _, _ in
            PageChecker.reader(reader)?.pointee.foreign("a processing instruction")
        }
        sax.pointee.comment = { reader, bytes in
            guard let bytes else { return }
            PageChecker.reader(reader)?.pointee.comment(UnsafeBufferPointer(start: bytes, count: Int(xmlStrlen(bytes))))
        }
        sax.pointee.internalSubset = { reader, _, _, _ in PageChecker.reader(reader)?.pointee.doctype() }
        sax.pointee.serror = { reader, error in
            guard let error else { return }
            PageChecker.reader(reader)?.pointee.broken(error.pointee)
        }
    }

    private static func reader(_ pointer: UnsafeMutableRawPointer?) -> UnsafeMutablePointer<PageReader>? {
        pointer?.assumingMemoryBound(to: PageReader.self)
    }
}
