import Catalogue
import FoundationEssentials
import Mustache

@testable import CatalogueEngine

private let shape = Shape("page", .init("text", .text))
// `try?` is safe: if this fixed template does not compile, the target below fails.
private let library = try? Library(
    [TemplateFile(name: "page", file: "page", bytes: Array("{{text}}".utf8))])

extension FuzzTarget {
    /// A text from a record, in a page, in a script's data and in a path.
    static let text = FuzzTarget(name: "text") { bytes in
        let text = String(decoding: bytes, as: UTF8.self)
        let shown = String(String.UnicodeScalarView(text.unicodeScalars.map { isForbidden($0) ? "\u{FFFD}" : $0 }))

        var output: [UInt8] = []
        // A trap reports a finding, and libFuzzer stores the input.
        guard let library else { fatalError("the template does not compile") }
        var renderer = Renderer(library)
        do {
            try renderer.render("page", .object(shape.object(["text": .text(text)])), into: &output)
        } catch {
            // The fuzzer reports a trap as a failure.
            fatalError("broken: any text can be shown: \(error)")
        }
        require(!output.contains { "<>\"'".utf8.contains($0) }, "all markup in a text is escaped")
        // A trap, as above.
        guard let written = String(validating: output, as: UTF8.self) else { fatalError("broken: a page is UTF-8") }
        require(unescaped(written) == Array(shown.utf8), "the page has the text, with forbidden characters replaced")

        let json = JSON.text(text).bytes
        require(
            !json.contains { $0 < 0x20 || "<>&'".utf8.contains($0) && $0 != UInt8(ascii: "'") },
            "data cannot end a script")
        // `try?` gives nil for invalid JSON, which is not equal below.
        let decoded = try? JSONDecoder().decode(String.self, from: Data(json))
        require(decoded.map { Array($0.utf8) } == Array(shown.utf8), "a script reads the same text as in pages")

        if let path = SitePath(text) {
            let segments = path.text.split(separator: "/", omittingEmptySubsequences: false)
            require(!segments.contains { $0.isEmpty || $0.hasPrefix(".") }, "a path stays in the site: \(path)")
        }
        if let date = Day(written: text)?.machineReadable {
            require(
                date.utf8.count == 10 && date.split(separator: "-").compactMap { Int($0) }.count == 3,
                "a date has the form 2013-12-02: \(date)")
        }
    }

    /// Whether HTML or XML forbids the character (HTML standard, 13.2.3.5; XML 1.0, 2.2).
    private static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 9, 10, 13: false
        case 0..<32, 0x7F..<0xA0, 0xFDD0...0xFDEF: true
        default: scalar.value & 0xFFFE == 0xFFFE
        }
    }

    private static func unescaped(_ text: String) -> [UInt8] {
        var text = text[...]
        var bytes: [UInt8] = []
        let references = ["&amp;": "&", "&lt;": "<", "&gt;": ">", "&quot;": "\"", "&#39;": "'"]
        while let and = text.utf8.firstIndex(of: UInt8(ascii: "&")) {
            bytes += text.utf8[..<and]
            text = text[and...]
            guard let reference = references.first(where: { text.utf8.starts(with: $0.key.utf8) }) else {
                // libFuzzer stores the input of a run that traps.
                fatalError("broken: a bare &")
            }
            bytes += reference.value.utf8
            text = Substring(text.utf8.dropFirst(reference.key.utf8.count))
        }
        return bytes + text.utf8
    }
}
