import Archive
import Foundation
import Platform
import TestSupport
import Testing

@testable import Snapshot

/// Packages for `make judges`, in the folder that it names.
struct JudgedPackages {
    private static let folder = ProcessInfo.processInfo.environment["AMBER_JUDGED"] ?? ""
    private static let key = ProcessInfo.processInfo.environment["AMBER_JUDGED_KEY"] ?? ""

    @Test(
        .enabled(
            if: !folder.isEmpty,
            "only make judges writes them; AMBER_JUDGED and AMBER_JUDGED_KEY name the folder and a key"))
    func `A bag, a tar, a WACZ, a long zip and a signature are written`() throws {
        let scratch = try ScratchFolder()
        try Folder.make(scratch["pictures"])
        let exchanges = try Exchanges(in: scratch["pictures"])
        let name = "\(Self.folder)/things-2026-11-21"
        #expect(try File.link(scratch["pictures/1"], to: scratch["pictures/again"]) == .linked)
        let files = [
            BagFile(path: "site/index.html", content: .bytes(Array("<!DOCTYPE html>\n".utf8))),
            BagFile(path: "site/empty", content: .bytes([])),
            BagFile(path: "site/ümläut and blank.txt", content: .bytes(Array("text".utf8))),
            BagFile(
                path: "site/" + String(repeating: "long/", count: 60) + "file", content: .bytes(Array("deep".utf8))),
            BagFile(path: "site/pictures/1.png", content: .file(scratch["pictures/1"])),
            BagFile(path: "site/api/1.png", content: .file(scratch["pictures/again"])),
            BagFile(path: "site/pictures/2.png", content: .file(scratch["pictures/2"])),
        ]
        let bag = BagWriter(
            name: "things-2026-11-21",
            info: [
                ("Source-Organization", "Amber"), ("External-Description", "Six things: invented"),
                ("Bagging-Date", "2026-11-21"), ("Bag-Software-Agent", "Amber 0"),
            ], modified: 1_795_256_450)
        let report = try bag.write(files, folder: name, tar: "\(name).tar")
        try exchanges.write("\(name).wacz")
        try Self.writeDigests(SnapshotName("things-2026-11-21", in: Self.folder), tagManifest: report.tagManifest)
        try writeLongZip("\(Self.folder)/long.zip")
    }

    /// Writes the root hash, the signed statement and the digests. The site has pictures only below api/.
    private static func writeDigests(_ name: SnapshotName, tagManifest: SHA256) throws {
        let none = SHA256(of: []).hex
        try File.writeNew(Array("\(none)\n".utf8), to: name.rootHash)
        let statement = try PackageStatement([
            .package: name.text, .api: Exchanges.api, .catalogue: "things", .origin: "live", .revision: "1",
            .date: "2026-11-21T10:20:50Z", .rootHash: none, .revisionDigest: none, .revisionSeal: none,
            .tar: try PackageFile.sha256(name.tar).hex, .wacz: try PackageFile.sha256(name.wacz).hex,
            .tagManifest: tagManifest.hex,
            .tarSize: "\(try PackageFile.status(name.tar).size)",
            .waczSize: "\(try PackageFile.status(name.wacz).size)",
            .software: "Amber 0",
        ])
        try File.writeNew(statement.bytes, to: name.statement)
        try File.writeNew(try Ed25519.PrivateKey(key).signature(of: statement.bytes), to: name.signature)
        try File.writeNew(SnapshotBuild.lines(try SnapshotBuild.digests(of: name)), to: name.digests)
    }
}
