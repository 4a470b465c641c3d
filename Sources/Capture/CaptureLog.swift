import Archive
import Catalogue
import HTTP

/// The findings that the tasks of a capture share: its gaps, its files, and the records that no list contains.
struct CaptureLog {
    var gaps = GapList()
    /// The records that were requested by number, with their answers.
    var extras: [RecordKey: (slice: RecordSlice, exchange: Exchange, children: [ChildList])] = [:]
    /// The number of records that were or will be requested by number.
    var extrasRequested = 0
    /// The paths of the lists of children that are still to be walked, by the index of the list.
    var children: [Int: [String]] = [:]
    private var childPaths: [Int: Set<String>] = [:]
    /// The digests of the paths of the requested pictures and files.
    private var assets: Set<SHA256> = []
    var picturesStored = 0
    var filesStored = 0
    /// The error that ended the capture. Later errors are consequences and are not stored.
    private(set) var failure: (any Error)?

    /// Stores the error that ended the capture, unless there is one already. A cancellation is ignored, because another
    /// error caused it.
    mutating func setFailure(_ error: any Error) {
        switch error {
        case is CancellationError, CaptureError.cancelled: break
        case let error as HTTPError where error.cause == .cancelled: break
        default: failure = failure ?? error
        }
    }

    /// Adds the lists of a record's children. Two records can share a list.
    mutating func add(children lists: [ChildList]) {
        for child in lists where childPaths[child.list, default: []].insert(child.path).inserted {
            children[child.list, default: []].append(child.path)
        }
    }

    /// - Returns: true at the first call for a picture or file. That caller must request it.
    mutating func claim(asset path: String) -> Bool { assets.insert(SHA256(of: path.utf8)).inserted }
}
