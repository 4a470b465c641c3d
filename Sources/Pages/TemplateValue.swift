package import Catalogue
package import Mustache

/// A picture with its path in the site and its size in pixels.
package typealias ShownPicture = (path: SitePath, width: Int, height: Int)

/// Shapes that pages of every catalogue use: pictures and links.
package enum PageParts {
    package static let picture = Shape(
        "picture",
        .init("path", .text, "the file, relative to the site's root"),
        .init("width", .number, "the width in pixels"),
        .init("height", .number, "the height in pixels"))
    package static let link = Shape(
        "link",
        .init("path", .text, "the target, relative to the language's root"),
        .init("name", .text, "the text of the link"))

    package static func picture(_ shown: ShownPicture) -> Value {
        picture.value([
            "path": .text(shown.path.text), "width": .integer(shown.width), "height": .integer(shown.height),
        ])
    }

    package static let placeholder = picture((SitePath(fixed: "placeholder.svg"), 300, 300))
}

/// A type that converts to a value of a template.
package protocol TemplateValue: Sendable {
    var templateValue: Value { get }
}

extension Value: TemplateValue { package var templateValue: Value { self } }
extension String: TemplateValue { package var templateValue: Value { .text(self) } }
extension Int: TemplateValue { package var templateValue: Value { .integer(self) } }
extension Bool: TemplateValue { package var templateValue: Value { .flag(self) } }
extension SitePath: TemplateValue { package var templateValue: Value { .text(text) } }
extension [Value]: TemplateValue { package var templateValue: Value { .list(self) } }

extension Optional: TemplateValue where Wrapped: TemplateValue {
    package var templateValue: Value { self?.templateValue ?? .null }
}

extension Shape {
    /// The shape of a page: the fields of the frame, its own, and those of the pages of a list.
    package convenience init(page name: String, isList: Bool = false, _ own: Field...) {
        self.init(name, PageFrame.fields + own + (isList ? Paging.fields : []))
    }

    /// Creates an object from groups of values in the order of the fields. A debug build checks the names.
    package func object(_ groups: [KeyValuePairs<String, any TemplateValue>]) -> Object {
        assert(
            groups.flatMap { $0.map(\.key) } == fields.map(\.name),
            "\(name): the values are for \(groups.flatMap { $0.map(\.key) })")
        var values: [Value] = []
        values.reserveCapacity(fields.count)
        for group in groups {
            for (_, value) in group { values.append(value.templateValue) }
        }
        return Object(self, values)
    }

    package func callAsFunction(_ values: KeyValuePairs<String, any TemplateValue>) -> Value {
        .object(object([values]))
    }

    /// Like `shape(…)`, but faster, because values are not converted. It is for values that occur many times on a page.
    package func value(_ values: KeyValuePairs<String, Value>) -> Value { .object(object(values)) }
}
