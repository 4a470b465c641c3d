extension Shell {
    /// zshcompsys(1): the verb first, then _arguments on what stands behind it.
    static var forZsh: String {
        """
        #compdef amber
        # zsh completion for amber; made by: amber --completions zsh
        _amber() {
            local -a verbs
            verbs=(
        \(Verb.allCases.map { "        \(quoted("\($0.rawValue):\($0.summary)"))" }.joined(separator: "\n"))
            )
            if (( CURRENT == 2 )); then
                _describe -t verbs verb verbs
                _arguments \(Option.general.map(specification(of:)).joined(separator: " "))
                return
            fi
            local verb=$words[2]
            shift words
            (( CURRENT-- ))
            case $verb in
        \(Verb.allCases.map(line(of:)).joined(separator: "\n"))
            esac
        }
        if [[ $funcstack[1] == _amber ]]; then
            _amber "$@"
        else
            compdef _amber amber
        fi

        """
    }

    private static func line(of verb: Verb) -> String {
        let options = (verb.options + Option.common).map(specification(of:)).joined(separator: " ")
        let operands = verb.operands.isEmpty ? "" : " '*:\(name(of: verb.operands)):\(action(verb.operandValues))'"
        return "    \(verb.rawValue)) _arguments \(options)\(operands) ;;"
    }

    private static func specification(of option: Option) -> String {
        let summary = option.summary.replacing("[", with: "\\[").replacing("]", with: "\\]")
        let value = option.argument.map { ":\($0):\(action(option.values))" } ?? ""
        return quoted("--\(option.rawValue)[\(summary)]\(value)")
    }

    private static func action(_ values: Values) -> String {
        switch values {
        case .none: " "
        case .files: "_files"
        case .folders: "_files -/"
        case .words(let words): "(\(words.joined(separator: " ")))"
        }
    }

    private static func name(of operands: String) -> String {
        operands.filter { !" []".contains($0) }.replacing("|", with: " or ")
    }

    private static func quoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
