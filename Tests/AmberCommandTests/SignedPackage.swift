import Evidence
import Foundation
import Platform
import SQLite
import SampleAPI
import Site
import TestSupport
import Testing

@testable import AmberCommand
@testable import Archive
@testable import Snapshot

/// A copy of a signed package, and the changes that are possible without the key.
struct SignedPackage {
    /// Two packages of one small API, signed with the same key; created once for all tests.
    private struct Original: Sendable {
        let small: Small
        let names: [String]
    }

    private static let original = Task<Original, any Error> {
        let universe = Universe(seed: 7, characters: 3)
        let small = try Small(universe: universe)
        try small.scratch.writeKeys()
        for generation in 0..<2 {
            if generation > 0 { small.server.behaviour.revise(universe) }
            for verb in [["build"], ["snapshot", "--key", small.scratch["private.pem"]]] {
                let result = try await Program.start(small.arguments(verb[0], Array(verb.dropFirst()))).wait()
                guard result.code == 0 else { throw CocoaError(.executableLoad, userInfo: ["sentence": result.errors]) }
            }
        }
        return Original(small: small, names: try names(in: "\(small.output)/snapshots"))
    }

    private static func names(in snapshots: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: snapshots).filter { $0.hasSuffix(".tar") }.sorted().map {
            String($0.dropLast(4))
        }
    }

    let scratch: ScratchFolder
    let name: SnapshotName
    /// The package of the next revision.
    let later: SnapshotName
    let publicKey: String
    let privateKey: String

    /// Copies the two packages, the first into an output folder, the second into a folder next to it.
    init() async throws {
        let original = try await Self.original.value
        scratch = try ScratchFolder()
        for (name, folder) in zip(original.names, ["out/snapshots", "later"]) {
            try FileManager.default.createDirectory(atPath: scratch[folder], withIntermediateDirectories: true)
            let script = "cp -a \"$1/$2\"* \"$3\""
            let copied = try await Tool.bash(script, "\(original.small.output)/snapshots", name, scratch[folder])
            guard copied.code == 0 else { throw CocoaError(.fileWriteUnknown, userInfo: ["errors": copied.errors]) }
        }
        name = SnapshotName(original.names[0], in: scratch["out/snapshots"])
        later = SnapshotName(original.names[1], in: scratch["later"])
        publicKey = original.small.scratch["public.pem"]
        privateKey = original.small.scratch["private.pem"]
    }

    /// A package of an imported state.
    init(imported: Void) async throws {
        let imports = try Imports()
        scratch = imports.scratch
        try scratch.writeKeys()
        (publicKey, privateKey) = (scratch["public.pem"], scratch["private.pem"])
        try await imports.importTwo()
        // One of its characters is the same in the state before, byte for byte.
        let third = try imports.state(
            "third", characters: [Imports.character(1, "Ada", status: "Dead", episodes: [1, 2])])
        try await imports.run("import", third, "--date", "2019-01-01")
        let result = try await imports.run("snapshot", "--key", privateKey)
        guard result.code == 0 else { throw CocoaError(.executableLoad, userInfo: ["sentence": result.errors]) }
        name = SnapshotName(try Self.names(in: scratch["out/snapshots"])[0], in: scratch["out/snapshots"])
        later = name
    }

    struct Proof: Decodable, Equatable {
        let subject: String
        let claim: String
        let fault: String?
        private let skipped: Bool?

        var isSkipped: Bool { skipped == true }
    }

    func proofs(signed: Bool = true) async throws -> [Proof] {
        struct Report: Decodable {
            let proofs: [Proof]
        }
        let key = signed ? ["--key", publicKey] : []
        let run = try await Program.start(["verify", "snapshot", "--json", "--output", scratch["out"]] + key).wait()
        let report = try JSONDecoder().decode(Report.self, from: Data(run.output.utf8))
        #expect(run.code == (report.proofs.contains { $0.fault != nil } ? 7 : 0), "\(run.errors)")
        return report.proofs.filter { $0.subject == name.text }
    }

    func faults(signed: Bool = true) async throws -> [String] { try await proofs(signed: signed).compactMap(\.fault) }
}

