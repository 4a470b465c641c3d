import Foundation
import Platform
import Snapshot
import TestSupport
import Testing

/// Packages for the judges of `make judges`, which names the folder that they are put into.
@Suite("Packages for the judges")
struct JudgedPackages {
    private static let folder = ProcessInfo.processInfo.environment["AMBER_JUDGED"] ?? ""
    private static let key = ProcessInfo.processInfo.environment["AMBER_JUDGED_KEY"] ?? ""

    @Test(.enabled(if: !folder.isEmpty, "make judges has them written; AMBER_JUDGED and AMBER_JUDGED_KEY name the folder and a key"))
    func `are written: a bag, a tar, a WACZ, a long zip and a signature`() throws {
        let scratch = try ScratchFolder()
        try Folder.make(scratch["pictures"])
        let exchanges = try Exchanges(in: scratch["pictures"])
        let name = "\(Self.folder)/things-2026-11-21"
        #expect(try File.link(scratch["pictures/1"], to: scratch["pictures/again"]))
        let files = [
            BagFile("site/index.html", .bytes(Array("<!DOCTYPE html>\n".utf8))),
            BagFile("site/empty", .bytes([])),
            BagFile("site/ümläut and blank.txt", .bytes(Array("text".utf8))),
            BagFile("site/" + String(repeating: "long/", count: 60) + "file", .bytes(Array("deep".utf8))),
            BagFile("site/pictures/1.png", .file(scratch["pictures/1"])),
            BagFile("site/api/1.png", .file(scratch["pictures/again"])),
            BagFile("site/pictures/2.png", .file(scratch["pictures/2"])),
        ]
        let bag = BagWriter(
            name: "things-2026-11-21",
            info: [.init("Source-Organization", "Amber"), .init("External-Description", "Six things: invented")],
            baggingDate: "2026-11-21", software: "Amber 0", modified: 1_795_256_450)
        _ = try bag.write(files, folder: name, tar: "\(name).tar")
        try exchanges.write("\(name).wacz")
        try File.writeNew(Array("\(String(repeating: "0", count: 64))\n".utf8), to: "\(name).roothash")
        let signature = try Ed25519.signature(of: File.read("\(name).roothash"), keyFile: Self.key)
        try File.writeNew(signature, to: "\(name).roothash.sig")
        try writeLongZip("\(Self.folder)/long.zip")
    }
}
