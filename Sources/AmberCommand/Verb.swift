/// The verbs. The arguments, help, manual and completions all use this table and that of `Option`.
enum Verb: String, CaseIterable {
    case build, capture
    case importState = "import"
    case render, check, deploy, verify, snapshot, log, diff, serve, sample, card
    case initialize = "init"

    var summary: String {
        switch self {
        case .build: "capture the API, then render, check and publish the site"
        case .capture: "store the API's answers and pictures in the archive"
        case .render: "build the site from the archive, without the network"
        case .check: "check the pages of the published site"
        case .deploy:
            "send the changed files of the published site to TARGET, a path of rclone such as remote:bucket/path"
        case .verify: "check archive, site and snapshots offline: compute every byte again and compare"
        case .snapshot: "write a package of a revision: a BagIt bag, as a folder and a tar, and a web archive (WACZ)"
        case .log: "list the archive's revisions: dates, counts and changes"
        case .diff: "print the changes between two revisions: numbers, or days such as 2018-05-01"
        case .importState:
            "add an old state of the API, stored as JSON arrays in DIR, to the archive as a revision with the day in "
                + "--date"
        case .serve: "serve the published site on this machine"
        case .sample: "serve an invented universe with the same API"
        case .initialize:
            "create a project: for the API at --api, which it looks at and describes, for the WordPress site at "
                + "--wordpress, or for a catalogue"
        case .card: "capture one character with everything that its card shows, and render its page"
        }
    }

    /// The operands, and the options besides the common ones.
    private var parameters: (operands: String, options: [Option]) {
        switch self {
        case .build, .capture: ("", [.full, .characters, .seed])
        case .render: ("", [.revision, .part, .merge])
        case .check, .log: ("", [])
        case .deploy: (" TARGET", [.dryRun])
        case .verify: (" [archive|site|snapshot]", [.key])
        case .snapshot: ("", [.revision, .key])
        case .diff: (" OLD NEW", [])
        case .importState: (" DIR", [.date])
        case .serve: ("", [.port, .watch, .allowHost])
        case .sample: ("", [.port, .characters, .seed, .portraits, .changed, .latency, .allowHost])
        case .initialize: (" DIR", [.wordpress, .list, .only, .header, .dryRun])
        case .card: (" ID", [])
        }
    }

    var operands: String { parameters.operands }
    var ownOptions: [Option] { parameters.options }
    var options: [Option] { ownOptions + Option.common }
}

enum Option: String, CaseIterable {
    case api, source, output, templates, catalogue, config, connections, quiet, verbose, json, help, version, man,
        completions
    case wordpress, list, only, header, full
    case dryRun = "dry-run"
    case port, characters, seed, portraits, changed, latency, revision, date, key, part, merge, watch
    case baseURL = "base-url"
    case allowHost = "allow-host"

    static let common: [Option] = [
        .api, .source, .output, .templates, .catalogue, .baseURL, .config, .connections, .quiet, .verbose, .json, .help,
        .version,
    ]

    static let withoutVerb: [Option] = [.help, .version, .man, .completions]

    /// The word for the option's value, which also decides how shells complete it; nil for switches.
    var argument: String? {
        switch self {
        case .api, .baseURL, .wordpress, .list: "URL"
        case .source: "S"
        case .output, .templates: "DIR"
        case .config, .key: "FILE"
        case .catalogue, .allowHost: "NAME"
        case .connections, .characters, .seed, .portraits, .merge: "N"
        case .completions: "SHELL"
        case .port: "P"
        case .changed: "ID"
        case .revision: "R"
        case .part: "K/N"
        case .only: "KINDS"
        case .header: "TEXT"
        case .date: "DAY"
        case .latency: "MS"
        case .quiet, .verbose, .json, .help, .version, .man, .dryRun, .watch, .full: nil
        }
    }

    var summary: String {
        switch self {
        case .api: "the address of the API (default: the catalogue's public API; offline, the archive's only API)"
        case .source:
            "the source of the data: live (the API), archive (captured data), sample (invented data), or auto, which "
                + "tries these in this order, but in capture and card uses only the API (default: auto)"
        case .output: "the output folder, which contains site/, archive/ and snapshots/ (default: Output)"
        case .templates:
            "the folder of templates (default: Templates, or if missing, the folder installed with the program)"
        case .catalogue:
            "the catalogue: the name of a folder in Catalogues, or the path of a folder (default: rickandmorty)"
        case .baseURL: "the address where the site will be hosted, for its site map and absolute links (default: none)"
        case .config: "a configuration file (default: amber.json, if it exists)"
        case .connections: "the number of concurrent requests (default: 8)"
        case .quiet: "print only errors and warnings"
        case .verbose: "also print each request with its status, size in bytes and duration in milliseconds"
        case .json: "print the summary as one JSON object on standard output"
        case .help: "print this help"
        case .version: "print the version"
        case .man: "print the manual page, for man -l"
        case .completions: "print a completion script for a shell: bash, zsh or fish"
        case .port: "the port on 127.0.0.1 (default: 8000 for serve, 8090 for sample; 0: any free port)"
        case .full: "read all pages of all lists, not only changed records"
        case .characters: "the number of characters in the sample (default: 826)"
        case .seed: "the seed of the random numbers that create the sample (default: 1)"
        case .portraits: "the number of different portraits; characters share them (default: one for each character)"
        case .changed: "the id of a character to rename, to simulate a change of the data (default: none)"
        case .revision:
            "the number of a revision, or a day such as 2018-05-01, for the last revision up to the end of that day "
                + "(default: the newest)"
        case .part:
            "render only one part, such as 2/3, into parts/2-of-3 of the output folder, without publishing (default: "
                + "all)"
        case .merge: "check and publish the N parts that were rendered with --part, instead of rendering the site"
        case .key:
            "an Ed25519 key in PEM: snapshot signs the package with the private key, verify checks it with the public "
                + "key"
        case .wordpress: "the address of a WordPress site, whose API is found and captured"
        case .list:
            "the address of a list that the API does not name itself, or its path below the API; can be repeated"
        case .only: "the names of the lists to describe, with commas between them (default: all)"
        case .header:
            "a field of the header of each request, such as 'Authorization: Token {env:TOKEN}', where TOKEN is an "
                + "environment variable (after \"Basic\", its value is encoded in base64); can be repeated"
        case .dryRun: "print what was found or would be sent and deleted, and write nothing"
        case .date: "the day of the state in UTC, such as 2018-05-01"
        case .watch:
            "when a template, a text or the catalogue is saved, reload open pages in the browser and publish the site "
                + "again"
        case .latency: "the delay before each answer in milliseconds (default: 0)"
        case .allowHost:
            "also answer requests for this host name, such as a proxy's; can be repeated (default: only this machine's "
                + "names)"
        }
    }

    var flag: String { "--\(rawValue)" }
}
