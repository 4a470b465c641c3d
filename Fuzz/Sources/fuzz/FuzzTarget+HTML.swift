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
    /// HTML from a server, where it goes into a page.
    static let html = FuzzTarget(name: "html") { bytes in
        let blocks = HTMLSanitizer.blocks(String(decoding: bytes, as: UTF8.self))
        // A trap is how a find is told: libFuzzer then keeps the input.
        guard let written = String(validating: blocks, as: UTF8.self) else { fatalError("broken: a page is UTF-8") }

        let faults = PageChecker().check(Array("\(beginning)\(written)</div></main></body></html>\n".utf8)).faults
        require(faults.isEmpty, "it is good in a page: \(faults) \(written)")
        for part in blocks.split(separator: UInt8(ascii: "<"), omittingEmptySubsequences: false).dropFirst() {
            let tag = String(decoding: part.prefix { $0 != UInt8(ascii: ">") }, as: UTF8.self)
            require(tags.contains(tag), "nothing else is let through: \(tag)")
        }
        require(HTMLSanitizer.blocks(written) == blocks, "what is written reads back as itself: \(written)")
        require(blocks.count <= 13 * bytes.count + 45, "it does not blow up")
        require(
            HTMLSanitizer.text(written) == HTMLSanitizer.text(String(decoding: bytes, as: UTF8.self)),
            "the text is that of the blocks")
    }
}
