import Foundation
import TestSupport
import Testing

/// A document whose part below a marker line is generated from the code.
///
/// `UPDATE_DOCS=1 swift test --filter DocumentTests` updates it. Review the difference afterwards.
struct Document {
    /// The line after the handwritten part.
    static let marker =
        "<!-- Everything below is generated from the code: UPDATE_DOCS=1 swift test --filter DocumentTests -->\n"

    /// The path in the project.
    let name: String
    let text: String

    init(_ name: String) throws {
        self.name = name
        text = try String(contentsOfFile: "\(Program.root)/\(name)", encoding: .utf8)
    }

    static var isUpdating: Bool { ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1" }
}

extension Document {
    /// The handwritten part, including the marker.
    func byHand() throws -> String {
        let end = try #require(text.range(of: Self.marker), "\(name) has no line \(Self.marker)")
        return String(text[..<end.upperBound])
    }

    /// Compares the document with `wanted`, or writes it if documents are updated.
    func expect(_ wanted: String) throws {
        if Self.isUpdating {
            try Data(wanted.utf8).write(to: URL(fileURLWithPath: "\(Program.root)/\(name)"))
            return
        }
        let old = Set(text.components(separatedBy: "\n"))
        let new = wanted.components(separatedBy: "\n")
        let wrong = new.filter { !old.contains($0) }.map { "+ \($0)" } + old.subtracting(new).sorted().map { "- \($0)" }
        // Do not compare the texts in #expect: a failure would print them in full.
        let isSame = text == wanted
        #expect(
            isSame,
            "\(name) differs from the code; update it with UPDATE_DOCS=1 swift test --filter DocumentTests:\n\(wrong.joined(separator: "\n"))"
        )
    }

    /// The links to missing headings of the document, and its duplicate headings.
    static func brokenLinks(in text: String) -> [String] {
        let headings = text.components(separatedBy: "\n").filter { $0.hasPrefix("#") }
            .map { anchor($0.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)) }
        let links = text.components(separatedBy: "](#").dropFirst().map { String($0.prefix { $0 != ")" }) }
        let duplicates = Dictionary(grouping: headings, by: \.self).filter { $1.count > 1 }.keys.map {
            "two headings: \($0)"
        }
        return Set(links).subtracting(headings).sorted() + duplicates.sorted()
    }

    /// The anchor of a heading: lower case, hyphens for spaces, no punctuation.
    static func anchor(_ heading: String) -> String {
        String(
            heading.lowercased().compactMap {
                $0 == " " || $0 == "-" ? "-" : $0.isLetter || $0.isNumber || $0 == "_" ? $0 : nil
            })
    }
}
