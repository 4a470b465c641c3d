/// The verbs. The arguments, help, manual and completions all use this table and that of `Option`.
enum Verb: String, CaseIterable {
    case build, capture
    case importState = "import"
    case render, check, verify, snapshot, log, diff, serve, sample, card
    case initialize = "init"

    /// The line in the list of verbs, the operands as shown in the help, and the options that not all verbs have.
    private var entry: (summary: String, operands: String, options: [Option]) {
        switch self {
        case .build:
            ("capture the API, then render, check and publish the site", "", [.characters, .seed])
        case .capture: ("store the API's answers and pictures in the archive", "", [.characters, .seed])
        case .render: ("build the site from the archive, without the network", "", [.revision, .part])
        case .check: ("check the pages of the published site", "", [])
        case .verify:
            (
                "check archive, site and snapshots offline: compute every byte again and compare",
                " [archive|site|snapshot]", [.key]
            )
        case .snapshot:
            (
                "write a package of a revision: a BagIt bag, as a folder and a tar, and a web archive (WACZ)",
                "", [.revision, .key]
            )
        case .log: ("list the archive's revisions: dates, counts and changes", "", [])
        case .diff:
            ("print the changes between two revisions: numbers, or days such as 2018-05-01", " OLD NEW", [])
        case .importState:
            (
                "add an old state of the API, stored as JSON arrays in DIR, to the archive as a revision with the day in --date",
                " DIR",
                [.date]
            )
        case .serve: ("serve the published site on this machine", "", [.port, .watch, .allowHost])
        case .sample:
            (
                "serve an invented universe with the same API", "",
                [.port, .characters, .seed, .portraits, .changed, .latency, .allowHost]
            )
        case .initialize:
            (
                "create a project: for the API at --api, which it looks at and describes, or for a catalogue", " DIR",
                [.list, .only, .header, .dryRun]
            )
        case .card: ("capture one character with everything that its card shows, and render its page", " ID", [])
        }
    }

    var summary: String { entry.summary }
    var operands: String { entry.operands }
    var options: [Option] { entry.options + Option.common }
    var ownOptions: [Option] { entry.options }
    var operandValues: Values { Values(of: operands) }
}

enum Values: Equatable {
    case none, files, folders
    case words([String])

    /// - Parameter word: the value's name in the help.
    init(of word: String?) {
        switch word?.trimming(" []") ?? "" {
        case "DIR": self = .folders
        case "FILE": self = .files
        case "S": self = .words(SourceChoice.allCases.map(\.rawValue))
        case "SHELL": self = .words(Shell.allCases.map(\.rawValue))
        case let choice where choice.contains("|"): self = .words(choice.split(separator: "|").map(String.init))
        default: self = .none
        }
    }
}

extension String {
    /// The string without any of these characters at its ends.
    fileprivate func trimming(_ characters: String) -> String {
        String(drop { characters.contains($0) }.reversed().drop { characters.contains($0) }.reversed())
    }
}

enum Option: String, CaseIterable {
    case api, source, output, templates, catalogue, config, connections, quiet, verbose, json, help, version, man,
        completions
    case list, only, header
    case dryRun = "dry-run"
    case port, characters, seed, portraits, changed, latency, revision, date, key, part, watch
    case baseURL = "base-url"
    case allowHost = "allow-host"

    static let common: [Option] = [
        .api, .source, .output, .templates, .catalogue, .baseURL, .config, .connections, .quiet, .verbose, .json, .help,
        .version,
    ]

    static let general: [Option] = [.help, .version, .man, .completions]

    /// The word for the option's value, nil for switches, and one line of help.
    private var entry: (argument: String?, summary: String) {
        switch self {
        case .api:
            ("URL", "the address of the API (default: the catalogue's public API; offline, the archive's only API)")
        case .source:
            (
                "S",
                "the source of the data: live (the API), archive (captured data), sample (invented data), or auto, "
                    + "which tries these in this order (default: auto)"
            )
        case .output: ("DIR", "the output folder, which contains site/, archive/ and snapshots/ (default: Output)")
        case .templates:
            (
                "DIR",
                "the folder of templates (default: Templates, or if missing, the folder installed with the program)"
            )
        case .catalogue:
            (
                "NAME",
                "the catalogue: the name of a folder in Catalogues, or the path of a folder (default: rickandmorty)"
            )
        case .baseURL:
            ("URL", "the address where the site will be hosted, for its site map and absolute links (default: none)")
        case .config: ("FILE", "a configuration file (default: amber.json, if it exists)")
        case .connections: ("N", "the number of concurrent requests (default: 8)")
        case .quiet: (nil, "print only errors")
        case .verbose: (nil, "also print each request with its status, size in bytes and duration in milliseconds")
        case .json: (nil, "print the summary as one JSON object on standard output")
        case .help: (nil, "print this help")
        case .version: (nil, "print the version")
        case .man: (nil, "print the manual page, for man -l")
        case .completions: ("SHELL", "print a completion script for a shell: bash, zsh or fish")
        case .port: ("P", "the port on 127.0.0.1 (default: 8000 for serve, 8090 for sample; 0: any free port)")
        case .characters: ("N", "the number of characters in the sample (default: 826)")
        case .seed: ("N", "the seed of the random numbers that create the sample (default: 1)")
        case .portraits:
            ("N", "the number of different portraits; characters share them (default: one for each character)")
        case .changed:
            (
                "IDS",
                "the ids of characters to rename, to simulate a change of the data, such as 7 or 7,8 (default: none)"
            )
        case .revision:
            (
                "R",
                "the number of a revision, or a day such as 2018-05-01, for the last revision up to the end of that day (default: "
                    + "the newest)"
            )
        case .part:
            (
                "K/N",
                "render only one part, such as 2/3, into parts/2-of-3 of the output folder, without publishing "
                    + "(default: all)"
            )
        case .key:
            (
                "FILE",
                "an Ed25519 key in PEM: snapshot signs the package with the private key, verify checks it with the "
                    + "public key"
            )
        case .list:
            ("URL", "the address of a list, if the API does not name its lists itself; can be repeated")
        case .only: ("KINDS", "the names of the lists to describe, with commas between them (default: all)")
        case .header:
            (
                "TEXT",
                "a field of the header of each request, such as 'Authorization: Token {env:TOKEN}', where TOKEN is an "
                    + "environment variable; can be repeated"
            )
        case .dryRun: (nil, "print what was found, and write nothing")
        case .date: ("DAY", "the day of the state in UTC, such as 2018-05-01")
        case .watch:
            (nil, "when a template or a text is saved, reload open pages in the browser and publish the site again")
        case .latency: ("MS", "the delay before each answer in milliseconds (default: 0)")
        case .allowHost:
            (
                "NAME",
                "also answer requests for this host name, such as a proxy's; can be repeated (default: only this "
                    + "machine's names)"
            )
        }
    }

    var argument: String? { entry.argument }
    var summary: String { entry.summary }
    var values: Values { Values(of: argument) }
    var flag: String { "--\(rawValue)" }
}
