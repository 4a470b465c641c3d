import HTMLCheck
import Testing

/// The exact output is compared, so nothing else reaches a page.
struct HTMLSanitizerTests {
    private func expect(_ samples: [(String, String)], location: SourceLocation = #_sourceLocation) {
        for (html, blocks) in samples {
            #expect(
                String(decoding: HTMLSanitizer.blocks(html), as: UTF8.self) == blocks, "\(html)",
                sourceLocation: location)
        }
    }

    @Test func `Markup without visible content gives no output`() {
        expect([
            ("", ""), (" \n\t", ""), ("<p> </p><b></b><br><ul><li> </li></ul>", ""), ("<!-- x -->", ""), ("<b><i>", ""),
            ("\u{202E}", ""),
        ])
    }

    @Test func `Text becomes paragraphs`() {
        expect([
            ("plain  text \n here ", "<p>plain text here</p>"),
            ("<p>a<p>b", "<p>a</p><p>b</p>"), ("a<p>b</p>c", "<p>a</p><p>b</p><p>c</p>"),
            ("a</p>b", "<p>a</p><p>b</p>"),
            ("<div>a<section class=x>b</section>c</div>d", "<p>a</p><p>b</p><p>c</p><p>d</p>"),
            ("<span>a</span><u>b</u> <font size=7>c</font>", "<p>ab c</p>"),
            ("<p>a&nbsp; b</p>", "<p>a\u{A0} b</p>"),
        ])
    }

    @Test func `Line breaks become br elements, at most two in a row`() {
        expect([
            ("<br>a<br/>b<BR >c</br>d<br>", "<p>a<br />b<br />c<br />d</p>"),
            ("a <br> <br>\n<br> b", "<p>a<br /><br />b</p>"),
            ("<p>a<br></p><p><br>b", "<p>a</p><p>b</p>"), ("a<b><br></b>b", "<p>a<br />b</p>"),
        ])
    }

    @Test func `Formatting is closed and continues in the next block`() {
        expect([
            ("<b><b><b><b>x", "<p><b>x</b></p>"), ("<b>a<b>b</b>c</b>d", "<p><b>abc</b>d</p>"),
            ("<b>a<i>b</b>c</i>d", "<p><b>a<i>b</i></b><i>c</i>d</p>"),
            ("<b>a<p>b</b>c", "<p><b>a</b></p><p><b>b</b>c</p>"),
            ("<em>a<ul><li>b</em>c", "<p><em>a</em></p><ul><li><em>b</em>c</li></ul>"),
            ("x <b> y </b> z", "<p>x <b>y</b> z</p>"), ("</b>x</i>", "<p>x</p>"),
            ("<STRONG>x</Strong>", "<p><strong>x</strong></p>"),
        ])
    }

    @Test func `List items become lists`() {
        expect([
            ("<ul><li>a<li>b</ul>c", "<ul><li>a</li><li>b</li></ul><p>c</p>"),
            ("<ol start=x><li>a</ol><ol start=3 onclick=x><li>b", "<ol><li>a</li></ol><ol start=\"3\"><li>b</li></ol>"),
            ("<ul>a<li>b</li>c</ul>", "<ul><li>a</li><li>b</li><li>c</li></ul>"),
            ("a<li>b</li><li>c</li>d", "<p>a</p><ul><li>b</li><li>c</li></ul><p>d</p>"),
            ("<li>a</li><ul><li>b</ul>", "<ul><li>a</li></ul><ul><li>b</li></ul>"),
            ("<ul><li>a</li><ul><li>b</li></ul>c</ul>", "<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>"),
            ("<ul><li>a<ol><li>b</ul>c", "<ul><li>a<ol><li>b</li></ol></li></ul><p>c</p>"),
            ("<ul><ul><li>a", "<ul><li><ul><li>a</li></ul></li></ul>"), ("<ol></ul><li>a</ol>", "<ol><li>a</li></ol>"),
            ("<ul><li><p>a</p><p>b</p></li><li><p>c</ul>", "<ul><li>a<br />b</li><li>c</li></ul>"),
            ("<li>a<br><ul><li>b</ul><br>c", "<ul><li>a<ul><li>b</li></ul>c</li></ul>"),
            ("<ul><li>a<ul></ul>b", "<ul><li>a<br />b</li></ul>"),
        ])
    }

    @Test func `Lists are at most eight deep, and deeper items go into the eighth`() {
        let open = String(repeating: "<ul><li>", count: 7)
        let close = String(repeating: "</li></ul>", count: 7)
        expect([
            ("\(open)<ul><li>a<ol><li>b</li></ol></li><li>c", "\(open)<ul><li>a</li><li>b</li><li>c</li></ul>\(close)"),
            (
                String(repeating: "<ol>", count: 1_000) + "a",
                (open + "<ul><li>a</li></ul>" + close).replacing("ul>", with: "ol>")
            ),
        ])
    }

    @Test func `Headings begin at the page's level and skip none`() {
        expect([
            ("<h1 id=x>a</h1>b<h4>c</h4><h2>d<h2>e", "<h2>a</h2><p>b</p><h3>c</h3><h3>d</h3><h3>e</h3>"),
            ("<h3>a</h3><h2></h2><h2>b</h2>", "<h2>a</h2><h2>b</h2>"),
            ("<h2>a<p>b</p>c</h3>d", "<h2>a<br />b<br />c</h2><p>d</p>"),
            (
                (1...6).map { "<h\($0)>\($0)" }.joined(),
                "<h2>1</h2><h3>2</h3><h4>3</h4><h5>4</h5><h6>5</h6><h6>6</h6>"
            ),
            ("<ul><li>a<h3>b</h3>c", "<ul><li>a<h2>b</h2>c</li></ul>"),
            ("<blockquote><h3>a</h3>b</blockquote>c", "<blockquote><h2>a</h2><p>b</p></blockquote><p>c</p>"),
        ])
        #expect(HTMLSanitizer.blocks("<h1>a</h1>b<h2>c", headings: 0) == Array("<p>a</p><p>b</p><p>c</p>".utf8))
        #expect(HTMLSanitizer.blocks("<h1>a</h1><h2>b", headings: 4) == Array("<h4>a</h4><h5>b</h5>".utf8))
    }

    @Test func `Code keeps its white space, and rules stay between texts`() {
        expect([
            ("<pre class=x>\n  a\n\n\tb <b>c</b>\r\n </pre>d", "<pre tabindex=\"0\">  a\n\n\tb <b>c</b></pre><p>d</p>"),
            ("<pre><code>a<br>b<div>c</div></code></pre>", "<pre tabindex=\"0\"><code>a\nb\nc</code></pre>"),
            ("<pre> \n</pre>a<code>b</code>", "<p>a<code>b</code></p>"),
            ("<hr>a<hr><b>b<hr id=x>c", "<p>a</p><hr /><p><b>b</b></p><hr /><p><b>c</b></p>"),
        ])
    }

    @Test func `Tables get rows and cells, and scroll in a box`() {
        func table(_ content: String) -> String {
            "<div class=\"scroll\" tabindex=\"0\"><table>\(content)</table></div>"
        }
        expect([
            (
                "<table><tr><td>1<td>2<tr><td>3</table>",
                table("<tbody><tr><td>1</td><td>2</td></tr><tr><td>3</td></tr></tbody>")
            ),
            (
                "<table><caption>a</caption><thead><tr><th scope=x>b<th></thead><tfoot><td>c</table>d",
                table(
                    "<caption>a</caption><thead><tr><th>b</th><th></th></tr></thead><tbody><tr><td>c</td></tr></tbody>")
                    + "<p>d</p>"
            ),
            (
                "<table><td colspan=2 rowspan=3 style=x>a<td colspan=1000 rowspan=-1>b<tr>c</tr></td></table>",
                table(
                    "<tbody><tr><td colspan=\"2\" rowspan=\"3\">a</td><td>b</td></tr><tr><td>c</td></tr></tbody>")
            ),
            (
                "<table><td><ul><li>a<td><h2>b</h2></ul>c</table></table>d",
                table("<tbody><tr><td><ul><li>a</li></ul></td><td><h2>b</h2>c</td></tr></tbody>") + "<p>d</p>"
            ),
            ("<table><tbody></tbody></table>a<td>b</tr>c", "<p>a</p><p>b</p><p>c</p>"),
        ])
    }

    @Test func `Quotations, figures and terms are kept`() {
        expect([
            (
                "<blockquote class=x>a<p>b<blockquote>c</blockquote></blockquote>d",
                "<blockquote><p>a</p><p>b</p><blockquote><p>c</p></blockquote></blockquote><p>d</p>"
            ),
            (
                "<figure><pre>a</pre><figcaption><p>b</p><h2>c</figcaption></figure>d",
                "<figure><pre tabindex=\"0\">a</pre><figcaption>b<br />c</figcaption></figure><p>d</p>"
            ),
            (
                "<figure><figcaption>a</figcaption>b</figure><figcaption>c",
                "<figure><figcaption>a</figcaption>b</figure><p>c</p>"
            ),
            (
                "<figure>a<figcaption>b</figcaption>c<figcaption>d</figure>e",
                "<figure>a<figcaption>b</figcaption></figure><p>c</p><p>d</p><p>e</p>"
            ),
            ("<dl><dt>a<dt>b<dd>c<dd>d</dl>e", "<dl><dt>a</dt><dt>b</dt><dd>c</dd><dd>d</dd></dl><p>e</p>"),
            ("<dl><dd>a<dt>b</dl>", "<dl><dt></dt><dd>a</dd><dt>b</dt><dd></dd></dl>"),
        ])
    }

    @Test func `Links have the schemes http, https and mailto`() {
        func link(_ address: String, _ text: String = "a") -> String {
            "<p><a href=\"\(address)\" rel=\"nofollow\">\(text)</a></p>"
        }
        expect([
            (
                "<a class=x HREF='https://a.b/c?d=1&copy=2&amp;e' target=_blank>a</a>",
                link("https://a.b/c?d=1&amp;copy=2&amp;e")
            ),
            ("<a href=HTTP://A.b/ href=http://c.d/>a", link("http://A.b/")),
            ("<a href=' //a.b/é{ x '>a", link("https://a.b/%C3%A9%7B%20x")),
            ("<a href=mailto:a@b.c>a", link("mailto:a@b.c")),
            ("<a href=http://a.b><p>a</a>b", "<p><a href=\"http://a.b\" rel=\"nofollow\">a</a>b</p>"),
            (
                "<a href=http://a.b>a<a href=javascript:x>b</a>c</a>",
                link("http://a.b").replacing("</p>", with: "bc</p>")
            ),
        ])
        let others = [
            "javascript:alert(1)", "JavaScript:x", "java&#9;script:x", "data:text/html,x", "vbscript:x", "/a", "#a",
            "a.html",
            "ftp://a.b", "mailto:", "mailto:a", "http://", "http:///a", "https://a b.c/", "https://u@a.b/",
            "blob:https://a.b", "&#1;https://a.b",
            "http://a.b/%", "https://a.b:99999/", "http://" + String(repeating: "a", count: 2_050),
        ]
        expect(others.map { ("<a href=\"\($0)\">a</a>", "<p>a</p>") })
        let own = HTMLSanitizer.blocks("<a href='/x'>a</a>", link: { $0 == "/x" ? "../x&y.html" : nil })
        #expect(own == Array("<p><a href=\"../x&amp;y.html\">a</a></p>".utf8))
        // A link around many blocks ends after the fourth.
        let blocks = HTMLSanitizer.blocks("<a href=http://a.b>" + String(repeating: "<p>x", count: 6))
        #expect(String(decoding: blocks, as: UTF8.self).matches(of: /href/).count == 4)
    }

    @Test func `Formatting keeps valid values`() {
        expect([
            (
                "<abbr title='a\"b\n&lt;' id=x>c</abbr><time datetime=2020-02-30>d</time><time datetime=2020-02-29>e",
                "<p><abbr title=\"a&quot;b &lt;\">c</abbr>d<time datetime=\"2020-02-29\">e</time></p>"
            ),
            ("<sub>a</sub><kbd onclick=x>b</kbd><q cite=x>c", "<p><sub>a</sub><kbd>b</kbd><q>c</q></p>"),
            (
                "<b><i><em><sup><s>a</em>b", "<p><b><i><em><sup>a</sup></em><sup><s>b</s></sup></i></b></p>"
            ),
        ])
    }

    @Test func `Pictures of the site are shown, and others become links`() {
        func blocks(_ html: String) -> String {
            let picture = (path: "../p.png", width: 3, height: 4)
            let blocks = HTMLSanitizer.blocks(html, picture: { $0 == "/p" ? picture : nil })
            return String(decoding: blocks, as: UTF8.self)
        }
        func image(_ alternative: String) -> String {
            "<img src=\"../p.png\" alt=\"\(alternative)\" width=\"3\" height=\"4\" loading=\"lazy\" />"
        }
        #expect(blocks("<img src=/p alt='a\"b' onerror=x style=y>c") == "<p>\(image("a&quot;b"))c</p>")
        #expect(
            blocks("<figure><a><img src=/p></a><figcaption>c")
                == "<figure>\(image(""))<figcaption>c</figcaption></figure>")
        // A heading or link needs a text.
        #expect(blocks("<h2><img src=/p>") == "<h2>\(image("p"))</h2>")
        let link = "href=\"http://a.b/c.png?d\" rel=\"nofollow\""
        #expect(blocks("a<img src=http://a.b/c.png?d>b") == "<p>a <a \(link)>c.png</a> b</p>")
        #expect(blocks("<img src=http://a.b/c.png?d alt='<x>'>") == "<p><a \(link)>&lt;x&gt;</a></p>")
        #expect(
            blocks("<a href=http://e.f><img src=http://a.b/c alt=x></a>")
                == "<p><a href=\"http://e.f\" rel=\"nofollow\">x</a></p>")
        #expect(
            blocks("<iframe src=http://a.b/c><p>x</iframe>")
                == "<p><a href=\"http://a.b/c\" rel=\"nofollow\">a.b/c</a></p>"
        )
        #expect(blocks("<img src=data:image/png;base64,x alt=x><img><video src=javascript:x>y</video>") == "<p>x y</p>")
    }

    @Test func `Scripts, links and embedded content are removed`() {
        expect([
            ("a<script>alert(1)</script>b", "<p>ab</p>"),
            ("<scr<script>ipt>alert(1)</script>", "<p>ipt&gt;alert(1)</p>"),
            ("<SCRIPT\n>x</script\t>a<script/>b", "<p>a</p>"), ("<script>a</scriptx></script >b", "<p>b</p>"),
            ("<img src=x onerror=alert(1)>a", "<p>a</p>"), ("<a href=\"javascript:alert(1)\">a</a>", "<p>a</p>"),
            ("<svg onload=alert(1)><script>x</script><p>y</p></svg>a", "<p>a</p>"), ("<svg/>a<svg x=/>b", "<p>a</p>"),
            ("<b onclick=alert(1) style='x:y'>a", "<p><b>a</b></p>"), ("<b x='>'>a", "<p><b>a</b></p>"),
            ("<b/onclick=x>a", "<p><b>a</b></p>"),
            ("<iframe src=x><p>a</iframe>b", "<p>b</p>"), ("<style>p{}</style>a<style>b", "<p>a</p>"),
            ("<object><b>a<object></object>b</object>c", "<p>c</p>"), ("<template><p>a</template>b", "<p>b</p>"),
            ("<textarea><p></textarea>a<title><b>x</title>b<xmp><b></xmp>c", "<p>abc</p>"),
            ("a<plaintext>b</plaintext>c", "<p>a</p>"),
            ("</div></article></main></body></html>a", "<p>a</p>"),
            ("<html><body onload=x>a</body></html>b", "<p>a</p><p>b</p>"),
            ("<p><p><ul><b><li>a", "<ul><li><b>a</b></li></ul>"),
            ("&lt;script&gt;alert(1)&lt;/script&gt;", "<p>&lt;script&gt;alert(1)&lt;/script&gt;</p>"),
            ("<math><mi xlink:href=x>a</math><select><option>b</select>c", "<p>c</p>"),
            ("<noscript><p title=\"</noscript><img src=x>\">a", "<p>\"&gt;a</p>"),
        ])
    }

    @Test func `Broken markup becomes text or is removed`() {
        expect([
            ("a < b & c", "<p>a &lt; b &amp; c</p>"), ("a<3", "<p>a&lt;3</p>"), ("a<", "<p>a&lt;</p>"),
            ("a</", "<p>a&lt;/</p>"),
            ("a<b", "<p>a</p>"), ("a<b title=\"x>y", "<p>a</p>"), ("a</b", "<p>a</p>"), ("a</>b</ c>d", "<p>abd</p>"),
            ("a<!-- b", "<p>a</p>"), ("a<!-->b<!--->c<!-- > -- > --!>d<!--!>x-->e", "<p>abcde</p>"),
            ("a<![CDATA[b]]>c", "<p>ac</p>"),
            ("<!DOCTYPE html><!doctype x [<!ENTITY y 'z'>]>a&y;", "<p>]&gt;a&amp;y;</p>"),
            ("<?php echo 1 ?>a<?", "<p>a</p>"), ("<b a==\"b\" c=d/e='>' f=>a", "<p><b>' f=&gt;a</b></p>"),
            ("<paragraph>a</paragraph>b", "<p>ab</p>"),
        ])
    }

    @Test func `Character references are decoded once`() {
        expect([
            ("&amp;lt;b&amp;gt;", "<p>&amp;lt;b&amp;gt;</p>"),
            ("&#60;b&#x3E;&#X3c;&quot;&apos;", "<p>&lt;b&gt;&lt;\"'</p>"),
            ("AT&ampT &copy 2 &notit; &AMP; &LTb", "<p>AT&amp;T © 2 ¬it; &amp; &lt;b</p>"),
            ("&hellip;&hellip &euro &x; &;", "<p>…&amp;hellip &amp;euro &amp;x; &amp;;</p>"),
            ("&#8364 &#146; &#x80;", "<p>€ ’ €</p>"), ("&# &#x; &#xg &", "<p>&amp;# &amp;#x; &amp;#xg &amp;</p>"),
            ("a&#32;&#10;b", "<p>a b</p>"),
            ("&apos", "<p>&amp;apos</p>"), ("&thetasym;&thetasymx;", "<p>ϑ&amp;thetasymx;</p>"),
        ])
    }

    @Test func `Characters that pages may not contain are replaced`() {
        expect([
            (
                "a\0b\u{1}c\u{7F}d\u{9F}e\u{FFFE}f\u{1FFFF}g&#xFDD0;",
                "<p>a\u{FFFD}b\u{FFFD}c\u{FFFD}d\u{FFFD}e\u{FFFD}f\u{FFFD}g\u{FFFD}</p>"
            ),
            (
                "&#0;&#1;&#xFFFE;&#xD800;&#x110000;&#99999999999999999999;&#x81;",
                "<p>" + String(repeating: "\u{FFFD}", count: 7) + "</p>"
            ),
            ("a\u{202E}b\u{2066}c&#x202e;&#8297;d\u{200F}e", "<p>abcd\u{200F}e</p>"), ("a\u{C}b\r\nc", "<p>a b c</p>"),
            ("é😀\u{2028}", "<p>é😀\u{2028}</p>"),
        ])
    }

    @Test func `Plain text for attributes is one line`() {
        let samples = [
            ("<p>a <b>b</b>c<br>d</p><ul><li>e<ul><li>f</ul></ul>g", "a bc d e f g"),
            ("&lt;b&gt; &amp;amp; \"x\"", "<b> &amp; \"x\""),
            ("<script>x</script>", ""), ("", ""), (" a\n\n<p> b ", "a b"),
            ("<pre>a\n  b</pre><hr><a href=http://a.b>c</a>d", "a b cd"),
        ]
        for (html, text) in samples { #expect(HTMLSanitizer.text(html) == text, "\(html)") }
    }
}
