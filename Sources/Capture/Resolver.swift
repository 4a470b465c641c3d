import Archive

/// Knows which records are in, which are still to come with a list, and who waits for them; sees to it that nothing is
/// asked twice.
///
/// It only keeps the books: who gets keys to ask for from it does the asking and tells what came of it.
actor Resolver {
    /// What waiting came to.
    enum Wait {
        /// It is known of all whether they are there.
        case settled
        /// Nobody brings these unless the caller asks, and then waits again.
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
    /// What was named before it was in.
    private var mentions: Set<RecordKey> = []
    /// Where the first of these are named.
    private var places: [RecordKey: String] = [:]
    /// Where to ask for what no key tells it of.
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
    /// Those of the keys that their lists did not bring and nobody has asked for: the caller does, and then says
    /// `arrived` or `missing`.
    func claim(_ keys: [RecordKey]) -> [RecordKey] {
        Set(keys).sorted().filter { key in
            states[key] == nil && !asked.contains(key) && (ended.contains(key.kind) || !kinds.contains(key.kind))
                && asked.insert(key).inserted
        }
    }

    /// Waits until it is known of all keys whether they are there, or until some are the caller's to ask for.
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

    /// Records are in, from a list or asked for by number.
    func arrived(_ keys: [RecordKey]) throws(CaptureError) {
        for key in keys { settle(key, .known) }
        try checkCount()
    }

    /// The server has no such records, or they cannot be had.
    func missing(_ keys: [RecordKey]) {
        for key in keys where states[key] == nil { settle(key, .missing) }
    }

    /// A list has brought all it has.
    /// - Returns: what cards wait for and the list did not bring; the caller asks for it.
    func end(list kind: String) -> [RecordKey] {
        ended.insert(kind)
        return claim(waiting.keys.filter { $0.kind == kind })
    }

    /// Notes that a record is named by another, so that it is looked for at the end.
    func mention(
        _ key: RecordKey, by record: RecordKey, at keyPath: @autoclosure () -> String, path: String? = nil
    ) throws(CaptureError) {
        if states[key] == nil, mentions.insert(key).inserted {
            try checkCount()
            if places.count < Self.mostPlaces { places[key] = "\(record) names it at \(keyPath())" }
        }
        if let path, paths[key] == nil { paths[key] = path }
    }

    /// Where those of the keys are to be asked for whose place the records told that name them.
    func paths(of keys: [RecordKey]) -> [RecordKey: String] {
        paths.isEmpty
            ? [:]
            : Dictionary(
                keys.compactMap { key in paths[key].map { (key, $0) } }, uniquingKeysWith: { first, _ in first })
    }

    /// What is named somewhere, and neither in nor known to be missing.
    func unresolvedMentions() -> [RecordKey] {
        claim(mentions.filter { states[$0] == nil })
    }

    /// Where a record is named first: "character 5 names it at location.url".
    func place(of key: RecordKey) -> String? { places[key] }

    /// Lets everyone go who waits: the capture has failed.
    func close() {
        isClosed = true
        for continuation in waiting.values.joined() { continuation.resume() }
        waiting = [:]
    }

    private func checkCount() throws(CaptureError) {
        guard states.count + mentions.count <= limit else {
            throw .incomplete(
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
