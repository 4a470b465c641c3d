import Foundation

/// The content of the page of a song, film or book, read from its HTML.
struct MediaFacts: Equatable {
    var title = ""
    var heading = ""
    var mark = ""
    /// A film's short description.
    var tagline = ""
    /// In order, such as "Artist: Glassjaw".
    var facts: [String] = []
    /// The links of facts and buttons, such as "Artist: https://…".
    var links: [String] = []
    /// The paragraphs of a film's description, or a book's whole description without white space.
    var description: [String] = []
    /// "name | address | year"
    var albums: [String] = []
    /// "file width height"
    var picture = ""
}

extension MediaFacts {
    init(_ html: String, isBook: Bool) {
        let now = PageFacts.now(html)
        title = Self.text(Self.first(#"<title>(.*?) · [^<·]*</title>"#, in: html))
        heading = Self.text(Self.first(#"<h1[^>]*>(.*?)</h1>"#, in: html))
        mark = Self.text(Self.first(#"<p class="facts">(.*?)</p>"#, in: now))
        for match in Self.all(#"<dt>(.*?)</dt><dd[^>]*>(.*?)</dd>"#, in: now) {
            facts.append("\(Self.text(match[0])): \(Self.text(match[1]))")
            for link in Self.all(#"href="(.*?)""#, in: match[1]) {
                links.append("\(Self.text(match[0])): \(Self.text(link[0]))")
            }
        }
        let actions = Self.first(#"<p class="actions">(.*?)</p>"#, in: now)
        for match in Self.all(#"<a [^>]*href="(.*?)"[^>]*>(.*?)</a>"#, in: actions) {
            links.append("\(Self.text(match[1])): \(Self.text(match[0]))")
        }
        tagline = Self.text(Self.first(#"<p class="tagline"[^>]*>(.*?)</p>"#, in: now))
        let text = Self.first(#"<div class="description"[^>]*>\n(.*?)\n?</div>"#, in: now)
        let paragraphs = isBook ? [Self.words(text)] : Self.all("<p>(.*?)</p>", in: text).map { Self.decoded($0[0]) }
        description = paragraphs.filter { !$0.isEmpty }
        let list = Self.first(#"<ul class="albums">(.*?)</ul>"#, in: now)
        albums = Self.all("<li>(.*?)</li>", in: list).map { match in
            let name = Self.first(#"<div><(?:a|span)[^>]*>(.*?)</(?:a|span)>"#, in: match[0])
            let year = Self.first(#"<span class="year">(.*?)</span>"#, in: match[0])
            return [name, Self.first(#"href="(http.*?)""#, in: match[0]), year].map(Self.text).joined(separator: " | ")
        }
        let image = #"<div class="portrait">\s*<img src="\.\./(?:\.\./)?([^"]*)"[^>]*width="(\d+)" height="(\d+)""#
        picture = Self.all(image, in: now).first?.joined(separator: " ") ?? ""
    }

    /// The text of markup, with single spaces.
    static func text(_ html: String) -> String {
        let bare = html.replacingOccurrences(of: "<[^>]*>", with: "", options: .regularExpression)
        return decoded(bare).components(separatedBy: .newlines).joined(separator: " ")
            .replacingOccurrences(of: " +", with: " ", options: .regularExpression).trimmingCharacters(in: .whitespaces)
    }

    /// The text of markup without white space.
    static func words(_ html: String) -> String {
        decoded(html.replacingOccurrences(of: "<[^>]*>", with: "", options: .regularExpression))
            .components(separatedBy: .whitespacesAndNewlines).joined()
    }

    static func first(_ pattern: String, in html: String) -> String { all(pattern, in: html).first?[0] ?? "" }

    /// The groups of every match, without decoding.
    static func all(_ pattern: String, in html: String) -> [[String]] {
        // An invalid pattern finds nothing, and the comparison of the test fails.
        guard let expression = try? NSRegularExpression(pattern: pattern, options: .dotMatchesLineSeparators) else {
            return []
        }
        let text = html as NSString
        return expression.matches(in: html, range: NSRange(location: 0, length: text.length)).map { match in
            (1..<match.numberOfRanges).map { index in
                let range = match.range(at: index)
                return range.location == NSNotFound ? "" : text.substring(with: range)
            }
        }
    }

    static func decoded(_ text: String) -> String {
        let entities = [
            "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'", "&nbsp;": "\u{A0}", "&#xa0;": "\u{A0}",
            "&#160;": "\u{A0}",
            "&amp;": "&",
        ]
        var decoded = ""
        var rest = text[...]
        while let start = rest.firstIndex(of: "&") {
            decoded += rest[..<start]
            rest = rest[start...]
            if let entity = entities.first(where: { rest.hasPrefix($0.key) }) {
                decoded += entity.value
                rest = rest.dropFirst(entity.key.count)
            } else {
                decoded.append(rest.removeFirst())
            }
        }
        return decoded + rest
    }
}
