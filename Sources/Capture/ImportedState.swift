package import Archive
package import Catalogue
import Platform

/// Reads a state of an API from files. Each file is a JSON array of the records of one kind.
package enum ImportedState {
    /// Reads a file for each list of the catalogue, such as `characters.json`. Only the folder may be a symbolic link.
    /// - Parameter base: the API's base URL.
    /// - Returns: the files in the order of the kinds, and the invalid links in their records. Each file has a limited
    ///   number of gaps, and one gap for the number of the others.
    /// - Throws: `CaptureError.notImported`.
    package static func read(
        _ folder: String, of catalogue: any Catalogue, base: String
    ) throws -> (files: [ImportedFile], gaps: [Gap]) {
        var gaps = GapList()
        var path = folder
        do {
            let openFolder = try Folder.open(folder)
            let files = try catalogue.listedKinds.map { kind in
                let name = "\(catalogue.plural(of: kind)).json"
                path = "\(folder)/\(name)"
                // This check also refuses a pipe, whose size is 0. Reading a pipe would wait for a writer.
                guard FileStatus(name, in: openFolder)?.size != 0 else { throw ContentFault("", "is empty") }
                // The limit is that of SQLite for a value (https://sqlite.org/limits.html).
                let bytes = try File.read(name, in: openFolder, limit: 1_000_000_000)
                return try catalogue.importedFile(name, bytes, of: kind, base: base, addingTo: &gaps)
            }
            return (files, gaps.sorted)
        } catch let fault as ContentFault {
            throw CaptureError.notImported("\(path): \(fault)")
        } catch let error as SystemError {
            throw CaptureError.notImported("\(error)")
        }
    }
}
