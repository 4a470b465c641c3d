public import Archive
public import Catalogue
import Mustache
import Platform

/// The templates and texts as they were when the build began: edits during a build belong to the next one.
///
/// `*.mustache` at the top are templates, named by their file names; `strings/*.json` are the texts, a language each;
/// every other file stands in the site at its own path, as it is.
public struct TemplateFolder: Sendable {
    /// The site's languages, that at its root first; empty where there are no strings.
    public let editions: [Edition]
    /// The compiled templates, for each edition with its texts; for a site without texts one.
    let libraries: [Library]
    /// Files that stand in the site as they are.
    let files: [SiteFile]
    /// The digest over names and bytes of all of it.
    public let digest: SHA256
    /// The digest over the languages, their order and their texts.
    let texts: Inputs
    /// For each template the digest over it and all those that it can lead to.
    let digests: [String: Inputs]
    let source: TemplateSource
    private var path: String { source.path }

    /// Reads a folder and compiles what is in it.
    /// - Parameter language: the language whose pages are at the site's root, where there are several.
    public init(_ path: String, language: String = "en") throws(SiteError) {
        try self.init(try TemplateSource(path, language: language))
    }

    /// Compiles what was read.
    public init(_ source: TemplateSource) throws(SiteError) {
        self.source = source
        files = source.files
        digest = source.digest
        guard !source.templates.isEmpty else {
            throw SiteError.templates(
                "there are no templates (*.mustache) in \(source.path); name their folder with --templates")
        }
        do {
            let texts = try source.texts.map { try Self.texts($0.bytes, $0.name, in: source.path) }
            let editions = try Self.editions(texts, of: source)
            var usedText = 0
            libraries =
                editions.isEmpty
                ? [try Library(source.templates, mode: .strict)]
                : try editions.map { edition in
                    let texts = Constants(prefix: "t", edition.texts.constants, from: "\(source.path)/strings")
                    let library = try Library(source.templates, mode: .strict, constants: texts, usedText: usedText)
                    usedText += library.textSize
                    return library
                }
            self.editions = editions
        } catch {
            throw SiteError(error)
        }
        var hasher = InputsHasher()
        hasher.add(source.language)
        for text in source.texts {
            hasher.add(text.name)
            hasher.add(SHA256(of: text.bytes))
        }
        texts = hasher.finish()
        digests = Self.digests(source.templates, libraries[0])
    }

    private static func digests(_ templates: [Mustache.Source], _ library: Library) -> [String: Inputs] {
        let own = Dictionary(templates.map { ($0.name, SHA256(of: $0.bytes)) }, uniquingKeysWith: { first, _ in first })
        return own.reduce(into: [:]) { digests, template in
            var hasher = InputsHasher()
            for name in library.reach(of: template.key) {
                hasher.add(name)
                if let digest = own[name] { hasher.add(digest) }
            }
            digests[template.key] = hasher.finish()
        }
    }
}

extension TemplateFolder {
    /// A file that stands in the site as it is; empty where there is none.
    func file(_ path: String) -> [UInt8] { files.first { $0.path.text == path }?.bytes ?? [] }

    /// Checks every page template of a catalogue, and those of the pages that every site has, against the names that
    /// its model has, and the texts against those asked for.
    public func check(for catalogue: any Catalogue) throws(SiteError) {
        let needs = catalogue.texts
        if !needs.isEmpty {
            guard !editions.isEmpty else {
                throw .templates(
                    "there are no texts in \(path)/strings; one file for each language belongs there, as en.json")
            }
            for edition in editions {
                try told(edition.texts.language) { () throws(ContentFault) in
                    try edition.texts.require(needs + PageFrame.texts + SharedPages.texts + CompletenessPages.texts)
                }
            }
        }
        try requireScriptTexts()
        for template in catalogue.pageTemplates
            + (needs.isEmpty ? [] : SharedPages.templates + CompletenessPages.templates)
        {
            guard let first = libraries.first, first.names.contains(template.name) else {
                let names = libraries.first?.names.joined(separator: ", ") ?? ""
                throw .templates("there is no template \"\(template.name).mustache\"; there are: \(names)")
            }
            do {
                // The libraries differ in their texts only.
                try first.check(template.name, against: template.shape)
            } catch {
                throw SiteError(error)
            }
        }
    }

