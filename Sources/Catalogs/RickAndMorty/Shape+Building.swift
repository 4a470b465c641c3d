import Mustache

extension Shape {
    func value(_ values: KeyValuePairs<String, Value>) -> Value { .object(object(values)) }

    /// An object of values that all pages have and of a page's own, in the order of the fields; a debug build checks the names.
    func object(_ common: KeyValuePairs<String, Value>, _ own: KeyValuePairs<String, Value>) -> Object {
        let values = Array(common) + Array(own)
        assert(values.map(\.key) == fields.map(\.name), "\(name): the values are for \(values.map(\.key))")
        return Object(self, values.map(\.value))
    }
}
