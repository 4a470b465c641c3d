public import Archive

/// Writes a bag (BagIt 1.0, RFC 8493) as a folder, as a tar, or as both in one pass over the content.
///
/// Each file is read once, and both its digests are made then; files that are names of one file are read once together.
/// The bytes are a function of the files and the values given here: no clock is read.
public struct BagWriter: Sendable {
    /// A line of bag-info.txt.
    public struct Field: Sendable {
        let label: String
        let value: String

        /// A line of one label and one value, neither of which has more lines.
        public init(_ label: String, _ value: String) {
            self.label = label
            self.value = value
        }
    }

    /// How much went into a bag.
    public struct Report: Sendable, Equatable {
        /// The payload's files.
        public let files: Int
        /// The bytes of them all.
        public let bytes: Int64
        /// The SHA-256 of tagmanifest-sha256.txt, which covers the whole bag.
        public let tagManifest: SHA256
    }

    let name: String
    let info: [Field]
    let baggingDate: String
    let software: String
    let modified: Int64

    /// - Parameters:
    ///   - name: the one folder that the tar holds.
    ///   - info: what bag-info.txt says before what every bag has.
    ///   - baggingDate: the day of Bagging-Date, as 2026-11-21.
    ///   - software: what Bag-Software-Agent names.
    ///   - modified: seconds since 1970, that all in the tar is said to be last changed at.
    public init(name: String, info: [Field], baggingDate: String, software: String, modified: Int64) {
        self.name = name
        self.info = info
        self.baggingDate = baggingDate
        self.software = software
        self.modified = modified
    }
}

extension BagWriter {
    /// Writes the bag.
    /// - Parameters:
    ///   - files: the payload, in any order.
    ///   - folder: where the bag goes as a folder; files on disk get a second name there, or a copy, but for those that
    ///     stand at their places already. There may be nothing else.
    ///   - tar: where it goes as a tar that is not there yet.
    public func write(_ files: [BagFile], folder: String? = nil, tar: String? = nil) throws(SnapshotError) -> Report {
        let payload = try BagPayload(files)
        let head: [(String, [UInt8])] = [
            ("bagit.txt", BagManifest.declaration),
            ("bag-info.txt", try infoFile(payload)),
        ]
        var sink = try BagSink(folder: folder, tar: tar, name: name, modified: modified, payload: payload)
        for (path, bytes) in head { try sink.add(path, bytes) }

        let digests = try payload.add(to: &sink)
        let listed = zip(payload.files, digests).map { (path: "data/" + $0.file.path, digests: $1) }
        var tags = head.map { (path: $0.0, digests: FileDigests(of: $0.1)) }
        for algorithm in BagManifest.Algorithm.allCases {
            let manifest = BagManifest.bytes(listed, algorithm)
            try sink.add("manifest-\(algorithm).txt", manifest)
            tags.append(("manifest-\(algorithm).txt", FileDigests(of: manifest)))
        }
        tags.sort { $0.path.utf8.lexicographicallyPrecedes($1.path.utf8) }
        for algorithm in BagManifest.Algorithm.allCases {
            try sink.add("tagmanifest-\(algorithm).txt", BagManifest.bytes(tags, algorithm))
        }
        try sink.finish()
        return Report(
            files: payload.files.count, bytes: payload.bytes, tagManifest: SHA256(of: BagManifest.bytes(tags, .sha256)))
    }

    private func infoFile(_ payload: BagPayload) throws(SnapshotError) -> [UInt8] {
        let fields =
            info + [
                Field("Bagging-Date", baggingDate), Field("Bag-Software-Agent", software),
                Field("Payload-Oxum", "\(payload.bytes).\(payload.files.count)"),
            ]
        var text = ""
        for field in fields {
            let lines = (field.label + field.value).unicodeScalars
            guard !field.label.isEmpty, !field.label.contains(":"), !lines.contains(where: { $0 == "\n" || $0 == "\r" })
            else {
                throw .unwritable(
                    "bag-info.txt has no room for \"\(field.label)\" with \"\(field.value)\": both have to be of one "
                        + "line"
                )
            }
            text += "\(field.label): \(field.value)\n"
        }
        return Array(text.utf8)
    }
}
