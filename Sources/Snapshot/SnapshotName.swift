import Archive
import Catalogue
import Glibc
import Platform

/// The name of a revision's package, and the paths of its parts.
package struct SnapshotName: Sendable, Equatable {
    /// Catalogue, day and number of the revision, such as "things-2026-11-21-r5".
    package let text: String
    private let folder: String

    init(_ revision: Revision, in folder: String) {
        let sample = revision.source.origin == .sample ? "-sample" : ""
        self.init("\(revision.source.catalogue)\(sample)-\(revision.day)-r\(revision.number)", in: folder)
    }

    init(_ text: String, in folder: String) {
        self.text = text
        self.folder = folder
    }

    package var bag: String { "\(folder)/\(text)" }
    package var tar: String { bag + ".tar" }
    /// The requests and answers, for programs that replay web archives. An imported state has no such file.
    package var wacz: String { bag + ".wacz" }
    var rootHash: String { bag + ".roothash" }
    package var statement: String { bag + ".statement" }
    package var signature: String { bag + ".statement.sig" }
    /// The list of the digests of all other files, in the format of `sha256sum`.
    var digests: String { bag + ".sha256" }

    /// Every file that a package may have next to the bag's folder. The list of digests is last.
    var files: [String] { Self.endings.map { bag + $0 } }
    fileprivate static let endings = [".tar", ".wacz", ".roothash", ".statement", ".statement.sig", ".sha256"]

    /// The stored signature of a statement; nil if there is none, or if the stored statement is different.
    func signature(of statement: [UInt8]) throws -> [UInt8]? {
        guard FileStatus(signature) != nil, FileStatus(self.statement) != nil,
            try PackageFile.read(self.statement) == statement
        else { return nil }
        return try PackageFile.read(signature)
    }
}

/// The packages in a folder, and the other files in that folder.
package struct SnapshotFolder: Sendable {
    /// The packages by name, also incomplete ones.
    package private(set) var packages: [SnapshotName] = []
    /// The names of files and folders that are not part of a package.
    package private(set) var others: [String] = []

    /// Lists a folder. A folder that does not exist is empty.
    package init(_ folder: String) throws {
        // Amber follows no links below an output folder.
        guard FileStatus(folder)?.isLink != true else { throw SystemError("use the folder", folder, code: ELOOP) }
        for file in try Folder.names(in: folder) {
            let ending = SnapshotName.endings.first { file.hasSuffix($0) } ?? ""
            let package = SnapshotName(String(file.dropLast(ending.count)), in: folder)
            let isPackage = [package.tar, package.statement, package.digests].contains { FileStatus($0) != nil }
            if isPackage, !package.text.hasPrefix(".") { packages.append(package) } else { others.append(file) }
        }
        packages = packages.unique(by: \.text).sorted { $0.text.utf8.lexicographicallyPrecedes($1.text.utf8) }
    }
}

/// The reason why a package cannot be written, read or signed. For errors of the operating system see `SystemError`.
package enum SnapshotError: Error, Equatable, CustomStringConvertible {
    /// A file of the input differs from the expected content, or changes while it is read.
    case changed(String)
    /// A value or path is not valid in the format of the package.
    case unwritable(String)
    case damaged(String)
    case alreadyExists(String)
    case key(String)

    /// Throws `damaged` with the fault, unless a package meets a condition.
    static func require(_ isMet: Bool, _ fault: @autoclosure () -> String) throws {
        guard isMet else { throw SnapshotError.damaged(fault()) }
    }

    package var description: String {
        switch self {
        case .changed(let what):
            "the snapshot cannot be written: \(what); make sure that no other program changes the files, and run again"
        case .unwritable(let what): "the snapshot cannot be written: \(what)"
        case .damaged(let what): "the package is damaged: \(what); use another copy of it"
        case .alreadyExists(let path):
            "\(path) already exists with different content: its templates, settings, history or version differ; move "
                + "it away to create a new one"
        case .key(let what): what
        }
    }
}
