import Archive
package import Mustache

/// Parts that pages of every catalogue have: pictures, and links to neighbours.
public enum PageParts {
    /// What templates can use of a picture.
    package static let picture = Shape(
        "picture",
        [
            .init("path", .text, "the file, relative to the site's root"),
            .init("width", .number, "pixels across"),
            .init("height", .number, "pixels down"),
        ])
    /// What templates can use of a link.
    package static let link = Shape(
        "link",
        [
            .init("path", .text, "where it leads, relative to the edition's root"),
            .init("name", .text, "what it is called"),
        ])

    /// A picture by its file and its size in pixels.
    package static func picture(_ path: SitePath, width: Int, height: Int) -> Value {
        picture.value(["path": .text(path.text), "width": .integer(width), "height": .integer(height)])
    }

    /// What stands where a record has no picture.
    package static let placeholder = picture(SitePath(fixed: "placeholder.svg"), width: 300, height: 300)

    /// A link to a page.
    package static func link(_ path: SitePath, _ name: String) -> Value {
        link.value(["path": .text(path.text), "name": .text(name)])
    }
}

extension Value {
    /// A text; null where there is none.
    package static func text(ifAny text: String?) -> Value { text.map(Value.text) ?? .null }
}
