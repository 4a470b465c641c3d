/// Texts that are known when templates are compiled, such as those of one language.
///
/// With the prefix "t", `{{t.search}}` is the constant "search": it is written into the template as text, so that
/// rendering looks nothing up, and a name that is not there is an error with its place.
public struct Constants: Sendable {
    /// What a constant's name begins with, before the dot.
    public let prefix: String
    /// The texts by name.
    public let texts: [String: String]
    /// The folder that has a file of them for each language.
    public let folder: String

    /// Texts under a prefix.
    public init(prefix: String, _ texts: [String: String], from folder: String) {
        self.prefix = prefix
        self.texts = texts
        self.folder = folder
    }
}

extension Compiler {
    /// Compiles a tag that stands for a constant.
    /// - Returns: false where the tag stands for something else.
    mutating func constant(_ tag: Tag) throws(TemplateError) -> Bool {
        guard let constants else { return false }
        let parts = source.text(tag.name).split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0] == constants.prefix else { return false }
        guard let text = constants.texts[String(parts[1])] else {
            throw source.error(
                at: tag.name.lowerBound,
                "there is no text \"\(parts[1])\""
                    + Spelling.hint(for: String(parts[1]), among: constants.texts.keys.sorted()),
                note: "a new text goes into every file of \(constants.folder)")
        }
        placeInline(tag)
        literal(text, isEscaped: tag.kind == .name)
        guard usedText + program.text.count <= Program.textLimit else {
            throw source.error(
                at: tag.name.lowerBound,
                "the templates with their texts, in all languages, have more than \(Program.textLimit) bytes here; use "
                    + "shorter texts"
            )
        }
        return true
    }
}
