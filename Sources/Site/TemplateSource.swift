package import Archive
import Catalogue
import Glibc
import Mustache
import Platform

/// The content of the folder of templates and of the catalogue's folder, not yet compiled. Its digest detects changes.
///
/// The catalogue's folder has `catalogue.json`, `style.css`, `templates/`, `strings/` and `files/`. Its templates and
/// files replace shared ones of the same name, and its texts and styles are added to the shared ones.
package struct TemplateSource: Sendable {
    let path: String
    /// The path of the catalogue's folder; nil for a catalogue without one.
    let cataloguePath: String?
    var language: String
    /// Sorted by name.
    let templates: [TemplateFile]
    /// The shared texts, and those of the catalogue. The names are those of the languages.
    var texts: [TemplateFile]
    var catalogueTexts: [TemplateFile]
    /// Files that are copied into the site.
    let files: [SiteFile]
    /// All files with their paths and bytes: those of the templates, and those of the catalogue's folder.
    package let contents: [Content]
    package let catalogueContents: [Content]
    /// The digest of the root language and of the paths and bytes of all files.
    package let digest: SHA256

    /// Reads the folders. Their paths may contain symbolic links. Links in a folder must not leave it.
    /// - Parameters:
    ///   - catalogue: the catalogue's folder; nil for a catalogue without one.
    ///   - language: the language at the site's root, if there are several.
    package init(_ path: String, catalogue: String? = nil, language: String = "en") throws {
        self.path = path
        cataloguePath = catalogue
        self.language = language
        contents = try Self.contents(path)
        catalogueContents = try catalogue.map { try Self.contents($0) } ?? []
        var hasher = DigestHasher()
        hasher.update("\(language)\n")
        for (prefix, files) in [("", contents), ("catalogue/", catalogueContents)] {
            for (name, bytes) in files {
                hasher.update("\(prefix.utf8.count + name.utf8.count) \(prefix)\(name) \(bytes.count)\n")
                hasher.update(bytes)
            }
        }
        digest = hasher.finish()

        let folder = catalogue ?? ""
        let shared = try Self.sorted(contents, path, templates: "")
        let own = try Self.sorted(catalogueContents, folder, templates: "templates/")
        let replaced = Set(own.templates.map(\.name))
        templates = (shared.templates.filter { !replaced.contains($0.name) } + own.templates).sorted {
            $0.name.utf8.lexicographicallyPrecedes($1.name.utf8)
        }
        try SiteError.require(
            templates.count <= Limit.templateCount,
            "\(path): contains more than \(Limit.templateCount) templates (*.mustache), which is the limit; remove some"
        )
        texts = shared.texts
        catalogueTexts = own.texts
        var (ownStyle, ownFiles): ([UInt8], [Content]) = ([], [])
        for (name, bytes) in own.others where name != Self.declaration {
            if name == Self.style {
                ownStyle = bytes
            } else if name.hasPrefix(Self.ownFiles) {
                ownFiles.append((String(name.dropFirst(Self.ownFiles.count)), bytes))
            } else {
                throw SiteError.refused(
                    "\(folder)/\(name): is not a file of a catalogue, which are \(Self.declaration), "
                        + "\(Self.style), strings/*.json, templates/*.mustache and files/*; remove it")
            }
        }
        let ownNames = Set(ownFiles.map(\.path))
        try SiteError.require(
            !ownNames.contains(Self.style),
            "\(folder)/\(Self.ownFiles)\(Self.style): would replace the shared styles; put its rules into "
                + "\(folder)/\(Self.style), which is added to them")
        let others = shared.others.filter { !ownNames.contains($0.path) }.map {
            $0.path == Self.style ? ($0.path, $0.bytes + ownStyle) : $0
        }
        files = try Self.siteFiles(ownFiles, "\(folder)/\(Self.ownFiles.dropLast())") + Self.siteFiles(others, path)
        try requireSize(of: templates)
    }

    /// Refuses templates that would need too much memory, because they are compiled once for each language.
    func requireSize(of templates: [TemplateFile]) throws {
        try SiteError.require(
            templates.reduce(0) { $0 + $1.bytes.count } * max(1, texts.count) <= Limit.compiledSize,
            "\(path): its templates have more than \(Limit.compiledSize) bytes, counted once for each language, and "
                + "standard ones once for each kind that uses them; shorten them")
    }

    /// The name of the shared styles, and of those of the catalogue, which are added to them.
    private static let style = "style.css"
    /// The start of the paths of the catalogue's files that are copied into the site.
    private static let ownFiles = "files/"
    /// The name of the catalogue's declaration.
    package static let declaration = "catalogue.json"

    package typealias Content = (path: String, bytes: [UInt8])
    private typealias Sorted = (templates: [TemplateFile], texts: [TemplateFile], others: [Content])

    /// Separates the files of a folder.
    /// - Parameter prefix: the start of the paths of templates.
    private static func sorted(_ contents: [Content], _ path: String, templates prefix: String) throws -> Sorted {
        var sorted: Sorted = ([], [], [])
        for (name, bytes) in contents {
            let file = "\(path)/\(name)"
            if isText(name) {
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw SiteError.refused("\(file): is not in UTF-8; save it in that encoding")
                }
                try SiteError.require(
                    !text.hasTooManyMarks,
                    "\(file): has more than \(String.maximumMarks) combining marks in a row; remove them")
            }
            if name.hasSuffix(".mustache"), name.hasPrefix(prefix), !name.dropFirst(prefix.count).contains("/") {
                let template = String(name.dropFirst(prefix.count).dropLast(".mustache".count))
                sorted.templates.append(TemplateFile(name: template, file: file, bytes: bytes))
            } else if name.hasPrefix("strings/") {
                let language = name.dropFirst("strings/".count).dropLast(".json".count)
                let isNamed = name.hasSuffix(".json")
                sorted.texts.append(TemplateFile(name: isNamed ? String(language) : name, file: file, bytes: bytes))
            } else {
                sorted.others.append((name, bytes))
            }
        }
        return sorted
    }

    private static func siteFiles(_ contents: [Content], _ path: String) throws -> [SiteFile] {
        try contents.map { name, bytes in
            guard let sitePath = SitePath(name) else {
                throw SiteError.refused(
                    "\(path)/\(name): the name of a file in the site may have only letters, digits, \".\", \"_\" and "
                        + "\"-\", no dot at either end, and must not be reserved by Windows; rename it")
            }
            return (sitePath, bytes)
        }
    }

    /// The limits of a folder of templates. All its files are in memory at the same time.
    enum Limit {
        /// The maximum size of a template or a file of texts in bytes.
        static let textSize = 1 << 20
        /// The maximum size of any other file in bytes.
        static let fileSize = 64 << 20
        static let totalSize = 256 << 20
        static let templateCount = 1_000
        /// The maximum of the size of all templates in bytes times the number of languages. A compiled template that
        /// consists only of short tags needs 18 times the memory of its text.
        static let compiledSize = 16 << 20
        static let fileCount = 10_000
    }

    private static func isText(_ name: String) -> Bool { name.hasSuffix(".mustache") || name.hasPrefix("strings/") }

    private static func contents(_ path: String) throws -> [Content] {
        guard FileStatus("\(path)/.") != nil else { return [] }
        let folder = try Folder.open(path)
        var names: [String] = []
        try folder.forEachFile { name in
            if !FolderWatcher.ignores(name) { names.append(name) }
            try SiteError.require(
                names.count <= Limit.fileCount,
                "\(path): contains more than \(Limit.fileCount) files, which is the limit for a folder of templates")
        }
        var size = 0
        return try names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { name in
            let limit = isText(name) ? Limit.textSize : Limit.fileSize
            do {
                let bytes = try File.readFollowing(name, in: folder, limit: limit)
                size += bytes.count
                try SiteError.require(
                    size <= Limit.totalSize,
                    "\(path): contains more than \(Limit.totalSize) bytes, which is the limit for a folder of templates"
                )
                return (name, bytes)
            } catch let error as SystemError where error.code == EFBIG {
                throw SiteError.refused(
                    "\(path)/\(name): has more than \(limit) bytes, which is the limit for this type of file")
            }
        }
    }
}
