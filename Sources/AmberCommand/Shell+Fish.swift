extension Shell {
    /// fish's complete(1): one line for each verb, and for each option with the verbs that take it.
    static var forFish: String {
        let verbs = Verb.allCases.map {
            "complete -c amber -n __fish_use_subcommand -a \($0.rawValue) -d \(quoted($0.summary))"
        }
        let operands = Verb.allCases.filter { $0.operandValues != .none }.map { verb in
            "complete -c amber -n \(condition([verb])) -a \(offer(verb.operandValues))"
        }
        return """
            # fish completion for amber; made by: amber --completions fish
            complete -c amber -f
            \((verbs + Option.general.map { line(of: $0, where: "__fish_use_subcommand") }).joined(separator: "\n"))
            \(operands.joined(separator: "\n"))
            \(Shell.options.compactMap(line(of:)).joined(separator: "\n"))

            """
    }

    private static func line(of option: Option) -> String? {
        let verbs = Verb.allCases.filter { ($0.options + Option.common).contains(option) }
        return verbs.isEmpty ? nil : line(of: option, where: condition(verbs))
    }

    private static func line(of option: Option, where condition: String) -> String {
        let value =
            switch option.values {
            case .none: option.argument == nil ? "" : " -x"
            case .files: " -r -F"
            case let values: " -x -a \(offer(values))"
            }
        return "complete -c amber -n \(condition) -l \(option.rawValue)\(value) -d \(quoted(option.summary))"
    }

    private static func condition(_ verbs: [Verb]) -> String {
        "'__fish_seen_subcommand_from \(verbs.map(\.rawValue).joined(separator: " "))'"
    }

    private static func offer(_ values: Values) -> String {
        switch values {
        case .words(let words): "'\(words.joined(separator: " "))'"
        case .folders: "'(__fish_complete_directories)'"
        case .none, .files: "''"
        }
    }

    private static func quoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}
