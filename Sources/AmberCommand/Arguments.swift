import Catalogue
import Platform

/// A parsed command line: a verb, operands and options. Options may be abbreviated.
struct Arguments {
    let verb: Verb?
    private(set) var operands: [String] = []
    private var values: [Option: [String]] = [:]

    init(_ arguments: [String]) throws {
        let verbs = Verb.allCases.map(\.rawValue).joined(separator: ", ")
        let first = try Failure.require(arguments.first, "a verb is missing; use one of: \(verbs); see amber --help")
        func known(_ word: String) throws -> Verb {
            try Failure.require(Verb(rawValue: word), "there is no verb \(word.quoted); the verbs are: \(verbs)")
        }
        if first == "help" {
            verb = try arguments.dropFirst().first.map(known)
            try Failure.require(arguments.count <= 2, "help takes one verb, such as: amber help build")
            values = [.help: [""]]
        } else if first.hasPrefix("-") {
            verb = nil
            try read(arguments[...], Option.withoutVerb)
        } else {
            let verb = try known(first)
            self.verb = verb
            try read(arguments.dropFirst(), verb.options)
        }
    }

    subscript(option: Option) -> String? {
        get { values[option]?.last }
        set { values[option] = newValue.map { [$0] } }
    }

    /// All values of an option, for options that can be repeated.
    func all(_ option: Option) -> [String] { values[option] ?? [] }

    func has(_ option: Option) -> Bool { values[option] != nil }

    func integer(_ option: Option, in bounds: ClosedRange<Int>) throws -> Int? {
        guard let text = self[option] else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            let range = "\(bounds.lowerBound) to \(bounds.upperBound)"
            throw Failure.usage("\(option.flag) takes a whole number from \(range), not \(text.quoted)")
        }
        return number
    }

    func choice<Choice: RawRepresentable & CaseIterable>(_ option: Option, _ type: Choice.Type) throws -> Choice?
    where Choice.RawValue == String {
        guard let word = self[option] else { return nil }
        if let choice = Choice(rawValue: word) { return choice }
        let choices = Choice.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure.usage("\(option.flag) takes \(choices), not \(word.quoted)")
    }

    /// Parses "--option value" or "--option=value" like getopt_long(3). All words after "--" are operands.
    private mutating func read(_ words: ArraySlice<String>, _ options: [Option]) throws {
        var rest = words
        while let word = rest.popFirst() {
            if word == "--" {
                operands += rest
                return
            }
            guard word.hasPrefix("-"), word != "-" else {
                operands.append(word)
                continue
            }
            let parts = word.utf8.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { String(Substring($0)) }
            let option = try Self.option(word == "-h" ? Option.help.flag : parts[0], options, verb)
            guard option.argument != nil else {
                try Failure.require(parts.count == 1, "\(option.flag) takes no value: \(word)")
                values[option, default: []].append("")
                continue
            }
            let value = try Failure.require(parts.count > 1 ? parts[1] : rest.popFirst(), "\(word) requires a value")
            try Failure.require(!value.isEmpty, "\(option.flag) requires a value, but the value is empty")
            values[option, default: []].append(value)
        }
    }

    /// The option with this name, or the only option whose name begins with it.
    private static func option(_ flag: String, _ options: [Option], _ verb: Verb?) throws -> Option {
        let matches = options.filter { $0.flag.hasPrefix(flag) }
        if let match = options.first(where: { $0.flag == flag }) { return match }
        guard matches.count == 1, flag.hasPrefix("--"), flag != "--" else {
            let name = verb.map { " \($0.rawValue)" } ?? ""
            let unknown = flag.hasPrefix("--") ? flag : String(flag.prefix(2))
            let place = verb == nil ? "before the verb" : "for\(name)"
            throw Failure.usage("there is no option \(unknown) \(place); see amber\(name) --help")
        }
        return matches[0]
    }
}
