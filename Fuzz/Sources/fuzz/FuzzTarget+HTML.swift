import HTMLCheck

private let beginning = """
    <!DOCTYPE html>
    <html xmlns="http://www.w3.org/1999/xhtml" lang="en" xml:lang="en"><head><meta charset="utf-8"/>
    <meta name="viewport" content="width=device-width, initial-scale=1"/><title>A page</title></head>
    <body><main><h1>A page</h1><div>
    """
private let elements = Set(
    """
    p br hr b i em strong sub sup small s del ins mark abbr time cite q kbd code samp var a ul ol li h2 h3 h4 h5 h6 pre \
    blockquote figure figcaption dl dt dd div table caption thead tbody tr td th
    """.split(separator: " "))
private let attributes: Set<Substring> = [
    "href", "rel", "title", "datetime", "start", "colspan", "rowspan", "class", "tabindex",
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
            let name = tag.drop { $0 == "/" }.prefix { $0 != " " }
            let values = tag.matches(of: /([a-z-]+)="[^"]*"/)
            require(
                elements.contains(name) && values.allSatisfy { attributes.contains($0.1) }
                    && tag.matches(of: /href="(?!https?:\/\/|mailto:)/).isEmpty,
                "only allowed tags are written: \(tag)")
        }
        require(HTMLSanitizer.blocks(written) == blocks, "sanitizing the output again does not change it: \(written)")
        require(blocks.count <= 32 * bytes.count + 45, "the output is at most 32 times as large")
        require(
            HTMLSanitizer.text(written) == HTMLSanitizer.text(String(decoding: bytes, as: UTF8.self)),
            "the blocks have the same plain text")
    }
}
