import Capture
import Catalogue
import CatalogueEngine
import Discovery
import Platform

extension Run {
    /// Looks at an API and writes a project with a catalogue that describes it.
    func describe(into folder: String) async throws -> ExitCode {
        // If lists are queries of a file such as "api.php", the address of the API is that of the file's folder.
        let address = arguments.has(.list) ? APISurvey.folder(of: settings.api) : settings.api
        let lists = arguments.all(.list).map { list in
            let path = list.replacing(" ", with: "%20")
            if path.contains("://") { return path }
            let onHost = WebLinks.absolute(path, on: address)
            return onHost.utf8.starts(with: "\(address)/".utf8) ? onHost : "\(address)/\(path.trimmingPrefix("/"))"
        }
        for list in lists where !list.utf8.starts(with: "\(address)/".utf8) {
            let shared = zip(address.split(separator: "/"), list.split(separator: "/")).prefix { $0 == $1 }.map(\.0)
            let root = shared.count > 1 ? "; use --api \(shared[0])//\(shared[1...].joined(separator: "/"))" : ""
            throw Failure.usage("--list requires an address below \(address), not \"\(list)\"\(root)")
        }
        for parameter in lists.flatMap({ $0.drop { $0 != "?" }.dropFirst().split(separator: "&") }) {
            let name = String(parameter.prefix { $0 != "=" })
            try Failure.require(
                !Self.isSecret(name),
                "--list would store the value of \(name) in catalogue.json; describe the API without it, and add it to "
                    + "the path by hand as {env:NAME} (docs/catalogue.md)")
        }
        let headers = try arguments.all(.header).map(Self.header)
        if let twice = headers.first(where: { header in headers.count { $0.name == header.name } > 1 }) {
            throw Failure.usage("--header has \(twice.name) twice")
        }
        let isDryRun = arguments.has(.dryRun)
        if !isDryRun { try requireEmpty(folder) }
        let names = Set(headers.flatMap { Secrets.names(in: $0.value) }).sorted()
        // The user names the variables on this command line, so they are allowed.
        let secrets = try Settings.secrets(names, allowed: names, headers, api: address)
        let only = arguments[.only]?.split(separator: ",").map(String.init) ?? []
        let (description, reasons) = try await withSurvey(of: address, secrets) { survey in
            do {
                return (try await survey.describe(lists: lists, only: only), await survey.reasons)
            } catch let fault as ContentFault {
                throw Failure.usage("\(fault)")
            }
        }
        let found = try Failure.require(
            description, as: .notCaptured,
            "no list of records was found\(reasons.map { " (\($0))" } ?? "") at \(address): name "
                + "\(lists.isEmpty ? "one" : "another") with --list, use --wordpress for a WordPress site, or "
                + "write catalogue.json by hand (docs/catalogue.md; its row \"one address, lists in queries\" is "
                + "for an API such as api.php)")
        let name = Self.name(of: found.api)
        let words = SitePath.words(found.title ?? "", bytes: 40)
        let host = found.api.split(separator: "/").dropFirst().first ?? ""
        let text = found.declaration(
            name: name ?? (words.isEmpty ? "api" : words), title: found.title ?? name?.label ?? String(host),
            language: settings.configuration.language, headers: headers.map { ($0.name, .text($0.value)) })
        let declaration: CatalogueDeclaration
        do {
            declaration = try CatalogueDeclaration(Array(text.utf8))
        } catch {
            throw Failure(
                .notCaptured,
                "the API was described, but the description is not valid (\(error)); name its lists with --list, or "
                    + "leave some out with --only")
        }
        let report = found.table
        if !isDryRun {
            let configuration: JSON = [
                "catalogue": .text("./catalogue"),
                "api": declaration.api == found.address ? nil : .text(found.address),
                "secrets": names.isEmpty ? nil : .list(names.map { .text($0) }),
            ]
            let missing =
                found.refused.isEmpty
                ? "" : "\nThe site lacks the lists that are not captured. To add one, describe it in catalogue.json.\n"
            let readme = """
                # \(declaration.title)

                An archive of \(found.api) as a static site. `amber build` captures the API and builds the site in
                Output/site. catalogue/catalogue.json describes the API; edit it to change the pages.
                `amber serve --watch` shows each change on the open page.

                `amber init` found this:

                \(report.map { "    \($0)" }.joined(separator: "\n"))
                \(missing)
                """
            _ = try write(
                to: folder, configuration,
                [("catalogue/catalogue.json", Array(text.utf8)), ("README.md", Array(readme.utf8))])
        }
        let end =
            isDryRun
            ? text.split(separator: "\n").map(String.init)
            : [
                "Created \(folder). Next: cd \(Settings.quoted(folder)) && amber build; amber serve "
                    + "(\(Settings.preview))",
                "To change the pages, edit catalogue/catalogue.json. amber serve --watch shows each change on the open "
                    + "page.",
            ]
        output(
            [
                "folder": .text(folder), "lists": .list(found.lists.map { .text($0.name) }),
                "notCaptured": .list(found.refused.map { .text($0.name) }),
                "doubts": .list(found.doubts.map { .text($0) }),
            ], lines: report + [""] + end)
        return .done
    }

