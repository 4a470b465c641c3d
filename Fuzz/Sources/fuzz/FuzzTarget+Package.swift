import Archive
import Glibc
import Platform

@testable import Snapshot

/// A valid small bag as a tar and as files, made once a process.
private struct SmallBag {
    static let shared = SmallBag()

    let tar: [UInt8]
    /// The bag's files by path, manifests among them.
    let files: [(path: String, bytes: [UInt8])]

    private init() {
        let (folder, path) = ("\(Scratch.folder)/valid", "\(Scratch.folder)/valid.tar")
        let picture = Scratch.write(Array("picture".utf8), to: "picture")
        let again = "\(Scratch.folder)/again"
        link(picture, again)
        let writer = BagWriter(
            name: "bag", info: [.init("External-Description", "small")], baggingDate: "2026-11-22", software: "Amber", modified: 1)
        do {
            _ = try writer.write(
                [
                    BagFile("site/index.html", .bytes(Array("<p>page</p>".utf8))), BagFile("site/1.png", .file(picture)),
                    BagFile("site/2.png", .file(again)), BagFile("archive/archive.sqlite", .bytes(Array("database".utf8))),
                    BagFile("site/" + String(repeating: "long/", count: 24) + "name.html", .bytes([])),
                ], folder: folder, tar: path)
            tar = try File.read(path)
            files = try Folder.files(below: folder).map { ($0, try File.read("\(folder)/\($0)")) }
        } catch {
            preconditionFailure("the small bag cannot be made: \(error)")
        }
    }
}

extension FuzzTarget {
    /// A tar that was received. Its headers' checksums are computed again in half of the runs, and so are the bag's manifests.
    static let tar = FuzzTarget(name: "tar") { bytes in
        var script = Script(bytes)
        let isRepaired = script.byte() & 1 == 1
        var tar = SmallBag.shared.tar
        edit(&tar, &script)
        if isRepaired { repairHeaders(&tar) }
        let path = Scratch.write(tar, to: "received.tar")
        do {
            let found = try BagReader.check(tar: path)
            require(found.payload.files == 5, "a bag that holds is the one that was written")
        } catch {
            // A refusal is as good an end.
        }
    }

    /// A bag in a folder that was received: files changed, added, removed, made something else, and manifests written again.
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
            require(kinds.isEmpty || files.allSatisfy { kinds[$0.path] == nil }, "only regular files are part of a bag")
        } catch {
            // A refusal is as good an end.
        }
    }

    /// A web archive that was received.
    static let wacz = FuzzTarget(name: "wacz") { bytes in
        var script = Script(bytes)
        let isRepaired = script.byte() & 1 == 1
        var zip = SmallZip.bytes
        edit(&zip, &script)
        if isRepaired { SmallZip.repair(&zip) }
        let path = Scratch.write(zip, to: "received.wacz")
        do {
            var reader = try ZipReader(path)
            while try reader.next() != nil { try reader.content { _ in } }
        } catch {
            // A refusal is as good an end.
        }
    }
}

extension FuzzTarget {
    /// Overwrites, inserts and removes bytes.
    fileprivate static func edit(_ bytes: inout [UInt8], _ script: inout Script) {
        for _ in 0..<8 where !script.isAtEnd {
            let place = script.number(below: bytes.count + 1)
            let count = script.number(below: 32)
            let new = script.bytes(count)
            switch script.byte() % 4 {
            case 0: bytes.insert(contentsOf: new, at: place)
            case 1: bytes.removeSubrange(place..<min(bytes.count, place + count))
            case 2:
                // A block, a whole header, again or elsewhere.
                let start = place / 512 * 512
                let block = bytes[start..<min(bytes.count, start + 512)]
                let other = script.number(below: bytes.count / 512 + 1) * 512
                bytes.replaceSubrange(min(other, bytes.count)..<min(bytes.count, other + 512), with: Array(block))
            default: bytes.replaceSubrange(place..<min(bytes.count, place + new.count), with: new)
            }
        }
    }

    private static func name(_ script: inout Script) -> String {
        switch script.byte() % 4 {
        case 0: "data/\(script.number(below: 99))"
        case 1:
            script.chosen(from: [
                "bagit.txt", "manifest-md5.txt", "fetch.txt", "data", "data/site", "data/a\nb", "data/%", "tagmanifest-x.txt", "x/y",
            ])
        default:
            // One segment of any bytes but those that no file system takes.
            "data/x" + String(decoding: script.bytes(script.number(below: 40)).map { $0 == 0 || $0 == 47 ? 46 : $0 }, as: UTF8.self)
        }
    }

