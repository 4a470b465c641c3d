extension Shape {
    /// What a name stands for, and so what a template may do with it.
    public indirect enum Kind: Sendable, Hashable {
        /// Printed, escaped; as a section shown when not empty.
        case text

        /// Printed. A section of it is an error, for it would always be shown, unless it is optional.
        case number

        /// For sections; printed as `true` or `false`.
        case flag

        /// Markup, printed as it is; as a section shown when not empty.
        case html

        /// Opened by a section, or reached into by a dotted name.
        case object(Shape)

        /// Opened by a section, once for each item; a list of objects is `.list(.object(shape))`.
        case list(Kind)

        /// May be null, which prints nothing and opens no section.
        case optional(Kind)
    }
}

extension Shape.Kind {
    /// The kind of a value that is there.
    var unwrapped: Shape.Kind {
        if case .optional(let kind) = self { kind.unwrapped } else { self }
    }

    /// What it is called in messages.
    var noun: String {
        switch unwrapped {
        case .text: "text"
        case .number: "a number"
        case .flag: "a flag"
        case .html: "markup"
        case .object: "an object"
        case .list: "a list"
        case .optional: "null"
        }
    }
}
