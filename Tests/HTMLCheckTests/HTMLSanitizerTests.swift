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
            ("<div>a<h2 class=x>b</h2>c</div>d", "<p>a</p><p>b</p><p>c</p><p>d</p>"),
            ("<table><tr><td>1<td>2<tr><td>3</table>", "<p>1</p><p>2</p><p>3</p>"),
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
            ("<ol start=3><li>a</ol>", "<ol><li>a</li></ol>"),
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
            ("<blockquotes>a</blockquotes>b", "<p>ab</p>"),
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
        ]
        for (html, text) in samples { #expect(HTMLSanitizer.text(html) == text, "\(html)") }
    }
}
