package import Archive
import Catalogue
import Glibc
import Mustache
import Platform

/// The content of a folder of templates, not yet compiled. Its digest detects changes.
package struct TemplateSource: Sendable {
    let path: String
    let language: String
    let templates: [TemplateFile]
    /// The files in strings/, with their paths in the folder.
    let texts: [(name: String, bytes: [UInt8])]
    /// Files that are copied into the site.
    let files: [SiteFile]
    /// All files with their paths and bytes, sorted by path.
    package let contents: [(path: String, bytes: [UInt8])]
    /// The digest of the root language and of the paths and bytes of all files.
    package let digest: SHA256

    /// Reads a folder. Its path may contain symbolic links. A link in the folder is followed only if its target is in
    /// the folder.
    /// - Parameter language: the language at the site's root, if there are several.
    package init(_ path: String, language: String) throws {
        var templates: [TemplateFile] = []
        var files: [SiteFile] = []
        var texts: [(name: String, bytes: [UInt8])] = []
        var hasher = SHA256Hasher()
        hasher.update("\(language)\n")
        let contents = try Self.contents(path)
        // The original names by their lower-case forms.
        var folded: [String: String] = [:]
        for (name, bytes) in contents {
            if Self.isText(name) {
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw SiteError.refused("\(path)/\(name): is not in UTF-8; save it in that encoding")
                }
                guard !text.hasTooManyMarks else {
                    throw SiteError.refused(
                        "\(path)/\(name): has more than \(JSONSlices.maximumMarks) combining marks in a row; remove "
                            + "them"
                    )
                }
            }
            hasher.update("\(name.utf8.count) \(name) \(bytes.count)\n")
            hasher.update(bytes)
            if name.hasSuffix(".mustache"), !name.contains("/") {
                guard templates.count < Limit.templateCount else {
                    throw SiteError.refused(
                        "\(path): contains more than \(Limit.templateCount) templates (*.mustache), which is the limit; "
                            + "remove some"
                    )
                }
                templates.append(
                    TemplateFile(
                        name: String(name.dropLast(".mustache".count)), file: "\(path)/\(name)", bytes: bytes))
            } else if name.hasPrefix("strings/") {
                texts.append((name, bytes))
            } else if let sitePath = SitePath(name) {
                if let other = folded.updateValue(name, forKey: name.lowercased()) {
                    throw SiteError.refused(
                        "\(path)/\(name): differs from \(other) only in capital letters, and Windows and macOS treat "
                            + "both as one; rename one"
                    )
                }
                files.append(SiteFile(path: sitePath, bytes: bytes))
            } else {
                throw SiteError.refused(
                    "\(path)/\(name): the name of a file in the site may have only letters, digits, \".\", \"_\" and "
                        + "\"-\", no dot at either end, and must not be reserved by Windows; rename it"
                )
            }
        }
        let size = templates.reduce(0) { $0 + $1.bytes.count } * max(1, texts.count)
        guard size <= Limit.compiledSize else {
            throw SiteError.refused(
                "\(path): its templates have more than \(Limit.compiledSize) bytes, counted once for each language; "
                    + "shorten them"
            )
        }
        self.path = path
        self.language = language
        self.templates = templates
        self.texts = texts
        self.files = files
        self.contents = contents
        digest = hasher.finish()
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

    private static func contents(_ path: String) throws -> [(path: String, bytes: [UInt8])] {
        var contents: [(path: String, bytes: [UInt8])] = []
        var size = 0
        do {
            guard FileStatus("\(path)/.") != nil else { return [] }
            let folder = try Folder.open(path)
            var names: [String] = []
            try folder.forEachFile { (name) throws(SystemError) in
                guard !FolderWatcher.ignores(name) else { return }
                names.append(name)
                guard names.count <= Limit.fileCount else { throw SystemError("list", path, code: E2BIG) }
            }
            for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                let limit = isText(name) ? Limit.textSize : Limit.fileSize
                do throws(SystemError) {
                    contents.append((name, try File.readFollowing(name, in: folder, limit: limit)))
                } catch {
                    guard error.code == EFBIG else { throw error }
                    throw SiteError.refused(
                        "\(path)/\(name): has more than \(limit) bytes, which is the limit for this type of file")
                }
                size += contents.last?.bytes.count ?? 0
                guard size <= Limit.totalSize else {
                    throw SiteError.refused(
                        "\(path): contains more than \(Limit.totalSize) bytes, which is the limit for a folder of templates"
                    )
                }
            }
        } catch let error as SystemError where error.code == E2BIG {
            throw SiteError.refused(
                "\(path): contains more than \(Limit.fileCount) files, which is the limit for a folder of templates")
        }
        return contents
    }

    /// The bytes of the file with a language's texts; empty if the file does not exist.
    func bytes(of language: String) -> [UInt8] { texts.first { $0.name == "strings/\(language).json" }?.bytes ?? [] }
}
