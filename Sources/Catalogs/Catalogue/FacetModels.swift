package import Mustache

/// What pages show of facets.
extension Facets {
    /// What an empty value is called.
    package static let noValue = TextNeed("noValue")

    /// A value to choose.
    package static let option = Shape(
        "option",
        [
            .init("label", .text, "the value in the page's language, or as served"),
            .init("asServed", .flag, "whether it is shown as served"),
            .init("value", .text, "the value as served"),
            .init("path", .text, "the list of those who have it, relative to the edition's root"),
            .init("count", .number, "how many they are"),
            .init("current", .flag, "whether it is the list shown"),
        ])
    /// A property to choose by.
    package static let facet = Shape(
        "facet",
        [
            .init("label", .text, "the property in words"),
            .init("name", .text, "the property's name: the first part of its lists' addresses"),
            .init("options", .list(.object(option)), "its values, the most frequent first"),
        ])

    /// The value for a list of `facet`.
    /// - Parameter current: the value whose list is shown, with its property; nil for none.
    package func value(current: (value: Value, facet: Facet)?, _ texts: Texts) -> Mustache.Value {
        .list(
            facets.map { facet in
                let options = facet.values.map { value in
                    let label = Self.label(of: value, facet, texts)
                    return Self.option.value([
                        "label": .text(label.text), "asServed": .flag(label.asServed), "value": .text(value.value),
                        "path": .text(Self.path(value, of: facet, page: 0).text), "count": .integer(value.rows.count),
                        "current": .flag(current?.value.slug == value.slug && current?.facet.name == facet.name),
                    ])
                }
                return Self.facet.value([
                    "label": .text(texts[facet.label]), "name": .text(facet.name), "options": .list(options),
                ])
            })
    }

    /// Where a page of a value's list stands; pages count from 0.
    package static func path(_ value: Value, of facet: Facet, page: Int) -> SitePath {
        SitePath(joined: "\(facet.name)/\(value.slug)" + (page == 0 ? ".html" : "/\(page + 1).html"))
    }

    /// What a value is called, and whether that is the value as served.
    package static func label(of value: Value, _ facet: Facet, _ texts: Texts) -> (text: String, asServed: Bool) {
        if let label = texts.label(facet.name, value.value) { return (label, false) }
        if value.value.isBlank { return (texts[noValue], false) }
        return (value.value, true)
    }
}
