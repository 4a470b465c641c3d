import Archive

/// Tracks known records, records that may still come from a list, and waiting tasks. No record is requested twice.
///
/// It only tracks state. The caller that claims keys requests them and reports the result.
actor Resolver {
    private enum State: Comparable { case referenced, claimed, known, missing }

    private var states: [RecordKey: State] = [:]
    /// The kinds of lists that have not ended.
    private var openKinds: Set<String>
    private(set) var waiting: [RecordKey: [CheckedContinuation<Void, Never>]] = [:]
    /// The first reference to each of these records, as text. Their number is limited.
    private var firstReferences: [RecordKey: String] = [:]
    private var paths: [RecordKey: String] = [:]
    /// Whether the capture has failed or was cancelled.
    private(set) var isClosed = false

    /// The maximum number of records in `states`.
    private let limit: Int

    init(listedKinds: Set<String>, limit: Int) {
        openKinds = listedKinds
        self.limit = limit
    }

    /// Claims keys that no list can contain any more. The caller requests them, and then reports the result.
    func claim(_ keys: [RecordKey]) -> [RecordKey] {
        let claimed = Set(keys).sorted().filter { key in
            (states[key] ?? .referenced) == .referenced && !openKinds.contains(key.kind)
        }
        for key in claimed { states[key] = .claimed }
        return claimed
    }

    /// Waits until all records are known or missing, or until the caller must request some and then wait again.
    /// - Returns: the records to request; empty if there are none.
    /// - Throws: if the capture has failed or was cancelled.
    func wait(for keys: [RecordKey]) async throws -> [RecordKey] {
        var openCount: Int?
        for key in keys {
            while isOpen(key) && !isClosed {
                // Only the end of a list makes new keys claimable.
                if openCount != openKinds.count {
                    openCount = openKinds.count
                    let claimed = claim(keys)
                    guard claimed.isEmpty else { return claimed }
                }
                await withCheckedContinuation { waiting[key, default: []].append($0) }
            }
        }
        if isClosed { throw CaptureError.cancelled }
        return []
    }

    /// Reports records that were received, from a list or by number.
    func addArrived(_ keys: [RecordKey]) throws {
        for key in keys { settle(key, .known) }
        try checkCount()
    }

    /// Reports records that the server does not have.
    func addMissing(_ keys: [RecordKey]) { for key in keys where isOpen(key) { settle(key, .missing) } }

    var missingKinds: Set<String> { Set(states.lazy.filter { $0.value == .missing }.map(\.key.kind)) }

    /// Reports the end of a list.
    /// - Returns: the records of this kind for which cards still wait. The caller must request them.
    func end(list kind: String) -> [RecordKey] {
        openKinds.remove(kind)
        return claim(waiting.keys.filter { $0.kind == kind })
    }

    /// Stores a reference to a record. If the record is still unknown at the end of the capture, it is requested.
    func addReference(to key: RecordKey, from record: RecordKey, at keyPath: String, path: String? = nil) throws {
        if let path, paths[key] == nil { paths[key] = path }
        guard states[key] == nil else { return }
        states[key] = .referenced
        try checkCount()
        if firstReferences.count < 100_000 { firstReferences[key] = "\(record) refers to it at \(keyPath)" }
    }

    func paths(of keys: [RecordKey]) -> [RecordKey: String] { keys.reduce(into: [:]) { $0[$1] = paths[$1] } }

    /// Claims the referenced records that are neither known nor missing.
    func unresolvedReferences() -> [RecordKey] { claim(states.compactMap { $1 == .referenced ? $0 : nil }) }

    /// The first reference to a record, such as "character 5 refers to it at location.url".
    func firstReference(to key: RecordKey) -> String? { firstReferences[key] }

    /// Resumes all waiting tasks, because the capture has failed or was cancelled.
    func close() {
        isClosed = true
        for continuation in waiting.values.joined() { continuation.resume() }
        waiting = [:]
    }

    /// Whether the record is neither known nor missing.
    private func isOpen(_ key: RecordKey) -> Bool { (states[key] ?? .referenced) < .known }

    private func checkCount() throws {
        guard states.count <= limit else {
            throw CaptureError.incomplete(
                "there are more than the \(limit) records that maximumRecords allows; raise maximumRecords and run "
                    + "again")
        }
    }

    private func settle(_ key: RecordKey, _ state: State) {
        states[key] = state
        if state == .known { firstReferences[key] = nil }
        for continuation in waiting.removeValue(forKey: key) ?? [] { continuation.resume() }
    }
}
