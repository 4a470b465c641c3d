import Archive
import Glibc
import Platform

@testable import Snapshot

/// A small valid bag as a tar and as files. It is created once per process.
private struct SmallBag {
    static let shared = SmallBag()

    let tar: [UInt8]
    /// The result of a check of the folder.
    let found: [(path: String, digests: FileDigests)]
    /// The bag's files with their paths, including manifests.
    let files: [(path: String, bytes: [UInt8])]

    private init() {
        let (folder, path) = ("\(Scratch.folder)/valid", "\(Scratch.folder)/valid.tar")
        let picture = Scratch.write(Array("picture".utf8), to: "picture")
        let again = "\(Scratch.folder)/again"
        link(picture, again)
        let writer = BagWriter(
            name: "bag",
            info: [
                ("External-Description", "small"), ("Bagging-Date", "2026-11-22"), ("Bag-Software-Agent", "Amber"),
            ], modified: 1)
        do {
            _ = try writer.write(
                [
                    BagFile(path: "site/index.html", content: .bytes(Array("<p>page</p>".utf8))),
                    BagFile(path: "site/1.png", content: .file(picture)),
                    BagFile(path: "site/2.png", content: .file(again)),
                    BagFile(path: "archive/archive.sqlite", content: .bytes(Array("database".utf8))),
                    BagFile(path: "site/" + String(repeating: "l", count: 100) + "/name.html", content: .bytes([])),
                ], folder: folder, tar: path)
            found = try BagReader.check(folder: folder)
            tar = try File.read(path)
            files = try Folder.files(below: folder).map { ($0, try File.read("\(folder)/\($0)")) }
        } catch {
            preconditionFailure("cannot create the small bag: \(error)")
        }
    }
}

extension FuzzTarget {
    /// An untrusted tar. In half of the runs the checksums of its headers are computed again.
    static let tar = FuzzTarget(name: "tar") { bytes in
        var script = Script(bytes)
        let isRepaired = script.byte() & 1 == 1
        var tar = SmallBag.shared.tar
        edit(&tar, &script)
        if isRepaired { repairHeaders(&tar) }
        let path = Scratch.write(tar, to: "received.tar")
        do {
            try BagReader.check(tar: path, named: "bag", against: SmallBag.shared.found)
            require(tar == SmallBag.shared.tar, "a tar of the same bag has the same bytes")
        } catch {
            // A refusal is also correct.
        }
    }

    /// An untrusted bag in a folder, with files that are changed, added, removed or replaced by other types. In half of
    /// the runs the manifests are written again.
    static let bag = FuzzTarget(name: "bag") { bytes in
        var script = Script(bytes)
        let isRepaired = script.byte() & 1 == 1
        let folder = "\(Scratch.folder)/received"
        do { try Folder.remove(folder) } catch { preconditionFailure("\(error)") }
        var files = SmallBag.shared.files
        var kinds: [String: UInt8] = [:]
        for _ in 0..<4 where !script.isAtEnd {
            let index = script.number(below: files.count)
            switch script.byte() % 6 {
            case 0: files.remove(at: index)
            case 1: edit(&files[index].bytes, &script)
            case 2: files[index].path = name(&script)
            case 3: files.append((name(&script), script.bytes(script.number(below: 32))))
            case 4: kinds[files[index].path] = script.byte() % 4
            default: files[index].bytes = script.bytes(script.number(below: 64))
            }
        }
        if isRepaired { repairManifests(&files) }
        for file in files { write(file.bytes, kinds[file.path], to: "\(folder)/\(file.path)") }
        do {
            _ = try BagReader.check(folder: folder)
            require(kinds.isEmpty || files.allSatisfy { kinds[$0.path] == nil }, "a bag has only regular files")
        } catch {
            // A refusal is also correct.
        }
    }

