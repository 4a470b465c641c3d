import Mustache

extension FuzzTarget {
    /// Up to four templates, separated by U+001E. They are compiled, checked, and rendered with one model.
    static let template = FuzzTarget(name: "template") { bytes in
        let parts = bytes.split(separator: 0x1E, maxSplits: 3, omittingEmptySubsequences: false)
        let sources = zip(["page", "a", "b", "c"], parts).map {
            TemplateFile(name: $0, file: "\($0).mustache", bytes: Array($1))
        }
        guard let library = compiled(sources) else { return }
        var isChecked = true
        do {
            try library.check("page", against: shape)
        } catch {
            isChecked = false
            require(!"\(error)".isEmpty, "an error has a message")
        }

        var renderer = Renderer(library)
        let first = rendered(&renderer, "page")
        for other in sources.dropFirst() { _ = rendered(&renderer, other.name) }
        let second = rendered(&renderer, "page")
        require(first == second, "rendering twice gives the same result")

        // The check does not know the depth of recursive templates.
        guard isChecked, case .failure(let error) = first else { return }
        require(error.lines[0].contains("deep"), "a checked template can be rendered: \(error)")
    }

    private static func compiled(_ sources: [TemplateFile]) -> Library? {
        do {
            return try Library(sources, constants: (["word": "a <word>", "none": ""], "strings"))
        } catch {
            let isPlaced = templateError(error).lines[0].contains(".mustache:")
            require(isPlaced, "an error has a position: \(error)")
            return nil
        }
    }

    private static func rendered(_ renderer: inout Renderer, _ name: String) -> Result<[UInt8], TemplateError> {
        let before = Array("before".utf8)
        var output = before
        do {
            try renderer.render(name, .object(model), into: &output)
            require(output.starts(with: before), "a page is appended to the output")
            return .success(output)
        } catch {
            require(output == before, "after an error the output is unchanged")
            return .failure(templateError(error))
        }
    }

    private static func templateError(_ error: any Error) -> TemplateError {
        guard let error = error as? TemplateError else { preconditionFailure("another error: \(error)") }
        return error
    }

    // No list contains another list with two items. Otherwise a few tags could produce more text than fits in memory.
    private static let item = Shape(
        "item",
        [
            .init("text", .text), .init("flag", .flag), .init("list", .optional(.list(.text))),
            .init("words", .optional(.list(.text))),
            .init("thing", .optional(.text)),
        ])
    private static let shape = Shape(
        "page",
        [
            .init("text", .text), .init("number", .number), .init("decimal", .optional(.number)), .init("flag", .flag),
            .init("html", .html),
            .init("empty", .text),
            .init("null", .optional(.text)), .init("list", .list(.object(item))), .init("words", .list(.text)),
            .init("thing", .object(item)),
            .init("name", .text),
        ])

    private static let model: Object = {
        func entry(_ text: String) -> Value {
            .object(
                item.object(["text": .text(text), "flag": .flag(true), "list": .null, "words": .null, "thing": .null]))
        }
        return shape.object([
            "text": .text("a & \"b\" <c>\u{1}\u{FFFF}é"), "number": .integer(.min), "decimal": .decimal(-0.5),
            "flag": .flag(false),
            "html": .html(Array("<b>\n  bold\n</b>".utf8)), "empty": .text(""), "null": .null,
            "list": .list([entry("one"), entry("two")]),
            "words": .list([.text("word")]), "thing": entry("thing"), "name": .text("a"),
        ])
    }()
}
