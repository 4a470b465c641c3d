import CSystem
import Glibc

/// The command line as read by getopt_long(3): options may be shortened and may stand anywhere.
struct Arguments {
    let verb: Verb?
    let operands: [String]
    private let values: [Option: [String]]

    init(_ arguments: [String]) throws(Failure) {
        guard let first = arguments.first else {
            throw Failure(
                .wrongUsage,
                "say what to do: \(Verb.allCases.map(\.rawValue).joined(separator: ", ")); amber --help tells more")
        }
        if first.hasPrefix("-") || first == "help" {
            verb = nil
            (values, operands) = try Self.read(first == "help" ? ["--help"] : arguments, for: nil)
        } else {
            guard let verb = Verb(rawValue: first) else {
                throw Failure(
                    .wrongUsage,
                    "there is no verb \"\(first)\"; there are: \(Verb.allCases.map(\.rawValue).joined(separator: ", "))"
                )
            }
            self.verb = verb
            (values, operands) = try Self.read(Array(arguments.dropFirst()), for: verb)
        }
    }

    /// An option's value, the last one where it is given several times.
    subscript(option: Option) -> String? { values[option]?.last }

    /// All values of an option that may be given several times.
    func all(_ option: Option) -> [String] { values[option] ?? [] }

    func has(_ option: Option) -> Bool { values[option] != nil }

    /// An option's value as a whole number within bounds; nil where it is not given.
    func integer(_ option: Option, in bounds: ClosedRange<Int>) throws(Failure) -> Int? {
        guard let text = self[option] else { return nil }
        guard let number = Int(text), bounds.contains(number) else {
            throw Failure(
                .wrongUsage,
                "--\(option.rawValue) takes a whole number from \(bounds.lowerBound) to \(bounds.upperBound), not "
                    + "\"\(text)\""
            )
        }
        return number
    }
}

extension Arguments {
    private static func read(_ arguments: [String], for verb: Verb?) throws(Failure) -> ([Option: [String]], [String]) {
        let options = verb.map { $0.options + Option.common } ?? Option.general
        // getopt_long permutes the pointers and keeps the texts: both have to live until it is done.
        let texts = (["amber"] + arguments.map { $0 == "-h" ? "--help" : $0 }).map { strdup($0) }
        let names = options.map { strdup($0.rawValue) }
        defer { (texts + names).forEach { free($0) } }
        var pointers = texts + [nil]
        var table = zip(options, names).enumerated().map { index, pair in
            option(name: pair.1, has_arg: pair.0.argument == nil ? 0 : 1, flag: nil, val: Int32(1_000 + index))
        }
        table.append(option())
        csystem_reset_options()
        var values: [Option: [String]] = [:]
        let count = Int32(texts.count)
        while true {
            let code = getopt_long(count, &pointers, ":", table, nil)
            if code == -1 { break }
            // A single letter is named by optopt; of all else optind has been moved behind it, whatever stood between.
            let letter = csystem_optopt()
            let isLetter = (33...126).contains(letter)
            let culprit =
                isLetter
                ? "-\(Unicode.Scalar(UInt8(letter)))"
                : pointers[Int(csystem_optind()) - 1].map { String(cString: $0) } ?? ""
            switch code {
            case 63:  // "?": unknown or ambiguous
                throw Failure(
                    .wrongUsage,
                    "there is no option \(culprit)\(verb.map { " for \($0.rawValue)" } ?? ""); see amber "
                        + "\(verb.map { "\($0.rawValue) " } ?? "")--help"
                )
            case 58:  // ":": the value is missing
                throw Failure(.wrongUsage, "\(culprit) needs a value behind it")
            default:
                let option = options[Int(code) - 1_000]
                let value = csystem_optarg().map { String(cString: $0) } ?? ""
                guard option.argument == nil || !value.isEmpty else {
                    throw Failure(.wrongUsage, "--\(option.rawValue) needs a value, and it is empty")
                }
                values[option, default: []].append(value)
            }
        }
        let operands = pointers[Int(csystem_optind())..<Int(count)].compactMap { $0.map { String(cString: $0) } }
        return (values, operands)
    }
}
