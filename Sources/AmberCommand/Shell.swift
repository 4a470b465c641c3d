import Platform

/// Completions for shells. A shell loads a short script, which asks the program for the candidates.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// Calls `amber --complete` with the words up to the cursor, and offers what it prints.
    var script: String {
        switch self {
        case .bash:
            #"""
            # bash completion for amber; created by: amber --completions bash
            _amber() {
                local action current=${COMP_WORDS[COMP_CWORD]#=}
                mapfile -t COMPREPLY < <("${COMP_WORDS[0]}" --complete "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
                case ${COMPREPLY[0]} in
                :files | :folders)
                    compopt -o filenames 2>/dev/null
                    [[ ${COMPREPLY[0]} == :files ]] && action=-f || action=-d
                    mapfile -t COMPREPLY < <(compgen $action -- "$current")
                    ;;
                *) COMPREPLY=("${COMPREPLY[@]%%$'\t'*}") ;;
                esac
            }
            complete -F _amber amber

            """#
        case .zsh:
            #"""
            #compdef amber
            # zsh completion for amber; created by: amber --completions zsh
            _amber() {
                local -a lines
                lines=("${(@f)$("$words[1]" --complete "${(@)words[2,CURRENT]}" 2>/dev/null)}")
                case $lines[1] in
                :files) _files ;;
                :folders) _files -/ ;;
                ?*)
                    lines=("${(@)lines/$'\t'/:}")
                    _describe amber lines
                    ;;
                esac
            }
            if [[ $funcstack[1] == _amber ]]; then
                _amber "$@"
            else
                compdef _amber amber
            fi

            """#
        case .fish:
            #"""
            # fish completion for amber; created by: amber --completions fish
            function __amber_complete
                set -l words (commandline -opc)
                set -l current (commandline -ct)
                set -l lines ($words[1] --complete $words[2..] "$current" 2>/dev/null)
                switch "$lines[1]"
                    case :files
                        __fish_complete_path "$current"
                    case :folders
                        __fish_complete_directories "$current"
                    case '*'
                        printf '%s\n' $lines
                end
            end
            complete -c amber -f -a '(__amber_complete)'

            """#
        }
    }

    /// The output of `amber --complete`: a line for each candidate, with a tab and its summary; or only ":files" or
    /// ":folders".
    /// - Parameter words: the words after the program's name. The last one is being typed.
    static func candidates(for words: [String]) -> [String] {
        // bash splits --source=live into three words, and also offers values after "=".
        var typed = words.last == "=" ? "" : words.last ?? ""
        var before = words.dropLast().filter { $0 != "=" }
        var start = ""
        if typed.hasPrefix("--"), let equals = typed.firstIndex(of: "=") {
            start = String(typed[...equals])
            before.append(String(typed[..<equals]))
            typed = String(typed[equals...].dropFirst())
        }
        let verb = before.first.flatMap { Verb(rawValue: $0) }
        let flagged = Option.allCases.first { $0.flag == before.last && $0.argument != nil }
        let offered: [(word: String, summary: String)]
        if let argument = flagged?.argument ?? (before.isEmpty || typed.hasPrefix("-") ? nil : verb?.operands) {
            let name = argument.trimmed { " []".contains($0) }
            switch name {
            case "DIR": return [":folders"]
            case "FILE": return [":files"]
            case "S": offered = SourceChoice.allCases.map { ($0.rawValue, "") }
            case "SHELL": offered = allCases.map { ($0.rawValue, "") }
            default: offered = name.contains("|") ? name.split(separator: "|").map { (String($0), "") } : []
            }
        } else {
            let verbs = before.isEmpty ? Verb.allCases.map { ($0.rawValue, $0.summary) } : []
            let options = before.isEmpty ? Option.withoutVerb : verb?.options ?? []
            offered = verbs + options.map { ($0.flag, $0.summary) }
        }
        return offered.filter { $0.word.hasPrefix(typed) }
            .map { "\(start)\($0.word)" + ($0.summary.isEmpty ? "" : "\t\($0.summary)") }
    }
}
