/// The names (and kinds) that a page model has; a reference shared by all objects of that kind.
///
/// Make each shape once and keep it: the renderer remembers where a name is by the shape's identity.
public final class Shape: Sendable {
    /// What the shape is called in messages, such as "character".
    public let name: String

    /// The names it has, in the order in which an object holds their values.
    public let fields: [Field]

    private let slots: [String: Int]

    /// Of two fields with one name, the first is found.
    public init(_ name: String, _ fields: [Field]) {
        self.name = name
        self.fields = fields
        slots = Dictionary(fields.enumerated().map { ($1.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// A shape whose fields have no summaries: `Shape("page", ["title": .text, "count": .number])`.
    public convenience init(_ name: String, _ fields: KeyValuePairs<String, Kind>) {
        self.init(name, fields.map { Field($0.key, $0.value) })
    }

    /// Builds an object from values given in the order of the shape's fields, with their names:
    /// `shape.object(["name": .text("x"), ...])`.
    ///
    /// - Precondition: there are as many values as fields. A debug build asserts that the names match too.
    public func object(_ values: KeyValuePairs<String, Value>) -> Object {
        assert(
            values.map(\.key) == fields.map(\.name),
            "\(name) has the fields \(fields.map(\.name)), but the values given are for \(values.map(\.key))")
        return Object(self, values.map(\.value))
    }

    /// Where the value of this name is found in an object's values.
    func slot(of name: String) -> Int? { slots[name] }

    func field(_ name: String) -> Field? { slots[name].map { fields[$0] } }

    /// A name of a shape, what kind of value it stands for, and what it means.
    public struct Field: Sendable {
        /// As templates write it.
        public let name: String
        /// What a template may do with it.
        public let kind: Kind
        /// One line for documentation; may be empty.
        public let summary: String
        /// A field of a shape.
        public init(_ name: String, _ kind: Kind, _ summary: String = "") {
            self.name = name
            self.kind = kind
            self.summary = summary
        }
    }

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

/// Two shapes are equal when they are one and the same.
extension Shape: Hashable {
    /// Compares by identity.
    public static func == (one: Shape, other: Shape) -> Bool { one === other }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

extension Shape.Kind {
    /// The kind of a value that is there.
    var unwrapped: Shape.Kind { if case .optional(let kind) = self { kind.unwrapped } else { self } }

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
