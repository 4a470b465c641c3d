import HTMLCheck

private let beginning = """
    <!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en"><head><meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/><title>A page</title></head>
    <body><main><h1>A page</h1><div>
    """
private let tags: Set = [
    "p", "/p", "br /", "b", "/b", "i", "/i", "em", "/em", "strong", "/strong", "ul", "/ul", "ol", "/ol", "li", "/li",
]

extension FuzzTarget {
    /// HTML from a server, which is sanitized for a page.
    static let html = FuzzTarget(name: "html") { bytes in
        let blocks = HTMLSanitizer.blocks(String(decoding: bytes, as: UTF8.self))
        // A trap reports a finding, and libFuzzer stores the input.
        guard let written = String(validating: blocks, as: UTF8.self) else { fatalError("broken: a page is UTF-8") }

        let faults = PageChecker().check(Array("\(beginning)\(written)</div></main></body></html>\n".utf8)).faults
        require(faults.isEmpty, "it is valid in a page: \(faults) \(written)")
        for part in blocks.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).dropFirst() {
            let tag = String(decoding: part.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
            require(tags.contains(tag), "only allowed tags are written: \(tag)")
        }
        require(HTMLSanitizer.blocks(written) == blocks, "sanitizing the output again does not change it: \(written)")
        require(blocks.count <= 13 * bytes.count + 45, "the output is at most 13 times as large")
        require(
            HTMLSanitizer.text(written) == HTMLSanitizer.text(String(decoding: bytes, as: UTF8.self)),
            "the blocks have the same plain text")
    }
}
