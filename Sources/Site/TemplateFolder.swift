package import Archive
package import Catalogue
import Mustache
import Platform

/// The templates and texts at the start of a build. Later edits belong to the next build.
///
/// `*.mustache` files at the top are templates, named after their files. `strings/*.json` are the texts, one file for
/// each language. Every other file is copied into the site.
package struct TemplateFolder: Sendable {
    /// The site's languages, the one at its root first; empty if there are no texts.
    package let editions: [Edition]
    /// The compiled templates, once for each language with its texts; once for a site without texts.
    let libraries: [Library]
    let source: TemplateSource

    var files: [SiteFile] { source.files }
    package var digest: SHA256 { source.digest }
    private var path: String { source.path }

    /// Reads a folder and compiles its templates.
    /// - Parameter language: the language at the site's root, if there are several.
    package init(_ path: String, language: String = "en") throws {
        try self.init(try TemplateSource(path, language: language))
    }

    package init(_ source: TemplateSource) throws {
        self.source = source
        guard !source.templates.isEmpty else {
            throw SiteError.refused(
                "there are no templates (*.mustache) in \(source.path); name their folder with --templates")
        }
        editions = try Self.editions(
            try source.texts.map { try Self.texts($0.bytes, $0.name, in: source.path) }, source)
        var usedText = 0
        let constants = editions.map {
            Constants(prefix: "t", $0.texts.constants, from: "\(source.path)/strings")
        }
        libraries =
            constants.isEmpty
            ? [try Library(source.templates, mode: .strict)]
            : try constants.map { texts in
                let library = try Library(source.templates, mode: .strict, constants: texts, usedText: usedText)
                usedText += library.textSize
                return library
            }
    }
}

extension TemplateFolder {
    /// The bytes of a file that is copied into the site; empty if there is none.
    func file(_ path: String) -> [UInt8] { files.first { $0.path.text == path }?.bytes ?? [] }

    /// Whether it has the same texts as another folder. Templates and files may differ.
    func hasSameTexts(as other: TemplateFolder) -> Bool {
        source.language == other.source.language && source.texts.elementsEqual(other.source.texts, by: ==)
    }

    /// Checks the page templates of a catalogue and those of every site against their page models, and the texts
    /// against the required ones.
    package func check(for catalogue: any Catalogue) throws {
        let isWhole = !catalogue.texts.isEmpty
        if isWhole {
            guard !editions.isEmpty else {
                throw SiteError.refused(
                    "there are no texts in \(path)/strings; add one file for each language, such as en.json")
            }
            let needs = catalogue.texts + PageFrame.texts + SharedPages.texts + CompletenessPages.texts
            for edition in editions {
                try Self.placed(edition.texts.language, source) { try edition.texts.require(needs) }
            }
        }
        try requireScriptTexts()
        let shared = isWhole ? SharedPages.templates + CompletenessPages.templates : []
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

    /// Checks that the texts exist that scripts use by a fixed name, such as `amber.text('loading')`.
    private func requireScriptTexts() throws {
        guard let edition = editions.first else { return }
        for file in files where file.path.text.hasSuffix(".js") {
            let call = Array("amber.text('".utf8)
            var place = 0
            while let start = file.bytes.offset(of: call, from: place) {
                place = start + call.count
                let rest = file.bytes[place...]
                // Skips a name that the script joins from parts.
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

    private static func texts(_ bytes: [UInt8], _ name: String, in path: String) throws -> Texts {
        let language = name.dropFirst("strings/".count).dropLast(".json".count)
        guard name.hasSuffix(".json"), isLanguageTag(language) else {
            throw SiteError.refused(
                "\(path)/\(name): a file of texts is named after its language, such as ru.json or pt-BR.json")
        }
        // The language's pages are in a folder of that name.
        guard PortableName.accepts(language) else {
            throw SiteError.refused(
                "\(path)/\(name): Windows reserves the name \(language); add a country, such as \(language)-US.json")
        }
        let file = TemplateFile(name: name, file: "\(path)/\(name)", bytes: bytes)
        if let problem = JSONSlices.problem(in: bytes) { throw file.error(at: problem.offset, problem.reason) }
        return try placed(in: file) { try Texts(bytes, language: String(language)) }
    }

    /// Adds file and line to errors in the texts of a language.
    private static func placed(_ language: String, _ source: TemplateSource, _ body: () throws -> Void) throws {
        let name = "\(source.path)/strings/\(language).json"
        try placed(in: TemplateFile(name: name, file: name, bytes: source.bytes(of: language)), body)
    }

    private static func placed<Result>(in file: TemplateFile, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let fault as ContentFault {
            throw file.error(at: JSONSlices.offset(of: fault.keyPath, in: file.bytes), "\(fault)")
        }
    }

    /// The editions in order. Each must have the same texts as the first.
    private static func editions(_ texts: [Texts], _ source: TemplateSource) throws -> [Edition] {
        let (language, path) = (source.language, source.path)
        guard !texts.isEmpty else { return [] }
        guard let root = texts.first(where: { $0.language == language }) else {
            let known = texts.map(\.language).joined(separator: ", ")
            throw SiteError.refused(
                "\(path)/strings has no \(language).json for the site's root, which the key \"language\" names; the "
                    + "languages are: \(known)"
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
        for other in others { try placed(other.language, source) { try other.requireSame(as: root) } }
        return ([root] + others).enumerated().map { Edition($1, index: $0) }
    }
}

/// Whether a name is a language tag: ru, pt-BR, es-419, zh-Hant (BCP 47, section 2.1).
private func isLanguageTag(_ name: Substring) -> Bool {
    name.wholeMatch(of: /[a-z]{2,3}(-[A-Za-z0-9]{2,8})*/) != nil
}
