import Archive
import Catalogue
import Pages
import Platform

/// The captured files of a record and the captured pictures in its texts, by the paths of their requests.
struct RecordFiles: Sendable {
    /// The addresses in the fields for files, by field.
    private(set) var addresses: [Int: [String]] = [:]
    private var files: [String: SitePicture] = [:]
    private let links: LinkReader

    /// - Parameter reader: the revision of the record. An imported state has no files.
    init(of record: JSONFields, _ kind: KindDeclaration, _ links: LinkReader, from reader: RevisionReader) throws {
        self.links = links
        for field in kind.fields where field.type == .file || field.capturesPictures {
            // An invalid value has no links: the capture reported it as a gap.
            let links = (try? field.fileLinks(of: record))?.links ?? []
            if field.type == .file { addresses[field.index] = links }
            for link in links where reader.revision.imported == nil {
                guard let path = self.links.file(at: link).path, files[path] == nil,
                    let asset = try reader.answer(for: path, withHeaders: false)?.asset
                else { continue }
                files[path] = (MirrorPath.asset(path, asset), asset)
            }
        }
    }

    /// The file at an address in the record; nil if it is not captured. The path is relative to the root of the site.
    subscript(link: String) -> SitePicture? { files.isEmpty ? nil : links.file(at: link).path.flatMap { files[$0] } }

    /// The captured picture at an address in an HTML text, such as the `src` of an `img` element.
    func picture(at link: String) -> ShownPicture? {
        self[link].flatMap { $0.asset.format.isPicture ? ($0.path, $0.asset.width, $0.asset.height) : nil }
    }

    /// The whole address of a link, and the name of the file: the last part of the address, or the title of the record
    /// if this is no name of a file, such as "download".
    func described(_ link: String, title: String) -> (address: String, name: String) {
        let address = links.address(link)
        let last = address.prefix { $0 != "?" }.split(separator: "/").last ?? ""
        let name = String(decoding: percentDecodedLeniently(last.utf8), as: UTF8.self).showable
        let parts = name.lowercased().split(separator: ".")
        return (address, parts.count > 1 && !Self.generic.contains(parts[0]) ? name : title)
    }

    private static let generic: Set<Substring> = ["file", "download", "content", "attachment", "original", "index"]
}

extension RecordMarkup {
    /// Links to the files of a field, with their formats and sizes. Pictures are shown, and audio can be played.
    mutating func files(_ record: RecordContent, _ field: FieldDeclaration) {
        guard let links = record.files.addresses[field.index], !links.isEmpty else { return }
        element("section") { html in
            html.element("h2", text: html.texts[field.label])
            html.element("ul", " class=\"entries\"") { html in
                for link in links { html.element("li") { $0.file(link, record) } }
            }
        }
    }

    private mutating func file(_ link: String, _ record: RecordContent) {
        let (address, name) = record.files.described(link, title: record.heading)
        guard let file = record.files[link] else { return self.link(address, name: name) }
        let path = Self.escaped(root + file.path.text)
        let format = file.asset.format
        if format.isAudio { raw("<audio controls=\"\" preload=\"none\" src=\"\(path)\"></audio>\n".utf8) }
        if format.isPicture { element("p") { $0.image(file.path.text, file.asset.width, file.asset.height) } }
        // The policy of the API mirror forbids PDF viewers, so the file is downloaded, with a safe name.
        let ending = name.split(separator: ".", omittingEmptySubsequences: false).dropFirst().last ?? " "
        let hasEnding = ending.utf8.count <= 4 && ending.allSatisfy { $0.isLetter || $0.isNumber }
        let stem = SitePath.words(hasEnding ? String(name.dropLast(ending.count + 1)) : name, bytes: 60)
        let download = " download=\"\(stem.isEmpty ? "file" : stem).\(format.fileExtension)\""
        element("a", text: name, " href=\"\(path)\"\(format.isPicture ? "" : download)")
        let size = FieldDeclaration.size(Double(file.asset.size), texts)
        text(", \(format.fileExtension.uppercased()), \(size)")
    }
}
