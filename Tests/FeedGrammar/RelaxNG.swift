import CLibXML2

/// A RELAX NG schema in XML syntax, compiled by libxml2.
public final class RelaxNG {
    // An opaque pointer, so that users of this class do not import libxml2's headers.
    private let schema: OpaquePointer

    /// Compiles a schema; nil if it is invalid.
    public init?(_ source: String) {
        let bytes = Array(source.utf8CString)
        guard let parser = xmlRelaxNGNewMemParserCtxt(bytes, Int32(bytes.count - 1)) else { return nil }
        defer { xmlRelaxNGFreeParserCtxt(parser) }
        guard let schema = xmlRelaxNGParse(parser) else { return nil }
        self.schema = schema
    }

    deinit { xmlRelaxNGFree(schema) }

    /// libxml2's error messages for a document; empty if it is valid.
    public func faults(in document: [UInt8]) -> [String] {
        let messages = Messages()
        let parsed = document.withUnsafeBytes { bytes in
            xmlReadMemory(
                bytes.baseAddress, Int32(bytes.count), nil, nil,
                Int32(XML_PARSE_NONET.rawValue | XML_PARSE_NOERROR.rawValue))
        }
        guard let parsed else { return ["it is not well-formed XML"] }
        defer { xmlFreeDoc(parsed) }
        guard let context = xmlRelaxNGNewValidCtxt(schema) else { return ["there is no memory to validate it"] }
        defer { xmlRelaxNGFreeValidCtxt(context) }
        xmlRelaxNGSetValidStructuredErrors(
            context,
            { messages, error in
                guard let messages, let error else { return }
                let list = Unmanaged<Messages>.fromOpaque(messages).takeUnretainedValue()
                list.all.append(
                    "line \(error.pointee.line): \(error.pointee.message.map { String(cString: $0) } ?? "")")
            }, Unmanaged.passUnretained(messages).toOpaque())
        let result = withExtendedLifetime(messages) { xmlRelaxNGValidateDoc(context, parsed) }
        return result == 0 ? [] : messages.all + ["libxml2 says \(result)"]
    }

    private final class Messages {
        var all: [String] = []
    }
}
