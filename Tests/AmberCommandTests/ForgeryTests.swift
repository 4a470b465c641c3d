import Archive
import Foundation
import Platform
import SQLite
import TestSupport
import Testing

@testable import AmberCommand
@testable import Snapshot

/// Signed packages that someone without the key has changed. All digests that no signature covers are recomputed.
@Suite(.timeLimit(.minutes(3)))
struct ForgeryTests {
    enum Forgery: CaseIterable {
        case script, revisionDate, answerDate, headers, gaps, page, portraits, moreInArchive, otherRecords

        func apply(to package: SignedPackage) throws {
            switch self {
            case .script:
                try package.replace(
                    "</head>", with: "<script src=\"x.js\"></script></head>", in: "templates/layout.mustache")
                try package.replace("</head>", with: "<script src=\"x.js\"></script></head>", in: "site/index.html")
            case .revisionDate:
                try package.change("UPDATE revision SET started = started - 86400000, finished = finished - 86400000")
            case .answerDate: try package.change("UPDATE exchange SET received = received - 86400000")
            case .headers:
                try package.change("UPDATE exchange SET headers = CAST('HTTP/1.1 200 Forged\r\n\r\n' AS BLOB)")
            case .gaps:
                try package.change(
                    "INSERT INTO gap SELECT id, 'http://forged.example', '', 'was refused' FROM revision")
            case .page: try package.replace("</h1>", with: " is forged</h1>", in: "site/about.html")
            case .portraits:
                try package.change(
                    """
                    UPDATE member SET picture = (
                        SELECT other.picture FROM member AS other
                        WHERE (other.revision, other.kind, other.position) = (member.revision, member.kind, 1 - member.position))
                    WHERE kind = 'character' AND position IN (0, 1)
                    """)
            case .moreInArchive:
                try package.scratch.write("forged", to: "out/snapshots/\(package.name.text)/data/archive/assets/forged")
            case .otherRecords: try package.change("UPDATE member SET position = 1000 - position")
            }
        }
    }

    @Test func `An unchanged package passes every check with the key`() async throws {
        let package = try await SignedPackage()
        let proofs = try await package.proofs()
        #expect(proofs.filter { $0.fault != nil || $0.isSkipped } == [])
        #expect(proofs.count == 11)
        let text = package.name.text
        #expect(proofs.first?.claim == "\(text).statement is signed with the key in \(package.publicKey)")
        // `repair` alone, which the forgeries below use, changes nothing.
        try package.repair(statement: true)
        #expect(try await package.faults() == [])
    }

    @Test(arguments: Forgery.allCases)
    func `A forged package fails with the key, with and without a forged statement`(_ forgery: Forgery) async throws {
        let package = try await SignedPackage()
        try forgery.apply(to: package)
        try package.repair()
        let text = package.name.text
        var faults = try await package.faults()
        #expect(faults.first?.hasPrefix("\(text).tar ") == true, "\(faults)")
        #expect(faults.last?.contains("tagmanifest-sha256.txt has the SHA-256 ") == true, "\(faults)")
        #expect(
            try await package.proofs().last?.claim.hasPrefix(
                "not proved: archive not read and pages not rendered again")
                == true)

