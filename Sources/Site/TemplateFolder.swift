package import Archive
import Catalogue
package import Mustache
package import Pages
import Platform

/// The templates and texts of a build. They are read once. Later edits apply to the next build.
///
/// `*.mustache` files directly in the folder are templates, named after their files. `strings/*.json` are the texts,
/// one file for each language. Other files are copied into the site. The catalogue's folder adds templates and texts.
package struct TemplateFolder: Sendable {
    /// The site's languages; empty if there are no texts. The language at the site's root is first.
    package let editions: [Edition]
    /// The compiled templates: one library for each language with its texts, or one library for a site without texts.
    let libraries: [Library]
    let source: TemplateSource

    var files: [SiteFile] { source.files }
    package var digest: SHA256 { source.digest }
    private var path: String { source.path }

    /// Compiles the templates.
    /// - Parameter catalogue: adds its standard texts, and shared templates for its pages that have none of their own.
    package init(_ source: TemplateSource, for catalogue: (any SiteCatalogue)? = nil) throws {
        let source = try source.limited(to: catalogue?.languages ?? [])
        self.source = source
        try SiteError.require(
            source.contents.contains { $0.path.hasSuffix(".mustache") },
            "there are no templates (*.mustache) in \(source.path); name their folder with --templates")
        let ownPaths = try source.catalogueTexts.flatMap { try $0.read(Texts.keyPaths) }
        let own = Set(ownPaths.filter { $0.hasPrefix("texts.") }.map { String($0.dropFirst("texts.".count)) })
        editions = try Self.editions(
            source.texts.map { file in
                let texts = try Self.texts(file, source)
                return catalogue.map { texts.adding(standards: $0.texts, own: own, filters: $0.filters) } ?? texts
            }, source)
        var templates = source.templates
        for page in catalogue?.pageTemplates ?? [] where !source.templates.contains(where: { $0.name == page.name }) {
            guard let standard = source.templates.first(where: { $0.name == page.standard }) else { continue }
            templates.append(TemplateFile(name: page.name, file: standard.file, bytes: standard.bytes))
        }
        try source.requireSize(of: templates)
        let compiled = try editions.reduce(into: [Library]()) { libraries, edition in
            let usedText = libraries.reduce(0) { $0 + $1.text.count }
            libraries.append(
                try Library(templates, constants: (edition.texts.constants, source.textFolder), usedText: usedText))
        }
        libraries = compiled.isEmpty ? [try Library(templates)] : compiled
    }
}

extension TemplateFolder {
    /// The bytes of a file that is copied into the site; nil if there is none.
    func file(_ path: String) -> [UInt8]? { files.first { $0.path.text == path }?.bytes }

    /// Whether this folder and another one have the same texts, root language and declaration of the catalogue.
    func hasSameTexts(as other: TemplateFolder) -> Bool {
        func files(_ source: TemplateSource) -> [[UInt8]] {
            (source.texts + source.catalogueTexts + [source.declarationFile]).map(\.bytes)
        }
        return source.language == other.source.language && files(source) == files(other.source)
    }

    /// Checks the page templates against their page models, and that all required texts exist.
    package func check(for catalogue: any SiteCatalogue) throws {
        let requiresTexts = !catalogue.texts.isEmpty
        if requiresTexts {
            try SiteError.require(
                !editions.isEmpty,
                "there are no texts in \(path)/strings; add one file for each language, such as en.json")
            let shared = PageFrame.texts + SharedPages.texts
            for (index, texts) in editions.map(\.texts).enumerated() {
                try source.locating(texts.language, ofCatalogue: true) {
                    // Without words, the first language shows values as served.
                    for other in editions where index > 0 {
                        try texts.requireValues(of: catalogue.translatedFields, in: other.texts)
                    }
                }
                try source.locating(texts.language) { try texts.require(shared) }
                if let key = texts.missing(catalogue.texts), let error = source.missingText(key) { throw error }
                try source.locating(texts.language, ofCatalogue: true) { try texts.require(catalogue.texts) }
            }
        }
        try requireScriptTexts()
        let pages = catalogue.pageTemplates + (requiresTexts ? SharedPages.templates : [])
        // The libraries differ only in their texts.
        try libraries[0].check(pages.map { ($0.name, $0.shape) })
    }

