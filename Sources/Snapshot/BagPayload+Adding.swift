import Dispatch
import Platform

extension BagPayload {
    /// Adds the payload's files, as many as fit in a batch read and hashed by all cores at once.
    func add(to sink: inout BagSink) throws(SnapshotError) -> [FileDigests] {
        var digests: [FileDigests] = []
        digests.reserveCapacity(files.count)
        for batch in batches {
            if let large = largeFile(at: batch.lowerBound) {
                digests.append(try sink.addLarge(files[batch.lowerBound], from: large))
                continue
            }
            let made = Guarded<[Int: Result<LoadedFile, SnapshotError>]>([:])
            let folder = sink.folder
            DispatchQueue.concurrentPerform(iterations: batch.count) { offset in
                let index = batch.lowerBound + offset
                let result = Result { () throws(SnapshotError) in try files[index].load(into: folder) }
                made.withLock { $0[index] = result }
            }
            let loaded = made.withLock { $0 }
            for index in batch {
                guard let file = loaded[index] else { preconditionFailure("every file of a batch is loaded") }
                let (content, known) = try (file.get().content, file.get().digests)
                let entry = files[index]
                if let first = entry.first {
                    try entry.check(digests[first])
                    digests.append(digests[first])
                    try sink.addLink(entry.file.path, to: files[first].file.path)
                } else if let known {
                    digests.append(known)
                    try sink.addLoaded(entry.file.path, content)
                }
            }
        }
        return digests
    }
}
