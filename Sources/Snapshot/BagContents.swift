import Archive
import Dispatch
import Platform

/// A bag as it is found, as a folder or in a tar: the digests of its files, computed anew, and the lists of digests that it carries.
struct BagContents {
    /// Every file by its path within the bag.
    private(set) var files: [String: FileDigests] = [:]
    private var lists: [String: [UInt8]] = [:]

    private static let lists: Set<String> = Set(
        BagWriter.algorithms.flatMap { ["manifest-\($0.name).txt", "tagmanifest-\($0.name).txt"] })
    private static let tags: Set<String> = Set(["bagit.txt", "bag-info.txt"] + BagWriter.algorithms.map { "manifest-\($0.name).txt" })

    /// Reads a bag's folder, on all cores; names of one file are read once.
    init(folder: String) throws {
        let paths = try Folder.files(below: folder)
        var names: [UInt64: [String]] = [:]
        for path in paths {
            guard let status = FileStatus("\(folder)/\(path)") else { throw SnapshotError.damaged("\(path) is gone") }
            guard !status.isLink else { throw SnapshotError.damaged("\(path) is a link, not a file") }
            names[status.inode, default: []].append(path)
        }
        let groups = Array(names.values)
        let results = Guarded<[Int: Result<FileDigests, SnapshotError>]>([:])
        DispatchQueue.concurrentPerform(iterations: groups.count) { index in
            let path = "\(folder)/\(groups[index][0])"
            let result = Result { () throws(SnapshotError) in
                var reader = try FileReader.opened(path)
                var hasher = FileHasher()
                try reader.forEachPiece(of: path) { hasher.update($0) }
                return hasher.finish()
            }
            results.withLock { $0[index] = result }
        }
        for (index, result) in results.withLock({ $0 }) {
            let digests = try result.get()
            for path in groups[index] { files[path] = digests }
        }
        for name in Self.lists where files[name] != nil { lists[name] = try File.read("\(folder)/\(name)") }
    }

    /// Reads a tar that holds one folder of that name and nothing else; every byte of it is looked at.
    init(tar: String, name: String) throws(SnapshotError) {
        var reader = try TarReader(tar)
        while let entry = try reader.next() {
            guard entry.path == name || entry.path.hasPrefix("\(name)/") else {
                throw .damaged("\(entry.path) does not belong into the tar")
            }
            let path = String(entry.path.dropFirst(name.count + 1))
            switch entry.kind {
            case .folder: break
            case .link(let target): files[path] = files[String(target.dropFirst(name.count + 1))]
            case .file:
                var hasher = FileHasher()
                var kept: [UInt8] = []
                let isList = Self.lists.contains(path)
                try reader.content { piece in
                    hasher.update(piece)
                    if isList { kept += piece }
                }
                files[path] = hasher.finish()
                if isList { lists[path] = kept }
            }
        }
    }
}

extension BagContents {
    /// How many files the payload has.
    var payloadCount: Int { files.keys.count { $0.hasPrefix("data/") } }

    /// The first thing in which the bag's own lists and its files disagree; nil where both are the same to the byte.
    var fault: String? {
        let paths = files.keys.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        if let foreign = paths.first(where: { !$0.hasPrefix("data/") && !Self.tags.contains($0) && !Self.lists.contains($0) }) {
            return "\(foreign) is no file of a bag"
        }
        let payload = paths.filter { $0.hasPrefix("data/") }
        for (algorithm, digest) in BagWriter.algorithms {
            for (list, listed) in [("manifest", payload), ("tagmanifest", paths.filter { Self.tags.contains($0) })] {
                let name = "\(list)-\(algorithm).txt"
                let wanted = BagWriter.manifest(listed.map { path in (path, files[path].map { digest($0) } ?? "") })
                guard let found = lists[name] else { return "\(name) is missing" }
                if found != wanted { return Self.difference(found, wanted, name) }
            }
        }
        return nil
    }

    private static func difference(_ found: [UInt8], _ wanted: [UInt8], _ name: String) -> String {
        let lines = (
            found.split(separator: 10, omittingEmptySubsequences: false), wanted.split(separator: 10, omittingEmptySubsequences: false)
        )
        let place = zip(lines.0, lines.1).first { !$0.0.elementsEqual($0.1) }
        guard let place else { return "\(name) does not list the files that are there" }
        let path = String(decoding: place.1.drop { $0 != 32 }.dropFirst(2), as: UTF8.self)
        return "\(path.isEmpty ? name : path) is not what \(name) says"
    }
}
