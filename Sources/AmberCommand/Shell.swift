/// A shell that can complete the program's verbs and options, from the tables that the command line is read with.
enum Shell: String, CaseIterable {
    case bash, zsh, fish

    /// What the shell reads at its start.
    var completions: String {
        switch self {
        case .bash: Self.forBash
        case .zsh: Self.forZsh
        case .fish: Self.forFish
        }
    }

    /// Every option, once, in the order of the tables.
    static let options = Option.allCases

    static func words(_ options: [Option]) -> String { options.map { "--\($0.rawValue)" }.joined(separator: " ") }
}
