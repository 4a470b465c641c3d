/// The texts of --help, made from the same tables that the options are read with.
enum Help {
    /// What the program does, after its name.
    static let purpose = "keeps a living web API as a static site"

    static func text(for verb: Verb?) -> String {
        guard let verb else { return general }
        return """
            Usage: amber \(verb.rawValue)\(verb.operands) [options]

            \(verb.summary.prefix(1).uppercased() + verb.summary.dropFirst()).

            \(table((verb.options + Option.common).map { (flag($0), $0.summary) }))

            """
    }

    private static var general: String {
        """
        Usage: amber VERB [options]

        Amber \(purpose).

        \(table(Verb.allCases.map { ($0.rawValue + $0.operands, $0.summary) }))

        Each has its own help: amber VERB --help

        \(table(Option.general.map { (flag($0), $0.summary) }))

        """
    }

    /// An option as it is written, with the word for its value.
    static func flag(_ option: Option) -> String {
        option.argument.map { "--\(option.rawValue) \($0)" } ?? "--\(option.rawValue)"
    }

    private static func table(_ rows: [(String, String)]) -> String {
        let width = rows.map(\.0.count).max() ?? 0
        let indent = String(repeating: " ", count: width + 4)
        return rows.map { name, summary in
            let lines = wrapped(summary, to: columns - width - 4)
            return "  " + name + indent.dropFirst(name.count + 2) + lines.joined(separator: "\n\(indent)")
        }.joined(separator: "\n")
    }

    /// Terminals are as wide as this at least.
    private static let columns = 80

    /// A text in lines of so many characters, broken at spaces.
    private static func wrapped(_ text: String, to width: Int) -> [String] {
        text.split(separator: " ").reduce(into: [""]) { lines, word in
            let last = lines[lines.count - 1]
            if last.isEmpty {
                lines[lines.count - 1] = String(word)
            } else if last.count + 1 + word.count <= width {
                lines[lines.count - 1] = "\(last) \(word)"
            } else {
                lines.append(String(word))
            }
        }
    }
}