    /// An untrusted package with a changed WACZ, statement and lists. In half of the runs, all digests and lengths that
    /// a forger can compute without the key are computed again.
    static let wacz = FuzzTarget(name: "wacz") { bytes in
        var script = Script(bytes)
        let isRepaired = script.byte() & 1 == 1
        var parts = SmallPackage.parts
        for _ in 0..<3 where !script.isAtEnd {
            let ending = script.chosen(from: SmallPackage.endings)
            var part = parts[ending] ?? []
            edit(&part, &script)
            parts[ending] = part
        }
        let isChanged = parts != SmallPackage.parts
        if isRepaired { SmallPackage.repair(&parts) }
        for (ending, part) in parts { _ = Scratch.write(part, to: "packages/bag\(ending)") }
        let name = SnapshotName("bag", in: "\(Scratch.folder)/packages")
        let proofs = name.proofs(key: nil, scratch: "\(Scratch.folder)/again") { _ in
            throw SnapshotError.damaged("this archive is not read")
        }
        let faults = proofs.prefix(3).compactMap(\.fault)
        require(!faults.isEmpty || !isChanged || isRepaired, "a change without new digests is detected")
    }
}

extension FuzzTarget {
    /// Overwrites, inserts and removes bytes.
    fileprivate static func edit(_ bytes: inout [UInt8], _ script: inout Script) {
        for _ in 0..<8 where !script.isAtEnd {
            let offset = script.number(below: bytes.count + 1)
            let count = script.number(below: 32)
            let new = script.bytes(count)
            switch script.byte() % 4 {
            case 0: bytes.insert(contentsOf: new, at: offset)
            case 1: bytes.removeSubrange(offset..<min(bytes.count, offset + count))
            case 2:
                // Copy a block, which can be a whole header, to another position.
                let start = offset / 512 * 512
                let block = bytes[start..<min(bytes.count, start + 512)]
                let other = script.number(below: bytes.count / 512 + 1) * 512
                bytes.replaceSubrange(min(other, bytes.count)..<min(bytes.count, other + 512), with: Array(block))
            default: bytes.replaceSubrange(offset..<min(bytes.count, offset + new.count), with: new)
            }
        }
    }

    private static func name(_ script: inout Script) -> String {
        switch script.byte() % 4 {
        case 0: "data/\(script.number(below: 99))"
        case 1:
            script.chosen(from: [
                "bagit.txt", "manifest-md5.txt", "fetch.txt", "data", "data/site", "data/a\nb", "data/%",
                "tagmanifest-x.txt", "x/y",
            ])
        default:
            // One segment of any bytes that file systems allow.
            "data/x"
                + String(
                    decoding: script.bytes(script.number(below: 40)).map { $0 == 0 || $0 == 47 ? 46 : $0 },
                    as: UTF8.self)
        }
    }

    fileprivate static func write(_ bytes: [UInt8], _ kind: UInt8?, to path: String) {
        var folder = ""
        for part in path.split(separator: "/").dropLast() {
            folder += "/\(part)"
            mkdir(folder, 0o700)
        }
        switch kind {
        case 0: mkfifo(path, 0o600)
        case 1: symlink("/etc/passwd", path)
        case 2: mkdir(path, 0o700)
        case 3:
            // A sparse file of 8 TiB.
            let file = open(path, O_CREAT | O_WRONLY, 0o600)
            if file >= 0 {
                ftruncate(file, 8 << 40)
                close(file)
            }
        default:
            let file = open(path, O_CREAT | O_WRONLY | O_TRUNC, 0o600)
            guard file >= 0 else { return }
            _ = Glibc.write(file, bytes, bytes.count)
            close(file)
        }
    }

    /// Computes the checksum of each ustar header again, like a forger (POSIX.1-2017, pax, "ustar Interchange Format").
    private static func repairHeaders(_ tar: inout [UInt8]) {
        for start in stride(from: 0, to: tar.count - 511, by: 512)
        where tar[(start + 257)..<(start + 262)].elementsEqual("ustar".utf8) {
            for index in 148..<156 { tar[start + index] = UInt8(ascii: " ") }
            let sum = tar[start..<(start + 512)].reduce(0) { $0 + Int($1) }
            let digits = String(sum, radix: 8)
            tar.replaceSubrange(
                (start + 148)..<(start + 154),
                with: Array((String(repeating: "0", count: 6 - digits.count) + digits).utf8))
            tar[start + 154] = 0
        }
    }

