import Archive
import Catalogue
import Platform
import Site

/// The texts that describe a package, for archive catalogues and for readers in the far future.
extension SnapshotBuild {
    func description(_ reader: RevisionReader) throws -> String {
        let records = try reader.recordCounts()
        var counts = try site.catalogue.kinds(among: records.keys).map { kind in
            let count = records[kind] ?? 0
            return "\(count) \(count == 1 ? kind : site.catalogue.plural(of: kind))"
        }
        let (pictures, files) = try reader.assetCounts()
        if !isImported { counts.append("\(pictures) pictures") }
        if files > 0 { counts.append("\(files) \(files == 1 ? "file" : "files")") }
        let source = revision.source.origin == .sample ? "an invented sample universe" : "the web API \(base)"
        return "State of \(source) on \(revision.day): \(counts.joined(separator: ", "))"
    }

    private var revision: Revision { site.revision }
    private var isImported: Bool { revision.imported != nil }
    private var started: String { timestamp(milliseconds: revision.started) }

    func bagFields(_ description: String, rootHash: String) -> [(label: String, value: String)] {
        let when =
            isImported
            ? [("State-Of", revision.day)] : [("Capture-Started", started), ("Capture-Ended", revision.moment)]
        return [
            ("External-Description", description), ("External-Identifier", "sha256:\(rootHash)"),
            ("Internal-Sender-Identifier", "\(revision.source.catalogue) revision \(revision.number)"),
            ("Source-API", base),
        ] + when + [("Bagging-Date", revision.day), ("Bag-Software-Agent", site.generator)]
    }

    /// README.txt, for readers who do not know Amber.
    func readMe(_ description: String, rootHash: String) -> [UInt8] {
        let gapText =
            revision.gaps == 0
            ? "Nothing that the API lists or names is missing."
            : "\(revision.gaps) things could not be captured: see site/completeness.html."
        let origin =
            isImported
            ? "This state was imported from JSON files, which are in archive/archive.sqlite\n(table file, with their "
                + "bytes in table body)."
            : "The capture began at \(started) and ended at \(revision.moment)."
        let mirror = isImported ? "" : "site/api/             the API's own answers, byte for byte, as static files\n"
        let hash =
            isImported
            ? "It covers the imported files. It is a SHA-256 (https://www.rfc-editor.org/rfc/rfc6234)."
            : """
            It covers the files of site/api/, and nothing else. These tools compute it:

                cd site
                find api -mindepth 2 -type f -print0 | xargs -0 sha256sum | LC_ALL=C sort | sha256sum
            """
        return Array(
            """
            \(description).
            \(origin)
            \(gapText)
            \(site.generator) made this package from revision \(revision.number) of its archive.

            READ IT

            Open site/index.html in a web browser. You need no server and no network.

            CONTENTS (below data/)

            site/                 the state as web pages, with a search
            \(mirror)site/data/            the records as JSON (as served) and as comma-separated values
            archive/              the archive: archive.sqlite (SQLite 3) has every answer with its headers, time and
                                  SHA-256, of this state and of earlier ones; assets/ has the pictures, named by
                                  their SHA-256. For example: sqlite3 archive.sqlite ".tables"
            templates/, catalogue/, amber.json
                                  the templates, the catalogue and the settings of the pages
            README.txt            this text

            CHECK IT

            This is a bag (BagIt 1.0, RFC 8493): the manifests beside data/ list the SHA-256 and SHA-512 of all files.

                sha256sum --check --quiet tagmanifest-sha256.txt manifest-sha256.txt

            The root hash of this state is

                \(rootHash)

            \(hash)

            Files of the same name may be beside this bag:

            .tar                  the same bag in one file
            .wacz                 the exchanges with the API, for programs that replay web archives
            .roothash             the root hash
            .statement            what this package is, and the SHA-256 of the tar, of the WACZ and of this bag's
                                  tagmanifest-sha256.txt
            .statement.sig        the signature of the statement (Ed25519)
            .sha256               the SHA-256 of these files

            Digests show that the files agree with each other. The signature shows who made them, if you know the key:

                openssl pkeyutl -verify -pubin -inkey KEY.pem -rawin -in NAME.statement -sigfile NAME.statement.sig

            RIGHTS

            The records and pictures belong to their makers. This package only says where they came from, and when.

            """.utf8)
    }
}
