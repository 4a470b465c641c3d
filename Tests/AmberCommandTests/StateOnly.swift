import Foundation
import TestSupport

/// The files of a site without times of requests, histories and lists of revisions, so that sites of one state are
/// equal even if their archives have different histories.
func comparableFiles(_ files: [String: Data]) throws -> [String: Data] {
    let moments = try NSRegularExpression(
        pattern: #"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(Z| UTC)|amber\.build = "[0-9a-f]*""#)
    let histories = try NSRegularExpression(
        pattern: #"<section class="history".*?</section>\n"#
            + #"|<section class="highlights">\n<h2>(?:Latest changes|Последние изменения)</h2>.*?</section>\n"#,
        options: .dotMatchesLineSeparators)
    return files.filter { name, _ in
        let local = name.hasPrefix("ru/") ? String(name.dropFirst(3)) : name
        return !["data/", "changes", "revision/", "feed.xml", "completeness."].contains { local.hasPrefix($0) }
    }.mapValues { bytes in
        // Pictures are not text.
        guard var text = String(data: bytes, encoding: .utf8) else { return bytes }
        for pattern in [moments, histories] {
            text = pattern.stringByReplacingMatches(
                in: text, range: NSRange(text.startIndex..., in: text), withTemplate: "")
        }
        return Data(text.utf8)
    }
}

/// The paths of the files that differ in `comparableFiles`.
func differing(_ one: [String: Data], _ other: [String: Data]) throws -> [String] {
    let (one, other) = (try comparableFiles(one), try comparableFiles(other))
    return Set(one.keys).union(other.keys).filter { one[$0] != other[$0] }.sorted()
}

func siteState(of site: String) throws -> [String: Data] { try comparableFiles(try contents(of: site)) }