        try package.repair(statement: true)
        faults = try await package.faults()
        #expect(faults.count == 1, "\(faults)")
        #expect(
            faults.first?.hasPrefix("\(text).statement.sig is not the signature of \(text).statement") == true,
            "\(faults)")
    }

    @Test func `An imported package fails if a record is read from another state's file`() async throws {
        let package = try await SignedPackage(imported: ())
        #expect(try await package.faults() == [])
        let moved = try package.change(
            """
            UPDATE record SET (body, offset) = (
                SELECT other.body, instr(theirs.bytes, substr(ours.bytes, record.offset + 1, record.length)) - 1
                FROM file AS other JOIN body AS theirs ON theirs.id = other.body JOIN body AS ours ON ours.id = record.body
                WHERE other.body <> record.body AND instr(theirs.bytes, substr(ours.bytes, record.offset + 1, record.length)) > 0)
            WHERE EXISTS (
                SELECT 1 FROM file AS other JOIN body AS theirs ON theirs.id = other.body JOIN body AS ours ON ours.id = record.body
                WHERE other.body <> record.body AND instr(theirs.bytes, substr(ours.bytes, record.offset + 1, record.length)) > 0)
            """)
        #expect(moved > 0)
        try package.repair()
        let faults = try await package.faults()
        #expect(faults.first?.hasPrefix("\(package.name.text).tar ") == true, "\(faults)")
    }

    @Test func `A package of another program is not rendered again, and a forged one fails`() async throws {
        let package = try await SignedPackage()
        try Forgery.page.apply(to: package)
        try package.repair(software: "Amber 0.0", statement: true)
        // Without a key, any forgery is consistent. The output names the check that was skipped.
        let proofs = try await package.proofs(signed: false)
        #expect(proofs.compactMap(\.fault) == [])
        #expect(
            proofs.filter(\.isSkipped).map(\.claim) == [
                "not proved: pages not rendered again: it was created by Amber 0.0, and this is \(AmberCommand.software)"
            ])
        #expect(try await package.faults().first?.contains("is not the signature of") == true)
        // A change of bag-info.txt alone is not enough: the statement has the real name.
        let other = try await SignedPackage()
        try other.repair(software: "Amber 0.0")
        #expect(try await other.faults() != [])
    }

    @Test func `A web archive with changed bytes and correct checksums fails`() async throws {
        let package = try await SignedPackage()
        var bytes = try File.read(package.name.wacz)
        // pages.jsonl is stored uncompressed. Its CRC-32 is in front of it and in the central directory.
        func place(of text: [UInt8], from start: Int = 0) throws -> Int {
            try #require((start..<bytes.count - text.count).first { bytes[$0..<$0 + text.count].elementsEqual(text) })
        }
        let start = try place(of: Array("{\"format\":\"json-pages-1.0\"".utf8))
        let size = try place(of: [0x50, 0x4B], from: start) - start
        func fileChecksum() -> [UInt8] {
            let checksum = checksum(Array(bytes[start..<start + size]))
            return (0..<4).map { UInt8(truncatingIfNeeded: checksum >> UInt32(8 * $0)) }
        }
        let old = fileChecksum()
        let title = try place(of: Array("All Pages".utf8), from: start)
        bytes.replaceSubrange(title..<title + 9, with: "All Lies!".utf8)
        let new = fileChecksum()
        for _ in 0..<2 {
            let place = try place(of: old)
            bytes.replaceSubrange(place..<place + 4, with: new)
        }
        try File.replace(bytes, at: package.name.wacz)
        try package.list()
        #expect(try await package.faults() == ["\(package.name.text).wacz does not have the SHA-256 in the statement"])
        #expect(
            try await package.faults(signed: false) == [
                "\(package.name.text).wacz does not have the SHA-256 in the statement"
            ])
        try File.remove(package.name.wacz)
        try package.list()
        #expect(try await package.faults() == ["\(package.name.text).wacz is missing"])
    }

    @Test func `A tar or web archive of eight terabytes fails without being read`() async throws {
        let package = try await SignedPackage()
        for path in [package.name.tar, package.name.wacz] {
            let size = try #require(FileStatus(path)).size
            try #require(truncate(path, 8 << 40) == 0)
            let file = PackageFile.name(path)
            #expect(
                try await package.faults().first == "\(file) has 8796093022208 bytes, but the statement gives \(size)")
            try #require(truncate(path, Int(size)) == 0)
        }
        for path in [package.name.rootHash, package.name.digests, package.name.signature, package.name.statement] {
            let bytes = try File.read(path)
            try #require(truncate(path, 8 << 40) == 0)
            #expect(
                try await package.faults().first?.contains("\(path) has 8796093022208 bytes; the limit is 65536")
                    == true)
            try File.replace(bytes, at: path)
        }
        #expect(try await package.faults() == [])
    }

    @Test func `A huge tar or web archive fails unread, even if the statement matches its size`() async throws {
        let package = try await SignedPackage()
        let old = try PackageStatement(File.read(package.name.statement), "old")
        func fault(_ path: String, _ key: PackageStatement.Key, size: Int) async throws -> String {
            let before = try #require(FileStatus(path)).size
            try #require(truncate(path, size) == 0)
            var values = Dictionary(uniqueKeysWithValues: PackageStatement.Key.allCases.map { ($0, old[$0]) })
            values[key] = "\(size)"
            try File.replace(PackageStatement(values).bytes, at: package.name.statement)
            let fault = try await package.faults(signed: false).first
            try #require(truncate(path, Int(before)) == 0)
            return fault ?? ""
        }
        let name = package.name
        #expect(
            try await fault(name.tar, .tarSize, size: 8 << 40).contains(
                "\(name.tar) has 8796093022208 bytes; the limit is 274877906944"))
        #expect(
            try await fault(name.tar, .tarSize, size: 1 << 37)
                == "\(name.text).tar has 137438953472 bytes, which is more than a tar of its folder can have")
        #expect(
            try await fault(name.wacz, .waczSize, size: 1 << 37).contains(
                "has 137438953472 bytes, which is far more than a tar of "))
        try File.replace(old.bytes, at: name.statement)
        #expect(try await package.faults() == [])
    }

    @Test func `An archive whose site is larger than the tar fails before the site is written`() async throws {
        let package = try await SignedPackage()
        let (name, page) = (package.name, [UInt8](repeating: UInt8(ascii: "x"), count: 1 << 20))
        let folder = "\(name.bag)/data/site/api/character/page"
        let db = try Connection("\(name.bag)/data/archive/archive.sqlite", .readWrite)
        let digest = SHA256(of: page)
        try db.run("INSERT INTO body VALUES (1000, ?, ?)", digest, page)
        for number in 1000..<1040 {
            try db.run(
                "INSERT INTO exchange SELECT ?1, source, 'character?page=' || ?1, 200, headers, received, ?2, ?3, 1000, NULL FROM exchange LIMIT 1",
                number, digest, page.count)
            try db.run(
                "INSERT INTO answer SELECT id, 'character?page=' || ?1, ?1, 'page' FROM revision LIMIT 1", number)
            // The tar stores the second and further names of a file as links, without the content.
            if number == 1000 { try File.writeNew(page, to: "\(folder)/1000.json") }
            if number > 1000 { try #require(link("\(folder)/1000.json", "\(folder)/\(number).json") == 0) }
        }
        try package.repair(statement: true, seal: true)
        let size = try #require(FileStatus(name.tar)).size
        let faults = try await package.faults(signed: false)
        #expect(faults.count == 1 && faults[0].contains("its site has more than \(size) bytes"), "\(faults)")

        // The same for the web archive.
        let other = try await SignedPackage()
        let short = SnapshotName(other.name.text, in: other.scratch["short"])
        try Folder.make(other.scratch["short"])
        try File.writeNew([0], to: short.wacz)
        try Folder.make(other.scratch["made"])
        let error = try #require(throws: SnapshotError.self) {
            try SnapshotBuild(payload: "\(other.name.bag)/data").writeParts(
                SnapshotName(other.name.text, in: other.scratch["made"]), siteIn: other.scratch["made"], key: nil,
                original: short)
        }
        #expect(error == .damaged("its archive produces a web archive of more than 1 bytes"))
    }

    @Test func `A pipe or a link in a package fails without waiting`() async throws {
        let package = try await SignedPackage()
        for place in ["\(package.name.bag)/data/more", package.name.signature, package.name.wacz, package.name.digests]
        {
            let file = FileStatus(place) == nil ? nil : try File.read(place)
            try File.remove(place)
            try #require(mkfifo(place, 0o600) == 0)
            #expect(try await package.faults().first?.contains("\(place) is a pipe or device, not a file") == true)
            try File.remove(place)
            try #require(symlink("/dev/zero", place) == 0)
            #expect(try await package.faults().first?.contains("\(place) is a symbolic link, not a file") == true)
            try File.remove(place)
            if let file { try File.writeNew(file, to: place) }
        }
        #expect(try await package.faults() == [])
    }

    @Test func `A package without a statement fails with and without a key`() async throws {
        let package = try await SignedPackage()
        for file in [package.name.statement, package.name.signature] { try File.remove(file) }
        try package.list()
        for isSigned in [false, true] {
            let faults = try await package.faults(signed: isSigned)
            #expect(faults == ["the package is damaged: \(package.name.statement) is missing; use another copy of it"])
        }
    }

    @Test func `The statement of another package with the same key fails`() async throws {
        let package = try await SignedPackage()
        let (name, later) = (package.name, package.later)
        for (old, new) in [(name.statement, later.statement), (name.signature, later.signature)] {
            try File.replace(try File.read(new), at: old)
        }
        try package.list()
        #expect(try await package.faults().first == "\(name.text).statement belongs to the package \"\(later.text)\"")
        // With the tar and the web archive of the other package, only the folder of the bag is this package's.
        for (old, new) in zip(name.files, later.files) where FileStatus(new) != nil {
            try File.replace(try File.read(new), at: old)
        }
        try package.list()
        #expect(try await package.faults().first == "\(name.text).statement belongs to the package \"\(later.text)\"")
    }

    @Test func `Verify exits with 7 for a forged package and with 0 for an unchanged one`() async throws {
        let package = try await SignedPackage()
        func verify(_ key: String...) async throws -> Program.Result {
            try await Program.start(["verify", "snapshot", "--output", package.scratch["out"]] + key).wait()
        }
        let whole = try await verify("--key", package.publicKey).succeeded()
        #expect(
            whole.output.hasSuffix("\nsigned with the key in \(package.publicKey): 11 checks passed\n"),
            "\(whole.output)")
        let unsigned = try await verify()
        #expect(
            unsigned.code == 0 && unsigned.output.contains("\nconsistent: 11 checks passed\n"), "\(unsigned.output)")

        try package.scratch.write("forged", to: "out/snapshots/.forged")
        let more = try await verify("--key", package.publicKey)
        more.failed(
            7, printing: "FAIL  snapshots: \(package.scratch["out/snapshots"])/.forged is not part of a package")
        try File.remove(package.scratch["out/snapshots/.forged"])

        try Forgery.page.apply(to: package)
        try package.repair()
        let forged = try await verify("--key", package.publicKey)
        let text = package.name.text
        forged.failed(7, printing: "FAIL  \(text): \(text).tar ")
        #expect(
            forged.output.contains(
                "skip  \(text): not proved: archive not read and pages not rendered again: an earlier check failed\n"))
    }
}