extension SignedPackage {
    /// Changes the database in the bag, which the archive and the site share.
    /// - Returns: the number of changed rows.
    @discardableResult
    func change(_ sql: String) throws -> Int {
        let db = try Connection("\(name.bag)/data/archive/archive.sqlite", .readWrite)
        try db.execute(sql)
        return try db.first("SELECT changes()") { $0.int(0) } ?? 0
    }

    func replace(_ text: String, with new: String, in file: String) throws {
        let path = "\(name.bag)/data/\(file)"
        let old = try String(contentsOfFile: path, encoding: .utf8)
        guard old.contains(text) else { throw CocoaError(.fileReadCorruptFile) }
        try File.replace(Array(old.replacing(text, with: new).utf8), at: path)
    }

    /// Recomputes all digests that no signature covers: manifests, tar, root hash and the list of digests.
    /// - Parameters:
    ///   - software: the program that bag-info.txt names instead.
    ///   - statement: whether the statement gets the new digests, which invalidates its signature.
    ///   - seal: whether the archive in the package gets a new seal too.
    func repair(software: String? = nil, statement isRestated: Bool = false, seal isSealedAgain: Bool = false) throws {
        if isSealedAgain {
            let db = try Connection("\(name.bag)/data/archive/archive.sqlite", .readWrite)
            let revision = try db.first("SELECT max(id) FROM revision") { $0.integer(0) } ?? 0
            let digest = try db.computeDigest(of: revision)
            try db.run("UPDATE revision SET digest = ? WHERE id = ?", digest, revision)
            let seal = try db.computeSeal(of: revision)
            try db.run("UPDATE revision SET seal = ? WHERE id = ?", seal, revision)
        }
        let info = String(decoding: try File.read("\(name.bag)/bag-info.txt"), as: UTF8.self).split(separator: "\n")
            .map { $0.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) } }
        let modified = TarEntry.number(try File.read(name.tar)[...], at: 136)
        let writer = BagWriter(
            name: name.text,
            info: info.dropLast().map { ($0[0], $0[0] == "Bag-Software-Agent" ? software ?? $0[1] : $0[1]) },
            modified: modified)
        let files = try Folder.files(below: "\(name.bag)/data").map {
            BagFile(path: $0, content: .file("\(name.bag)/data/\($0)"))
        }
        try File.remove(name.tar)
        let report = try writer.write(files, folder: "\(name.bag).new", tar: name.tar)
        try Folder.remove(name.bag)
        try File.rename("\(name.bag).new", to: name.bag)
        if FileStatus("\(name.bag)/data/site/api") != nil {
            try File.replace(Array("\(try RootHash(ofFilesIn: "\(name.bag)/data/site").hex)\n".utf8), at: name.rootHash)
        }
        if isRestated {
            let old = try PackageStatement(File.read(name.statement), "old")
            var values = Dictionary(uniqueKeysWithValues: PackageStatement.Key.allCases.map { ($0, old[$0]) })
            values[.tar] = try PackageFile.sha256(name.tar).hex
            values[.tarSize] = "\(try PackageFile.status(name.tar).size)"
            values[.tagManifest] = report.tagManifest.hex
            values[.rootHash] = String(decoding: try File.read(name.rootHash).dropLast(), as: UTF8.self)
            values[.software] = software ?? old[.software]
            if isSealedAgain {
                let build = try SnapshotBuild(payload: "\(name.bag)/data")
                let reader = try RevisionReader(build.site.revision, in: build.site.archive)
                values.merge(try PackageStatement.facts(of: reader, rootHash: values[.rootHash] ?? "")) { $1 }
            }
            try File.replace(PackageStatement(values).bytes, at: name.statement)
        }
        try list()
    }

    func list() throws {
        try File.replace(SnapshotBuild.lines(try SnapshotBuild.digests(of: name)), at: name.digests)
    }
}
