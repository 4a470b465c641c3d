public import Archive
import Catalogue
import Glibc
public import Platform

/// The name of a revision's package, and the paths of its parts.
public struct SnapshotName: Sendable, Equatable {
    /// "things-2026-11-21-r5": catalogue, day and number.
    public let text: String
    private let folder: String

    /// The name of a revision's package.
    /// - Parameter folder: where packages stand.
    public init(_ revision: Revision, in folder: String) {
        let sample = revision.source.origin == .sample ? "-sample" : ""
        text = "\(revision.source.catalogue)\(sample)-\(revision.day)-r\(revision.number)"
        self.folder = folder
    }

    /// A name that stands already.
    public init(_ text: String, in folder: String) {
        self.text = text
        self.folder = folder
    }

    /// The bag as a folder.
    public var bag: String { "\(folder)/\(text)" }
    /// The same bag as one file.
    public var tar: String { "\(folder)/\(text).tar" }
    /// The exchanges for readers that replay them; an imported state has none.
    public var wacz: String { "\(folder)/\(text).wacz" }
    /// The revision's root hash.
    public var rootHash: String { "\(folder)/\(text).roothash" }
    /// The statement of what the package holds.
    public var statement: String { "\(folder)/\(text).statement" }
    /// The statement's signature, where a key was given.
    public var signature: String { "\(folder)/\(text).statement.sig" }
    /// The signature of the root hash, which packages had before they had statements.
    var rootHashSignature: String { "\(folder)/\(text).roothash.sig" }
    /// The digests of all these files, as `sha256sum` writes them.
    public var digests: String { "\(folder)/\(text).sha256" }

    /// The endings of these files' names.
    static let endings = [".tar", ".wacz", ".roothash", ".statement", ".statement.sig", ".roothash.sig", ".sha256"]

    /// Every file beside the bag's folder that a package may have, the digests last.
    var files: [String] { [tar, wacz, rootHash, statement, signature, rootHashSignature, digests] }

    /// The existing signature of a statement; nil where there is none, or one of another statement.
    func signature(of statement: [UInt8]) throws(SnapshotError) -> [UInt8]? {
        guard FileStatus(signature) != nil, FileStatus(self.statement) != nil,
            try PackageFile.read(self.statement) == statement
        else {
            return nil
        }
        return try PackageFile.read(signature)
    }
}

/// The packages in a folder, and what else is there.
public struct SnapshotFolder: Sendable {
    /// The packages by name, also those of which a part is missing.
    public let packages: [SnapshotName]
    /// Names of files and folders that are no part of a package.
    public let others: [String]

    /// Lists a folder; there is nothing in one that does not exist.
    public init(_ folder: String) throws(SystemError) {
        var names: Set<String> = []
        var others: [String] = []
        // The folder of packages is not a link, as nothing is below an output folder.
        guard FileStatus(folder)?.isLink != true else { throw SystemError("use the folder", folder, code: ELOOP) }
        for file in try Folder.names(in: folder) {
            let name = SnapshotName.endings.first { file.hasSuffix($0) }.map { String(file.dropLast($0.count)) } ?? file
            let package = SnapshotName(name, in: folder)
            let isPackage = [package.tar, package.statement, package.digests].contains { FileStatus($0) != nil }
            if isPackage, !name.hasPrefix(".") { names.insert(name) } else { others.append(file) }
        }
        packages = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }.map { SnapshotName($0, in: folder) }
        self.others = others
    }
}
