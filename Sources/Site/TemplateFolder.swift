package import Archive
package import Catalogue
import Mustache
import Platform

/// The templates and texts as they were when the build began: edits during a build belong to the next one.
///
/// `*.mustache` at the top are templates, named by their file names; `strings/*.json` are the texts, a language each;
/// every other file stands in the site at its own path, as it is.
package struct TemplateFolder: Sendable {
    /// The site's languages, that at its root first; empty where there are no strings.
    package let editions: [Edition]
    /// The compiled templates, for each edition with its texts; for a site without texts one.
    let libraries: [Library]
    let source: TemplateSource

    /// Files that are copied into the site.
    var files: [SiteFile] { source.files }
    /// The digest over names and bytes of all of it.
    package var digest: SHA256 { source.digest }
    private var path: String { source.path }

    /// Reads a folder and compiles what is in it.
    /// - Parameter language: the language whose pages are at the site's root, where there are several.
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
    /// A file that stands in the site as it is; empty where there is none.
    func file(_ path: String) -> [UInt8] { files.first { $0.path.text == path }?.bytes ?? [] }

    /// Whether it differs from another one in templates and files only.
    func hasSameTexts(as other: TemplateFolder) -> Bool {
        source.language == other.source.language && source.texts.elementsEqual(other.source.texts, by: ==)
    }

    /// Checks every page template of a catalogue, and those of the pages that every site has, against the names that
    /// its model has, and the texts against those asked for.
    package func check(for catalogue: any Catalogue) throws {
        let isWhole = !catalogue.texts.isEmpty
        if isWhole {
            guard !editions.isEmpty else {
                throw SiteError.refused(
                    "there are no texts in \(path)/strings; one file for each language belongs there, as en.json")
            }
            let needs = catalogue.texts + PageFrame.texts + SharedPages.texts + CompletenessPages.texts
            for edition in editions {
                try Self.placed(edition.texts.language, source) { try edition.texts.require(needs) }
            }
        }
        try requireScriptTexts()
        let shared = isWhole ? SharedPages.templates + CompletenessPages.templates : []
        for template in catalogue.pageTemplates + shared {
            // The libraries differ in their texts only.
            guard let first = libraries.first, first.names.contains(template.name) else {
                let names = libraries.first?.names.joined(separator: ", ") ?? ""
                throw SiteError.refused("there is no template \"\(template.name).mustache\"; there are: \(names)")
            }
            try first.check(template.name, against: template.shape)
        }
    }

    /// Looks whether the texts that scripts ask for by a fixed name, as `amber.text('loading')`, are there.
    private func requireScriptTexts() throws {
        guard let edition = editions.first else { return }
        for file in files where file.path.text.hasSuffix(".js") {
            let call = Array("amber.text('".utf8)
            var place = 0
            while let start = file.bytes.offset(of: call, from: place) {
                place = start + call.count
                let rest = file.bytes[place...]
                // A name that goes on is put together by the script.
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
                "\(path)/\(name): a file of texts is named for its language, as ru.json or pt-BR.json")
        }
        // Its pages are in a folder of that name.
        guard PortableName.accepts(language) else {
            throw SiteError.refused(
                "\(path)/\(name): Windows reserves the name \(language); add a country, as \(language)-US.json")
        }
        let file = Mustache.Source(name: name, file: "\(path)/\(name)", bytes: bytes)
        if let problem = JSONSlices.problem(in: bytes) { throw file.error(at: problem.offset, problem.reason) }
        return try placed(in: file) { try Texts(bytes, language: String(language)) }
    }

    /// Adds the line to what is wrong with a language's texts.
    private static func placed(_ language: String, _ source: TemplateSource, _ body: () throws -> Void) throws {
        let name = "\(source.path)/strings/\(language).json"
        try placed(in: Mustache.Source(name: name, file: name, bytes: source.bytes(of: language)), body)
    }

    private static func placed<Result>(in file: Mustache.Source, _ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let fault as ContentFault {
            throw file.error(at: JSONSlices.offset(of: fault.keyPath, in: file.bytes), "\(fault)")
        }
    }

    /// The editions in order, each with the same texts as the first.
    private static func editions(_ texts: [Texts], _ source: TemplateSource) throws -> [Edition] {
        let (language, path) = (source.language, source.path)
        guard !texts.isEmpty else { return [] }
        guard let root = texts.first(where: { $0.language == language }) else {
            let known = texts.map(\.language).joined(separator: ", ")
            throw SiteError.refused(
                "\(path)/strings has no \(language).json for the site's root, which the key \"language\" names; there "
                    + "are: \(known)"
            )
        }
        let others = texts.filter { $0.language != language }
        var folded: [String: String] = [:]
        for language in texts.map(\.language) {
            if let other = folded.updateValue(language, forKey: language.lowercased()) {
                throw SiteError.refused(
                    "\(path)/strings: \(other).json and \(language).json differ in capital letters only; remove one of "
                        + "them"
                )
            }
        }
        for other in others { try placed(other.language, source) { try other.requireSame(as: root) } }
        return ([root] + others).enumerated().map { Edition($1, index: $0) }
    }
}

/// Whether a name is a language's code with what may follow: ru, pt-BR, es-419, zh-Hant (BCP 47, section 2.1).
private func isLanguageTag(_ name: Substring) -> Bool {
    name.wholeMatch(of: /[a-z]{2,3}(-[A-Za-z0-9]{2,8})*/) != nil
}
