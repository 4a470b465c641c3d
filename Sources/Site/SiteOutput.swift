import Archive
import Catalogue
import Platform

/// What takes a site's files as they are made, from several threads.
protocol SiteOutput: Sendable {
    /// Takes a text file.
    /// - Parameter known: what is known of the file that is there, from when it was made.
    func write(_ bytes: [UInt8], to path: SitePath, known: Manifest.Entry?) throws -> (
        Manifest.Entry, TreeWriter.Outcome
    )

    /// Takes a file that is written piece by piece.
    func write(_ stream: SiteStream, known: Manifest.Entry?) throws -> (Manifest.Entry, TreeWriter.Outcome)

    /// Takes a picture, whose bytes are in a file of the archive.
    func link(_ asset: Asset, to path: SitePath, known: Manifest.Entry?) throws -> (
        Manifest.Entry, TreeWriter.Outcome
    )
}

extension FileWriter {
    /// Writes a stream's file.
    /// - Parameters:
    ///   - willWrite: is called with the number of bytes before they are written.
    ///   - body: is called with a function that adds bytes.
    static func write(
        _ path: String, _ willWrite: @escaping (Int) throws -> Void,
        _ body: (_ append: ([UInt8]) throws -> Void) throws -> Void
    ) throws {
        var writer = try FileWriter(path)
        try body { bytes in
            try willWrite(bytes.count)
            try writer.append(bytes)
        }
        try writer.finish()
    }
}
