/// The texts of --help and the manual page, generated from the tables in Verb.swift.
enum Help {
    private static let purpose = "captures a web API as a static site"

    static func text(for verb: Verb?) -> String {
        guard let verb else {
            return """
                Usage: amber VERB [options]

                Amber \(purpose).

                \(table(Verb.allCases.map { ($0.rawValue + $0.operands, $0.summary) }))

                Help for one verb: amber VERB --help

                \(table(Option.withoutVerb.map { (flag($0), $0.summary) }))

                """
        }
        return """
            Usage: amber \(verb.rawValue)\(verb.operands) [options]

            \(verb.summary.prefix(1).uppercased() + verb.summary.dropFirst()).

            \(table(verb.options.map { (flag($0), $0.summary) }))

            """
    }

    static func flag(_ option: Option) -> String { option.flag + (option.argument.map { " \($0)" } ?? "") }

    /// Two columns in lines of at most 80 characters.
    private static func table(_ rows: [(name: String, summary: String)]) -> String {
        let width = rows.map(\.name.count).max() ?? 0
        let indent = String(repeating: " ", count: width + 4)
        return rows.map { name, summary in
            let words = summary.split(separator: " ").map(String.init)
            let lines = words.dropFirst().reduce(into: words.prefix(1)) { lines, word in
                let longer = "\(lines[lines.count - 1]) \(word)"
                if indent.count + longer.count > 80 { lines.append(word) } else { lines[lines.count - 1] = longer }
            }
            return "  " + name + indent.dropFirst(name.count + 2) + lines.joined(separator: "\n\(indent)")
        }.joined(separator: "\n")
    }

    /// The manual page: roff with man(7)'s macros.
    static var manual: String {
        let synopsis = Option.withoutVerb.map { "\n.br\n.B amber \(roffFlag($0))" }.joined()
        let sections: [(title: String, text: String)] = [
            ("NAME", "amber \\- \(roff(purpose))"), ("SYNOPSIS", ".B amber\n.I VERB\n.RI [ options ]\(synopsis)"),
            ("DESCRIPTION", roff(description)), ("VERBS", Verb.allCases.map(entry).joined(separator: "\n")),
            (
                "OPTIONS",
                "\(roff(options))\n\(entries(of: Option.common))\n.PP\nWithout a verb:\n"
                    + entries(of: Option.withoutVerb.filter { !Option.common.contains($0) })
            ),
            ("EXIT STATUS", entries(".B", ExitCode.allCases.map { ("\($0.rawValue)", $0.summary) })),
            ("ENVIRONMENT", entries(".B", environment)), ("FILES", entries(".I", files)),
            ("EXAMPLES", entries(".B", examples)),
        ]
        let head = ".TH AMBER 1 \"\" \"Amber \(roff(AmberCommand.version))\" \"User Commands\"\n"
        return head + sections.map { ".SH \($0.title)\n\($0.text)\n" }.joined()
    }

    private static let description = """
        Amber captures a web API completely, proves that nothing is missing, and keeps every answer byte for byte in \
        an archive on disk. \
        From the archive it renders a site that any static server can host and that a browser can open from disk. \
        If the API cannot be reached, it renders the newest revision in the archive. \
        If the archive has no revision, it renders an invented sample and says so.
        """

    private static let options =
        "All verbs accept these options. An option may be abbreviated if the abbreviation is unambiguous. Options may "
        + "follow operands."

    private static let environment = [
        ("SSL_CERT_FILE", "a PEM file with certificate authorities to trust in addition to the system's"),
        ("TMPDIR", "the folder for temporary files (default: /tmp)"),
    ]

    private static let files = [
        ("amber.json", "the configuration, in the working folder; docs/reference.md lists its keys"),
        ("Templates/", "the templates, texts, style and scripts, in the working folder"),
        ("../share/amber/Templates/", "the installed templates; the path is relative to the program's folder"),
        ("Output/archive/", "every answer and picture; a copy of this folder is a backup"),
        ("Output/site/", "the published site; it can be rebuilt from the archive"),
        ("Output/snapshots/", "packages of revisions"),
        ("Output/.amber/", "the lock, and the hidden folder that becomes the next site"),
    ]

    private static let examples = [
        ("amber build", "Build the site into Output/site"),
        ("amber build --source sample && amber serve", "Build the site from invented data and serve it"),
        ("amber init my-site && cd my-site && make site", "Create a project with its own templates, and build it"),
        ("amber diff 2018-05-01 2018-05-23", "Print what changed between two days"),
        (
            "amber snapshot --key private.pem && amber verify snapshot --key public.pem",
            "Package and sign the newest revision, and check the package"
        ),
    ]

    private static func entry(_ verb: Verb) -> String {
        let options = verb.ownOptions.isEmpty ? "" : "\n.RS\n\(entries(of: verb.ownOptions))\n.RE"
        return entries(".B", [(verb.rawValue + verb.operands, verb.summary)]) + options
    }

    private static func entries(of options: [Option]) -> String {
        options.map { ".TP\n.B \(roffFlag($0))\n\(roff($0.summary))" }.joined(separator: "\n")
    }

    private static func entries(_ font: String, _ rows: [(title: String, summary: String)]) -> String {
        rows.map { ".TP\n\(font) \(roff($0.title))\n\(roff($0.summary))" }.joined(separator: "\n")
    }

    private static func roffFlag(_ option: Option) -> String {
        roff(option.flag) + (option.argument.map { " \\fI\(roff($0))\\fP" } ?? "")
    }

    /// Escapes plain text for roff: backslashes and hyphens are literal, and no line begins with a request (groff(7)).
    private static func roff(_ plain: String) -> String {
        let escaped = plain.replacing("\\", with: "\\e").replacing("-", with: "\\-")
        return escaped.hasPrefix(".") || escaped.hasPrefix("'") ? "\\&\(escaped)" : escaped
    }
}
