/// Finds the name that was likely meant.
enum Spelling {
    /// The ending of a message: `; did you mean "name"?`, or nothing where no name is near.
    static func hint(for name: String, among names: [String]) -> String {
        // Who writes a longer one has not misspelt it.
        guard name.utf8.count <= 100 else { return "" }

        let near = names.map { (distance(name, $0), $0) }.filter { $0.0 <= min(2, name.count - 1) }.min { $0 < $1 }

        return near.map { "; did you mean \"\($0.1)\"?" } ?? ""
    }

    /// The number of letters put in, left out or replaced (Levenshtein's distance).
    private static func distance(_ one: String, _ other: String) -> Int {
        let letters = Array(other)
        var row = Array(0...letters.count)

        for (above, letter) in one.enumerated() {
            var diagonal = row[0]
            row[0] = above + 1

            for column in letters.indices {
                let replaced = diagonal + (letters[column] == letter ? 0 : 1)
                diagonal = row[column + 1]
                row[column + 1] = min(replaced, min(row[column], diagonal) + 1)
            }
        }

        return row[letters.count]
    }
}
