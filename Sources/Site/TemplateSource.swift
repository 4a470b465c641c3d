public import Archive
import Catalogue
import Mustache
import Platform

/// A folder of templates as it was when it was read, not yet compiled: enough to tell whether anything in it has changed.
public struct TemplateSource: Sendable {
    let path: String
    let language: String
    let templates: [Mustache.Source]
    /// The files of texts, by their names in the folder.
    let texts: [(name: String, bytes: [UInt8])]
    /// Files that stand in the site as they are.
    let files: [SiteFile]
    /// All files with their bytes as they were read, by their paths in the folder, in the order of these.
    let contents: [(path: String, bytes: [UInt8])]
    /// The digest over names and bytes of all of it.
    public let digest: SHA256

    /// Reads a folder.
    /// - Parameter language: the language whose pages are at the site's root, where there are several.
    public init(_ path: String, language: String) throws(SiteError) {
        var templates: [Mustache.Source] = []
        var files: [SiteFile] = []
        var texts: [(name: String, bytes: [UInt8])] = []
        var contents: [(path: String, bytes: [UInt8])] = []
        var hasher = SHA256Hasher()
        hasher.update("\(language)\n")
        do {
            for name in try Folder.files(below: path) where !FolderWatcher.passesOver(name) {
                let bytes = try File.read("\(path)/\(name)")
                let isText = name.hasSuffix(".mustache") || name.hasPrefix("strings/")
                guard !isText || String(validating: bytes, as: UTF8.self) != nil else {
                    throw SiteError.templates("\(path)/\(name): is not in UTF-8; save it in that encoding")
                }
                hasher.update("\(name.utf8.count) \(name) \(bytes.count)\n")
                hasher.update(bytes)
                contents.append((name, bytes))
                if name.hasSuffix(".mustache"), !name.contains("/") {
                    templates.append(Mustache.Source(name: String(name.dropLast(".mustache".count)), file: "\(path)/\(name)", bytes: bytes))
                } else if name.hasPrefix("strings/") {
                    texts.append((name, bytes))
                } else if let place = SitePath(name) {
                    files.append(SiteFile(path: place, bytes: bytes))
                } else {
                    throw SiteError.templates(
                        "\(path)/\(name): a file that goes into the site has a name of letters, digits, \".\", \"_\" and \"-\"")
                }
            }
        } catch {
            throw SiteError(error)
        }
        self.path = path
        self.language = language
        self.templates = templates
        self.texts = texts
        self.files = files
        self.contents = contents
        digest = hasher.finish()
    }

    /// The file of a language's texts; empty where there is none.
    func bytes(of language: String) -> [UInt8] { texts.first { $0.name == "strings/\(language).json" }?.bytes ?? [] }
}
