extension String {
    /// Whether there is nothing to see in it.
    var isBlank: Bool {
        // Nearly every text begins with a letter or a digit.
        if let first = utf8.first, first > 0x20, first < 0x7F { return false }
        return allSatisfy(\.isWhitespace)
    }
}