    /// A sentence about a text of the catalogue that nothing uses, such as a misspelled one; nil if there is none.
    package func unusedText(for catalogue: any SiteCatalogue) throws -> String? {
        let used = Set((catalogue.texts.map(\.key) + (libraries.first?.usedConstants ?? [])).map { "texts.\($0)" })
        let hasScripts = source.catalogueContents.contains { $0.path.hasSuffix(".js") }
        for file in source.catalogueTexts {
            guard source.texts.contains(where: { $0.name == file.name }) else {
                return "\(file.file): is not used, because \(path)/strings has no file of this name"
            }
            // Values, and texts of filters such as "filter.genre", are named after fields.
            let groups = try file.read(Texts.keyPaths).map { path in
                path.hasPrefix("values.") ? path.split(separator: ".").prefix(2).joined(separator: ".") : path
            }
            let doubtful = Set(groups).subtracting(used).sorted().prefix(1_000).filter { path in
                let field = "\"\(path.split(separator: ".").last?.drop { $0 == "-" } ?? "")\""
                let isOfField = source.declarationFile.bytes.offset(of: Array(field.utf8)) != nil
                return path.hasPrefix("texts.") || !isOfField && !(hasScripts && path.hasPrefix("scripts."))
            }
            let shared = doubtful.isEmpty ? [] : try source.texts.first?.read(Texts.keyPaths) ?? []
            guard let unused = doubtful.first(where: { !shared.contains($0) }) else { continue }
            let hint = Spelling.hint(for: unused, among: used.union(shared).sorted())
            return file.error(ContentFault(unused, "is used nowhere\(hint)")).lines[0]
        }
        return nil
    }

    /// A sentence about a template of the catalogue that no page and no other template uses; nil if there is none.
    package func unusedTemplate(for catalogue: any SiteCatalogue) -> String? {
        let pages = catalogue.pageTemplates + SharedPages.templates
        let used = Set(pages.flatMap { libraries[0].reachableTemplates(from: $0.name) } + pages.compactMap(\.standard))
        let folder = "\(source.cataloguePath ?? path)/templates/"
        return source.templates.first { file in
            file.file.hasPrefix(folder) && !used.contains(file.name)
                && !source.contents.contains { $0.path == "\(file.name).mustache" }
        }.map { "\($0.file): no page and no template uses it\(Spelling.hint(for: $0.name, among: pages.map(\.name)))" }
    }

    /// Checks that the texts exist that scripts name in calls such as `amber.text('loading')`.
    private func requireScriptTexts() throws {
        guard let edition = editions.first else { return }
        for file in files where file.path.text.hasSuffix(".js") {
            let call = Array("amber.text('".utf8)
            var offset = 0
            while let start = file.bytes.offset(of: call, from: offset) {
                offset = start + call.count
                let rest = file.bytes[offset...]
                // A name that the script computes is not checked.
                guard let end = rest.prefix(200).firstIndex(of: "'"), end + 1 < file.bytes.count,
                    file.bytes[end + 1] == ")" || file.bytes[end + 1] == ","
                else { continue }
                let name = String(decoding: rest[..<end], as: UTF8.self)
                try SiteError.require(
                    edition.texts.hasScriptText(name),
                    "\(path)/\(file.path): there is no text \"\(name)\" in the group \"scripts\" of "
                        + "\(path)/strings/\(edition.texts.language).json")
            }
        }
    }

    /// The shared texts of a language, with the texts of the catalogue.
    private static func texts(_ file: TemplateFile, _ source: TemplateSource) throws -> Texts {
        let language = file.name
        // A language tag such as ru, pt-BR, es-419 or zh-Hant (BCP 47, section 2.1).
        try SiteError.require(
            file.file.hasSuffix("/\(language).json")
                && language.wholeMatch(of: /[a-z]{2,3}(-[A-Za-z0-9]{2,8})*/) != nil,
            "\(file.file): the file name is not a language; rename the file, for example to ru.json or pt-BR.json")
        // The name is also the name of the folder for the language's pages.
        try SiteError.require(
            PortableName.accepts(language),
            "\(file.file): Windows reserves the name \(language); add a country, such as \(language)-US.json")
        let texts = try file.read { try Texts($0, language: language) }
        guard let own = source.catalogueTexts.first(where: { $0.name == language }) else {
            guard let other = source.catalogueTexts.first else { return texts }
            throw SiteError.refused(
                "\(other.file): the catalogue has no texts for \(language), but \(file.file) exists; add "
                    + "\(language).json, or list the other languages in the key \"languages\" of catalogue.json")
        }
        return try own.read { try texts.adding($0) }
    }

