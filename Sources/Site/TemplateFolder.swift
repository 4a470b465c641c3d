public import Archive
public import Catalogue
import Mustache
import Platform

/// The templates as they were when the build began: edits during a build belong to the next one.
///
/// `*.mustache` are templates, named by their file names; every other file at the top stands in the site as it is.
public struct TemplateFolder: Sendable {
    /// The compiled templates.
    let library: Library
    /// Files that stand in the site as they are.
    let files: [(path: SitePath, bytes: [UInt8])]
    /// The digest over names and bytes of all of it.
    public let digest: SHA256

    /// Reads a folder and compiles what is in it.
    public init(_ path: String) throws(SiteError) {
        var sources: [Mustache.Source] = []
        var files: [(path: SitePath, bytes: [UInt8])] = []
        var hasher = SHA256Hasher()
        do {
            for name in try Folder.names(in: path) where !name.hasPrefix(".") && FileStatus("\(path)/\(name)")?.isFolder == false {
                let bytes = try File.read("\(path)/\(name)")
                hasher.update("\(name.utf8.count) \(name) \(bytes.count)\n")
                hasher.update(bytes)
                if name.hasSuffix(".mustache") {
                    sources.append(Mustache.Source(name: String(name.dropLast(".mustache".count)), file: "\(path)/\(name)", bytes: bytes))
                } else if let place = SitePath(name) {
                    files.append((place, bytes))
                } else {
                    throw SiteError.templates(
                        "\(path)/\(name): a file that goes into the site has a name of letters, digits, \".\", \"_\" and \"-\"")
                }
            }
            guard !sources.isEmpty else {
                throw SiteError.templates("there are no templates (*.mustache) in \(path); name their folder with --templates")
            }
            library = try Library(sources, mode: .strict)
        } catch {
            throw SiteError(error)
        }
        self.files = files
        digest = hasher.finish()
    }

    /// Checks every page template of a catalogue against the names that its model has.
    public func check(for catalogue: any Catalogue) throws(SiteError) {
        for template in catalogue.pageTemplates {
            guard library.names.contains(template.name) else {
                throw .templates("there is no template \"\(template.name).mustache\"; there are: \(library.names.joined(separator: ", "))")
            }
            do {
                try library.check(template.name, against: template.shape)
            } catch {
                throw .template(error)
            }
        }
    }
}
