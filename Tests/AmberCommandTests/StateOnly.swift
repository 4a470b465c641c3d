import Foundation
import TestSupport

/// What two sites of one state have in common, however each archive came to it: the files without moments at which
/// answers came, without what happened before, and without what holds or numbers these.
func stateOnly(_ files: [String: Data]) throws -> [String: Data] {
    let moments = try NSRegularExpression(
        pattern: #"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(Z| UTC)|amber\.build = "[0-9a-f]*""#)
    let histories = try NSRegularExpression(
        pattern: #"<section class="history".*?</section>\n"#, options: .dotMatchesLineSeparators)
    return files.filter { name, _ in
        let local = name.hasPrefix("ru/") ? String(name.dropFirst(3)) : name
        return !["data/", "changes", "revision/", "feed.xml", "completeness."].contains { local.hasPrefix($0) }
    }.mapValues { bytes in
        // Pictures are no text.
        guard var text = String(data: bytes, encoding: .utf8) else { return bytes }
        for pattern in [moments, histories] {
            text = pattern.stringByReplacingMatches(
                in: text, range: NSRange(text.startIndex..., in: text), withTemplate: "")
        }
        return Data(text.utf8)
    }
}

/// The files in which two sites of one state differ beyond that; empty for none.
func differing(_ one: [String: Data], _ other: [String: Data]) throws -> [String] {
    let (one, other) = (try stateOnly(one), try stateOnly(other))
    return Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
}

/// The same of the site in a folder.
func siteState(of site: String) throws -> [String: Data] { try stateOnly(try contents(of: site)) }
