import Catalogue
import CatalogueEngine
import Discovery
import Platform
import Site

extension Run {
    func writeProject() async throws -> ExitCode {
        guard arguments.operands.count == 1, let folder = arguments.operands.first, !folder.isEmpty else {
            throw Failure.usage("init requires one folder: amber init my-site")
        }
        guard let site = arguments[.wordpress] else {
            if settings.describesAPI { return try await describe(into: folder) }
            if let option = Verb.initialize.ownOptions.first(where: arguments.has) {
                throw Failure.usage(
                    "\(option.flag) requires --api, without --catalogue and without a catalogue in the configuration")
            }
            return try await writeProject(into: folder)
        }
        let (api, isInQuery) = try await wordPress(site)
        var found = arguments
        (found[.wordpress], found[.catalogue], found[.api]) = (nil, "wordpress", api)
        return try await Run(found).writeProject(into: folder, isInQuery: isInQuery)
    }

    /// The address of a WordPress site's API, and whether its paths are in queries, as in "?rest_route=/wp/v2/posts".
    private func wordPress(_ site: String) async throws -> (api: String, isInQuery: Bool) {
        let others = [.api, .catalogue] + Verb.initialize.ownOptions.filter { $0 != .wordpress }
        if let option = others.first(where: arguments.has) {
            throw Failure.usage(
                "--wordpress finds the API and chooses the catalogue, so it cannot be combined with \(option.flag)")
        }
        let address = try Settings.address(site, called: "the site's address")
        let (found, reasons) = try await withSurvey(of: address) { (await $0.wordPressRoot(), await $0.reasons) }
        let root = try Failure.require(
            found, as: .notCaptured,
            "no WordPress with an API was found at \(address)\(reasons.map { " (\($0))" } ?? ""): use the address "
                + "that a browser shows for its home page; some sites switch their API off")
        try Failure.require(
            !root.isElsewhere,
            "\(address) says that its API is \(root.address), on another host; if you trust it, run amber init with "
                + "--catalogue wordpress --api \(root.address)wp/v2")
        guard let query = root.address.firstIndex(of: "?") else { return ("\(root.address)wp/v2", false) }
        let page = root.address[..<query]
        return (String(page.hasSuffix("/index.php") ? page.dropLast(9) : page), true)
    }

    /// Writes a new project: configuration, templates, and a Makefile that calls the program.
    /// - Parameter isInQuery: whether the paths of the API's lists are in the query of its address.
    private func writeProject(into folder: String, isInQuery: Bool = false) async throws -> ExitCode {
        // Do not copy templates that contain an error.
        let templates = try readTemplates()
        _ = try compile(templates)
        try requireEmpty(folder)
        let catalogue = "Catalogues/\(settings.catalogue.name)"
        let isBlog = settings.catalogue.name == "wordpress" && arguments[.api] != nil
        let title = try await isBlog ? withSurvey(of: settings.api) { await $0.siteName() } : nil
        let configuration: JSON = [
            "catalogue": .text(settings.catalogue.name), "api": .text(settings.api),
            "searches": try settings.searches, "baseURL": settings.baseURL.map { .text($0) },
        ]
        let files =
            templates.contents.map { ("Templates/\($0.path)", $0.bytes) }
            + templates.catalogueContents.map { path, bytes in
                guard path == TemplateSource.declaration else { return ("\(catalogue)/\(path)", bytes) }
                var text = String(decoding: bytes, as: UTF8.self)
                if isInQuery {
                    text.replace(/"path": "([^"?]+)\?/) { #""path": "index.php?rest_route=/wp/v2/\#($0.1)&"# }
                }
                if let title {
                    text.replace(/"title": "[^"]*"/, with: "\"title\": \(JSON.text(title))", maxReplacements: 1)
                }
                return ("\(catalogue)/\(path)", Array(text.utf8))
            } + [("Makefile", Array(Self.makefile.utf8))]
        let count = try write(to: folder, configuration, files)
        output(
            ["folder": .text(folder), "templates": .integer(count)],
            lines: [
                "Created a project in \(folder): amber.json, Makefile, .gitignore and \(count) files in Templates and "
                    + "Catalogues.",
                "Next, if amber is in your PATH: cd \(Settings.quoted(folder)) && make site; make serve "
                    + "(\(Settings.preview))",
            ])
        return .done
    }

    func requireEmpty(_ folder: String) throws {
        guard let name = try Folder.names(in: folder).first else { return }
        throw Failure(.outputInUse, "\(folder) is not empty: it contains \(name); choose an empty folder or a new one")
    }

    /// Writes the files of a project. Its configuration also gets the keys about requests of this run.
    /// - Returns: the number of files in folders.
    func write(to folder: String, _ configuration: JSON, _ files: [(path: String, bytes: [UInt8])]) throws -> Int {
        let lines = try ((configuration.members ?? []) + settings.configuration.kept).map {
            "    \"\($0.key)\": \(String(decoding: $0.value.bytes, as: UTF8.self))"
        }
        let own = [
            ("amber.json", "{\n\(lines.joined(separator: ",\n"))\n}\n"), (".gitignore", "/Output/\n/private.pem\n"),
        ]
        try Folder.make(folder)
        let project = try Folder.open(folder)
        for (path, bytes) in files + own.map({ ($0, Array($1.utf8)) }) {
            if let slash = path.lastIndex(of: "/") { try project.makeAll(String(path[..<slash])) }
            try File.writeNew(bytes, to: path, in: project)
        }
        return files.count { $0.path.contains("/") }
    }

    private static let makefile = #"""
        # `make help` lists the commands of this project. Details: amber --help, man amber.
        # If amber is not in your PATH: make site AMBER=/path/to/amber
        AMBER ?= amber
        SOURCE ?= auto
        PORT ?= 8000
        # Quotes a value as one word for the shell.
        quoted = '$(subst ','\'',$(1))'
        OPTIONS := $(if $(OUTPUT),--output $(call quoted,$(OUTPUT))) $(if $(API),--api $(call quoted,$(API))) $(if \#
        $(CONFIG),--config $(call quoted,$(CONFIG)))

        .PHONY: site serve watch check verify snapshot help

        site: ## build the site in Output/site: SOURCE=auto|live|archive|sample  OUTPUT=DIR  CONFIG=FILE
        \#t@exec env AMBER_CALLER=make $(AMBER) build $(OPTIONS) --source $(SOURCE)

        serve: ## serve the site on http://127.0.0.1:8000: PORT=P  OUTPUT=DIR
        \#t@exec env AMBER_CALLER=make $(AMBER) serve $(OPTIONS) --port $(PORT)

        watch: ## serve the site, and show saved templates immediately
        \#t@exec env AMBER_CALLER=make $(AMBER) serve --watch $(OPTIONS) --port $(PORT)

        check: ## check the pages of the published site
        \#t@exec env AMBER_CALLER=make $(AMBER) check $(OPTIONS)

        verify: ## check archive, site and snapshots offline, byte for byte: KEY=FILE
        \#t@exec env AMBER_CALLER=make $(AMBER) verify $(OPTIONS) $(if $(KEY),--key $(call quoted,$(KEY)))

        snapshot: ## write a package of a revision to Output/snapshots: REVISION=R  KEY=FILE
        \#t@exec env AMBER_CALLER=make $(AMBER) snapshot $(OPTIONS) $(if $(REVISION),--revision $(REVISION)) $(if \#
        $(KEY),--key $(call quoted,$(KEY)))

        help: ## print this list
        \#t@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-13s%s\n", $$1, $$2 }' $(MAKEFILE_LIST)

        """#
}
