import HTMLCheck
import Testing

struct FaultTests {
    /// Each content is on line 11 of its page.
    @Test(arguments: contents)
    func `Invalid content is reported with line, reason and rule`(main: String, expected: String) {
        #expect(Pages.faults(Pages.page(main)) == expected.split(separator: "\n").map { "line \($0)" })
    }

    @Test(arguments: frames)
    func `An invalid page frame is reported with line, reason and rule`(from: String, to: String, expected: String) {
        let good = Pages.page("<p>x</p>")
        #expect(good.contains(from))
        let bad = good.replacingFirst(from, with: to)
        #expect(Pages.faults(bad) == expected.split(separator: "\n").map { "line \($0)" })
    }

    static let contents: [(String, String)] = [
        // XML
        ("<p>a</div>", "11: <p> of line 11 is closed by </div> [not-well-formed]"),
        ("<p>a & b</p>", "11: a bare & or < must be written &amp; or &lt; [not-well-formed]"),
        ("<p>a &nbsp; b</p>", "11: &nbsp; is not an XML entity; write the character itself [not-well-formed]"),
        ("<p title=a>b</p>", "11: an attribute value has no quotes [not-well-formed]"),
        ("<p hidden>b</p>", "11: the attribute hidden has no value [not-well-formed]"),
        ("<p id=\"a\" id=\"b\">b</p>", "11: the attribute id appears twice in one tag [not-well-formed]"),
        ("<p>&#1;</p>", "11: a character reference refers to a character that XML forbids [forbidden-character]"),
        // XML and HTML
        ("<p><br></br></p>", "11: <br> is a void element and must be written <br/> [tag-form]"),
        ("<p/>", "11: <p> must have an end tag: HTML does not close it at \"/>\" [tag-form]"),
        ("<p><![CDATA[x]]></p>", "11: a CDATA section is not HTML [foreign-markup]"),
        ("<?php x?>", "11: a processing instruction is not HTML [foreign-markup]"),
        ("<!-->x-->", "11: a comment may not begin with \">\" or \"->\" [foreign-markup]"),
        (
            "<p xmlns=\"http://www.w3.org/1999/xhtml\">x</p>",
            "11: <p> declares a namespace; only the root and <svg> may [namespace]"
        ),
        ("<p>\u{85}</p>", "11: <p> contains the character U+0085, which HTML forbids [forbidden-character]"),
        (
            "<p>&#39; &amp;&#9;&#34;&#159;</p>",
            "11: <p> contains the character U+009F, which HTML forbids [forbidden-character]"
        ),
        (
            "<p>\u{436}\u{2014}\u{FFFE}</p>",
            "11: the page contains a character that XML forbids, or bytes that are not UTF-8 [forbidden-character]"
        ),
        (
            "<p>\u{436}\u{2014}\u{1F600}\u{1FFFE}</p>",
            "11: <p> contains the character U+1FFFE, which HTML forbids [forbidden-character]"
        ),
        ("<p>&#127;</p>", "11: <p> contains the character U+007F, which HTML forbids [forbidden-character]"),
        (
            "<p title=\"&#xFDD0;\">x</p>",
            "11: <p> contains the character U+FDD0 in title, which HTML forbids [forbidden-character]"
        ),
        // Elements
        ("<search></search>", "11: <search> is not an element that pages may use [unknown-element]"),
        ("<P>x</P>", "11: <P> is not an element that pages may use [unknown-element]"),
        ("<noscript></noscript>", "11: <noscript> is not an element that pages may use [unknown-element]"),
        ("<div><li>x</li></div>", "11: <li> is not allowed directly in <div> [misplaced-element]"),
        ("<p><div>x</div></p>", "11: <div> is not allowed directly in <p> [misplaced-element]"),
        ("<ul><p>x</p></ul>", "11: <p> is not allowed directly in <ul> [misplaced-element]"),
        (
            "<a href=\"x\"><span><button type=\"button\">x</button></span></a>",
            "11: <button> is not allowed inside <a> [misplaced-element]"
        ),
        ("<form><div><form></form></div></form>", "11: <form> is not allowed inside <form> [misplaced-element]"),
        ("<header><footer></footer></header>", "11: <footer> is not allowed inside <header> [misplaced-element]"),
        (
            "<button type=\"button\"><span tabindex=\"0\">x</span></button>",
            "11: <span> has tabindex inside a link or button [misplaced-element]"
        ),
        ("<label><input/><input/></label>", "11: <input> is the second control in one <label> [misplaced-element]"),
        ("<table><tr><td>x</td></tr></table>", "11: <tr> is not allowed directly in <table> [misplaced-element]"),
        (
            "<table><tbody></tbody><caption>x</caption></table>",
            "11: <caption> is in the wrong order or appears too often in <table> [misplaced-element]"
        ),
        (
            "<details><p>x</p></details>",
            "11: <details> must contain a summary in the required position [missing-element]"
        ),
        ("<picture></picture>", "11: <picture> must contain an img in the required position [missing-element]"),
        (
            "<figure><p>a</p><figcaption>b</figcaption><p>c</p></figure>",
            "11: <p> is in the wrong order or appears too often in <figure> [misplaced-element]"
        ),
        ("<dl><dd>x</dd></dl>", "11: <dd> comes before any <dt> [misplaced-element]"),
        ("<dl><dt>x</dt></dl>", "11: <dl> must end with a <dd> [missing-element]"),
        (
            "<dl><div><dt>x</dt><dd>y</dd></div><dt>x</dt><dd>y</dd></dl>",
            "11: <dl> may contain either <div> or <dt> and <dd>, not both [misplaced-element]\n11: <dl> may contain either <div> or <dt> and <dd>, not both [misplaced-element]"
        ),
        ("<ul>text</ul>", "11: <ul> may not contain text directly, but contains \"text\" [misplaced-text]"),
        ("<style>p{}</style>", "11: <style> is not allowed directly in <main> [misplaced-element]"),
        ("<a href=\"x\"> </a>", "11: <a> has no text, no image with alt text and no aria-label [empty-element]"),
        (
            "<a href=\"x\"><span aria-hidden=\"true\">x</span></a>",
            "11: <a> has no text, no image with alt text and no aria-label [empty-element]"
        ),
        // Attributes
        (
            "<p>\n<img src=\"a.png\"\n width=\"1\" height=\"1\"/></p>",
            "12: <img> has no alt attribute [missing-attribute]"
        ),
        ("<a>x</a>", "11: <a> has no href attribute [missing-attribute]"),
        ("<p><time>x</time></p>", "11: <time> has no datetime attribute [missing-attribute]"),
        ("<p align=\"left\">x</p>", "11: <p> may not have the attribute align [unknown-attribute]"),
        ("<p inert=\"\">x</p>", "11: <p> may not have the attribute inert [unknown-attribute]"),
        ("<p aria-foo=\"x\">x</p>", "11: <p> may not have the attribute aria-foo [unknown-attribute]"),
        (
            "<p data-A=\"x\">x</p>",
            "11: <p> has the attribute data-A, whose name may contain only lower-case letters, digits and hyphens [unknown-attribute]"
        ),
        ("<p xml:id=\"x\">x</p>", "11: <p> may not have the attribute xml:id [unknown-attribute]"),
        ("<p xml:lang=\"en\">x</p>", "11: <p> must have a lang equal to its xml:lang [language]"),
        (
            "<input type=\"text\" checked=\"\"/>",
            "11: <input> of type text may not have the attribute checked [unknown-attribute]"
        ),
        ("<ul><li value=\"1\">x</li></ul>", "11: <li> may have a value only in <ol> [unknown-attribute]"),
        (
            "<p style=\"color:red\">x</p>",
            "11: <p> has a style attribute; styles belong in the stylesheet [inline-style]"
        ),
        (
            "<p onclick=\"x()\">x</p>",
            "11: <p> has the event handler onclick; scripts belong in separate files [inline-script]"
        ),
        ("<p itemprop=\"a\">x</p>", "11: <p> has itemprop outside of any itemscope [unknown-attribute]"),
        (
            "<p><img src=\"a\" alt=\"\" width=\"1px\" height=\"1\"/></p>",
            "11: <img> has width=\"1px\", which must be a whole number [attribute-value]"
        ),
        (
            "<p><img src=\"a\" alt=\"\" width=\"1\" height=\"1\" loading=\"slow\"/></p>",
            "11: <img> has loading=\"slow\", which must be one of lazy, eager [attribute-value]"
        ),
        (
            "<p hidden=\"until-found\">x</p>",
            "11: <p> has hidden=\"until-found\", which must be empty or repeat the attribute's name [attribute-value]"
        ),
        (
            "<p lang=\"english\">x</p>",
            "11: <p> has lang=\"english\", which must be a language tag such as en or pt-BR [attribute-value]"
        ),
        (
            "<p><time datetime=\"December 2, 2013\">x</time></p>",
            "11: <time> has datetime=\"December 2, 2013\", which must be a machine-readable date, time or duration [attribute-value]"
        ),
        (
            "<p><time datetime=\"2013-02-30\">x</time></p>",
            "11: <time> has datetime=\"2013-02-30\", which must be a machine-readable date, time or duration [attribute-value]"
        ),
        (
            "<a href=\"a b\">x</a>",
            "11: <a> has href=\"a b\", which must not contain white space; write it percent-encoded [attribute-value]"
        ),
        ("<a href=\"\">x</a>", "11: <a> has href=\"\", which must not be empty [attribute-value]"),
        ("<a href=\"#\">x</a>", "11: <a> has href=\"#\", which must name an id of the page [attribute-value]"),
        (
            "<p id=\"a b\">x</p>",
            "11: <p> has id=\"a b\", which must have at least one character and no spaces [attribute-value]"
        ),
        (
            "<p role=\"\">x</p>",
            "11: <p> has role=\"\", which must be one or more of alert, alertdialog, application, article, banner, button, checkbox, combobox, complementary, contentinfo, definition, dialog or another allowed word [attribute-value]"
        ),
        (
            "<p><img src=\"a\" alt=\"\" width=\"1\" height=\"1\" srcset=\"a 1w\"/></p>",
            "11: <img> has srcset=\"a 1w\", which requires a sizes attribute because it gives widths [attribute-value]"
        ),
        // Across the page
        ("<p id=\"a\">x</p>\n<p id=\"a\">x</p>", "12: <p> has id=\"a\", which line 11 already has [duplicate-id]"),
        (
            "<a href=\"#none\">x</a>",
            "11: <a> refers to the id \"none\" in href, but no element of the page has this id [unknown-id]"
        ),
        (
            "<label for=\"none\">x</label>",
            "11: <label> refers to the id \"none\" in for, but no element of the page has this id [unknown-id]"
        ),
        (
            "<label for=\"a b\">x</label>", "11: <label> has for=\"a b\", which must be one id [attribute-value]"
        ),
        (
            "<p id=\"p\">x</p><label for=\"p\">x</label>",
            "11: <label> refers to the id \"p\" in for, but that element is not a form control [unknown-id]"
        ),
        (
            "<p aria-describedby=\"a b\" id=\"a\">x</p>",
            "11: <p> refers to the id \"b\" in aria-describedby, but no element of the page has this id [unknown-id]"
        ),
        (
            "<a href=\"https://x.org/\" target=\"_blank\">x</a>",
            "11: <a> opens a new window without rel=\"noopener\" [noopener]"
        ),
        (
            "<nav></nav><nav aria-label=\"a\"></nav>",
            "11: <nav> must have an aria-label, because the page has more than one <nav> [landmark-label]"
        ),
        (
            "<nav aria-label=\"a\"></nav><nav aria-label=\"a\"></nav>",
            "11: <nav> has the same label \"a\" as another <nav> [landmark-label]"
        ),
        ("<h3>x</h3>", "11: <h3> follows <h1>: a level is skipped [heading]"),
        ("<h1>x</h1>", "11: <h1> must appear only once [heading]"),
        ("<h2></h2>", "11: <h2> has no text, no image with alt text and no aria-label [empty-element]"),
        (
            "<p id=\"p\">x</p><input list=\"p\"/>",
            "11: <input> refers to the id \"p\" in list, but that element is not a <datalist> [unknown-id]"
        ),
        (
            "<p id=\"p\">x</p><table><tbody><tr><td headers=\"p\">x</td></tr></tbody></table>",
            "11: <td> refers to the id \"p\" in headers, but that element is not a <th> [unknown-id]"
        ),
        // Roles, and rules beyond the table
        (
            "<div aria-expanded=\"true\">x</div>",
            "11: <div> may have aria-expanded only with role [unknown-attribute]"
        ),
        ("<label role=\"img\">x</label>", "11: <label> may not have the attribute role [unknown-attribute]"),
        (
            "<nav role=\"list\"></nav>",
            "11: <nav> has role=\"list\", which must be one or more of navigation [attribute-value]"
        ),
        (
            "<details><summary>x<h2>y</h2></summary></details>",
            "11: <h2> must be alone in <summary> [misplaced-element]"
        ),
        ("<table><tbody><tr></tr></tbody></table>", "11: <tr> has no cell [missing-element]"),
        (
            "<p><ins datetime=\"2017-W40\">x</ins></p>",
            "11: <ins> has datetime=\"2017-W40\", which must be a date, or a date with time and zone [attribute-value]"
        ),
        (
            "<p><img src=\"a\" alt=\"\" width=\"1\" height=\"1\" srcset=\"a, b\"/></p>",
            "11: <img> has srcset=\"a, b\", which must not repeat a width or density [attribute-value]"
        ),
        ("<a href=\"https:x\">x</a>", "11: <a> has href=\"https:x\", which must name a host [attribute-value]"),
        (
            "<input type=\"search\" role=\"combobox\"/>",
            "11: <input> may not have role=\"combobox\" with its type or list [attribute-value]"
        ),
        // Scripts and SVG
        (
            "<script>x()</script>",
            "11: <script> must have either src or type=\"application/ld+json\" [inline-script]\n11: <script> with src must be empty [inline-script]"
        ),
        ("<script src=\"a.js\"> </script>", "11: <script> with src must be empty [inline-script]"),
        (
            "<script type=\"application/ld+json\">\"&lt;\"</script>",
            "11: <script> contains <, > or &, which must be written \\u003c, \\u003e or \\u0026 [inline-script]"
        ),
        (
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><script/></svg>",
            "11: <script> is not an element that pages may use [unknown-element]"
        ),
        (
            "<svg xmlns=\"http://www.w3.org/2000/svg\" aria-hidden=\"true\"/>",
            "11: <svg> may not have the attribute aria-hidden [unknown-attribute]"
        ),
        (
            "<svg xmlns=\"http://www.w3.org/2000/svg\"><path d=\"M0 0\" fill=\"url(#x)\"/></svg>",
            "11: <path> refers to the id \"x\" in fill, but no element of the page has this id [unknown-id]"
        ),
    ]

