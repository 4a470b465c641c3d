/// A closed set of values a template can show.
///
/// A section leaves out its content for `null`, `false`, an empty list and empty text or markup, in both modes, so that
/// `{{#type}}...{{/type}}` leaves out an empty field. Zero is not empty: it is a count like any other.
public enum Value: Sendable {
    /// Nothing: printed as nothing, and no section opens for it. It is not an unknown name.
    case null
    /// Printed as `true` or `false`.
    case flag(Bool)
    /// Printed in decimal digits, without grouping.
    case integer(Int)
    /// Printed as Swift describes it, whole numbers without `.0`.
    case decimal(Double)
    /// Plain text, escaped by `{{name}}` and inserted as it is by `{{{name}}}`.
    case text(String)
    /// Markup that is escaped already: inserted as it is, even by `{{name}}`.
    case html([UInt8])
    /// A section is rendered once for each item.
    case list([Value])
    /// Named values, for sections and dotted names.
    case object(Object)
}

extension Value {
    /// Whether a section leaves out its content for this value.
    var isEmpty: Bool {
        switch self {
        case .null: true
        case .flag(let flag): !flag
        case .text(let text): text.isEmpty
        case .html(let bytes): bytes.isEmpty
        case .list(let items): items.isEmpty
        case .integer, .decimal, .object: false
        }
    }

    /// What it is called in messages.
    var noun: String {
        switch self {
        case .null: "null"
        case .flag: "a flag"
        case .integer, .decimal: "a number"
        case .text: "text"
        case .html: "markup"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// Values under the names of a shape.
public struct Object: Sendable {
    /// The names, and where each one's value is.
    public let shape: Shape

    /// The values, in the order of the shape's fields.
    public let values: [Value]

    /// An object from values in the order of the shape's fields; where they are written out by hand, `Shape.object`
    /// checks their names too.
    ///
    /// - Precondition: there are as many values as fields.
    public init(_ shape: Shape, _ values: [Value]) {
        precondition(
            values.count == shape.fields.count, "\(shape.name) has \(shape.fields.count) fields, not \(values.count)")
        self.shape = shape
        self.values = values
    }

    /// The value of this name, or nil where the shape has no such name.
    public subscript(name: String) -> Value? { shape.slot(of: name).map { values[$0] } }
}
