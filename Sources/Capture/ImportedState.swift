package import Archive
public import Catalogue
public import Platform

/// A state of an API that was read from files and checked. Each file is a JSON array of the records of one kind.
public struct ImportedState: Sendable {
    package let files: [ImportedFile]
    /// Invalid links in the records. Each file has a limited number of gaps, and one gap for the number of the others.
    package let gaps: [Gap]
    package let counts: [String: Int]

    /// Reads a folder with a file for each list of the catalogue, such as `characters.json`. The folder may be a
    /// symbolic link, but its files may not.
    /// - Parameter base: the API's base URL.
    /// - Throws: `ImportError`.
    package init(_ folder: String, of catalogue: any Catalogue, base: String) throws {
        var files: [ImportedFile] = []
        var gaps = GapList()
        var counts: [String: Int] = [:]
        let openFolder = try Self.withImportError { try Folder.open(folder) }
        for list in catalogue.lists {
            let name = "\(catalogue.plural(of: list.kind)).json"
            let path = "\(folder)/\(name)"
            // This check also refuses a pipe, whose size is 0. Reading a pipe would wait for a writer.
            guard FileStatus(name, in: openFolder)?.size != 0 else {
                throw ImportError.content(ContentFault("", "is empty"), file: path)
            }
            let bytes = try Self.withImportError { try File.read(name, in: openFolder, limit: Self.maximumFileSize) }
            do throws(ContentFault) {
                let file = try ImportedFile(
                    name: name, bytes, of: list.kind, catalogue, base: base, addingTo: &gaps)
                counts[list.kind] = file.records.count
                files.append(file)
            } catch {
                throw ImportError.content(error, file: path)
            }
        }
        self.files = files
        self.gaps = gaps.sorted
        self.counts = counts
    }

    private static func withImportError<Value>(_ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch let error as SystemError {
            throw ImportError.file(error)
        }
    }

    /// The maximum size of a file in bytes, which is SQLite's limit for a value (https://sqlite.org/limits.html). A
    /// million records have about half of this size.
    private static let maximumFileSize = 1_000_000_000
}

/// The reason why a state cannot be imported.
public enum ImportError: Error, Sendable, CustomStringConvertible {
    /// A file cannot be read.
    case file(SystemError)
    case content(ContentFault, file: String)

    /// One sentence for a person.
    public var description: String {
        switch self {
        case .file(let error): "the state cannot be imported: \(error)"
        case .content(let fault, let file): "the state cannot be imported: \(file): \(fault)"
        }
    }
}
