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
    public subscript(name: String) -> Value? {
        shape.slot(of: name).map { values[$0] }
    }
}
