import Platform

/// The database's digest beside it, as `sha256sum` writes it: tells whether a bit of the file has changed since it was
/// closed.
extension ArchiveFolder {
    /// Where the digest stands.
    var sealFile: String { "\(database).sha256" }

    /// Takes the digest away while the database is written.
    func breakSeal() throws(SystemError) {
        try File.remove(sealFile)
    }

    /// Notes the digest of the database as it is at rest.
    func seal() throws {
        try File.replace(try sealText(), at: sealFile)
    }

    /// What is wrong with the seal; nil where the database is byte for byte what was closed.
    func sealFault() throws -> String? {
        guard let file = FileStatus(sealFile) else {
            return
                "archive.sqlite has no digest beside it: a capture was interrupted, or read from while it ended; end "
                + "it with: amber capture"
        }
        // It may be somebody else's: a pipe, say, or larger than any memory.
        guard try DatabaseFiles(database).areAtRest() else {
            return
                "a log or journal beside archive.sqlite changes what it holds: end the interrupted capture with amber "
                + "capture, or take another copy"
        }
        guard file.isRegular, file.size < 1 << 10, try File.read(sealFile) == sealText() else {
            return "archive.sqlite was changed after it was closed: its SHA-256 is not the one in archive.sqlite.sha256"
        }
        return nil
    }

    private func sealText() throws -> [UInt8] {
        Array("\(try SHA256(ofFile: database).hex)  archive.sqlite\n".utf8)
    }
}
