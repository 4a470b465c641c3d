public import Archive
import Catalogue
import Platform

/// What a revision's package is called, and where its parts stand.
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
    /// Its signature, where a key was given.
    public var signature: String { "\(folder)/\(text).roothash.sig" }
    /// The digests of all these files, as `sha256sum` writes them.
    public var digests: String { "\(folder)/\(text).sha256" }

    /// What the names of these files end in.
    static let endings = [".tar", ".wacz", ".roothash", ".roothash.sig", ".sha256"]

    /// Every file beside the bag's folder that a package may have, the digests last.
    var files: [String] { [tar, wacz, rootHash, signature, digests] }

    /// The signature that stands there for a root hash; nil where there is none for this one.
    func signature(of rootHash: [UInt8]) throws(SystemError) -> [UInt8]? {
        guard FileStatus(signature) != nil, FileStatus(self.rootHash) != nil, try File.read(self.rootHash) == rootHash else { return nil }
        return try File.read(signature)
    }
}
