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
}

extension Shape {
    /// A shape whose fields have no summaries: `Shape("page", ["title": .text, "count": .number])`.
    ///
    /// - Precondition: no two fields have one name.
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
    func slot(of name: String) -> Int? {
        slots[name]
    }

    func field(_ name: String) -> Field? {
        slots[name].map { fields[$0] }
    }
}

/// Two shapes are equal when they are one and the same.
extension Shape: Hashable {
    /// Compares by identity.
    public static func == (one: Shape, other: Shape) -> Bool {
        one === other
    }

    /// Hashes the identity.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(ObjectIdentifier(self))
    }
}
