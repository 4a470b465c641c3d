import Glibc

/// What a person types for another verb, in the way in which this run was called: through make, or as the program
/// itself.
struct NextCommand {
    private let given: [(option: Option, variable: String, value: String)]
    private let program: String
    /// Whether one of Amber's makefiles called: they say so in the environment.
    private let isThroughMake: Bool

    /// - Parameter arguments: of this run; where another verb needs them too, they are repeated.
    init(_ arguments: Arguments) {
        given = [(Option.config, "CONFIG"), (.output, "OUTPUT"), (.api, "API")].compactMap { option, variable in
            arguments[option].map { (option, variable, Self.quoted($0)) }
        }
        program = Self.quoted(CommandLine.arguments.first ?? "amber")
        isThroughMake = getenv("AMBER_CALLER").map { String(cString: $0) } == "make"
    }

    /// "make serve OUTPUT=../out" or "amber serve --output ../out".
    func line(_ verb: Verb) -> String {
        // What is published does not depend on where it came from.
        let given = given.filter { verb != .serve || $0.option != .api }
        guard isThroughMake else {
            return ([program, verb.rawValue] + given.map { "--\($0.option.rawValue) \($0.value)" }).joined(
                separator: " ")
        }
        // What make is given it expands once more.
        let variables = given.map {
            "\($0.variable)=\($0.value.split(separator: "$", omittingEmptySubsequences: false).joined(separator: "$$"))"
        }
        return (["make", verb == .build ? "site" : verb.rawValue] + variables).joined(separator: " ")
    }

    /// As a shell takes it for one word.
    static func quoted(_ word: String) -> String {
        let isPlain =
            !word.isEmpty
            && word.utf8.allSatisfy { byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte
                    || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte || byte >= 0x80 || "/._-+:,@%".utf8.contains(byte)
            }
        return isPlain
            ? word
            : "'" + word.split(separator: "'", omittingEmptySubsequences: false).joined(separator: #"'\''"#) + "'"
    }
}