    /// Looks at an API or a site, with a temporary folder for large answers.
    func withSurvey<Value: Sendable>(
        of address: String, _ secrets: Secrets? = nil, _ work: (APISurvey) async throws -> Value
    ) async throws -> Value {
        let spill = try Folder.makeTemporary(prefix: "amber-init-")
        // The system deletes old files in its temporary folder, so an error does no harm.
        defer { try? Folder.remove(spill) }
        console.say("Looking at \(address)")
        let configuration = settings.configuration
        return try await work(
            APISurvey(
                client(spillFolder: spill, secrets, maximumPause: APISurvey.maximumPause), retry: configuration.retry,
                callsPerMinute: configuration.callsPerMinute, api: address))
    }

    /// A field of the header of each request. A secret must be a placeholder, because the catalogue stores it.
    private static func header(_ text: String) throws -> Header {
        let parts = text.split(separator: ":", maxSplits: 1).map { $0.trimmed(while: { $0 == " " }) }
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw Failure.usage("--header requires a name, a colon and a value, not \"\(text)\"")
        }
        try Failure.require(
            !Self.isSecret(String(parts[0])) || parts[1].contains("{env:"),
            "--header \(parts[0]) would store its value in catalogue.json; put the secret into an environment "
                + "variable and write '\(parts[0]): {env:NAME}'")
        let header = Header(String(parts[0]), String(parts[1]))
        if let fault = RequestDeclaration.fault(of: header) { throw Failure.usage("--header \(parts[0]) \(fault)") }
        return header
    }

    /// Whether a header field or parameter with this name usually contains a secret.
    private static func isSecret(_ name: String) -> Bool {
        // A word can end with "key" or "auth". "keyword" and "author" are no secrets.
        name.lowercased().split { !$0.isLetter }.contains { word in
            ["token", "secret", "cookie", "password", "authori", "authenti"].contains(where: word.contains)
                || ["key", "auth"].contains(where: word.hasSuffix)
        }
    }

    /// A name for the catalogue: the main part of the host; for an IP address, the last specific folder; nil for none.
    private static func name(of api: String) -> String? {
        let segments = api.split(separator: "/").dropFirst()
        let host = segments.first?.prefix { $0 != ":" } ?? ""
        let parts = host.split(separator: ".").map(String.init).filter { !["www", "api"].contains($0) }
        let hasName = !parts.allSatisfy { Int($0) != nil } && parts != ["localhost"]
        let folder = segments.dropFirst().last {
            $0.wholeMatch(of: /v?[0-9.]+|api|data|rest|json|public|rpc|services?/) == nil
        }.map(String.init)
        let name = hasName ? (parts.count > 1 ? parts[parts.count - 2] : parts[0]) : folder ?? ""
        let words = SitePath.words(name, bytes: 40)
        return ["", "api"].contains(words) ? nil : words
    }
}

extension APIDescription {
    /// The lists in columns, and the doubts.
    fileprivate var table: [String] {
        let rows =
            [["list", "records", "pages", "id", "title", "fields"]]
            + zip(lists, kinds).map { list, kind in
                [
                    list.name + (list.isDocumented ? " (OpenAPI)" : ""), list.claimed.map { "\($0)" } ?? "not stated",
                    list.paginatorType + (list.detail == nil ? "" : ", one by one")
                        + (list.memberNames.isEmpty ? "" : ", members of an object"), kind.id, kind.title ?? "none",
                    kind.fields.map(\.name).joined(separator: ", "),
                ]
            }
            + refused.map { [$0.name, "not captured", "", "", "", $0.reason] }
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        let lines = rows.map { row in
            let cells = zip(row, widths).map { $0 + String(repeating: " ", count: max(0, min($1, 40) - $0.count)) }
            return String(cells.joined(separator: "  ").trimmed { $0 == " " })
        }
        let some = lists.count < 3 ? [] : ["to select lists, for example: --only \(lists[0].name),\(lists[1].name)"]
        return (lines + doubts.map { "not certain: \($0)" } + some).map { $0.showable.singleLine }
    }
}
