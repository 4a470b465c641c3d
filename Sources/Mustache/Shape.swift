/// The names and kinds of the fields of a model. All objects of one type share one shape.
///
/// Create each shape once and keep it. The renderer caches the index of a name by the shape's identity.
package final class Shape: Sendable {
    /// The shape's name in messages, such as "character".
    package let name: String

    /// The fields, in the order of an object's values.
    package let fields: [Field]

    private let slots: [String: Int]

    /// If two fields have the same name, the first one is used.
    package init(_ name: String, _ fields: [Field]) {
        self.name = name
        self.fields = fields
        slots = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    package convenience init(_ name: String, _ fields: Field...) { self.init(name, fields) }

    /// Creates an object from names and values, in the order of the shape's fields:
    /// `shape.object(["name": .text("x"), ...])`.
    ///
    /// - Precondition: the number of values is the number of fields. A debug build checks the names too.
    package func object(_ values: KeyValuePairs<String, Value>) -> Object {
        assert(
            values.map(\.key) == fields.map(\.name),
            "\(name) has the fields \(fields.map(\.name)), but the values are for \(values.map(\.key))")
        return Object(self, each: values.lazy.map { $0.value })
    }

    /// The index of a field's value in an object's values.
    func slot(of name: String) -> Int? { slots[name] }

    func field(_ name: String) -> Field? { slots[name].map { fields[$0] } }

    /// A field of a shape: its name, its kind, and its meaning.
    package struct Field: Sendable {
        /// The name that templates use.
        package let name: String
        /// Decides what a template can do with the field.
        package let kind: Kind
        /// One line for documentation; may be empty.
        package let summary: String
        package init(_ name: String, _ kind: Kind, _ summary: String = "") {
            self.name = name
            self.kind = kind
            self.summary = summary
        }
    }

    /// The kind of a field's value. It decides what a template can do with the field.
    package indirect enum Kind: Sendable, Hashable {
        /// Can be printed, escaped. A section with it is shown if the text is not empty.
        case text
        /// Can be printed. A section with it is an error, unless it is optional, because it would always be shown.
        case number
        /// Can open a section. Printed as `true` or `false`.
        case flag
        /// Markup, printed without escaping. A section with it is shown if the markup is not empty.
        case html
        /// Can open a section. A dotted name refers to a value in it.
        case object(Shape)
        /// Can open a section, which is repeated for each item. A list of objects is `.list(.object(shape))`.
        case list(Kind)
        /// A value that can be null. Null prints nothing and opens no section.
        case optional(Kind)
    }
}

/// Shapes are compared by identity.
extension Shape: Hashable {
    package static func == (one: Shape, other: Shape) -> Bool { one === other }

    package func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Shape.Kind {
    /// The kind of a value that is not null.
    var unwrapped: Shape.Kind { if case .optional(let kind) = self { kind.unwrapped } else { self } }

    /// The kind's name in messages.
    var typeName: String {
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
