/// The manual page, made from the tables that the command line is read with: roff with man(7)'s macros.
enum Manual {
    static var page: String {
        [
            ".TH AMBER 1 \"\" \"Amber \(text(AmberCommand.version))\" \"User Commands\"", section("NAME"),
            "amber \\- \(text(Help.purpose))", section("SYNOPSIS"), ".B amber\n.I VERB\n.RI [ options ]",
            Option.general.map { ".br\n.B amber \(flag($0))" }.joined(separator: "\n"), section("DESCRIPTION"),
            text(description),
            section("VERBS"), Verb.allCases.map(verb).joined(separator: "\n"), section("OPTIONS"), text(options),
            Option.common.map(option).joined(separator: "\n"), ".PP\nWithout a verb:",
            Option.general.filter { !Option.common.contains($0) }.map(option).joined(separator: "\n"),
            section("EXIT STATUS"),
            ExitCode.allCases.map { entry(".B \($0.rawValue)", $0.summary) }.joined(separator: "\n"),
            section("ENVIRONMENT"),
            environment.map { entry(".B \($0)", $1) }.joined(separator: "\n"), section("FILES"),
            files.map { entry(".I \(text($0))", $1) }.joined(separator: "\n"), section("EXAMPLES"),
            examples.map { entry(".B \(text($0))", $1) }.joined(separator: "\n"),
        ].joined(separator: "\n") + "\n"
    }
}

extension Manual {
    private static let description = """
        Amber asks a web API for everything it has, proves that it got it all, and keeps every answer byte for byte in \
        an archive on disk. \
        From the archive it renders a site that any static server can host and that opens by double click. Without a \
        network it \
        renders the newest revision in the archive, or, where there is none, an invented sample, and says so.
        """

    private static let options =
        "All verbs take these. Options may be shortened as long as they stay unambiguous, and may stand anywhere."

    private static let environment = [
        ("SSL_CERT_FILE", "a file of the authorities (PEM) whose certificates are trusted instead of the system's own"),
        ("TMPDIR", "where files go that nobody keeps (default: /tmp)"),
    ]

    private static let files = [
        ("amber.json", "the configuration in the working folder; README tells its keys"),
        ("Templates/", "templates, texts, style and scripts in the working folder"),
        ("../share/amber/Templates/", "beside the program's own folder: the templates that came with it"),
        ("Output/archive/", "every answer and picture; a copy of this folder is a backup"),
        ("Output/site/", "the published site; it can be made again from the archive"),
        ("Output/snapshots/", "packages of revisions"),
        ("Output/.amber/", "the lock, and the hidden tree that becomes the next site"),
    ]

    private static let examples = [
        ("amber build", "Build the site into Output/site"),
        ("amber build --source sample && amber serve", "Build it from invented data, and look at it"),
        ("amber init my-site && cd my-site && make site", "Begin a project with templates to change"),
        ("amber diff 2018-05-01 2018-05-23", "Print what changed between two days"),
        (
            "amber snapshot --key private.pem && amber verify snapshot --key public.pem",
            "Seal the newest revision, signed, and check it"
        ),
    ]

    private static func verb(_ verb: Verb) -> String {
        let title = ".B \(verb.rawValue)\(text(verb.operands))"
        guard !verb.options.isEmpty else { return entry(title, verb.summary) }
        return "\(entry(title, verb.summary))\n.RS\n\(verb.options.map(option).joined(separator: "\n"))\n.RE"
    }

    private static func option(_ option: Option) -> String { entry(".B \(flag(option))", option.summary) }

    private static func flag(_ option: Option) -> String {
        text("--\(option.rawValue)") + (option.argument.map { " \\fI\(text($0))\\fP" } ?? "")
    }

    private static func entry(_ title: String, _ summary: String) -> String { ".TP\n\(title)\n\(text(summary))" }

    private static func section(_ title: String) -> String { ".SH \(title)" }

    /// Plain text as roff reads it: backslashes and hyphens mean themselves, and no line begins with a request
    /// (groff(7)).
    private static func text(_ plain: String) -> String {
        let escaped = plain.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&\(escaped)" : escaped
    }
}