    private static func write(_ bytes: [UInt8], _ kind: UInt8?, to path: String) {
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
            // Eight terabytes that are not there.
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

    /// The sum of each block that names its format, as a forger computes it (POSIX.1-2017, pax, "ustar Interchange Format").
    private static func repairHeaders(_ tar: inout [UInt8]) {
        for start in stride(from: 0, to: tar.count - 511, by: 512) where tar[(start + 257)..<(start + 262)].elementsEqual("ustar".utf8) {
            for place in 148..<156 { tar[start + place] = UInt8(ascii: " ") }
            let sum = tar[start..<(start + 512)].reduce(0) { $0 + Int($1) }
            let digits = String(sum, radix: 8)
            tar.replaceSubrange((start + 148)..<(start + 154), with: Array((String(repeating: "0", count: 6 - digits.count) + digits).utf8))
            tar[start + 154] = 0
        }
    }

    private static func repairManifests(_ files: inout [(path: String, bytes: [UInt8])]) {
        func put(_ path: String, _ bytes: [UInt8]) {
            if let index = files.firstIndex(where: { $0.path == path }) { files[index].bytes = bytes } else { files.append((path, bytes)) }
        }
        func lines(_ isWanted: (String) -> Bool) -> [(path: String, digests: FileDigests)] {
            files.filter { isWanted($0.path) }.map { (path: $0.path, digests: FileDigests(of: $0.bytes)) }
                .sorted { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        }
        let payload = lines { $0.hasPrefix("data/") }
        for algorithm in BagManifest.Algorithm.allCases { put("manifest-\(algorithm).txt", BagManifest.bytes(payload, algorithm)) }
        let tags = lines { !$0.hasPrefix("data/") && !$0.hasPrefix("tagmanifest-") }
        for algorithm in BagManifest.Algorithm.allCases { put("tagmanifest-\(algorithm).txt", BagManifest.bytes(tags, algorithm)) }
    }
}

/// A valid zip of two files, and its checksums written again.
private enum SmallZip {
    static let bytes: [UInt8] = {
        let path = "\(Scratch.folder)/valid.wacz"
        do {
            var writer = try ZipWriter(path, time: PackageTime(milliseconds: 1_795_000_000_000))
            try writer.begin("archive/data.warc.gz")
            try writer.append(Array("a warc".utf8))
            try writer.end()
            try writer.add("datapackage.json", Array("{}".utf8))
            try writer.finish()
            return try File.read(path)
        } catch {
            preconditionFailure("the small zip cannot be made: \(error)")
        }
    }()

    /// Walks the files as far as their headers go, computes their checksums, and writes the list at the end again.
    static func repair(_ zip: inout [UInt8]) {
        func number(_ place: Int, _ count: Int) -> Int {
            zip[place..<min(zip.count, place + count)].reversed().reduce(0) { $0 << 8 | Int($1) }
        }
        var place = 0
        var entries: [ZipEntry] = []
        while place + 30 <= zip.count, number(place, 4) == Int(ZipEntry.headerMark) {
            let (nameSize, extraSize) = (number(place + 26, 2), number(place + 28, 2))
            let isLong = extraSize == 20 && place + 30 + nameSize + 20 <= zip.count
            let start = place + 30 + nameSize + extraSize
            let size = isLong ? number(place + 34 + nameSize, 7) : number(place + 18, 4)
            guard start <= zip.count, size <= zip.count - start else { return }
            var checksum = CRC32()
            checksum.update(Array(zip[start..<start + size]))
            withUnsafeBytes(of: checksum.value.littleEndian) { zip.replaceSubrange((place + 14)..<(place + 18), with: Array($0)) }
            let name = Array(zip[(place + 30)..<(place + 30 + nameSize)])
            entries.append(ZipEntry(name: name, offset: UInt64(place), size: UInt64(size), checksum: checksum.value, isLong: isLong))
            place = start + size
        }
        let time = zip.count >= 14 ? UInt32(number(10, 4)) : 0
        zip = Array(zip.prefix(place)) + ZipEntry.ending(entries, at: UInt64(place), time: time, limit: ZipEntry.limit)
    }
}
