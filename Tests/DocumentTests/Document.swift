import Foundation
import TestSupport
import Testing

/// A document of which the part below a line is made from the code.
///
/// `UPDATE_DOCS=1 swift test --filter DocumentTests` writes it anew; read the difference then.
struct Document {
    /// Ends what is written by hand.
    static let marker =
        "<!-- All below this line is made from the code: UPDATE_DOCS=1 swift test --filter DocumentTests -->\n"

    /// Where it stands, for people.
    let name: String
    let text: String

    init(_ name: String) throws {
        self.name = name
        text = try String(contentsOfFile: "\(Program.root)/\(name)", encoding: .utf8)
    }

    static var isUpdating: Bool { ProcessInfo.processInfo.environment["UPDATE_DOCS"] == "1" }
}

extension Document {
    /// What people wrote, up to the marker and with it.
    func byHand() throws -> String {
        let end = try #require(text.range(of: Self.marker), "\(name) has no line \(Self.marker)")
        return String(text[..<end.upperBound])
    }

    /// Compares the document with what it should be, or writes that.
    func expect(_ wanted: String) throws {
        if Self.isUpdating {
            try Data(wanted.utf8).write(to: URL(fileURLWithPath: "\(Program.root)/\(name)"))
            return
        }
        let old = Set(text.components(separatedBy: "\n"))
        let new = wanted.components(separatedBy: "\n")
        let wrong = new.filter { !old.contains($0) }.map { "+ \($0)" } + old.subtracting(new).sorted().map { "- \($0)" }
        // Not the texts themselves, which a failure would show whole.
        let isSame = text == wanted
        #expect(
            isSame,
            "\(name) is not what the code says; UPDATE_DOCS=1 swift test --filter DocumentTests writes it:\n\(wrong.joined(separator: "\n"))"
        )
    }

    /// The links within the document that lead to no heading of it.
    static func brokenLinks(in text: String) -> [String] {
        let headings = text.components(separatedBy: "\n").filter { $0.hasPrefix("#") }
            .map { anchor($0.drop { $0 == "#" }.trimmingCharacters(in: .whitespaces)) }
        let links = text.components(separatedBy: "](#").dropFirst().map { String($0.prefix { $0 != ")" }) }
        let twice = Dictionary(grouping: headings, by: \.self).filter { $1.count > 1 }.keys.map {
            "two headings: \($0)"
        }
        return Set(links).subtracting(headings).sorted() + twice.sorted()
    }

    /// What links call a heading: lower case, hyphens for spaces, neither marks nor points.
    static func anchor(_ heading: String) -> String {
        String(
            heading.lowercased().compactMap {
                $0 == " " || $0 == "-" ? "-" : $0.isLetter || $0.isNumber || $0 == "_" ? $0 : nil
            })
    }
}
