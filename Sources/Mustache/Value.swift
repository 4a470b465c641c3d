/// A value that a template can show.
///
/// A section is skipped for `null`, `false`, and an empty list, text or markup, but not for zero.
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
    /// A value that is made when a template uses it for the first time.
    case deferred(Deferred)
    /// A section is rendered once for each item.
    case list([Value])
    /// Named values, for sections and dotted names.
    case object(Object)
}

extension Value {
    /// The value itself, also if it is deferred.
    package var made: Value { if case .deferred(let deferred) = self { deferred.value } else { self } }

    package static func deferred(_ make: @escaping @Sendable () -> Value) -> Value { .deferred(Deferred(make)) }

    /// Whether a section with this value is skipped.
    var isEmpty: Bool {
        switch self {
        case .null: true
        case .flag(let flag): !flag
        case .text(let text): text.isEmpty
        case .html(let bytes): bytes.isEmpty
        case .list(let items): items.isEmpty
        case .integer, .decimal, .object: false
        case .deferred: made.isEmpty
        }
    }

    /// The type's name in messages.
    var typeName: String {
        switch self {
        case .null: "null"
        case .flag: "a flag"
        case .integer, .decimal: "a number"
        case .text: "text"
        case .html: "markup"
        case .deferred: made.typeName
        case .list: "a list"
        case .object: "an object"
        }
    }
}

/// A value that is made at most once, because the limit of steps does not include the work of making it.
///
/// `@unchecked Sendable` is safe, because one thread makes and renders all pages of a batch.
package final class Deferred: @unchecked Sendable {
    private let make: @Sendable () -> Value
    private(set) lazy var value: Value = make().made

    init(_ make: @escaping @Sendable () -> Value) { self.make = make }
}

/// Values for the fields of a shape. An object has only one reference, because templates often copy objects.
///
/// `@unchecked Sendable` is safe, because nothing changes after `init`.
package struct Object: @unchecked Sendable {
    private let storage: Storage

    /// Creates an object from values in the order of the shape's fields. `Shape.object` also accepts names, and a debug
    /// build checks them.
    ///
    /// - Precondition: the number of values is the number of fields.
    package init(_ shape: Shape, _ values: [Value]) { self.init(shape, each: values) }

    init(_ shape: Shape, each values: some Collection<Value>) {
        precondition(
            values.count == shape.fields.count, "\(shape.name) has \(shape.fields.count) fields, not \(values.count)")
        let storage = Storage.create(minimumCapacity: values.count) { _ in shape }
        storage.withUnsafeMutablePointerToElements { elements in
            for (slot, value) in values.enumerated() { (elements + slot).initialize(to: value) }
        }
        self.storage = unsafeDowncast(storage, to: Storage.self)
    }

    /// The names of the fields, and the slot of each value.
    package var shape: Shape { storage.withUnsafeMutablePointerToHeader { $0.pointee } }

    subscript(slot: Int) -> Value {
        precondition(slot < shape.fields.count, "\(shape.name) has no field \(slot)")
        return storage.withUnsafeMutablePointerToElements { $0[slot] }
    }

    /// The value of a field; nil if the shape has no such field.
    package subscript(name: String) -> Value? { shape.slot(of: name).map { self[$0] } }

    private final class Storage: ManagedBuffer<Shape, Value> {
        deinit {
            _ = withUnsafeMutablePointers { shape, values in values.deinitialize(count: shape.pointee.fields.count) }
        }
    }
}
