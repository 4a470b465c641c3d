/// What the program can be asked to do.
enum Verb: String, CaseIterable {
    case build, capture
    case importState = "import"
    case render, check, verify, snapshot, log, diff, serve, sample, card
    case initialize = "init"

    /// One line for the list of verbs.
    var summary: String {
        switch self {
        case .build: "capture, render, check and publish: the whole way from the API to a site"
        case .capture: "bring the API's answers and pictures into the archive"
        case .render: "make the site from the archive, without the network"
        case .check: "check the pages of the published site"
        case .verify: "check archive, site and snapshots offline: every byte is derived again and compared"
        case .snapshot:
            "put a revision into a dated package: a BagIt bag, as a folder and a tar, and a web archive (WACZ)"
        case .log: "list the archive's revisions: their dates, counts and what changed"
        case .diff: "print what changed from one revision to another: numbers, or days as 2018-05-01"
        case .importState: "take a state of the API that was kept as JSON arrays as a revision of its date"
        case .serve: "show the published site on this machine"
        case .sample: "serve an invented universe with the same API"
        case .initialize: "write a small project to change: configuration, templates and a Makefile"
        case .card: "capture one character with all that its card shows, and render that page"
        }
    }

    /// What stands behind the verb on the command line.
    var operands: String {
        switch self {
        case .card: " ID"
        case .diff: " OLD NEW"
        case .importState, .initialize: " DIR"
        case .verify: " [archive|site|snapshot]"
        default: ""
        }
    }

    /// What a shell can offer for the operands.
    var operandValues: Values {
        switch self {
        case .importState, .initialize: .folders
        case .verify: .words(operands.split { " [|]".contains($0) }.map(String.init))
        default: .none
        }
    }

    /// The options that it understands beside those of all.
    var options: [Option] {
        switch self {
        case .build, .capture: [.characters, .seed]
        case .render: [.revision, .part]
        case .snapshot: [.revision, .key]
        case .verify: [.key]
        case .importState: [.date]
        case .serve: [.port, .watch, .allowHost]
        case .sample: [.port, .characters, .seed, .portraits, .changed, .latency, .allowHost]
        default: []
        }
    }
}

/// What a shell can offer for a value.
enum Values: Equatable {
    case none, files, folders
    case words([String])
}

/// The program's options.
enum Option: String, CaseIterable {
    case api, source, output, templates, config, connections, quiet, verbose, json, help, version, man, completions
    case port, characters, seed, portraits, changed, latency, revision, date, key, part, watch
    case baseURL = "base-url"
    case allowHost = "allow-host"

    /// Options of every stage.
    static let common: [Option] = [
        .api, .source, .output, .templates, .baseURL, .config, .connections, .quiet, .verbose, .json, .help, .version,
    ]

    /// Options of the program without a verb.
    static let general: [Option] = [.help, .version, .man, .completions]

    /// The word for the option's value; nil for switches.
    var argument: String? {
        switch self {
        case .api, .baseURL: "URL"
        case .source: "S"
        case .output, .templates: "DIR"
        case .config, .key: "FILE"
        case .connections, .characters, .seed, .portraits: "N"
        case .changed: "IDS"
        case .port: "P"
        case .allowHost: "NAME"
        case .latency: "MS"
        case .revision: "R"
        case .date: "DAY"
        case .part: "K/N"
        case .completions: "SHELL"
        case .quiet, .verbose, .json, .help, .version, .man, .watch: nil
        }
    }

    /// What a shell can offer for the option's value.
    var values: Values {
        switch (self, argument) {
        case (.source, _): .words(SourceChoice.allCases.map(\.rawValue))
        case (.completions, _): .words(Shell.allCases.map(\.rawValue))
        case (_, "DIR"): .folders
        case (_, "FILE"): .files
        default: .none
        }
    }

    /// One line of help.
    var summary: String {
        switch self {
        case .api: "the API's address (default: the catalogue's own)"
        case .source: "auto, live, archive or sample (default: auto)"
        case .output: "where site/ and archive/ are (default: Output)"
        case .templates: "the folder of templates (default: Templates, else the one that came with the program)"
        case .baseURL: "where the site will be hosted, for its site map and absolute links (default: not known)"
        case .config: "a configuration file (default: amber.json, where there is one)"
        case .connections: "requests under way at once (default: 8)"
        case .quiet: "print nothing but errors"
        case .verbose: "say more: each request with its status, bytes and milliseconds"
        case .json: "print the summary as one JSON object on standard output"
        case .help: "this text"
        case .version: "the version"
        case .man: "the manual page, for man -l"
        case .completions: "what completes verbs and options in a shell: bash, zsh or fish"
        case .port: "the port on 127.0.0.1 (default: serve 8000, sample 8090; 0 for any)"
        case .characters: "how many characters the sample has (default: 826)"
        case .seed: "which universe it is (default: 1)"
        case .portraits: "how many portraits differ; they come again in turn (default: all)"
        case .changed: "characters that go by another name, as after a change of the data: 7 or 7,8 (default: none)"
        case .revision: "which revision: its number, or a day as 2018-05-01 (default: the newest)"
        case .part:
            "make a part only, such as 2/3, into parts/2-of-3 of the output folder, without publishing (default: all)"
        case .key:
            "an Ed25519 key in PEM: snapshot signs the package with the private key, verify checks it with the public "
                + "key"
        case .date: "the day in UTC that the state is of, as 2018-05-01"
        case .watch: "make the pages anew when a template or a text is saved, and show them in the browser"
        case .latency: "milliseconds before each answer (default: 0)"
        case .allowHost:
            "answer for this host name too, such as a proxy's; can be given several times (default: this machine's "
                + "names only)"
        }
    }
}
