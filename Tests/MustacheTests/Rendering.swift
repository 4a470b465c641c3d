import Mustache

/// A library of these templates, each in the file `<name>.mustache`.
func library(_ templates: KeyValuePairs<String, String>) throws -> Library {
    try Library(templates.map { TemplateFile(name: $0, file: "\($0).mustache", bytes: Array($1.utf8)) })
}

/// The page of a template and a model, with partials.
func rendered(
    _ template: String, _ model: Value, with partials: KeyValuePairs<String, String> = [:]
) throws -> String {
    let sources = [TemplateFile(name: "page", file: "page.mustache", bytes: Array(template.utf8))]
    let others = partials.map { TemplateFile(name: $0, file: "\($0).mustache", bytes: Array($1.utf8)) }
    var renderer = try Renderer(Library(sources + others))
    var output: [UInt8] = []
    try renderer.render("page", model, into: &output)

    return String(decoding: output, as: UTF8.self)
}

extension Shape {
    convenience init(_ name: String, _ fields: KeyValuePairs<String, Kind>) {
        self.init(name, fields.map { Field($0.key, $0.value) })
    }
}

/// The message of the thrown template error.
func message(_ body: () throws -> Void) throws -> String {
    do {
        try body()
        return "no error"
    } catch let error as TemplateError {
        return error.description
    }
}

/// An object with its own shape, for tests that are not about shapes.
func object(_ members: KeyValuePairs<String, Value>) -> Value {
    .object(Object(Shape("thing", members.map { Shape.Field($0.key, .text) }), members.map(\.value)))
}