    static let frames: [(String, String, String)] = [
        ("<!DOCTYPE html>", "<!doctype html>", "1: the page does not begin with exactly <!DOCTYPE html> [doctype]"),
        (
            "<!DOCTYPE html>", "<!DOCTYPE html SYSTEM \"about:legacy-compat\">",
            "1: the page does not begin with exactly <!DOCTYPE html> [doctype]"
        ),
        (
            "<!DOCTYPE html>", "\u{FEFF}<!DOCTYPE html>",
            "1: the page does not begin with exactly <!DOCTYPE html> [doctype]"
        ),
        (
            " xmlns=\"http://www.w3.org/1999/xhtml\"", "",
            "2: <html> is not in the namespace http://www.w3.org/1999/xhtml [namespace]"
        ),
        (
            " lang=\"en\" xml", " xml",
            "2: <html> must have a lang equal to its xml:lang [language]\n2: <html> has no lang attribute [missing-attribute]"
        ),
        (" xml:lang=\"en\"", "", "2: <html> must have an xml:lang equal to its lang [language]"),
        (
            " xml:lang=\"en\"", " xml:lang=\"de\"",
            "2: <html> must have a lang equal to its xml:lang [language]\n2: <html> must have an xml:lang equal to its lang [language]"
        ),
        ("<meta charset=\"utf-8\"/>\n", "", "4: <head> does not begin with <meta charset=\"utf-8\"/> [charset]"),
        (
            "<meta charset=\"utf-8\"/>", "<meta charset=\"latin1\"/>",
            "4: <meta> has charset=\"latin1\", which must be utf-8 [attribute-value]"
        ),
        (
            "<meta charset=\"utf-8\"/>", "<!--\(String(repeating: "x", count: 1024))--><meta charset=\"utf-8\"/>",
            "4: <meta charset=\"utf-8\"/> must be in the first 1024 bytes of the page [charset]"
        ),
        ("<title>A page</title>", "", "3: <head> has no <title> [missing-element]"),
        (
            "<title>A page</title>", "<title> </title>",
            "6: <title> has no text, no image with alt text and no aria-label [empty-element]"
        ),
        (
            "<title>A page</title>", "<title>A</title><title>B</title>",
            "6: <title> must appear only once [misplaced-element]"
        ),
        ("name=\"viewport\"", "name=\"x\"", "3: <head> has no <meta name=\"viewport\"> [missing-element]"),
        (
            "name=\"viewport\"", "media=\"x\" name=\"viewport\"",
            "5: <meta> may not have the attribute media [unknown-attribute]"
        ),
        (
            "<title>", "<meta http-equiv=\"refresh\" content=\"5; url=a.html\"/><title>",
            "6: <meta http-equiv=\"refresh\"> must have \"0; url=\" and a path as its content [attribute-value]"
        ),
        (
            "<title>", "<meta http-equiv=\"refresh\" content=\"0; url=https://x.example/\"/><title>",
            "6: <meta http-equiv=\"refresh\"> must have \"0; url=\" and a path as its content [attribute-value]"
        ),
        (
            "<title>", "<meta http-equiv=\"refresh\" content=\"0; url=a b\"/><title>",
            "6: the address to forward to must not contain white space; write it percent-encoded [attribute-value]"
        ),
        ("<h1>A page</h1>", "", "8: <body> has no <h1> [heading]"),
        ("<h1>A page</h1>", "<h2>x</h2><h1>x</h1>", "10: <h2> comes before any <h1> [heading]"),
        ("<body>", "x<body>", "8: <html> may not contain text directly, but contains \"x\" [misplaced-text]"),
        ("</main>", "</main><main></main>", "12: <main> must appear only once [misplaced-element]"),
        ("</html>", "", "15: the page ends before <html> is closed [not-well-formed]"),
    ]
}

extension String {
    fileprivate func replacingFirst(_ part: String, with other: String) -> String {
        guard let range = self.firstRange(of: part) else { return self }
        return String(self[..<range.lowerBound]) + other + String(self[range.upperBound...])
    }
}
