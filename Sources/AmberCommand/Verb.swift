/// What the program can be asked to do. With `Option` the one table that arguments, help, manual and completions are
/// made from.
enum Verb: String, CaseIterable {
    case build, capture
    case importState = "import"
    case render, check, verify, snapshot, log, diff, serve, sample, card
    case initialize = "init"

    /// One line for the list of verbs, the operands as the help shows them, and the options beside those of all verbs.
    private var entry: (summary: String, operands: String, options: [Option]) {
        switch self {
        case .build:
            ("capture, render, check and publish: the whole way from the API to a site", "", [.characters, .seed])
        case .capture: ("bring the API's answers and pictures into the archive", "", [.characters, .seed])
        case .render: ("make the site from the archive, without the network", "", [.revision, .part])
        case .check: ("check the pages of the published site", "", [])
        case .verify:
            (
                "check archive, site and snapshots offline: every byte is derived again and compared",
                " [archive|site|snapshot]", [.key]
            )
        case .snapshot:
            (
                "put a revision into a dated package: a BagIt bag, as a folder and a tar, and a web archive (WACZ)",
                "", [.revision, .key]
            )
        case .log: ("list the archive's revisions: their dates, counts and what changed", "", [])
        case .diff:
            ("print what changed from one revision to another: numbers, or days as 2018-05-01", " OLD NEW", [])
        case .importState:
            ("take a state of the API that was kept as JSON arrays as a revision of its date", " DIR", [.date])
        case .serve: ("show the published site on this machine", "", [.port, .watch, .allowHost])
        case .sample:
            (
                "serve an invented universe with the same API", "",
                [.port, .characters, .seed, .portraits, .changed, .latency, .allowHost]
            )
        case .initialize:
            ("write a small project to change: configuration, templates and a Makefile", " DIR", [])
        case .card: ("capture one character with all that its card shows, and render that page", " ID", [])
        }
    }

    var summary: String { entry.summary }
    var operands: String { entry.operands }
    var options: [Option] { entry.options + Option.common }
    var ownOptions: [Option] { entry.options }
    var operandValues: Values { Values(of: operands) }
}

/// What a shell can offer for a value.
enum Values: Equatable {
    case none, files, folders
    case words([String])

    /// - Parameter word: as the help shows it.
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
    /// Without any of these characters at both ends.
    fileprivate func trimming(_ characters: String) -> String {
        String(drop { characters.contains($0) }.reversed().drop { characters.contains($0) }.reversed())
    }
}

/// The program's options.
enum Option: String, CaseIterable {
    case api, source, output, templates, config, connections, quiet, verbose, json, help, version, man, completions
    case port, characters, seed, portraits, changed, latency, revision, date, key, part, watch
    case baseURL = "base-url"
    case allowHost = "allow-host"

    /// Options of every verb.
    static let common: [Option] = [
        .api, .source, .output, .templates, .baseURL, .config, .connections, .quiet, .verbose, .json, .help, .version,
    ]

    /// Options of the program without a verb.
    static let general: [Option] = [.help, .version, .man, .completions]

    /// The word for the option's value, nil for switches, and one line of help.
    private var entry: (argument: String?, summary: String) {
        switch self {
        case .api: ("URL", "the API's address (default: the catalogue's own)")
        case .source: ("S", "auto, live, archive or sample (default: auto)")
        case .output: ("DIR", "where site/ and archive/ are (default: Output)")
        case .templates:
            ("DIR", "the folder of templates (default: Templates, else the one that came with the program)")
        case .baseURL:
            ("URL", "where the site will be hosted, for its site map and absolute links (default: not known)")
        case .config: ("FILE", "a configuration file (default: amber.json, where there is one)")
        case .connections: ("N", "requests under way at once (default: 8)")
        case .quiet: (nil, "print nothing but errors")
        case .verbose: (nil, "say more: each request with its status, bytes and milliseconds")
        case .json: (nil, "print the summary as one JSON object on standard output")
        case .help: (nil, "this text")
        case .version: (nil, "the version")
        case .man: (nil, "the manual page, for man -l")
        case .completions: ("SHELL", "what completes verbs and options in a shell: bash, zsh or fish")
        case .port: ("P", "the port on 127.0.0.1 (default: serve 8000, sample 8090; 0 for any)")
        case .characters: ("N", "how many characters the sample has (default: 826)")
        case .seed: ("N", "which universe it is (default: 1)")
        case .portraits: ("N", "how many portraits differ; they come again in turn (default: all)")
        case .changed:
            ("IDS", "characters that go by another name, as after a change of the data: 7 or 7,8 (default: none)")
        case .revision: ("R", "which revision: its number, or a day as 2018-05-01 (default: the newest)")
        case .part:
            (
                "K/N",
                "make a part only, such as 2/3, into parts/2-of-3 of the output folder, without publishing "
                    + "(default: all)"
            )
        case .key:
            (
                "FILE",
                "an Ed25519 key in PEM: snapshot signs the package with the private key, verify checks it with the "
                    + "public key"
            )
        case .date: ("DAY", "the day in UTC that the state is of, as 2018-05-01")
        case .watch: (nil, "make the pages anew when a template or a text is saved, and show them in the browser")
        case .latency: ("MS", "milliseconds before each answer (default: 0)")
        case .allowHost:
            (
                "NAME",
                "answer for this host name too, such as a proxy's; can be given several times (default: this "
                    + "machine's names only)"
            )
        }
    }

    var argument: String? { entry.argument }
    var summary: String { entry.summary }
    var values: Values { Values(of: argument) }
    var flag: String { "--\(rawValue)" }
}
