/// One tag as it stands in a template; all places count bytes.
struct Tag {
    enum Kind {
        case name, raw, section, inverted, close, partial, parent, block, comment, delimiters
    }

    let kind: Kind

    /// The name, without the space around it and the asterisk of a dynamic name.
    let name: Range<Int>

    /// Whether the name stands for the value that names a template: `{{>*name}}`.
    let isDynamic: Bool

    /// The tag with its delimiters.
    let extent: Range<Int>

    /// Where the tag's line begins, if nothing but blanks stands before the tag.
    let lineStart: Int?

    /// Where the next line begins, if nothing but blanks stands after the tag.
    let lineEnd: Int?
}

extension Tag {
    /// Whether nothing else is on the tag's lines, so that they leave no trace in the output.
    var isAlone: Bool {
        lineStart != nil && lineEnd != nil
    }

    /// Whether a closing tag must follow.
    var opens: Bool {
        kind == .section || kind == .inverted || kind == .parent || kind == .block
    }
}
