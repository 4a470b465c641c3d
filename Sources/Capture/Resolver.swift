import Archive

/// Tracks which records are known, which a list will still bring, and which tasks wait for them. No record is requested
/// twice.
///
/// It tracks state only: the caller that claims keys requests them and reports the result.
actor Resolver {
    enum Wait {
        /// All records are known or missing.
        case settled
        /// The caller has to request these, and then to wait again.
        case claimed([RecordKey])
        /// The capture has failed meanwhile.
        case closed
    }

    private enum State {
        case known
        case missing
    }

    private var states: [RecordKey: State] = [:]
    private var asked: Set<RecordKey> = []
    private var ended: Set<String> = []
    private(set) var waiting: [RecordKey: [CheckedContinuation<Void, Never>]] = [:]
    /// Records that are named and not known.
    private var mentions: Set<RecordKey> = []
    /// The first reference to each of these.
    private var places: [RecordKey: String] = [:]
    private var paths: [RecordKey: String] = [:]
    /// Whether the capture has failed, or was cancelled.
    private(set) var isClosed = false

    private let kinds: Set<String>
    /// The most records that are known or named.
    private let limit: Int
    /// The most references that are kept with the place that names them.
    private static let mostPlaces = 100_000

    init(listedKinds: Set<String>, limit: Int) {
        kinds = listedKinds
        self.limit = limit
    }
}

extension Resolver {
    /// The keys that their lists did not bring and that are not requested yet: the caller requests them, and then calls
    /// `arrived` or `missing`.
    func claim(_ keys: [RecordKey]) -> [RecordKey] {
        Set(keys).sorted().filter { key in
            states[key] == nil && !asked.contains(key) && (ended.contains(key.kind) || !kinds.contains(key.kind))
                && asked.insert(key).inserted
        }
    }

    /// Waits until all records are known or missing, or until the caller has to request some.
    func wait(for keys: [RecordKey]) async -> Wait {
        var listsSeen: Int?
        for key in keys {
            while states[key] == nil && !isClosed {
                // A list may have ended without a record while another was waited for; nothing else adds keys to claim.
                if listsSeen != ended.count {
                    listsSeen = ended.count
                    let claimed = claim(keys)
                    guard claimed.isEmpty else { return .claimed(claimed) }
                }
                await withCheckedContinuation { waiting[key, default: []].append($0) }
            }
        }
        return isClosed ? .closed : .settled
    }

    /// Records have come, from a list or requested by number.
    func arrived(_ keys: [RecordKey]) throws {
        for key in keys { settle(key, .known) }
        try checkCount()
    }

    /// The server does not have these records.
    func missing(_ keys: [RecordKey]) {
        for key in keys where states[key] == nil { settle(key, .missing) }
    }

    /// A list has brought all its records.
    /// - Returns: the records that cards wait for and the list did not bring; the caller requests them.
    func end(list kind: String) -> [RecordKey] {
        ended.insert(kind)
        return claim(waiting.keys.filter { $0.kind == kind })
    }

    /// Notes that a record is named by another, so that it is requested at the end.
    func mention(
        _ key: RecordKey, by record: RecordKey, at keyPath: @autoclosure () -> String, path: String? = nil
    ) throws {
        if states[key] == nil, mentions.insert(key).inserted {
            try checkCount()
            if places.count < Self.mostPlaces { places[key] = "\(record) names it at \(keyPath())" }
        }
        if let path, paths[key] == nil { paths[key] = path }
    }

    func paths(of keys: [RecordKey]) -> [RecordKey: String] {
        paths.isEmpty
            ? [:]
            : Dictionary(
                keys.compactMap { key in paths[key].map { (key, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// The named records that are neither known nor missing.
    func unresolvedMentions() -> [RecordKey] {
        claim(mentions.filter { states[$0] == nil })
    }

    /// The first reference to a record: "character 5 names it at location.url".
    func place(of key: RecordKey) -> String? { places[key] }

    /// Ends all waiting: the capture has failed.
    func close() {
        isClosed = true
        for continuation in waiting.values.joined() { continuation.resume() }
        waiting = [:]
    }

    private func checkCount() throws {
        guard states.count + mentions.count <= limit else {
            throw CaptureError.incomplete(
                "there are more than the \(limit) records that maximumRecords allows; raise it and run again")
        }
    }

    private func settle(_ key: RecordKey, _ state: State) {
        states[key] = state
        if state == .known {
            mentions.remove(key)
            places[key] = nil
        }
        for continuation in waiting.removeValue(forKey: key) ?? [] { continuation.resume() }
    }
}
