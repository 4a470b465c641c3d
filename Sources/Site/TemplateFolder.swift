package import Archive
import Catalogue
import Mustache
package import Pages
import Platform

/// The templates and texts of a build. They are read once. Later edits apply to the next build.
///
/// `*.mustache` files directly in the folder are templates, named after their files. `strings/*.json` are the texts,
/// one file for each language. Every other file is copied into the site. The catalogue's folder adds templates and
/// texts.
package struct TemplateFolder: Sendable {
    /// The site's languages; empty if there are no texts. The language at the site's root is first.
    package let editions: [Edition]
    /// The compiled templates: one library for each language with its texts, or one library for a site without texts.
    let libraries: [Library]
    let source: TemplateSource

    var files: [SiteFile] { source.files }
    package var digest: SHA256 { source.digest }
    private var path: String { source.path }

    /// Reads a folder and compiles its templates.
    /// - Parameter language: the language at the site's root, if there are several.
    package init(
        _ path: String, catalogue: String? = nil, language: String = "en", for pages: (any SiteCatalogue)? = nil
    ) throws {
        try self.init(try TemplateSource(path, catalogue: catalogue, language: language), for: pages)
    }

    /// - Parameter catalogue: adds its standard texts, and shared templates for its pages that have none of their own.
    package init(_ source: TemplateSource, for catalogue: (any SiteCatalogue)? = nil) throws {
        self.source = source
        guard source.contents.contains(where: { $0.path.hasSuffix(".mustache") }) else {
            throw SiteError.refused(
                "there are no templates (*.mustache) in \(source.path); name their folder with --templates")
        }
        let own = Set(try source.catalogueTexts.flatMap { try Texts.keyPaths($0.bytes) })
        let texts = try source.texts.map { file in
            let texts = try Self.texts(file, source)
            guard let catalogue else { return texts }
            let keys = Set(own.filter { $0.hasPrefix("texts.") }.map { String($0.dropFirst("texts.".count)) })
            return texts.adding(standards: catalogue.texts, own: keys, filters: catalogue.filters)
        }
        editions = try Self.editions(texts, source)
        let names = Set(source.templates.map(\.name))
        let templates =
            source.templates
            + (catalogue?.pageTemplates ?? []).compactMap { page in
                guard !names.contains(page.name) else { return nil }
                return source.templates.first { $0.name == page.standard }.map {
                    TemplateFile(name: page.name, file: $0.file, bytes: $0.bytes)
                }
            }
        var usedText = 0
        let constants = editions.map {
            Constants(prefix: "t", $0.texts.constants, from: "\(source.path)/strings")
        }
        libraries =
            constants.isEmpty
            ? [try Library(templates, mode: .strict)]
            : try constants.map { texts in
                let library = try Library(templates, mode: .strict, constants: texts, usedText: usedText)
                usedText += library.textSize
                return library
            }
    }
}

extension TemplateFolder {
    /// The bytes of a file that is copied into the site; empty if there is none.
    func file(_ path: String) -> [UInt8] { files.first { $0.path.text == path }?.bytes ?? [] }

    /// Whether this folder and another one have the same texts and the same root language.
    func hasSameTexts(as other: TemplateFolder) -> Bool {
        func files(_ source: TemplateSource) -> [[UInt8]] { (source.texts + source.catalogueTexts).map(\.bytes) }
        return source.language == other.source.language && files(source) == files(other.source)
    }

    func hasSameDeclaration(as other: TemplateFolder) -> Bool {
        func declaration(_ source: TemplateSource) -> [UInt8]? {
            source.catalogueContents.first { $0.path == TemplateSource.declaration }?.bytes
        }
        return declaration(source) == declaration(other.source)
    }

    /// Checks the page templates against their page models, and checks that all required texts exist. This includes the
    /// templates and texts of the catalogue, and those that every site has.
    package func check(for catalogue: any SiteCatalogue) throws {
        let requiresTexts = !catalogue.texts.isEmpty
        if requiresTexts {
            guard !editions.isEmpty else {
                throw SiteError.refused(
                    "there are no texts in \(path)/strings; add one file for each language, such as en.json")
            }
            let shared = PageFrame.texts + SharedPages.texts + CompletenessPages.texts
            for texts in editions.map(\.texts) {
                for other in editions.map(\.texts) {
                    try Self.addingLocation(texts.language, source, ofCatalogue: true) {
                        try texts.requireValues(of: catalogue.translatedFields, in: other)
                    }
                }
                try Self.addingLocation(texts.language, source) { try texts.require(shared) }
                try Self.addingLocation(texts.language, source, ofCatalogue: true) {
                    try texts.require(catalogue.texts)
                }
            }
        }
        try requireScriptTexts()
        let shared = requiresTexts ? SharedPages.templates + CompletenessPages.templates : []
        for template in catalogue.pageTemplates + shared {
            // The libraries differ only in their texts.
            guard let first = libraries.first, first.names.contains(template.name) else {
                let names = libraries.first?.names.joined(separator: ", ") ?? ""
                throw SiteError.refused(
                    "there is no template \"\(template.name).mustache\"; the templates are: \(names)")
            }
            try first.check(template.name, against: template.shape)
        }
    }

