/// Generates completions for a shell from the tables in Verb.swift.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    var completions: String {
        switch self {
        case .bash: Self.forBash
        case .zsh: Self.forZsh
        case .fish: Self.forFish
        }
    }
}

extension Shell {
    /// The completions for bash (bash(1), "Programmable Completion"). Names with spaces are not split. --source=live is
    /// completed like --source live.
    static var forBash: String {
        """
        # bash completion for amber; created by: amber --completions bash
        _amber() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} \
        options= operands=
            COMPREPLY=()
            # bash passes "=" as a separate word.
            if [[ $current == "=" ]]; then
                current=
            elif [[ $previous == "=" ]]; then
                previous=${COMP_WORDS[COMP_CWORD-2]}
            fi
            case $previous in
        \(Option.allCases.filter { $0.argument != nil }.map(bashValue(of:)).joined(separator: "\n"))
            esac
            if ((COMP_CWORD == 1)); then
                mapfile -t COMPREPLY < <(compgen -W '\(Verb.allCases.map(\.rawValue).joined(separator: " ")) \
        \(words(Option.general))' -- "$current")
                return
            fi
            case $verb in
        \(Verb.allCases.map(bashLine(of:)).joined(separator: "\n"))
            *) return ;;
            esac
            if [[ $current == -* ]]; then
                mapfile -t COMPREPLY < <(compgen -W "$options" -- "$current")
                return
            fi
            case $operands in
            folders) _amber_folders ;;
            ?*) mapfile -t COMPREPLY < <(compgen -W "$operands" -- "$current") ;;
            esac
        }
        _amber_folders() {
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -d -- "$current")
        }
        _amber_files() {
            compopt -o filenames 2>/dev/null
            mapfile -t COMPREPLY < <(compgen -f -- "$current")
        }
        complete -F _amber amber

        """
    }

    private static func words(_ options: [Option]) -> String { options.map(\.flag).joined(separator: " ") }

    private static func bashValue(of option: Option) -> String {
        let action =
            switch option.values {
            case .none: ""
            case .files: "_amber_files; "
            case .folders: "_amber_folders; "
            case .words(let words):
                "mapfile -t COMPREPLY < <(compgen -W '\(words.joined(separator: " "))' -- \"$current\"); "
            }
        return "    --\(option.rawValue)) \(action)return ;;"
    }

    private static func bashLine(of verb: Verb) -> String {
        let operands =
            switch verb.operandValues {
            case .none, .files: ""
            case .folders: " operands=folders"
            case .words(let words): " operands='\(words.joined(separator: " "))'"
            }
        return "    \(verb.rawValue)) options='\(words(verb.options))'\(operands) ;;"
    }
}

extension Shell {
    /// The completions for fish (complete(1)): a line for each verb, and a line for each option with the verbs that
    /// accept the option.
    static var forFish: String {
        let verbs = Verb.allCases.map {
            "complete -c amber -n __fish_use_subcommand -a \($0.rawValue) -d \(fishQuoted($0.summary))"
        }
        let operands = Verb.allCases.filter { $0.operandValues != .none }.map { verb in
            "complete -c amber -n \(condition([verb])) -a \(offer(verb.operandValues))"
        }
        return """
            # fish completion for amber; created by: amber --completions fish
            complete -c amber -f
            \((verbs + Option.general.map { fishLine(of: $0, where: "__fish_use_subcommand") }).joined(separator: "\n"))
            \(operands.joined(separator: "\n"))
            \(Option.allCases.compactMap(fishLine(of:)).joined(separator: "\n"))

            """
    }

    private static func fishLine(of option: Option) -> String? {
        let verbs = Verb.allCases.filter { ($0.options).contains(option) }
        return verbs.isEmpty ? nil : fishLine(of: option, where: condition(verbs))
    }

    private static func fishLine(of option: Option, where condition: String) -> String {
        let value =
            switch option.values {
            case .none: option.argument == nil ? "" : " -x"
            case .files: " -r -F"
            case let values: " -x -a \(offer(values))"
            }
        return "complete -c amber -n \(condition) -l \(option.rawValue)\(value) -d \(fishQuoted(option.summary))"
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

    private static func fishQuoted(_ text: String) -> String {
        "'\(text.replacing("\\", with: "\\\\").replacing("'", with: "\\'"))'"
    }
}

extension Shell {
    /// The completions for zsh (zshcompsys(1)). The verb is completed first, and then its arguments with _arguments.
    static var forZsh: String {
        """
        #compdef amber
        # zsh completion for amber; created by: amber --completions zsh
        _amber() {
            local -a verbs
            verbs=(
        \(Verb.allCases.map { "        \(zshQuoted("\($0.rawValue):\($0.summary)"))" }.joined(separator: "\n"))
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
        \(Verb.allCases.map(zshLine(of:)).joined(separator: "\n"))
            esac
        }
        if [[ $funcstack[1] == _amber ]]; then
            _amber "$@"
        else
            compdef _amber amber
        fi

        """
    }

    private static func zshLine(of verb: Verb) -> String {
        let options = verb.options.map(specification(of:)).joined(separator: " ")
        let operands = verb.operands.isEmpty ? "" : " '*:\(name(of: verb.operands)):\(action(verb.operandValues))'"
        return "    \(verb.rawValue)) _arguments \(options)\(operands) ;;"
    }

    private static func specification(of option: Option) -> String {
        let summary = option.summary.replacing("[", with: "\\[").replacing("]", with: "\\]")
        let value = option.argument.map { ":\($0):\(action(option.values))" } ?? ""
        return zshQuoted("--\(option.rawValue)[\(summary)]\(value)")
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

    private static func zshQuoted(_ text: String) -> String { "'\(text.replacing("'", with: "'\\''"))'" }
}
