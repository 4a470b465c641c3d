internal import CLibXML2

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
                guard let faults = faults?.assumingMemoryBound(to: [Fault].self), let error = error?.pointee else {
                    return
                }
                if let fault = HTMLParserCheck.fault(from: error) { faults.pointee.append(fault) }
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

    private static func fault(from error: xmlError) -> Fault? {
        let name = error.str1.map { String(cString: $0) } ?? ""
        if error.code == XML_HTML_UNKNOWN_TAG.rawValue, Grammar.site.knowsHTMLParserName(name) { return nil }
        let words = error.message.map { String(cString: $0) } ?? "error \(error.code)"
        return Fault(
            line: max(1, Int(error.line)), element: name, rule: .notWellFormed,
            message: "the HTML parser says: " + words.split(whereSeparator: \.isNewline).joined(separator: " "))
    }
}
