package import Archive
import Catalogue
import Glibc
import Mustache
import Platform

/// A folder of templates as it was when it was read, not yet compiled: enough to tell whether anything in it has
/// changed.
package struct TemplateSource: Sendable {
    let path: String
    let language: String
    let templates: [Mustache.Source]
    /// The files of texts, by their names in the folder.
    let texts: [(name: String, bytes: [UInt8])]
    /// Files that stand in the site as they are.
    let files: [SiteFile]
    /// All files with their bytes as they were read, by their paths in the folder, in the order of these.
    package let contents: [(path: String, bytes: [UInt8])]
    /// The digest over names and bytes of all of it.
    package let digest: SHA256

    /// Reads a folder, which may be reached through links. A link in it is followed only to a place in it.
    /// - Parameter language: the language whose pages are at the site's root, where there are several.
    package init(_ path: String, language: String) throws {
        var templates: [Mustache.Source] = []
        var files: [SiteFile] = []
        var texts: [(name: String, bytes: [UInt8])] = []
        var hasher = SHA256Hasher()
        hasher.update("\(language)\n")
        let contents = try Self.contents(path)
        // The names in small letters, with the files that have them.
        var folded: [String: String] = [:]
        for (name, bytes) in contents {
            if Self.isText(name) {
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw SiteError.refused("\(path)/\(name): is not in UTF-8; save it in that encoding")
                }
                guard !text.hasTooManyMarks else {
                    throw SiteError.refused(
                        "\(path)/\(name): has more than \(JSONSlices.maximumMarks) combining marks in a row; remove them"
                    )
                }
            }
            hasher.update("\(name.utf8.count) \(name) \(bytes.count)\n")
            hasher.update(bytes)
            if name.hasSuffix(".mustache"), !name.contains("/") {
                guard templates.count < Limit.templates else {
                    throw SiteError.refused(
                        "\(path): holds more than \(Limit.templates) templates (*.mustache), the most that it may "
                            + "have; remove some"
                    )
                }
                templates.append(
                    Mustache.Source(
                        name: String(name.dropLast(".mustache".count)), file: "\(path)/\(name)", bytes: bytes))
            } else if name.hasPrefix("strings/") {
                texts.append((name, bytes))
            } else if let place = SitePath(name) {
                if let other = folded.updateValue(name, forKey: name.lowercased()) {
                    throw SiteError.refused(
                        "\(path)/\(name): differs from \(other) in capital letters only, and Windows and macOS take "
                            + "both for one; rename one"
                    )
                }
                files.append(SiteFile(path: place, bytes: bytes))
            } else {
                throw SiteError.refused(
                    "\(path)/\(name): a file that goes into the site has a name of letters, digits, \".\", \"_\" and "
                        + "\"-\", with no dot at either end, that Windows does not reserve; rename it"
                )
            }
        }
        let size = templates.reduce(0) { $0 + $1.bytes.count } * max(1, texts.count)
        guard size <= Limit.compiled else {
            throw SiteError.refused(
                "\(path): its templates have more than \(Limit.compiled) bytes, counted once for each language; "
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

    /// What a folder of templates may hold; all of it is in memory at once.
    enum Limit {
        /// Bytes of a template or a file of texts.
        static let text = 1 << 20
        /// Bytes of another file.
        static let file = 64 << 20
        static let all = 256 << 20
        static let templates = 1_000
        /// Bytes of all templates times the number of languages. Compiled, they take 18 times the
        /// memory where a template is all short tags.
        static let compiled = 16 << 20
        static let count = 10_000
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
                guard !FolderWatcher.passesOver(name) else { return }
                names.append(name)
                guard names.count <= Limit.count else { throw SystemError("list", path, code: E2BIG) }
            }
            for name in names.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
                let limit = isText(name) ? Limit.text : Limit.file
                do throws(SystemError) {
                    contents.append((name, try File.readFollowing(name, in: folder, limit: limit)))
                } catch {
                    guard error.code == EFBIG else { throw error }
                    throw SiteError.refused(
                        "\(path)/\(name): has more than \(limit) bytes, the most that such a file may have")
                }
                size += contents.last?.bytes.count ?? 0
                guard size <= Limit.all else {
                    throw SiteError.refused(
                        "\(path): holds more than \(Limit.all) bytes, the most that templates and their files may have")
                }
            }
        } catch let error as SystemError where error.code == E2BIG {
            throw SiteError.refused(
                "\(path): holds more than \(Limit.count) files, the most that templates and their files may be")
        }
        return contents
    }

    /// The file of a language's texts; empty where there is none.
    func bytes(of language: String) -> [UInt8] { texts.first { $0.name == "strings/\(language).json" }?.bytes ?? [] }
}