    /// The editions, with the root language first.
    /// - Throws: if a language has other texts than the root language.
    private static func editions(_ texts: [Texts], _ source: TemplateSource) throws -> [Edition] {
        let (language, path) = (source.language, source.path)
        guard !texts.isEmpty else { return [] }
        guard let root = texts.first(where: { $0.language == language }) else {
            let known = texts.map(\.language).joined(separator: ", ")
            throw SiteError.refused(
                "\(path)/strings has no \(language).json for the key \"language\", the language of the site's root; "
                    + "add it, or choose one of: \(known)")
        }
        let others = texts.filter { $0.language != language }
        for other in others { try source.locating(other.language) { try other.requireSame(as: root) } }
        return ([root] + others).enumerated().map { Edition($1, index: $0) }
    }
}

extension TemplateSource {
    /// The same with only the languages that a catalogue declares. The first may have to be at the root.
    fileprivate func limited(to languages: [String]) throws -> TemplateSource {
        guard !languages.isEmpty else { return self }
        if let index = languages.firstIndex(where: { language in !texts.contains { $0.name == language } }) {
            let missing = "\(path)/strings/\(languages[index]).json"
            throw declarationFile.error(
                ContentFault("languages[\(index)]", "has no file \(missing); add it, or remove this language"))
        }
        var source = self
        source.texts.removeAll { !languages.contains($0.name) }
        source.catalogueTexts.removeAll { !languages.contains($0.name) }
        if !languages.contains(language) { source.language = languages[0] }
        return source
    }

    /// The catalogue's declaration; empty if there is none.
    fileprivate var declarationFile: TemplateFile {
        let bytes = catalogueContents.first { $0.path == Self.declaration }?.bytes ?? []
        return TemplateFile(name: Self.declaration, file: "\(cataloguePath ?? path)/\(Self.declaration)", bytes: bytes)
    }

    /// The folder for new texts.
    fileprivate var textFolder: String { "\(cataloguePath ?? path)/strings" }

    /// The error at the place in the declaration that names a text which no file has; nil if it is not there.
    fileprivate func missingText(_ key: String) -> TemplateError? {
        let bytes = declarationFile.bytes
        let quoted = Array("\"\(key)\"".utf8)
        var offset = bytes.offset(of: quoted)
        // A field can have the same name.
        while let start = offset, bytes[(start + quoted.count)...].first(where: { $0 > 0x20 }) == ":" {
            offset = bytes.offset(of: quoted, from: start + 1)
        }
        let files = texts.map { "\(textFolder)/\($0.name).json" }.joined(separator: " and ")
        return offset.map {
            let isUnit = bytes[..<$0].filter { $0 > 0x20 }.suffix(7).elementsEqual("\"unit\":".utf8)
            let asItIs = isUnit ? "write \"{number} \(key)\"" : "begin it with a capital letter"
            return declarationFile.error(
                at: $0, "there is no text \(key.quoted)", note: "add it to \(files), or \(asItIs) to show it as it is")
        }
    }

    /// Runs a check of a language's texts, and adds the file and line to its errors.
    /// - Parameter ofCatalogue: whether a missing text belongs to the catalogue.
    fileprivate func locating(_ language: String, ofCatalogue: Bool = false, _ check: () throws -> Void) throws {
        do {
            try check()
        } catch let fault as ContentFault {
            func has(_ files: [TemplateFile]) throws -> Bool {
                try files.contains { try $0.read(Texts.keyPaths).contains(fault.keyPath) }
            }
            let isOfCatalogue = try has(catalogueTexts) || ofCatalogue && !catalogueTexts.isEmpty && !has(texts)
            let file = (isOfCatalogue ? catalogueTexts : texts).first { $0.name == language }
            throw (file ?? TemplateFile(name: language, file: "\(path)/strings/\(language).json", bytes: []))
                .error(fault)
        }
    }
}

extension TemplateFile {
    /// Reads a file in JSON. Errors have the position of the fault.
    package func read<Value>(_ make: ([UInt8]) throws -> Value) throws -> Value {
        if let problem = JSONSlices.firstFault(in: bytes) { throw error(at: problem.offset, problem.reason) }
        do {
            return try make(bytes)
        } catch let fault as ContentFault {
            throw error(fault)
        }
    }

    fileprivate func error(_ fault: ContentFault) -> TemplateError {
        error(at: JSONSlices.offset(of: fault.keyPath, in: bytes), "\(fault)")
    }
}