    private static func repairManifests(_ files: inout [(path: String, bytes: [UInt8])]) {
        func put(_ path: String, _ bytes: [UInt8]) {
            if let index = files.firstIndex(where: { $0.path == path }) {
                files[index].bytes = bytes
            } else {
                files.append((path, bytes))
            }
        }
        func lines(_ isWanted: (String) -> Bool) -> [(path: String, digests: FileDigests)] {
            files.filter { isWanted($0.path) }.map { (path: $0.path, digests: FileDigests(of: $0.bytes)) }
                .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        }
        let payload = lines { $0.hasPrefix("data/") }
        for algorithm in BagManifest.Algorithm.allCases {
            put("manifest-\(algorithm).txt", BagManifest.bytes(payload, algorithm))
        }
        let tags = lines { !$0.hasPrefix("data/") && !$0.hasPrefix("tagmanifest-") }
        for algorithm in BagManifest.Algorithm.allCases {
            put("tagmanifest-\(algorithm).txt", BagManifest.bytes(tags, algorithm))
        }
    }
}

/// A small valid package without a signature: the bag, its tar, a WACZ, and the files that describe them.
private enum SmallPackage {
    static let endings = [".wacz", ".statement", ".sha256", ".roothash", ".tar"]

    static let parts: [String: [UInt8]] = {
        let folder = "\(Scratch.folder)/packages"
        mkdir(folder, 0o700)
        for file in SmallBag.shared.files { FuzzTarget.write(file.bytes, nil, to: "\(folder)/bag/\(file.path)") }
        var parts = [".wacz": Array("PK web archive".utf8), ".tar": SmallBag.shared.tar]
        let digest = SHA256(of: Array("a".utf8)).hex
        parts[".roothash"] = Array("\(digest)\n".utf8)
        let tags = SmallBag.shared.files.first { $0.path == "tagmanifest-sha256.txt" }?.bytes ?? []
        do {
            parts[".statement"] = try PackageStatement([
                .package: "bag", .api: "http://127.0.0.1/api", .catalogue: "rickandmorty", .origin: "live",
                .revision: "1",
                .date: "2026-11-22T00:00:00Z", .rootHash: digest, .revisionDigest: digest, .revisionSeal: digest,
                .tar: digest,
                .tarSize: "0", .wacz: digest, .waczSize: "0", .tagManifest: SHA256(of: tags).hex, .software: "Amber",
            ]).bytes
        } catch {
            preconditionFailure("cannot create the small statement: \(error)")
        }
        repair(&parts)
        return parts
    }()

    /// Updates digests and lengths in the list, and in the statement as far as its lines are found.
    static func repair(_ parts: inout [String: [UInt8]]) {
        var lines = String(decoding: parts[".statement"] ?? [], as: UTF8.self).split(
            separator: "\n", omittingEmptySubsequences: false
        )
        .map(String.init)
        for (key, ending) in [("tar", ".tar"), ("wacz", ".wacz")] {
            let part = parts[ending] ?? []
            for index in lines.indices {
                if lines[index].hasPrefix("\(key)-sha256: ") { lines[index] = "\(key)-sha256: \(SHA256(of: part).hex)" }
                if lines[index].hasPrefix("\(key)-bytes: ") { lines[index] = "\(key)-bytes: \(part.count)" }
            }
        }
        parts[".statement"] = Array(lines.joined(separator: "\n").utf8)
        let listed = [".tar", ".wacz", ".roothash", ".statement"]
        parts[".sha256"] = Array(listed.map { "\(SHA256(of: parts[$0] ?? []).hex)  bag\($0)\n" }.joined().utf8)
    }
}