    /// Checks the names of texts in scripts. A call with a fixed name, such as `amber.text('loading')`, requires this
    /// text.
    private func requireScriptTexts() throws {
        guard let edition = editions.first else { return }
        for file in files where file.path.text.hasSuffix(".js") {
            let call = Array("amber.text('".utf8)
            var offset = 0
            while let start = file.bytes.offset(of: call, from: offset) {
                offset = start + call.count
                let rest = file.bytes[offset...]
                // A name that the script computes is not checked.
                guard let end = rest.prefix(200).firstIndex(of: UInt8(ascii: "'")), end + 1 < file.bytes.count,
                    file.bytes[end + 1] == UInt8(ascii: ")") || file.bytes[end + 1] == UInt8(ascii: ",")
                else {
                    continue
                }
                let name = String(decoding: rest[..<end], as: UTF8.self)
                guard !edition.texts.hasScriptText(name) else { continue }
                throw SiteError.refused(
                    "\(path)/\(file.path): there is no text \"\(name)\" in the group \"scripts\" of "
                        + "\(path)/strings/\(edition.texts.language).json"
                )
            }
        }
    }

    /// The shared texts of a language, with the texts of the catalogue.
    private static func texts(_ file: TemplateFile, _ source: TemplateSource) throws -> Texts {
        let language = file.name
        guard file.file.hasSuffix("/\(language).json"), isLanguageTag(language[...]) else {
            throw SiteError.refused(
                "\(file.file): the file name is not a language; rename the file, for example to ru.json or pt-BR.json"
            )
        }
        // The name is also the name of the folder for the language's pages.
        guard PortableName.accepts(language) else {
            throw SiteError.refused(
                "\(file.file): Windows reserves the name \(language); add a country, such as \(language)-US.json")
        }
        if let problem = JSONSlices.firstFault(in: file.bytes) { throw file.error(at: problem.offset, problem.reason) }
        let texts = try addingLocation(in: file) {
            try Texts(file.bytes, language: language)
        }
        guard let own = source.catalogueTexts.first(where: { $0.name == language }) else {
            guard let other = source.catalogueTexts.first else { return texts }
            throw SiteError.refused(
                "\(other.file): the catalogue has no texts for \(language), but \(file.file) exists; add \(language).json"
            )
        }
        if let problem = JSONSlices.firstFault(in: own.bytes) { throw own.error(at: problem.offset, problem.reason) }
        return try addingLocation(in: own) { try texts.adding(own.bytes) }
    }

    /// Runs a check of a language's texts, and adds the file and line to its errors.
    /// - Parameter ofCatalogue: whether a missing text belongs to the catalogue.
    private static func addingLocation(
        _ language: String, _ source: TemplateSource, ofCatalogue: Bool = false, _ body: () throws -> Void
    ) throws {
        do {
            try body()
        } catch let error as ContentFault {
            let inCatalogue = try source.catalogueTexts.contains {
                try Texts.keyPaths($0.bytes).contains(error.keyPath)
            }
            let isShared = try source.texts.contains { try Texts.keyPaths($0.bytes).contains(error.keyPath) }
            let isOfCatalogue = inCatalogue || ofCatalogue && !isShared && !source.catalogueTexts.isEmpty
            let files = isOfCatalogue ? source.catalogueTexts : source.texts
            let name = "\(source.path)/strings/\(language).json"
            let file = files.first { $0.name == language } ?? TemplateFile(name: language, file: name, bytes: [])
            throw file.error(at: JSONSlices.offset(of: error.keyPath, in: file.bytes), "\(error)")
        }
    }

    private static func addingLocation<Result>(in file: TemplateFile, _ body: () throws -> Result) throws
        -> Result
    {
        do {
            return try body()
        } catch let error as ContentFault {
            throw file.error(at: JSONSlices.offset(of: error.keyPath, in: file.bytes), "\(error)")
        }
    }

    /// The editions, with the root language first.
    /// - Throws: if a language has other texts than the root language.
    private static func editions(_ texts: [Texts], _ source: TemplateSource) throws -> [Edition] {
        let (language, path) = (source.language, source.path)
        guard !texts.isEmpty else { return [] }
        guard let root = texts.first(where: { $0.language == language }) else {
            let known = texts.map(\.language).joined(separator: ", ")
            throw SiteError.refused(
                "\(path)/strings has no \(language).json for the key \"language\", the language of the site's root; the "
                    + "existing languages are: \(known)"
            )
        }
        let others = texts.filter { $0.language != language }
        var folded: [String: String] = [:]
        for language in texts.map(\.language) {
            if let other = folded.updateValue(language, forKey: language.lowercased()) {
                throw SiteError.refused(
                    "\(path)/strings: \(other).json and \(language).json differ only in capital letters; remove one of "
                        + "them"
                )
            }
        }
        for other in others {
            try addingLocation(other.language, source) { try other.requireSame(as: root) }
        }
        return ([root] + others).enumerated().map { Edition($1, index: $0) }
    }
}

/// Whether a name is a language tag: ru, pt-BR, es-419, zh-Hant (BCP 47, section 2.1).
private func isLanguageTag(_ name: Substring) -> Bool {
    name.wholeMatch(of: /[a-z]{2,3}(-[A-Za-z0-9]{2,8})*/) != nil
}
