extension String {
    /// Text from a server as it can stand in a sentence: not too long, and without what would move a cursor or turn the
    /// line around.
    var shown: String {
        var shown = String.UnicodeScalarView()
        for scalar in unicodeScalars.prefix(200) {
            switch scalar.properties.generalCategory {
            case .control, .format, .lineSeparator, .paragraphSeparator: shown.append("\u{FFFD}")
            default: shown.append(scalar)
            }
        }
        return String(shown) + (unicodeScalars.count > 200 ? "…" : "")
    }
}
