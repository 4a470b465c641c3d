import Foundation

/// What two sites of one state have in common, however each archive came to it: the files without moments at which answers came,
/// without what happened before, and without the exports, which hold both.
func stateOnly(_ files: [String: Data]) throws -> [String: Data] {
    let moments = try NSRegularExpression(pattern: #"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(Z| UTC)|amber\.build = "[0-9a-f]*""#)
    let histories = try NSRegularExpression(
        pattern: #"<section class="history".*?</section>\n"#, options: .dotMatchesLineSeparators)
    return files.filter { name, _ in
        let local = name.hasPrefix("ru/") ? String(name.dropFirst(3)) : name
        return !["data/", "changes", "revision/", "feed.xml"].contains { local.hasPrefix($0) }
    }.mapValues { bytes in
        // Pictures are no text.
        guard var text = String(data: bytes, encoding: .utf8) else { return bytes }
        for pattern in [moments, histories] {
            text = pattern.stringByReplacingMatches(in: text, range: NSRange(text.startIndex..., in: text), withTemplate: "")
        }
        return Data(text.utf8)
    }
}
