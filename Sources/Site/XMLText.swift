import Catalogue

/// Text as it stands in XML files of the site.
enum XMLText {
    /// What such a file begins with.
    static let declaration = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"

    /// The text with what XML reads as markup escaped, for content and attributes; what XML forbids is U+FFFD.
    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.showable.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&apos;"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
