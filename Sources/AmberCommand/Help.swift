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
        return rows.map { "  " + $0.0 + String(repeating: " ", count: width - $0.0.count + 2) + $0.1 }.joined(separator: "\n")
    }
}
