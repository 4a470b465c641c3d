/// One step of a compiled template; jumps are indices of operations, texts are ranges of the program's text.
enum Operation: Sendable {
    /// A stretch of the template itself, with as many lines as it has.
    case literal(Stretch, startsLine: Bool)

    /// A line begins with a tag: what the including template wants before each line goes here.
    case lineStart

    case show(Path)
    case showRaw(Path)

    /// `end` is the operation after the section's `sectionEnd`.
    case section(Path, end: Int32)
    case sectionEnd
    case inverted(Path, end: Int32)

    /// A partial that is alone on its line has an indentation, which may be empty; one within a line has none.
    case partial(Target, indentation: Stretch?)

    /// The bodies of the overrides lie between the operation and `end`.
    case parent(Target, indentation: Stretch?, overrides: Stretch, end: Int32)

    /// The default content lies between the operation and `end`; the indentation is for what replaces it.
    case block(Int32, indentation: Stretch, isAlone: Bool, end: Int32)

    /// Stands for a parent that is not there.
    case skip(to: Int32)

    /// The end of a template or of an override.
    case stop
}

extension Operation {
    /// A range of the program's text or overrides.
    struct Stretch: Sendable {
        let start: Int32
        let end: Int32
    }

    /// The names of a dotted name, as a range of the program's steps; no step at all is `{{.}}`.
    ///
    /// Each step has a place in the renderer's caches. One more, at `end`, is for what the last one gives.
    struct Path: Sendable {
        let start: Int32
        let end: Int32
    }

    /// The template that is included.
    enum Target: Sendable {
        case template(Int32)
        case named(Path)
    }
}

extension Operation.Stretch {
    init(_ range: Range<Int>) {
        self.init(start: Int32(range.lowerBound), end: Int32(range.upperBound))
    }

    var range: Range<Int> {
        Int(start)..<Int(end)
    }
}
