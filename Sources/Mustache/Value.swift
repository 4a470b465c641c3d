/// A value that a template can show.
///
/// A section is skipped for `null`, `false`, an empty list and empty text or markup. So `{{#type}}...{{/type}}` skips
/// an empty field. Zero is not empty.
package enum Value: Sendable {
    /// Prints nothing, and opens no section. A name with this value is still a known name.
    case null
    /// Printed as `true` or `false`.
    case flag(Bool)
    /// Printed in decimal digits, without grouping.
    case integer(Int)
    /// Printed as Swift's `description`, but whole numbers without `.0`.
    case decimal(Double)
    /// Plain text. `{{name}}` escapes it, `{{{name}}}` does not.
    case text(String)
    /// Markup. It is never escaped, not even by `{{name}}`.
    case html([UInt8])
    /// Markup that is made only if a template shows it. A section with it is not skipped.
    case deferred(@Sendable () -> [UInt8])
    /// A section is rendered once for each item.
    case list([Value])
    /// Named values, for sections and dotted names.
    case object(Object)
}

extension Value {
    /// Whether a section with this value is skipped.
    var isEmpty: Bool {
        switch self {
        case .null: true
        case .flag(let flag): !flag
        case .text(let text): text.isEmpty
        case .html(let bytes): bytes.isEmpty
        case .list(let items): items.isEmpty
        case .integer, .decimal, .object, .deferred: false
        }
    }

    /// The type's name in messages.
    var typeName: String {
        switch self {
        case .null: "null"
        case .flag: "a flag"
        case .integer, .decimal: "a number"
        case .text: "text"
        case .html, .deferred: "markup"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// Values for the fields of a shape.
package struct Object: Sendable {
    /// The names of the fields, and the index of each value.
    package let shape: Shape

    /// The values, in the order of the shape's fields.
    package let values: [Value]

    /// Creates an object from values in the order of the shape's fields. `Shape.object` also accepts names, and a debug
    /// build checks them.
    ///
    /// - Precondition: the number of values is the number of fields.
    package init(_ shape: Shape, _ values: [Value]) {
        precondition(
            values.count == shape.fields.count, "\(shape.name) has \(shape.fields.count) fields, not \(values.count)")
        self.shape = shape
        self.values = values
    }

    /// The value of a field; nil if the shape has no such field.
    package subscript(name: String) -> Value? { shape.slot(of: name).map { values[$0] } }
}