    /// Looks whether the texts that scripts ask for by a fixed name, as `amber.text('loading')`, are there.
    private func requireScriptTexts() throws(SiteError) {
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
                throw .templates(
                    "\(path)/\(file.path): there is no text \"\(name)\" in the group \"scripts\" of "
                        + "\(path)/strings/\(edition.texts.language).json"
                )
            }
        }
    }

    private static func texts(_ bytes: [UInt8], _ name: String, in path: String) throws -> Texts {
        let language = name.dropFirst("strings/".count).dropLast(".json".count)
        guard name.hasSuffix(".json"), isLanguageTag(language) else {
            throw SiteError.templates(
                "\(path)/\(name): a file of texts is named for its language, as ru.json or pt-BR.json")
        }
        // Its pages are in a folder of that name.
        guard PortableName.accepts(language) else {
            throw SiteError.templates(
                "\(path)/\(name): Windows reserves the name \(language); add a country, as \(language)-US.json")
        }
        if let problem = JSONPlace.problem(in: bytes) {
            throw SiteError.template(
                Mustache.Source(name: name, file: "\(path)/\(name)", bytes: bytes).error(
                    at: problem.offset, problem.reason))
        }
        do throws(ContentFault) {
            return try Texts(bytes, language: String(language))
        } catch {
            throw fault(error, in: bytes, "\(path)/\(name)")
        }
    }

    /// A fault in a file of texts, with its line.
    private static func fault(_ fault: ContentFault, in bytes: [UInt8], _ file: String) -> SiteError {
        let place = JSONPlace.offset(of: fault.keyPath, in: bytes)
        return .template(Mustache.Source(name: file, file: file, bytes: bytes).error(at: place, "\(fault)"))
    }

    /// The editions in order, each with the same texts as the first.
    private static func editions(_ texts: [Texts], of source: TemplateSource) throws -> [Edition] {
        let (language, path) = (source.language, source.path)
        guard !texts.isEmpty else { return [] }
        guard let root = texts.first(where: { $0.language == language }) else {
            let known = texts.map(\.language).joined(separator: ", ")
            throw SiteError.templates(
                "\(path)/strings has no \(language).json for the site's root, which the key \"language\" names; there "
                    + "are: \(known)"
            )
        }
        let others = texts.filter { $0.language != language }
        var folded: [String: String] = [:]
        for language in texts.map(\.language) {
            if let other = folded.updateValue(language, forKey: language.lowercased()) {
                throw SiteError.templates(
                    "\(path)/strings: \(other).json and \(language).json differ in capital letters only; remove one of "
                        + "them"
                )
            }
        }
        for other in others {
            do throws(ContentFault) {
                try other.requireSame(as: root)
            } catch {
                throw fault(error, in: source.bytes(of: other.language), "\(path)/strings/\(other.language).json")
            }
        }
        return ([root] + others).enumerated().map { Edition($1, index: $0) }
    }

    private func told(_ language: String, _ body: () throws(ContentFault) -> Void) throws(SiteError) {
        do throws(ContentFault) {
            try body()
        } catch {
            throw Self.fault(error, in: source.bytes(of: language), "\(path)/strings/\(language).json")
        }
    }
}

/// Whether a name is a language's code with what may follow: ru, pt-BR, es-419, zh-Hant (BCP 47, section 2.1).
private func isLanguageTag(_ name: some StringProtocol) -> Bool {
    let parts = name.split(separator: "-", omittingEmptySubsequences: false)
    guard let first = parts.first, (2...3).contains(first.utf8.count), first.utf8.allSatisfy({ $0 >= 97 && $0 <= 122 })
    else {
        return false
    }
    return parts.dropFirst().allSatisfy { part in
        (2...8).contains(part.utf8.count)
            && part.utf8.allSatisfy { $0 >= 48 && $0 <= 57 || ($0 | 0x20) >= 97 && ($0 | 0x20) <= 122 }
    }
}
