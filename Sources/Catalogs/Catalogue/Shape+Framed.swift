package import Mustache

extension Shape {
    /// An object of values that all pages have and of a page's own, in the order of the fields; a debug build checks
    /// the names.
    package func object(
        _ common: KeyValuePairs<String, Value>, _ own: KeyValuePairs<String, Value>,
        _ more: KeyValuePairs<String, Value> = [:]
    ) -> Object {
        assert(
            common.map(\.key) + own.map(\.key) + more.map(\.key) == fields.map(\.name),
            "\(name): the values are for \(common.map(\.key) + own.map(\.key) + more.map(\.key))")
        var values: [Value] = []
        values.reserveCapacity(fields.count)
        for group in [common, own, more] { values += group.lazy.map(\.value) }
        return Object(self, values)
    }

    /// A value of this shape.
    package func value(_ values: KeyValuePairs<String, Value>) -> Value { .object(object(values)) }
}
