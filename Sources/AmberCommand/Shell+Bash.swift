extension Shell {
    /// bash(1), "Programmable Completion": names with spaces stay whole, and --source=live is completed like --source
    /// live.
    static var forBash: String {
        """
        # bash completion for amber; made by: amber --completions bash
        _amber() {
            local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} verb=${COMP_WORDS[1]} \
        options= operands=
            COMPREPLY=()
            # "=" is a word of its own.
            if [[ $current == "=" ]]; then
                current=
            elif [[ $previous == "=" ]]; then
                previous=${COMP_WORDS[COMP_CWORD-2]}
            fi
            case $previous in
        \(Shell.options.filter { $0.argument != nil }.map(value(of:)).joined(separator: "\n"))
            esac
            if ((COMP_CWORD == 1)); then
                mapfile -t COMPREPLY < <(compgen -W '\(Verb.allCases.map(\.rawValue).joined(separator: " ")) \
        \(words(Option.general))' -- "$current")
                return
            fi
            case $verb in
        \(Verb.allCases.map(line(of:)).joined(separator: "\n"))
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

    private static func value(of option: Option) -> String {
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

    private static func line(of verb: Verb) -> String {
        let operands =
            switch verb.operandValues {
            case .none, .files: ""
            case .folders: " operands=folders"
            case .words(let words): " operands='\(words.joined(separator: " "))'"
            }
        return "    \(verb.rawValue)) options='\(words(verb.options + Option.common))'\(operands) ;;"
    }
}
