import Archive
import Catalogue
import Platform

/// What a package says of itself, for catalogues of archives and for the reader in twenty years.
struct SnapshotAbout {
    private let revision: Revision
    private let base: String
    private let software: String
    private let counts: String
    private let rootHash: String
    private let gaps: Int

    init(_ ingredients: SnapshotBuild.Ingredients, _ reader: RevisionReader, rootHash: String) throws {
        revision = reader.revision
        base = ingredients.base
        software = ingredients.software
        self.rootHash = rootHash
        gaps = revision.gaps
        let records = try reader.recordCounts()
        let catalogue = ingredients.catalogue
        var parts = try catalogue.kinds(among: records.keys).map { kind in
            let count = records[kind] ?? 0
            return "\(count) \(count == 1 ? kind : catalogue.plural(of: kind))"
        }
        if revision.imported == nil { parts.append("\(try reader.pictureCount()) pictures") }
        counts = parts.joined(separator: ", ")
    }
}

extension SnapshotAbout {
    private var isImported: Bool { revision.imported != nil }
    private var isSample: Bool { revision.source.origin == .sample }

    private var description: String {
        let source = isSample ? "an invented sample universe" : "the web API \(base)"
        return "State of \(source) on \(revision.day): \(counts)"
    }

    /// The lines of bag-info.txt.
    var bagFields: [BagWriter.Field] {
        let when: [BagWriter.Field] =
            isImported
            ? [.init("State-Of", revision.day)]
            : [.init("Capture-Started", timestamp(milliseconds: revision.started)), .init("Capture-Ended", revision.moment)]
        return [
            .init("External-Description", description), .init("External-Identifier", "sha256:\(rootHash)"),
            .init("Internal-Sender-Identifier", "\(revision.source.catalogue) revision \(revision.number)"), .init("Source-API", base),
        ] + when
    }

    /// What the web archive says of itself.
    var webArchive: WACZWriter.About {
        .init(title: "\(base), \(revision.day)", description: description, software: software, created: revision.finished)
    }

    /// README.txt, for whoever finds the package without knowing anything of it.
    var readMe: [UInt8] {
        let gapText =
            gaps == 0 ? "Nothing that the API lists or names is missing." : "\(gaps) things could not be had: see site/completeness.html."
        let origin =
            isImported
            ? "This state was imported: it was kept as files of JSON, which are in archive/archive.sqlite\n(table file, with their bytes in body)."
            : "The capture began at \(timestamp(milliseconds: revision.started)) and ended at \(revision.moment)."
        let twin =
            isImported
            ? ""
            : """
            site/api/             the API's own answers, byte for byte, as a static server can give them again

            """
        let hash =
            isImported
            ? "It is that of the imported files (format: https://www.rfc-editor.org/rfc/rfc6234, SHA-256)."
            : """
            It is computed from the files of site/api/ with nothing but these tools:

                cd site
                find api -mindepth 2 -type f -print0 | xargs -0 sha256sum | LC_ALL=C sort | sha256sum
            """
        return Array(
            """
            \(description).
            \(origin)
            \(gapText)
            \(software) made this package from revision \(revision.number) of its archive.

            TO READ IT

            Open site/index.html in a web browser. No server and no network is needed.

            WHAT IS HERE (below data/)

            site/                 the state as web pages, with a search
            \(twin)site/data/            the records as JSON (as served) and as comma-separated values
            archive/              the archive itself: archive.sqlite (SQLite 3) has every answer with its headers, time and
                                  SHA-256, this state and those before it; assets/ has the pictures, named by their SHA-256.
                                  For example: sqlite3 archive.sqlite ".tables"
            templates/, amber.json  what the pages were made with
            README.txt            this text

            TO CHECK IT

            This is a bag (BagIt 1.0, RFC 8493): beside data/ there are lists of the SHA-256 and SHA-512 of all files.

                sha256sum --check --quiet manifest-sha256.txt

            The root hash of this state is

                \(rootHash)

            \(hash)

            Beside this bag there may be files of its name: .tar, the same bag; .wacz, the exchanges with the API for programs that
            replay web archives; .sha256, the digests of these; .roothash, the root hash; and .roothash.sig, its signature:

                openssl pkeyutl -verify -pubin -inkey PUBLIC-KEY.pem -rawin -in NAME.roothash -sigfile NAME.roothash.sig

            RIGHTS

            The records and pictures belong to whoever made them; this package says only where they came from, and when.

            """.utf8)
    }
}
