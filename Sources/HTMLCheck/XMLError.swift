internal import CLibXML2

/// libxml2's errors in our own sentences.
enum XMLError {
    /// - Returns: rule, sentence and line; nil for warnings.
    static func explain(_ error: xmlError) -> (rule: Rule, message: String, line: Int)? {
        guard error.level.rawValue >= XML_ERR_ERROR.rawValue else { return nil }
        let line = max(1, Int(error.line))
        let first = error.str1.map { String(cString: $0) } ?? ""
        let second = error.str2.map { String(cString: $0) } ?? ""

        switch xmlParserErrors(UInt32(error.code)) {
        case XML_ERR_INVALID_ENCODING, XML_I18N_CONV_FAILED, XML_ERR_UNKNOWN_ENCODING, XML_ERR_UNSUPPORTED_ENCODING:
            return (.notUTF8, "the page holds bytes that are not UTF-8", line)
        case XML_ERR_INVALID_CHAR where error.message.map { String(cString: $0).hasPrefix("xmlParseCharRef") } == true:
            return (.forbiddenCharacter, "a character reference names a character that XML forbids", line)
        case XML_ERR_INVALID_CHAR:
            return (
                .forbiddenCharacter, "the page holds a character that XML forbids, or bytes that are not UTF-8", line
            )
        case XML_ERR_INVALID_CHARREF:
            return (.forbiddenCharacter, "a character reference names a character that XML forbids", line)
        case XML_ERR_TAG_NAME_MISMATCH:
            return (.notWellFormed, "<\(first)> of line \(error.int1) is closed by </\(second)>", line)
        case XML_ERR_TAG_NOT_FINISHED:
            return (
                .notWellFormed,
                first.isEmpty ? "the page ends within an element" : "the page ends before <\(first)> is closed", line
            )
        case XML_ERR_UNDECLARED_ENTITY:
            return (.notWellFormed, "&\(first); is no reference of XML: write the character itself", line)
        case XML_ERR_NAME_REQUIRED:
            return (.notWellFormed, "a bare & or < must be written &amp; or &lt;", line)
        case XML_ERR_ENTITYREF_SEMICOL_MISSING:
            return (.notWellFormed, "a bare & must be written &amp;, or its reference lacks the semicolon", line)
        case XML_ERR_LT_IN_ATTRIBUTE:
            return (.notWellFormed, "a < in an attribute value must be written &lt;", line)
        case XML_ERR_ATTRIBUTE_REDEFINED:
            return (.notWellFormed, "the attribute \(first) stands twice in one tag", line)
        case XML_ERR_ATTRIBUTE_WITHOUT_VALUE:
            return (.notWellFormed, "the attribute \(second.isEmpty ? first : second) has no value", line)
        case XML_ERR_ATTRIBUTE_NOT_STARTED:
            return (.notWellFormed, "an attribute value stands without quotes", line)
        case XML_ERR_HYPHEN_IN_COMMENT:
            return (.notWellFormed, "a comment holds two hyphens in a row", line)
        case XML_ERR_DOCUMENT_END:
            return (.notWellFormed, "something follows the end of the root element", line)
        case XML_ERR_DOCUMENT_EMPTY:
            return (.notWellFormed, "the page has no element", line)
        default:
            let words = error.message.map { String(cString: $0) } ?? "error \(error.code)"
            let sentence = words.split(whereSeparator: \.isNewline).joined(separator: " ")
            return (.notWellFormed, "the page is not well-formed XML: \(sentence)", line)
        }
    }
}
